"""The seam of the archive's records: one Protocol for each table, and `Store`, which holds them.

Every store does the same: what was written can be read at once, in the same process; what is
written in a `transaction` is written whole or not at all; a post, its version, its check and the
names it is found by are written together. tests/contract holds any store to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from blogforever.model import Failure
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, BlogSummary, PageRecord, PostRecord

from .browsing import CommentPage, CommentQuery, Facet, PostLine, PostPage, PostPlace, PostQuery
from .counting import CounterTable
from .following import BlockTable, FollowedTable, ListTable, SourceTable
from .history import CheckTable, MoveTable, VersionTable
from .hooks import HookTable
from .news import NewsTable
from .outbox import FtpAccountTable, OutboxAskTable, OutboxTable
from .people import AuditTable, SessionTable, TokenTable, UserTable
from .pings import PingFilterTable, PingServerTable, PingTable
from .pushes import DeliveryTable, SubscriptionTable
from .schedule import ScheduleTable
from .searches import SearchTable, TagRuleTable
from .suspects import PrintTable, SuspicionTable
from .values import (
    AnswerRow,
    Change,
    CheckRow,
    Cleaning,
    PostRow,
    QuietRow,
    RevisionRow,
    Rewritten,
    StandingRow,
)
from .verdicts import VerdictTable
from .work import JobQueue, PartTable, WorkerTable


class BlogTable(Protocol):
    """Blogs: what is known of each, by which rules it is read, how it stands as a whole."""

    def keep(self, record: BlogRecord) -> None:
        """Keep what is known about a blog."""

    def find(self, blog: str) -> BlogRecord | None:
        """The record of a blog."""

    def some(self, blogs: Iterable[str]) -> dict[str, BlogRecord]:
        """The records of those of these blogs that have one, by id."""

    def summaries(self) -> list[BlogSummary]:
        """Each blog's record with what was counted of it; by name."""

    def addresses(self) -> dict[str, str]:
        """The address of each blog that has one, by its id."""

    def add_revision(self, blog: str, rules: str, reason: str, when: str | None = None) -> int:
        """The number of these rules among the blog's; rules that are known already keep theirs."""

    def revisions(self, blog: str) -> list[RevisionRow]:
        """The rules of a blog as they once were, oldest first."""

    def revision(self, blog: str, number: int | None = None) -> RevisionRow | None:
        """One revision of a blog's rules, or the newest."""

    def standing(self, blog: str) -> StandingRow | None:
        """How the blog stands as a whole."""

    def save_standing(self, standing: StandingRow) -> None:
        """How the blog stands now."""

    def quiet(self, blog: str) -> QuietRow | None:
        """What the blog's announcements said at its last update."""

    def save_quiet(self, quiet: QuietRow) -> None:
        """What they said now."""


