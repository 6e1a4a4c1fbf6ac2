"""What the service follows: sources as they came in, lists, followed blogs and their watched
addresses, the block list.

The same seam as `tables.py`, and part of `Store`: what is written in a `transaction` is written
whole or not at all, and several processes write at once. So nobody writes a whole followed blog:
`FollowedTable.change` reads, changes and writes it in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from blogforever.model import LookPolicy, Said
from blogforever.records import HowComplete
from blogforever.source.given import BlogMetadata

FollowState = Literal[
    "waiting", "analysing", "harvesting", "following", "failing", "frozen", "paused", "blocked", "rejected", "dead"
]
Verdict = Literal["new", "known", "blocked", "invalid", "not-a-blog"]
HostClass = Literal["", "blog", "not-a-blog", "spam", "not-known"]
FollowedSort = Literal["id", "title", "created", "state", "last_look", "last_found", "total", "missing", "next_look"]
BlockKind = Literal["host", "address", "pattern"]
WatchedKind = Literal["posts", "comments", "category", "page"]
LabelKind = Literal["list", "tag", "platform"]
OfferedBy = Literal["", "feed", "page"]
"""What says that somebody tells us of news: nothing, the feed itself, or the blog's page."""
# Followed blogs in one answer, where nobody says how many.
USUAL_PAGE = 100


