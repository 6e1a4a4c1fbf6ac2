"""The tables of a store in memory, and what a transaction does to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import TypeVar

from blogforever import clock
from blogforever.analyse.prints import PrintedPost
from blogforever.errors import ArchiveError
from blogforever.ping.filters import PingFilter
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, FailureRecord, PageRecord, PostRecord
from blogforever.schedule.policies import ScopedPolicy
from blogforever.storage.following import BlockedPlace, BlogList, FollowedBlog, SourceBatch, SourceRow, WatchedAddress
from blogforever.storage.hooks import DeadLetter, HookStanding, Webhook
from blogforever.storage.news import NewsRow
from blogforever.storage.outbox import FtpAccount, OutboxAsk, OutboxFile, SentPost, Taking
from blogforever.storage.people import Deed, Session, Token, User
from blogforever.storage.pings import FilterChange, FilterHits, PingPackage, PingRow, PingServer, ServerStanding
from blogforever.storage.pushes import Delivery, Subscription
from blogforever.storage.schedule import LookRow
from blogforever.storage.searches import KeptSearch, TagRule
from blogforever.storage.succession import KeptVersion
from blogforever.storage.suspects import Suspicion
from blogforever.storage.values import (
    CheckRow,
    ExtractionRow,
    MoveRow,
    PostRow,
    QuietRow,
    RevisionRow,
    SightingRow,
    StandingRow,
)
from blogforever.storage.verdicts import VerdictRow
from blogforever.storage.work import JobRow, PausedPart, WorkerRow

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run: of which blog, since when, how it ended."""

    blog: str
    started: str
    ending: str | None = None


@dataclass(frozen=True, slots=True)
class KeptCapture:
    """A response that was captured in a run; `failed` says why nothing was made of it."""

    run: int
    url: str
    status: int
    ref: Ref
    failed: str | None = None
    captured: str = ""


