"""The seam of the archive's records: one Protocol for each table, and `Store`, which holds them.

Every store does the same: what was written can be read at once, in the same process; what is written in a
`transaction` is written whole or not at all; a post, its version, its check and the names it is found by are
written together. tests/contract holds any store to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from blogforever.model import Failure
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, BlogSummary, PageRecord, PostRecord

from .browsing import PostPage, PostQuery
from .following import BlockTable, FollowedTable, ListTable, SourceTable
from .people import AuditTable, TokenTable
from .schedule import ScheduleTable
from .values import (
    BeforeMove,
    Change,
    CheckedPost,
    CheckRow,
    Cleaning,
    Edit,
    ExtractionRow,
    MoveRow,
    Name,
    PostRow,
    QuietRow,
    RevisionRow,
    Rewritten,
    SightingRow,
    StandingRow,
    VersionRow,
)
from .work import JobQueue, PartTable, WorkerTable


class BlogTable(Protocol):
    """Blogs: what is known of each, by which rules it is read, how it stands as a whole."""

    def keep(self, record: BlogRecord) -> None:
        """Keep what is known about a blog."""

    def find(self, blog: str) -> BlogRecord | None:
        """The record of a blog."""

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

        Where its content changed it gets a new version, and the one before is kept. Comments that are kept stay.
        """

    def revise(self, record: PostRecord, rules: int | None, when: str) -> None:
        """The newest version of a post reads otherwise, though nobody edited it."""

    def revise_version(self, record: PostRecord, number: int, rules: int | None, when: str) -> None:
        """An older version of a post reads otherwise, though nobody edited it."""

    def weave(self, run: int, post: str, order: Sequence[int | PostRecord], rules: int | None) -> None:
        """Put records between the versions of a post, which stand as
        their numbers; the newest stays the newest.
        """

    def rewrite(self, record: PostRecord) -> None:
        """The record of a post as it is now, without a word on how it came to be so."""

    def find(self, post: str) -> PostRecord | None:
        """The record of a post; None where there is no such post."""

    def record(self, post: str) -> PostRecord:
        """The record of a post that is there; ArchiveError where it is not."""

    def any_of(self, blog: str) -> bool:
        """Whether any post of a blog is kept."""

    def brought_by(self, run: int, most: int) -> list[tuple[str, str | None]]:
        """Address and day of the posts that a run brought in their first version, newest first, so many at most."""

    def row(self, post: str) -> PostRow | None:
        """All that is kept of a post itself."""

    def of_blog(self, blog: str) -> Iterator[PostRecord]:
        """The blog's posts, newest first; those without a date come last."""

    def page(self, query: PostQuery) -> PostPage:
        """The posts of all blogs that are asked for, newest first, from a place on."""

    def headings(self, blog: str) -> Iterator[tuple[str | None, str | None, str]]:
        """Day, title and address of the blog's posts, in the same order."""

    def at(self, address: str) -> PostRecord | None:
        """The post with exactly this address; its own before one of its others."""

    def named(self, address: str) -> list[PostRecord]:
        """The posts with an address that means the same page as this one; by blog, newest first."""

    def owners(self, addresses: Iterable[str]) -> dict[str, str]:
        """The blogs that have a post with one of these addresses, by the address as it was asked."""

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


class VersionTable(Protocol):
    """What authors made of their posts, number by number, and when we came to read it otherwise."""

    def of(self, post: str) -> list[VersionRow]:
        """The versions of a post, oldest first."""

    def record(self, post: str, number: int) -> PostRecord | None:
        """The record of one version of a post."""

    def first_run(self, post: str) -> int:
        """The run that found a post; 0 where none did."""

    def add_extraction(self, place: tuple[str, int], rules: int | None, digest: str, reason: str, when: str) -> None:
        """A version of a post reads otherwise now, though nobody edited it."""

    def extractions(self, post: str) -> list[ExtractionRow]:
        """When and why a post came to read otherwise though nobody edited it."""


class CheckTable(Protocol):
    """How each post stands, and what was seen of it."""

    def keep(self, check: CheckRow) -> None:
        """How a post stands now that was looked at and stays as it is."""

    def of_blog(self, blog: str) -> dict[str, CheckedPost]:
        """How each post of a blog stands, by its id."""

    def add_sighting(self, sighting: SightingRow) -> None:
        """What was found at one look."""

    def sightings(self, blog: str) -> dict[str, list[SightingRow]]:
        """The looks at a blog's posts that did not simply find them, oldest first, by post."""


class RunTable(Protocol):
    """Crawls and updates: when they ran, how they ended, what they left to do, what failed in them."""

    def open(self, blog: str) -> tuple[int, str | None]:
        """The number of this blog's run, and since when it is under
        way if an earlier one was not finished.
        """

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

    def under_way(self) -> dict[str, tuple[int, int]]:
        """Blogs whose crawl is not over: how many pages were read that
        may be posts, and how many responses kept.
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
        """How often each reason kept something of the blog's last run out
        of the archive; the most frequent first.
        """


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


class MoveTable(Protocol):
    """Where posts and blogs have moved, and what it takes to undo that."""

    def add(self, move: MoveRow) -> None:
        """A post, or the blog itself, was found under another address."""

    def of_blog(self, blog: str) -> list[MoveRow]:
        """Where posts of a blog, and the blog itself, have moved, in
        order; with what was kept of them before.
        """

    def before(self, post: str) -> BeforeMove:
        """What there is of a post now, to be kept with its move."""

    def rename(self, name: Name, since: MoveRow | None, edit: Edit) -> None:
        """Give a post's rows, or those `since` a move, to another
        post; every record goes through `edit`.
        """

    def put_back(self, post: PostRow, check: CheckRow | None) -> None:
        """A post's row, and that of its check, as they once were; its
        newest version is in the row again.
        """

    def add_first(self, record: PostRecord, row: PostRow, run: int) -> None:
        """The first version of a post that was found with no edit in
        this run, beside those that came after it.
        """


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
    def lists(self) -> ListTable:
        """Lists of followed blogs."""

    @property
    def blocked(self) -> BlockTable:
        """The block list."""

    @property
    def tokens(self) -> TokenTable:
        """Keys to the service."""

    @property
    def audit(self) -> AuditTable:
        """What was done through it."""

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

    def wipe(self) -> None:
        """Leave nothing on the disk of what was deleted."""
