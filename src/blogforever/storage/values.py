"""What a store keeps beside the records: how posts and blogs stand and came to be so; named like their tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET, UnsetType

from blogforever.protocols import Ref
from blogforever.records import BlogRecord, PostRecord, Stored

# How a run ends of which everything was taken over, and one of which a person has to say first
# what is true.
JUDGED, FROZEN = "finished", "frozen"
# How a run ends that the next crawl goes on with.
GOES_ON = frozenset({"interrupted", "lost"})
# The archive's own files are named from its folder on, all others by their whole path.
OUTSIDE = "/"

# Whether the author changed a post: yes, no, or to be told from the digests alone.
Change = Literal["content", "none", "compare"]
# A record as it is under the new name, given the number its version has there.
Edit = Callable[[PostRecord, int], PostRecord]


# The statuses of answers that lead to another address.
REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of a post: when it was captured, by which rules it was
    read; its record is asked for by its number.
    """

    post: str
    number: int
    blog: str
    captured: str | None
    digest: str
    rules: int | None
    record_id: str | None
    run: int


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """The rules of a blog as they once were, and why they were learned."""

    blog: str
    number: int
    learned: str
    reason: str
    digest: str
    rules: str


@dataclass(frozen=True, slots=True)
class ExtractionRow:
    """When and why a version of a post came to read otherwise though nobody edited it."""

    post: str
    version: int
    rules: int | None
    extracted: str
    digest: str
    reason: str


class CheckRow(Stored, frozen=True, kw_only=True):
    """How a post stands, when it was last looked at, and what was last announced of it."""

    post: str
    blog: str
    state: str
    since: str
    captured: str | None = None
    checked: str | None = None
    unchanged: int = 0
    announced: str | None = None
    entry: str | None = None
    record_id: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedPost:
    """How a post stands, and where the capture lies that it was last compared with."""

    check: CheckRow
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class SightingRow:
    """What was found at one look at a post: where it is absent though its like are there, and why."""

    post: str
    blog: str
    run: int
    checked: str
    status: int
    outcome: str
    absent: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """How a blog stands as a whole, with the sentence a person reads."""

    blog: str
    state: str
    since: str
    checked: str
    misses: int
    message: str


@dataclass(frozen=True, slots=True)
class QuietRow:
    """What a blog's announcements said at its last update, and until when none of its posts needs a
    look.

    `said` has the digests of the announcements by their addresses, `settings` stands for the
    options and decisions that the update went by, `share` is that of the old posts to look at
    again, `turned` when these last had their turn. Without `until` something may be left to do.
    """

    blog: str
    run: int
    settings: str
    share: str
    turned: str | None
    until: str | None
    said: dict[str, str]


class PostRow(Stored, frozen=True, kw_only=True):
    """A post as it is kept, with its record."""

    id: str
    blog: str
    url: str
    title: str | None
    published: str | None
    digest: str
    version: int
    run: int
    rules: int | None
    record: PostRecord


class BeforeMove(Stored, frozen=True, kw_only=True):
    """What was kept of a post, or of a blog, before it moved; and the
    capture by which the post was found again.
    """

    post: PostRow | UnsetType = UNSET
    check: CheckRow | UnsetType | None = UNSET
    found: str | UnsetType | None = UNSET
    blog: BlogRecord | UnsetType | None = UNSET
    rules: int | UnsetType | None = UNSET


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer of an address: when, with which status, and where it lies."""

    captured: str
    status: int
    ref: Ref


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A post that was found under another address, or the blog
    itself, which then stands in the post's place.
    """

    post: str
    blog: str
    run: int
    moved: str
    old: str
    new: str
    sign: str
    before: BeforeMove
    id: int = 0
    """Its number, once it is written down."""

    @property
    def of_blog(self) -> bool:
        """Whether the blog itself moved."""
        return self.post == self.blog


@dataclass(frozen=True, slots=True)
class Name:
    """Which post becomes which, in which blog; from which run on, and
    how much smaller its numbers of versions are.
    """

    old: str
    new: str
    blog: str
    run: int
    shift: int


@dataclass(slots=True)
class Rewritten:
    """What lies where in the WARC files now, and what is gone."""

    places: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    blanked: set[str] = field(default_factory=set)
    files: int = 0


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How rows are freed of what was erased: a post's record, any other text, and addresses that
    are gone.

    `told` hears in how many other posts something was erased, when all is done but not yet
    committed.
    """

    record: Callable[[PostRecord], PostRecord]
    text: Callable[[str], str]
    gone: Callable[[str], bool]
    told: Callable[[int], None]
