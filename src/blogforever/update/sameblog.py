"""Is it a known blog under another name? The entries of its feed beside the posts that are kept; values in and out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from blogforever.dom import tokenise
from blogforever.model import Entry
from blogforever.pipeline.entries import words_told
from blogforever.pipeline.since import moment_of
from blogforever.schedule.states import SILENT

from .identity import Identity, same_title
from .remembered import KnownPost
from .versions import alike

# Two posts may be on two blogs by one author, too.
LEAST = 3
# A feed that gathers several blogs has at most half of each. One that moved may have lost or
# rewritten a few posts.
MOSTLY = 2 / 3
# Fewer words of an entry are a teaser, like those of many other posts.
FEW_WORDS = 20
Recall = Callable[[str], str]
"""The text of a kept post."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How many entries of a feed a blog could know, having been looked at since they came, and how
    many it has.
    """

    old_enough: int
    same: int

    @property
    def mostly(self) -> bool:
        """Whether the feed is mostly this blog's."""
        return self.same >= LEAST and self.same >= MOSTLY * self.old_enough


def likeness(entries: Iterable[Entry], posts: Sequence[KnownPost], recall: Recall, last: datetime | None) -> Likeness:
    """Hold the entries of a feed beside a blog's posts.

    What came after the last look at those counts for neither.
    """
    identity = Identity(posts)
    old_enough = [entry for entry in entries if not _younger(entry, last)]
    same = sum(_is_kept(entry, identity, recall) for entry in old_enough)
    return Likeness(len(old_enough), same)


def _younger(entry: Entry, last: datetime | None) -> bool:
    published = moment_of(entry.published.iso) if entry.published else None
    return bool(published and last and published > last)


def _is_kept(entry: Entry, identity: Identity, recall: Recall) -> bool:
    """By its words; by title and guid, number or path where the feed has hardly a word of it."""
    hinted = identity.hinted(entry.url, entry.guid, entry.extra.get("native_id"), moved_host=True)
    post = hinted or identity.titled(entry.title)
    if post is None:
        return False
    words = words_told(entry)
    if len(words) >= FEW_WORDS:
        return alike(words, tokenise(recall(post.id)))
    return hinted is not None and same_title(hinted.title, entry.title)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What one address of the old site answers, and whether it is still on that site.

    It has a status, or the reason why there is none.
    """

    status: int
    reason: str
    at_home: bool
    words: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()

    @property
    def answered(self) -> bool:
        """Whether a page came."""
        return 200 <= self.status < 300 and not self.reason

    @property
    def proves_nothing(self) -> bool:
        """Whether somebody is there, who only gave no page."""
        return not self.answered and (self.reason or f"status {self.status}") not in SILENT


def lives(glimpses: Iterable[tuple[Glimpse, str]], keys: frozenset[str]) -> bool | None:
    """Whether a blog is still where it was: a glimpse each of its home (no text) and of some posts,
    with their texts.

    Alive is what shows one of its posts, or a home page that leads to one (`keys`). None where
    nobody can tell: who is refused, or met by an error of the server, has seen nothing.
    """
    doubt = False
    for glimpse, text in glimpses:
        if glimpse.answered and glimpse.at_home and _shows(glimpse, text, keys):
            return True
        doubt = doubt or glimpse.proves_nothing
    return None if doubt else False


def _shows(glimpse: Glimpse, text: str, keys: frozenset[str]) -> bool:
    """Whether a page leads to a post of the blog, or is one."""
    return bool(glimpse.links & keys) or alike(tokenise(text), glimpse.words)
