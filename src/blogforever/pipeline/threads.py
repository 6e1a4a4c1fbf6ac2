"""The rest of the posts' threads: comment pages and comment feeds, asked for once the posts are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from blogforever.comments import comment_pages, extract_comments, feed_comments, learn_comment_rules, merge_comments
from blogforever.discover.feedlinks import is_comment_feed
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.model import Comment, CommentRules, Entry, Page, Post, Rules
from blogforever.protocols import Answer, Ask, Ref
from blogforever.urls import url_key

from .offers import as_feed

PRIORITY = 1
TAUGHT = 3
"""Posts whose comment feed is asked for although their page seems to show all, to learn from it."""
MOST_SAMPLES = 6
Kind = Literal["page", "feed", "blog", "part", "drawn"]


@dataclass(frozen=True, slots=True)
class Extra:
    """Another response with comments of a post."""

    kind: Kind
    url: str
    ref: Ref

    @property
    def role(self) -> str:
        """What it is to the post's record."""
        return {"page": "comments", "part": "page", "drawn": "rendered"}.get(self.kind, "feed")


class Threads:
    """What else holds comments of which post: wanted, asked for, come in."""

    def __init__(self) -> None:
        self._posts: dict[str, str] = {}
        self._wanted: dict[str, tuple[str, Kind]] = {}
        self._asked: set[str] = set()
        self._extras: defaultdict[str, list[Extra]] = defaultdict(list)
        self._changed: set[str] = set()
        self._taught = 0

    def note(self, url: str, links: Iterable[str], entry: Entry | None, shown: Sequence[Comment]) -> None:
        """What page and feed entry say about further comments; those shown lead to the page they stand on."""
        self._posts[url_key(url)] = url
        here = {url_key((comment.url or "").partition("#")[0]) for comment in shown if comment.url}
        for link in comment_pages(links, url):
            if url_key(link) not in here:
                self._wanted.setdefault(link, (url, "page"))
        if entry and entry.comments_feed and self._wants_feed(entry, len(shown)):
            self._wanted.setdefault(entry.comments_feed, (url, "feed"))

    def _wants_feed(self, entry: Entry, shown: int) -> bool:
        if (entry.comment_count or 0) > shown:
            return True
        if (
            (shown > 1 or (shown == 0 and entry.comment_count is None))
            and self._taught < TAUGHT
            and entry.comments_feed not in self._wanted
        ):
            self._taught += 1
            return True
        return False

    def asks(self, blog_feed: str | None) -> list[Ask]:
        """Requests for what is wanted and was not asked for before, the blog's comment feed among it."""
        if blog_feed and self._posts:
            self._wanted.setdefault(blog_feed, ("", "blog"))
        new = {url: via for url, (via, _kind) in self._wanted.items() if url not in self._asked}
        self._asked.update(new)
        return [Ask(url, "comments", PRIORITY, via or None) for url, via in new.items()]

    def arrived(self, answer: Answer, page: Page) -> list[Ask]:
        """A response with comments came: remember whose they are, and what it leads to; it is asked for later."""
        first = answer.ask.chain[0] if answer.ask.chain else answer.ask.url
        post, kind = self._wanted.get(first, ("", "page"))
        if answer.ref is None:
            return []
        extra = Extra(kind, page.url, answer.ref)
        if kind == "page":
            if looks_like_html(page) and url_key(page.url) != url_key(post):
                self._add(url_key(post), extra)
                self.note(post, read_facts(page).links, None, ())
            return []
        feed = as_feed(page)
        if feed and kind == "feed":
            self._add(url_key(post), extra)
        elif feed and is_comment_feed(feed):
            for key in {url_key(entry.url) for entry in feed.entries} & self._posts.keys():
                self._add(key, extra)
        return []

    def add_drawn(self, url: str, ref: Ref) -> None:
        """A post was drawn with its comments."""
        self._add(url_key(url), Extra("drawn", url, ref))

    def _add(self, key: str, extra: Extra) -> None:
        self._extras[key].append(extra)
        self._changed.add(key)

    def changed(self) -> set[str]:
        """Posts that have got more since this was last asked."""
        found, self._changed = self._changed, set()
        return found

    def extras(self, url: str) -> list[Extra]:
        """All other responses with comments of a post."""
        return self._extras.get(url_key(url), [])

    def teach(self, keys: Iterable[str], pages: Callable[[str], Page], read: Callable[[Ref], Page]) -> Lesson:
        """Comment rules out of some posts' comment feeds, and whether they find what nothing else did."""
        samples: list[tuple[Page, tuple[Comment, ...]]] = []
        for key in sorted(keys):
            for extra in self._extras.get(key, ()):
                feed = as_feed(read(extra.ref)) if extra.kind == "feed" and len(samples) < MOST_SAMPLES else None
                if feed:
                    page = pages(key)
                    samples.append((page, feed_comments(feed, Post(page.url))))
        rules = learn_comment_rules(samples)
        better = sum(
            len(extract_comments(page, rules=rules)) > len(extract_comments(page)) for page, _told in samples if rules
        )
        return Lesson(rules, 2 * better > len(samples))


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the comment feeds taught."""

    rules: tuple[CommentRules, ...]
    needed: bool


def gathered(page: Page, post: Post, rules: Rules | None, extras: Iterable[tuple[Extra, Page]]) -> tuple[Comment, ...]:
    """All comments on a post: those of its page, of its comment pages and of its feeds, each once."""
    own = rules.comments if rules else ()
    shown, told = [extract_comments(page, post, own)], []
    for extra, other in extras:
        if extra.kind in ("page", "part", "drawn"):
            shown.append(extract_comments(other, post, own))
        elif feed := as_feed(other):
            told.append(feed_comments(feed, post, whole_blog=extra.kind == "blog"))
    return merge_comments(shown, told) if len(shown) + len(told) > 1 else shown[0]


__all__ = ["Extra", "Threads", "gathered"]