class PostTable(Protocol):
    """Posts as they are now, with the addresses and comments they are found by.

    Nobody else writes a post, or a version of one.
    """

    def keep(
        self,
        run: int,
        record: PostRecord,
        change: Change = "compare",
        rules: int | None = None,
        check: CheckRow | None = None,
    ) -> int:
        """Keep a post, and how it stands, in one; its version.

        Where its content changed it gets a new version, and the one before is kept. Comments that
        are kept stay. What became of it (`news.became`) is written with it.
        """

    def revise(self, record: PostRecord, rules: int | None, when: str) -> None:
        """The newest version of a post reads otherwise, though nobody edited it."""

    def revise_version(self, record: PostRecord, number: int, rules: int | None, when: str) -> None:
        """An older version of a post reads otherwise, though nobody edited it."""

    def weave(self, run: int, post: str, order: Sequence[int | PostRecord], rules: int | None) -> None:
        """Put records between the versions of a post, which stand as their numbers; the newest stays the newest."""

    def rewrite(self, record: PostRecord) -> None:
        """The record of a post as it is now, without a word on how it came to be so."""

    def find(self, post: str) -> PostRecord | None:
        """The record of a post; None where there is no such post."""

    def record(self, post: str) -> PostRecord:
        """The record of a post that is there; ArchiveError where it is not."""

    def any_of(self, blog: str) -> bool:
        """Whether any post of a blog is kept."""

    def brought_by(self, run: int, most: int) -> list[tuple[str, str | None]]:
        """Address and day of the posts that a run brought in their first version, newest first, so
        many at most.
        """

    def row(self, post: str) -> PostRow | None:
        """All that is kept of a post itself."""

    def of_blog(self, blog: str) -> Iterator[PostRecord]:
        """The blog's posts, newest first; those without a date come last."""

    def page(self, query: PostQuery) -> PostPage:
        """The posts of all blogs that are asked for, newest first, from a place on."""

    def following(self, blog: str, place: PostPlace) -> PostLine | None:
        """The next newer post of a blog after a place; `page` finds the next older one."""

    def comments(self, query: CommentQuery) -> CommentPage:
        """The comments of all blogs that are asked for, newest first, from a place on."""

    def headings(self, blog: str) -> Iterator[tuple[str | None, str | None, str]]:
        """Day, title and address of the blog's posts, in the same order."""

    def number_with(self, facet: Facet, most: int) -> int:
        """How many posts of all blogs are chosen by something; no more than so many are counted."""

    def months(self, blog: str) -> dict[str, int]:
        """How many posts of a blog are of each month, the first one first: `2013-03`, as the blog
        gives it, or `2013` where only the year is known. Those without a date count nowhere.
        """

    def at(self, address: str) -> PostRecord | None:
        """The post with exactly this address; its own before one of its others."""

    def named(self, address: str) -> list[PostRecord]:
        """The posts with an address that means the same page as this one; by blog, newest first."""

    def owners(self, addresses: Iterable[str]) -> dict[str, str]:
        """The blogs that have a post with one of these addresses, by the address as it was asked."""

    def ids_at(self, addresses: Iterable[str]) -> dict[str, str]:
        """The post with each of these addresses, by the address as it was asked; without those that
        have none.
        """

    def with_comment(self, name: str) -> list[PostRecord]:
        """The posts with a comment of this id or address; in the same order."""

    def digests(self, blog: str) -> dict[str, str]:
        """The digest of each post's content, by its id."""

    def sharing_titles(self, titles: Sequence[str]) -> dict[str, int]:
        """How many posts of each blog have one of these titles."""


class PageTable(Protocol):
    """The blogs' own pages that are no posts, each as it was read last."""

    def keep(self, run: int, record: PageRecord) -> None:
        """Keep a page as it reads now."""

    def drop(self, pages: Iterable[str]) -> None:
        """Let these go, by their ids: they were found to be posts."""

    def of_blog(self, blog: str) -> Iterator[PageRecord]:
        """The blog's pages, by address."""


class RunTable(Protocol):
    """Crawls and updates: when they ran, how they ended, what they left to do, what failed in them."""

    def open(self, blog: str) -> tuple[int, str | None]:
        """The number of this blog's run, and since when it is under way if an earlier one was not finished."""

    def begin(self, blog: str, started: str) -> int:
        """The number of a run that began then; a rebuilt one has the time it had."""

    def last(self, blog: str) -> int:
        """The number of the blog's newest run."""

    def before(self, blog: str, run: int) -> int | None:
        """The number of the blog's run before this one; None for its first."""

    def started(self, run: int) -> str:
        """When a run began."""

    def close(self, run: int, ending: str) -> None:
        """Mark a run as done; one that was interrupted or lost the
        network stays open for the next crawl.
        """

    def last_judged(self, blog: str) -> str | None:
        """When the last crawl of a blog began of which everything was taken over."""

    def under_way(self, blogs: Collection[str] | None = None) -> dict[str, tuple[int, int]]:
        """Blogs, or those of these, whose crawl is not over: how many pages were
        read that may be posts, and how many responses kept.
        """

    def add_candidate(self, run: int, url: str, record: PostRecord) -> None:
        """Keep what was extracted from a page until it is known whether the page is a post."""

    def candidates(self, run: int, urls: Sequence[str]) -> Iterator[PostRecord | None]:
        """What was extracted from these pages in this run, in their order; None where nothing was."""

    def add_failure(self, run: int, blog: str, failure: Failure) -> None:
        """Remember what could not be captured."""

    def forget_failures(self, run: int) -> None:
        """A run that goes on tries its failures again."""

    def failures(self, blog: str) -> dict[str, int]:
        """How often each reason kept something of the blog's last run out of the archive; most frequent first."""

    def failed(self, blog: str, most: int) -> list[Failure]:
        """What of the blog's last run could not be captured, in the order in which that was found;
        so many at most.
        """

    def unfetched(self, blog: str) -> dict[str, int]:
        """Where posts are that the blog announces and its last judged run could not have for now; tries of each."""


