"""What the analyser is given and what it answers: an address as it was seen, evidence, a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from blogforever.model import Feed, Page

Kind = Literal[
    "blog",
    "post",
    "comment page",
    "feed",
    "list page",
    "shop",
    "forum",
    "news site",
    "documentation",
    "company page",
    "newsletter",
    "podcast",
    "parked",
    "social profile",
    "something else",
    "spam",
    "not known",
]
"""What an address may be. `something else` is no blog either; `not known` is for a person to look
at.
"""
OF_BLOG: frozenset[Kind] = frozenset({"blog", "post", "comment page", "feed", "list page"})
"""Kinds of addresses that lead to a blog."""
LET_IN: frozenset[Kind] = OF_BLOG | {"newsletter"}
"""Kinds that are harvested when a person brings them: a newsletter with pages of its own is read
like a blog.
"""
Answer = bool | None
"""Yes, no, not known."""
Class = Literal["blog", "not-a-blog", "spam", "not-known"]
JudgedBy = Literal["rule", "known pattern", "tree", "person", "nobody"]


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that was seen, and what it speaks for.

    `weight` is from 0 to 1: how sure it alone would make us; below 0 it takes back what others say.
    `name` is for programs, `says` a sentence for people.
    """

    name: str
    says: str
    kind: Kind
    weight: float


@dataclass(frozen=True, slots=True)
class SeenHost:
    """An address as it was seen: what it answered, and what that led to.

    `page` is the answer of the address itself (None where it is a feed, or did not answer), `home`
    that of the blog's root where it is another page, `feed` the feed of posts, `posts` pages that
    entries of the feed lead to.
    """

    url: str
    page: Page | None = None
    home: Page | None = None
    feed: Feed | None = None
    comment_feed: Feed | None = None
    posts: tuple[Page, ...] = ()
    is_feed: bool = False
    """Whether the address itself is that of the feed."""
    failure: str = ""
    """Why nothing was seen, where that is so."""

    @property
    def front(self) -> Page | None:
        """The page that speaks for the whole site."""
        return self.home or self.page


@dataclass(frozen=True, slots=True)
class HostVerdict:
    """What an address is, how sure that is, and why."""

    url: str
    kind: Kind
    confidence: float
    reasons: tuple[Sign, ...] = ()
    by: JudgedBy = "rule"
    root: str = ""
    """The home of the blog; empty where there is none."""
    title: str = ""
    post_feed: str = ""
    comment_feeds: tuple[str, ...] = ()
    link_filter: Mapping[str, Any] = field(default_factory=dict)
    """Which addresses are posts, as `UrlPattern.to_json` writes it."""

    @property
    def said(self) -> Class:
        """The verdict in one of four words."""
        if self.kind in OF_BLOG:
            return "blog"
        return "spam" if self.kind == "spam" else "not-known" if self.kind == "not known" else "not-a-blog"


class Signals(Protocol):
    """Somebody who looks for more evidence in what was seen: signs of spam, say."""

    def signs(self, seen: SeenHost) -> Iterable[Sign]:
        """What he found; nothing where there is nothing to say."""