@dataclass(slots=True)
class MemoryTables:
    """All rows, by their keys; every one of them is a value that does not change."""

    blogs: dict[str, BlogRecord] = field(default_factory=dict)
    runs: dict[int, KeptRun] = field(default_factory=dict)
    captures: dict[int, KeptCapture] = field(default_factory=dict)
    candidates: dict[tuple[int, str], PostRecord] = field(default_factory=dict)
    failures: dict[int, tuple[int, FailureRecord]] = field(default_factory=dict)
    posts: dict[str, PostRow] = field(default_factory=dict)
    pages: dict[str, tuple[int, PageRecord]] = field(default_factory=dict)
    versions: dict[tuple[str, int], KeptVersion] = field(default_factory=dict)
    extractions: dict[int, ExtractionRow] = field(default_factory=dict)
    checks: dict[str, CheckRow] = field(default_factory=dict)
    sightings: dict[int, SightingRow] = field(default_factory=dict)
    conditions: dict[tuple[str, str], Condition] = field(default_factory=dict)
    moves: dict[int, MoveRow] = field(default_factory=dict)
    revisions: dict[tuple[str, int], RevisionRow] = field(default_factory=dict)
    standings: dict[str, StandingRow] = field(default_factory=dict)
    quiet: dict[str, QuietRow] = field(default_factory=dict)
    jobs: dict[int, JobRow] = field(default_factory=dict)
    workers: dict[str, WorkerRow] = field(default_factory=dict)
    paused: dict[str, PausedPart] = field(default_factory=dict)
    followed: dict[str, FollowedBlog] = field(default_factory=dict)
    aliases: dict[tuple[str, str], None] = field(default_factory=dict)
    watched: dict[tuple[str, str], WatchedAddress] = field(default_factory=dict)
    looks: dict[str, tuple[LookRow, ...]] = field(default_factory=dict)
    policies: dict[tuple[str, str], ScopedPolicy] = field(default_factory=dict)
    batches: dict[str, SourceBatch] = field(default_factory=dict)
    sources: dict[tuple[str, int], SourceRow] = field(default_factory=dict)
    lists: dict[str, BlogList] = field(default_factory=dict)
    searches: dict[str, KeptSearch] = field(default_factory=dict)
    verdicts: dict[str, VerdictRow] = field(default_factory=dict)
    tag_rules: dict[str, TagRule] = field(default_factory=dict)
    pingservers: dict[str, PingServer] = field(default_factory=dict)
    serverstandings: dict[str, ServerStanding] = field(default_factory=dict)
    pingfilters: dict[str, PingFilter] = field(default_factory=dict)
    filterhits: dict[str, FilterHits] = field(default_factory=dict)
    textprints: dict[str, tuple[PrintedPost, ...]] = field(default_factory=dict)
    templates: dict[str, int | None] = field(default_factory=dict)
    suspicions: dict[str, Suspicion] = field(default_factory=dict)
    pings: dict[int, PingRow] = field(default_factory=dict)
    pingpackages: dict[int, PingPackage] = field(default_factory=dict)
    pingsecrets: dict[str, str] = field(default_factory=dict)
    hookposts: dict[tuple[str, str], int] = field(default_factory=dict)
    filterchanges: dict[int, FilterChange] = field(default_factory=dict)
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    deliveries: dict[int, Delivery] = field(default_factory=dict)
    blocked: dict[str, BlockedPlace] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    audit: dict[int, Deed] = field(default_factory=dict)
    news: dict[int, NewsRow] = field(default_factory=dict)
    readers: dict[str, int] = field(default_factory=dict)
    counters: dict[tuple[str, str, str], int] = field(default_factory=dict)
    webhooks: dict[str, Webhook] = field(default_factory=dict)
    hookstandings: dict[str, HookStanding] = field(default_factory=dict)
    deadletters: dict[int, DeadLetter] = field(default_factory=dict)
    outbox: dict[int, OutboxFile] = field(default_factory=dict)
    outboxtakings: dict[tuple[int, str], Taking] = field(default_factory=dict)
    outboxposts: dict[str, SentPost] = field(default_factory=dict)
    outboxmarks: dict[str, str] = field(default_factory=dict)
    outboxasks: dict[int, OutboxAsk] = field(default_factory=dict)
    ftpaccounts: dict[str, FtpAccount] = field(default_factory=dict)
    closed: bool = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Give everything back as it was where something goes wrong inside."""
        self.check_open()
        names = [one.name for one in fields(self) if one.name != "closed"]
        before = {name: dict(getattr(self, name)) for name in names}
        try:
            yield
        except BaseException:
            for name, rows in before.items():
                setattr(self, name, rows)
            raise

    def check_open(self) -> None:
        """ArchiveError where nothing can be written any more."""
        if self.closed:
            raise ArchiveError("The archive is closed.")

    def runs_of(self, blog: str) -> dict[int, KeptRun]:
        """The runs of a blog, oldest first."""
        return {number: run for number, run in self.runs.items() if run.blog == blog}

    def captures_of(self, blog: str) -> dict[int, KeptCapture]:
        """The captures of a blog, oldest first."""
        runs = self.runs_of(blog)
        return {number: capture for number, capture in self.captures.items() if capture.run in runs}


def add_row(table: dict[int, Value], row: Value) -> int:
    """The number that a row gets: the next."""
    number = max(table, default=0) + 1
    table[number] = row
    return number


def drop_rows(table: dict[Key, Value], is_gone: Callable[[Key, Value], bool]) -> None:
    """Take out the rows that are gone."""
    for key in [key for key, row in table.items() if is_gone(key, row)]:
        del table[key]


def change_rows(table: dict[Key, Value], is_meant: Callable[[Value], bool], change: Callable[[Value], Value]) -> None:
    """Put what they become in the place of the rows that are meant."""
    table.update({key: change(row) for key, row in table.items() if is_meant(row)})


def newest_first(posts: Iterable[PostRow]) -> list[PostRow]:
    """Posts as readers see them; those without a date come last."""
    by_url = sorted(posts, key=lambda post: post.url)
    return sorted(by_url, key=lambda post: post.published or "", reverse=True)


def numbered(table: Mapping[tuple[str, int], Value], name: str) -> dict[int, Value]:
    """The rows under one name, by their numbers, lowest first."""
    return {number: table[owner, number] for owner, number in sorted(table) if owner == name}


def now() -> str:
    """This moment as a store writes it."""
    return clock.stamp()
