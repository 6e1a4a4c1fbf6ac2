"""What the archive knows of a blog before an update, as values: an update itself remembers nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from blogforever.care.decisions import Apart
from blogforever.model import Rules
from blogforever.protocols import Ref
from blogforever.records import CompletenessRecord, PageRecord, PostRecord
from blogforever.urls import same_site

from .states import Sighting, State

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""Before any blog."""


@dataclass(frozen=True, slots=True)
class KnownPost:
    """One post of the archive: its names, how it stands, when it was looked at, what was last said
    of it.

    `announced` is the date of change the blog last gave, `entry` the digest of what its feed last
    said, `stated` the number of comments the blog speaks of, where it is not that of those kept,
    `former` the addresses it had before, `bare` says that neither a text nor a picture could be
    read of it, and `cut` what was not read of it, because of a limit of ours.
    """

    id: str
    url: str
    names: tuple[str, ...] = ()
    guid: str | None = None
    native_id: str | None = None
    title: str | None = None
    published: str | None = None
    digest: str = ""
    state: State = "active"
    since: datetime | None = None
    captured: datetime | None = None
    checked: datetime | None = None
    unchanged: int = 0
    announced: str | None = None
    entry: str | None = None
    comments: int = 0
    stated: int | None = None
    ref: Ref | None = None
    sightings: tuple[Sighting, ...] = ()
    former: tuple[str, ...] = ()
    bare: bool = False
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """A blog as the archive knows it; `recall` reads a post's whole record.

    `addresses` is what was ever fetched, `seen` the keys of it, `fresh` what its server said would
    not change yet, `unjudged` the keys of what was fetched while the blog was frozen, and of which
    nothing was taken over.
    """

    blog: str
    url: str
    posts: tuple[KnownPost, ...]
    recall: Callable[[str], PostRecord]
    last: datetime | None = None
    feeds: tuple[str, ...] = ()
    comment_feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    api: str | None = None
    rules: Rules | None = None
    platform: str | None = None
    generator: str | None = None
    """What the feed said it was made with."""
    seen: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    """Where nothing was of late, as a server said."""
    unjudged: frozenset[str] = frozenset()
    unfetched: tuple[str, ...] = ()
    """Where posts are that the blog announced and that could not be had the last time; without those that were tried
    often enough.
    """
    apart: tuple[Apart, ...] = ()
    pages: tuple[PageRecord, ...] = ()
    """The blog's own pages that are no posts."""
    stated: CompletenessRecord | None = None
    """How complete the blog was when it was last looked at."""

    @property
    def complete(self) -> bool:
        """Whether everything was there then."""
        return self.stated is not None and self.stated.complete

    @property
    def told_until(self) -> datetime | None:
        """Up to when all that the blog told of was looked at: not up to the last time, where that was cut short."""
        was_cut = self.stated is not None and self.stated.stopped_by is not None
        return LONG_AGO if was_cut and self.last else self.last

    def has_asked_for_file(self, url: str) -> bool:
        """Whether a file need not be asked for: it is kept, or was not there of late."""
        return url in self.addresses or url in self.absent

    def parts(self, one: str, other: str) -> bool:
        """Whether somebody said that the posts at these addresses are two posts."""
        return any(decision.kind == "url" and decision.parts(one, other) for decision in self.apart)

    def of_another(self, url: str) -> bool:
        """Whether somebody said that what is at this site is another blog."""
        others = (decision.new for decision in self.apart if decision.kind == "blog")
        return any(same_site(url, new) and not same_site(url, self.url) for new in others)