class CaptureTable(Protocol):
    """Responses: where each lies, and with what its address can be asked for the next time."""

    def add(self, run: int, url: str, status: int, captured: datetime, ref: Ref) -> None:
        """Remember where a response lies."""

    def drop_reference(self, record_id: str) -> None:
        """The archive has its own copy of a record now, and no longer points to one elsewhere."""

    def find(self, record_id: str) -> Ref | None:
        """Where the response with this WARC record id lies."""

    def run_of(self, record_id: str) -> int | None:
        """The crawl that captured the response with this WARC record id."""

    def file(self, blog: str, url: str) -> Ref | None:
        """Where the newest whole response to this address lies, if the blog's crawls had one."""

    def answers(self, blog: str, url: str, most: int) -> list[AnswerRow]:
        """The whole responses and redirects of this address that the blog's crawls had, newest
        first, so many at most.
        """

    def of_blog(self, blog: str) -> Iterator[Ref]:
        """Where each response of a blog lies, oldest first."""

    def same(self, blog: str, digest: str) -> Ref | None:
        """Where the blog's oldest response with this digest lies."""

    def in_file(self, file: str) -> Iterator[Ref]:
        """The responses in a WARC file, in the order they stand there."""

    def files(self) -> list[str]:
        """The WARC files that hold responses, by name."""

    def outside(self, blog: str | None = None) -> dict[str, Counter[str]]:
        """The files outside the archive that hold responses of its blogs, and how many: by blog."""

    def mark_failed(self, blog: str, run: int, failed: Mapping[str, str]) -> None:
        """Of these addresses nothing was had in this run, though
        something may have come; by their keys, why.
        """

    def seen_addresses(self, blog: str) -> Iterator[str]:
        """Every address of a blog that was fetched with success by a
        crawl of which everything was taken over.
        """

    def frozen_addresses(self, blog: str) -> Iterator[str]:
        """Every address that was fetched with success since the blog is
        frozen: nobody has judged what came.
        """

    def absent_addresses(self, blog: str, since: str) -> Iterator[str]:
        """Every address of a blog of which a server said since then that nothing is there."""

    def save_condition(self, blog: str, url: str, condition: Condition) -> None:
        """With what to ask for an address next time."""

    def condition(self, blog: str, url: str) -> Condition | None:
        """With what to ask for an address of a blog."""

    def forget_conditions(self, blog: str, run: int) -> None:
        """Ask for what this run brought as if it had never come:
        "nothing new" would mean new since then.
        """

    def fresh_addresses(self, blog: str, moment: str) -> set[str]:
        """The addresses whose server said that they would not have changed by then."""


