"""Searches that people keep, and tags that are set by rule. The same seam as `tables.py`, and part of `Store`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from .browsing import USUAL_PAGE, Facet, FacetKind, FoundPlace, PostPlace, PostQuery, WordQuery


@dataclass(frozen=True, slots=True)
class PostSearch:
    """Which posts a person wants to see; what is empty does not matter."""

    words: str = ""
    blog: str = ""
    list: str = ""
    author: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    unusual: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def facets(self) -> tuple[Facet, ...]:
        """By what posts are chosen beside words, blog and time; what fewer posts have leads."""
        wanted: dict[FacetKind, tuple[str, ...]] = {
            "author": (self.author,),
            "tag": self.tags,
            "is": self.unusual,
            "language": (self.language,),
        }
        return tuple(Facet(kind, name) for kind, names in wanted.items() for name in names if name.strip())

    def among(self, after: PostPlace | None = None, limit: int = USUAL_PAGE) -> PostQuery:
        """The posts that it chooses, whatever their words."""
        return PostQuery(self.blog, self.list, self.facets(), self.since, self.until, after, limit)

    def with_words(
        self, best_first: bool, after: PostPlace | FoundPlace | None = None, limit: int = USUAL_PAGE
    ) -> WordQuery:
        """Those of them that hold its words."""
        place = after if isinstance(after, PostPlace) else None
        shown = after if isinstance(after, FoundPlace) else FoundPlace(0)
        return WordQuery(self.words, self.among(place, limit), best_first, shown)


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """A search under a name: a list of posts that fills itself."""

    name: str
    search: PostSearch = field(default_factory=PostSearch)
    created: str = ""
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TagRule:
    """A tag for every post that fits all that is said: the beginning of its address, or one with
    `*`; its language; the platform of its blog; words it holds.
    """

    id: str
    tag: str
    address: str = ""
    language: str = ""
    platform: str = ""
    words: str = ""
    created: str = ""
    by: str = ""

    @property
    def says_nothing(self) -> bool:
        """Whether every post fits."""
        return not any((self.address, self.language, self.platform, self.words))


class SearchTable(Protocol):
    """The searches that are kept."""

    def keep(self, search: KeptSearch) -> None:
        """Keep a search; one of the same name is replaced."""

    def find(self, name: str) -> KeptSearch | None:
        """The search with this name."""

    def all(self) -> list[KeptSearch]:
        """All of them, by name."""

    def drop(self, name: str) -> None:
        """Keep it no more."""


class TagRuleTable(Protocol):
    """The rules by which tags are set."""

    def keep(self, rule: TagRule) -> None:
        """Keep a rule; one of the same id is replaced."""

    def find(self, rule: str) -> TagRule | None:
        """The rule with this id."""

    def all(self) -> list[TagRule]:
        """All of them, by tag."""

    def drop(self, rule: str) -> None:
        """Set this tag no more."""