@dataclass(frozen=True, slots=True)
class FollowedBlog:
    """A blog that the service looks at.

    `id` is `source.address.blog_name` of the address as it was given, and stays; `blog` is the id
    it has in the archive once a harvest has settled that. Moments are ISO texts in UTC, whole
    seconds, so that they sort. What is not to be looked at (paused, blocked, rejected) has no
    `next_look`. `found` of the last look is `last_found`; `until` is the day on which looking ends,
    `harvest_by` the day by which the first harvest is wanted.
    """

    id: str
    url: str
    created: str
    blog: str | None = None
    title: str = ""
    state: FollowState = "waiting"
    reason: str = ""
    moved_to: str | None = None
    platform: str = ""
    last_look: str | None = None
    last_found: int = 0
    total: int = 0
    next_look: str | None = None
    next_reason: str = ""
    paused: bool = False
    lists: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    notes: str = ""
    metadata: BlogMetadata = field(default_factory=BlogMetadata)
    policy: LookPolicy = field(default_factory=LookPolicy)
    harvest_by: str | None = None
    until: str | None = None
    failures_in_a_row: int = 0
    pings: int = 0
    verdict: HostClass = ""
    """What the analyser, or a person, says that it is; empty before anybody looked."""
    kind: str = ""
    """The same more closely: shop, forum, post."""
    completeness: HowComplete = "not-known"
    """What the completeness statement of the last harvest or update says, in a word."""
    missing: int = 0
    """How many announced posts are missing, as it says."""
    said: tuple[Said, ...] = field(default=(), compare=False)
    """The sentences of `reason`, where it is made of ours; others hold only as long as they say the
    same.
    """
    next_said: tuple[Said, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How many followed blogs are in a state for one reason."""

    state: FollowState
    reason: str
    number: int
    said: tuple[Said, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page of followed blogs ended: what its last one was sorted by, and its id."""

    value: str | int
    id: str


@dataclass(frozen=True, slots=True)
class FollowedQuery:
    """Which followed blogs, in which order, from where
    on. `q` is a part of the address or of the title; `reason` is that of the state, as it stands.
    """

    q: str = ""
    states: tuple[FollowState, ...] = ()
    tag: str = ""
    list: str = ""
    platform: str = ""
    sort: FollowedSort = "id"
    descending: bool = False
    after: Cursor | None = None
    limit: int = USUAL_PAGE
    reason: str = ""
    completeness: HowComplete | None = None


@dataclass(frozen=True, slots=True)
class FollowedPage:
    """Some followed blogs, and where the next page begins."""

    items: tuple[FollowedBlog, ...]
    next: Cursor | None = None


@dataclass(frozen=True, slots=True)
class WatchedAddress:
    """An address of a followed blog that is looked at by itself, with what it brought."""

    blog: str
    url: str
    kind: WatchedKind = "posts"
    last_look: str | None = None
    last_found: int = 0
    total: int = 0
    hub: str = ""
    """Who offers to tell us of what is new there, by WebSub."""
    topic: str = ""
    """By which address the hub, or the cloud, knows it."""
    cloud: str = ""
    """Who offers the same by rssCloud."""
    procedure: str = ""
    """What the cloud is called to do, where it is asked by XML-RPC."""
    offered_by: OfferedBy = ""
    """What says so."""
    spares: str = ""
    """Other hubs that offer the same, with spaces between them."""


@dataclass(frozen=True, slots=True)
class SourceBatch:
    """One import: when, by whom, from where (the name of
    a file, `paste`, `command`, `api`), into which list.
    """

    id: str
    created: str
    by: str = ""
    origin: str = ""
    list: str = ""
    tags: tuple[str, ...] = ()
    undone: str | None = None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """What one row of a batch came to; `blog` is the id of the followed blog it means.

    So that it can be undone: `made` says that this row made the followed blog, `tagged` and
    `listed` are the tags and lists that it gave it.
    """

    batch: str
    number: int
    input: str
    url: str = ""
    verdict: Verdict = "invalid"
    blog: str | None = None
    reason: str = ""
    made: bool = False
    tagged: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BlogList:
    """A list that blogs belong to; known by its name."""

    name: str
    created: str
    owner: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class BlockedPlace:
    """What nobody may add or follow: a host, an address
    with what lies below it, or a pattern with `*`.
    """

    id: str
    kind: BlockKind
    what: str
    reason: str = ""
    by: str = ""
    at: str = ""


# Longer titles are alike for who sorts them. In UTF-8 so many letters still fit into an index of
# PostgreSQL.
SORTED_LETTERS = 500


def title_key(blog: FollowedBlog) -> str:
    """By what a followed blog is sorted among titles: one without a title by its id."""
    return (blog.title or blog.id).casefold()[:SORTED_LETTERS]


class FollowedTable(Protocol):
    """Followed blogs, the addresses they are known by, and those that are watched."""

    def add(self, blogs: Iterable[FollowedBlog]) -> None:
        """Follow these; one whose id is there already stays as it is."""

    def find(self, blog: str) -> FollowedBlog | None:
        """The followed blog with this id."""

    def some(self, blogs: Iterable[str]) -> list[FollowedBlog]:
        """Those of these ids that are followed, by id."""

    def change(self, blog: str, edit: Callable[[FollowedBlog], FollowedBlog]) -> FollowedBlog | None:
        """What a followed blog is after an edit, which no
        other writer comes between; None where there is none.
        """

    def drop(self, blogs: Iterable[str]) -> None:
        """Follow these no more; their addresses go with them."""

    def add_aliases(self, blog: str, urls: Iterable[str]) -> None:
        """Other addresses that mean this followed blog."""

    def known(self, urls: Iterable[str]) -> dict[str, FollowedBlog]:
        """The followed blogs that have one of these addresses, or a watched one, by the address as
        it was asked.

        Scheme, `www.`, a slash at the end do not count.
        """

    def hosts(self) -> frozenset[str]:
        """The hosts of all addresses by which blogs are known, without `www.`"""

    def in_archive(self, blog: str) -> list[FollowedBlog]:
        """The followed blogs that are this blog of the archive; by id."""

    def unfollowed(self, after: str, most: int) -> list[str]:
        """The blogs of the archive that nobody follows; ids, in order, from after one on, so many at most."""

    def page(self, query: FollowedQuery) -> FollowedPage:
        """The followed blogs that are asked for, from a place on."""

    def due(self, now: str, limit: int) -> list[FollowedBlog]:
        """The followed blogs whose next look is due, the longest due first."""

    def counts(self) -> dict[str, int]:
        """How many followed blogs are in each state."""

    def listed(self) -> dict[str, int]:
        """How many followed blogs are in each list that has any."""

    def reasons(self, states: Sequence[FollowState], most: int) -> list[ReasonCount]:
        """Why followed blogs are in these states; state by state, the
        most frequent reason first, so many at most.
        """

    def names(self, kind: LabelKind, most: int) -> list[str]:
        """The lists, tags or platforms that followed blogs have, by name, so many at most; without
        counting blogs.
        """

    def watch(self, address: WatchedAddress) -> None:
        """Watch an address, or note what it brought."""

    def watched(self, blog: str) -> list[WatchedAddress]:
        """The watched addresses of a followed blog, by address."""

    def feeds(self, blogs: Iterable[str]) -> dict[str, str]:
        """The feed of posts of each of these followed blogs that has one; where it has several, the
        first by address.
        """


class SourceTable(Protocol):
    """Batches and their rows."""

    def add(self, batch: SourceBatch, rows: Sequence[SourceRow] = ()) -> None:
        """Keep a batch with its rows, or the first of them; one that is there is replaced."""

    def add_rows(self, rows: Sequence[SourceRow]) -> None:
        """Keep further rows of batches; what is there under their numbers is replaced."""

    def batch(self, batch: str) -> SourceBatch | None:
        """The batch with this id."""

    def batches(self, after: str | None = None, limit: int = USUAL_PAGE) -> list[SourceBatch]:
        """Batches, newest first, from after one on."""

    def verdicts(self, batch: str) -> Mapping[str, int]:
        """How many rows of a batch have each verdict."""

    def states(self, batch: str) -> Mapping[str, int]:
        """How many followed blogs that rows of a batch mean are in each state."""

    def rows(self, batch: str, after: int = 0, limit: int | None = None) -> Iterator[SourceRow]:
        """The rows of a batch in their order, from after a number on."""

    def of_blog(self, blog: str) -> list[SourceRow]:
        """The rows, of batches that are not undone, that mean a followed blog."""

    def judge(self, blog: str, verdict: Verdict, reason: str, means: str | None = None) -> None:
        """What analysis says of the rows that mean a followed
        blog; where it is another one, `means` is its id.
        """

    def undo(self, batch: str, at: str) -> None:
        """The batch counts no more."""


class ListTable(Protocol):
    """The lists."""

    def keep(self, blog_list: BlogList) -> None:
        """Keep a list, or what is said of it now."""

    def find(self, name: str) -> BlogList | None:
        """The list with this name."""

    def all(self) -> list[BlogList]:
        """All lists, by name."""

    def drop(self, name: str) -> None:
        """Drop a list; its blogs stay, and belong to it no more."""


class BlockTable(Protocol):
    """The block list."""

    def keep(self, blocked: BlockedPlace) -> None:
        """Block something."""

    def find(self, blocked: str) -> BlockedPlace | None:
        """The entry with this id."""

    def all(self) -> list[BlockedPlace]:
        """Everything that is blocked, oldest first."""

    def drop(self, blocked: str) -> None:
        """Let it in again."""