class Store(Protocol):
    """The records of an archive."""

    @property
    def blogs(self) -> BlogTable:
        """Blogs."""

    @property
    def posts(self) -> PostTable:
        """Posts as they are now."""

    @property
    def pages(self) -> PageTable:
        """The blogs' own pages that are no posts."""

    @property
    def versions(self) -> VersionTable:
        """Posts as they were."""

    @property
    def checks(self) -> CheckTable:
        """How posts stand."""

    @property
    def runs(self) -> RunTable:
        """Crawls."""

    @property
    def captures(self) -> CaptureTable:
        """Responses."""

    @property
    def moves(self) -> MoveTable:
        """Other addresses."""

    @property
    def jobs(self) -> JobQueue:
        """Work of the service."""

    @property
    def workers(self) -> WorkerTable:
        """Who carries it."""

    @property
    def parts(self) -> PartTable:
        """Which parts of the service are paused."""

    @property
    def followed(self) -> FollowedTable:
        """Followed blogs."""

    @property
    def schedule(self) -> ScheduleTable:
        """The last looks at followed blogs, and policies for many of them."""

    @property
    def sources(self) -> SourceTable:
        """What was added, batch by batch."""

    @property
    def verdicts(self) -> VerdictTable:
        """What the analyser, and people, say of followed blogs."""

    @property
    def searches(self) -> SearchTable:
        """Searches that people keep."""

    @property
    def tag_rules(self) -> TagRuleTable:
        """By which rules posts get tags."""

    @property
    def lists(self) -> ListTable:
        """Lists of followed blogs."""

    @property
    def blocked(self) -> BlockTable:
        """The block list."""

    @property
    def tokens(self) -> TokenTable:
        """Keys to the service."""

    @property
    def users(self) -> UserTable:
        """The people who may log in."""

    @property
    def sessions(self) -> SessionTable:
        """Their log-ins that last."""

    @property
    def audit(self) -> AuditTable:
        """What was done through it."""

    @property
    def news(self) -> NewsTable:
        """What became of posts, one after the other."""

    @property
    def counters(self) -> CounterTable:
        """What was done, by the hour."""

    @property
    def hooks(self) -> HookTable:
        """Who is told of news."""

    @property
    def ping_servers(self) -> PingServerTable:
        """Where pings come from."""

    @property
    def ping_filters(self) -> PingFilterTable:
        """Which pings are listened to."""

    @property
    def pings(self) -> PingTable:
        """The pings that came."""

    @property
    def subscriptions(self) -> SubscriptionTable:
        """Who was asked to tell us of new posts."""

    @property
    def deliveries(self) -> DeliveryTable:
        """What they delivered."""

    @property
    def outbox(self) -> OutboxTable:
        """Files for repositories."""

    @property
    def outbox_asks(self) -> OutboxAskTable:
        """What was asked of it."""

    @property
    def prints(self) -> PrintTable:
        """Prints of texts and templates, against copies."""

    @property
    def suspicions(self) -> SuspicionTable:
        """Who is likely spam."""

    @property
    def ftp_accounts(self) -> FtpAccountTable:
        """Who may fetch them."""

    def transaction(self) -> AbstractContextManager[object]:
        """Everything that is written inside is written together, or nothing of it is."""

    def flush(self) -> None:
        """Let other processes see what was written."""

    def close(self) -> None:
        """Write what waits; nothing can be written any more."""

    def export(self, run: int | None = None, pages: bool = True) -> Iterator[str]:
        """JSON lines of all records, or of those one run captured or
        changed: blogs, then posts, pages where they are wished for, failures.
        """

    def forget(self, blog: str) -> None:
        """Everything that speaks of a blog goes."""

    def erase(self, blog: str, posts: frozenset[str], rewritten: Rewritten, cleaning: Cleaning) -> None:
        """Delete these posts, and make what is left of the blog fit its
        WARC files as they are now: all, or nothing.
        """

    def relocate(self, blog: str, rewritten: Rewritten) -> None:
        """Tell where the responses of a blog lie now, all in one."""

    def wipe(self) -> None:
        """Leave nothing on the disk of what was deleted."""

    def recount(self) -> None:
        """Let numbers that are kept be those of what is there."""
