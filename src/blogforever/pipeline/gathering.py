"""One list of comments for a post: out of its page, its comment pages, its feeds and the blog's lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from blogforever.comments import feed_comments, merge_comments, read_comments
from blogforever.discover.feedbytes import REST_LEFT
from blogforever.discover.wpcomments import parse_api_comments
from blogforever.dom import is_read_in_part
from blogforever.model import Comment, Feed, Page, Post, Rules
from blogforever.protocols import Ref

from .entries import as_feed

Kind = Literal["page", "part", "drawn", "feed", "blog", "api"]
ROLES = {"page": "comments", "part": "page", "drawn": "rendered", "feed": "feed", "blog": "feed", "api": "api"}


@dataclass(frozen=True, slots=True)
class Extra:
    """Another response with comments of a post."""

    kind: Kind
    url: str
    ref: Ref

    @property
    def role(self) -> str:
        """What it is to the post's record."""
        return ROLES[self.kind]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All comments on a post, each once, how many its page says there are, and whether a password
    hides them.
    """

    comments: tuple[Comment, ...]
    stated: int | None
    locked: bool = False
    cut: bool = False
    """Whether a limit of ours left comments unread, on a page or in a feed of them."""


def as_gathered(given: Gathered | Iterable[Comment]) -> Gathered:
    """What the stage gave; somebody else's gives only the comments."""
    return given if isinstance(given, Gathered) else Gathered(tuple(given), None)


def listed(kind: Kind, page: Page) -> Feed | None:
    """The list of comments a response holds: a feed, or a page of an API."""
    return parse_api_comments(page) if kind == "api" else as_feed(page)


def gathered(page: Page, post: Post, rules: Rules | None, extras: Iterable[tuple[Extra, Page]]) -> Gathered:
    """All comments on a post: those of its page, of its comment pages and of its feeds, each once."""
    own = rules.comments if rules else ()
    first = read_comments(page, post, own)
    shown, listed_elsewhere, is_cut = [first.comments], [], first.cut
    for extra, other in extras:
        if extra.kind in ("page", "part", "drawn"):
            more = read_comments(other, post, own)
            shown.append(more.comments)
            is_cut |= more.cut or is_read_in_part(other.content, other.headers)
        elif feed := listed(extra.kind, other):
            source: Literal["api", "feed"] = "api" if extra.kind == "api" else "feed"
            listed_elsewhere.append(feed_comments(feed, post, whole_blog=extra.kind != "feed", source=source))
            is_cut |= extra.kind == "feed" and any(said.endswith(REST_LEFT) for said in feed.problems)
    comments = merge_comments(shown, listed_elsewhere) if len(shown) + len(listed_elsewhere) > 1 else first.comments
    return Gathered(comments, first.stated, post.visibility == "password", is_cut)
