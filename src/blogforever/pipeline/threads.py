"""The rest of the posts' threads: comment pages, comment feeds, the API, asked for once the posts are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field

from blogforever.comments import (
    answered_post,
    comment_pages,
    extract_comments,
    feed_comments,
    learn_comment_rules,
    learn_own_rules,
)
from blogforever.comments.identity import said_by
from blogforever.comments.paging import MOST_PAGES
from blogforever.discover.feedlinks import is_comment_feed, post_comment_feed
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.model import Comment, CommentRules, Entry, Feed, Page, Post
from blogforever.protocols import Answer, Ask, Ref
from blogforever.urls import url_key

from .entries import as_feed
from .gathering import Extra, Gathered, Kind, listed

PRIORITY = 1
TAUGHT = 3
"""Posts whose comment feed is asked for although their page seems to show all, to learn from it."""
# Posts whose comment feed teaches what comments look like; more cost time and teach the same.
MOST_SAMPLES = 6
# Pages whose comments teach how the blog writes them; one may be like itself alone.
FEWEST_OWN = 2
MOST_LIST_PAGES = 500
"""Pages of one list of all comments that are asked for."""


@dataclass(slots=True)
class Threads:
    """What else holds comments of which post: wanted, asked for, come in."""

    posts: dict[str, str] = field(default_factory=dict)
    _wanted: dict[str, tuple[str, Kind]] = field(default_factory=dict)
    _lacking: dict[str, str] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)
    _extras: defaultdict[str, list[Extra]] = field(default_factory=lambda: defaultdict(list))
    _changed: set[str] = field(default_factory=set)
    _taught: int = 0
    _unmarked: dict[str, int] = field(default_factory=dict)
    _has_marks: bool = False
    _taught_own: bool = False
    _list_pages: int = 0
    full: set[str] = field(default_factory=set)
    """Posts with more pages of comments than are asked for."""
    has_longer_lists: bool = False
    """Whether the lists of all comments have more pages than are asked for."""
    learns: bool = True
    """Whether feeds are asked for what they teach of comments, beside what they bring."""

    def note(self, page: Page, links: Iterable[str], entry: Entry | None, gathered: Gathered) -> None:
        """What page and feed entry say about further comments.

        Those shown lead to the page they stand on.
        """
        url, key = page.url, url_key(page.url)
        self.posts[key] = url
        self._unmarked[key] = len(gathered.comments)
        self._has_marks |= any(comment.native_id for comment in gathered.comments)
        here = _pages_of(gathered.comments)
        for link in self._some_pages(links, url):
            if url_key(link) not in here:
                self._wanted.setdefault(link, (url, "page"))
        named = entry.comments_feed if entry else None
        if named and entry and self._teaches(entry, len(gathered.comments)):
            self._wanted.setdefault(named, (url, "feed"))
        self._lacking.pop(key, None)
        feed = (named or post_comment_feed(page)) if lacks(entry, gathered) else None
        if feed:
            self._lacking[key] = feed

    def _some_pages(self, links: Iterable[str], post: str) -> list[str]:
        """The links to further comments of a post; that there are too many is said."""
        pages = comment_pages(links, post)
        if len(pages) > MOST_PAGES:
            self.full.add(post)
        return pages[:MOST_PAGES]

    def _teaches(self, entry: Entry, shown: int) -> bool:
        """Whether the comment feed of a post is worth a request for what it may teach."""
        may_have_some = shown == 0 and entry.comment_count is None
        if shown <= 1 and not may_have_some:
            return False
        if not self.learns or self._taught >= TAUGHT or entry.comments_feed in self._wanted:
            return False
        self._taught += 1
        return True

    def asks(self, blog_feed: str | None, api: str | None = None) -> list[Ask]:
        """Requests for what is wanted and was not asked for before, the blog's lists of all
        comments among it.
        """
        if self.posts:
            lists: tuple[tuple[str | None, Kind], ...] = ((blog_feed, "blog"), (api, "api"))
            self._wanted = {url: ("", kind) for url, kind in lists if url} | self._wanted
        return self._new_asks()

    def asks_for_lacking(self) -> list[Ask]:
        """Requests for the feeds of posts that still lack comments, or dates of them, after all
        else has come in.
        """
        for key, url in self._lacking.items():
            self._wanted.setdefault(url, (self.posts[key], "feed"))
        return self._new_asks()

    def _new_asks(self) -> list[Ask]:
        new = {url: via for url, (via, _kind) in self._wanted.items() if url not in self._asked}
        self._asked.update(new)
        return [Ask(url, "comments", PRIORITY, via or None) for url, via in new.items()]

    def arrived(self, answer: Answer, page: Page) -> list[Ask]:
        """A response with comments came: remember whose they are, and what it leads to."""
        post, kind = self._wanted.get(answer.ask.first, ("", "page"))
        if answer.ref is None:
            return []
        extra = Extra(kind, page.url, answer.ref)
        if kind == "page":
            if looks_like_html(page) and url_key(page.url) != url_key(post):
                self._add(url_key(post), extra)
                for link in self._some_pages(read_facts(page).links, post):
                    self._wanted.setdefault(link, (post, "page"))
            return self._new_asks()
        feed = listed(kind, page)
        if feed and kind == "feed":
            self._add(url_key(post), extra)
        elif feed and (kind == "api" or is_comment_feed(feed)):
            return self._listed(feed, extra)
        return []

    def add_drawn(self, url: str, ref: Ref) -> None:
        """A post was drawn with its comments."""
        self._add(url_key(url), Extra("drawn", url, ref))

    def _listed(self, feed: Feed, extra: Extra) -> list[Ask]:
        """A page of a list of all comments: whose they are, and the next page while this one has
        any.
        """
        for key in {answered_post(entry) for entry in feed.entries} & self.posts.keys():
            self._add(key, extra)
        self._list_pages += 1
        if feed.next_url and self._list_pages < MOST_LIST_PAGES:
            self._wanted.setdefault(feed.next_url, ("", extra.kind))
        elif feed.next_url:
            self.has_longer_lists = True
        return self._new_asks()

    def bounds(self) -> list[str]:
        """What a statement says of lists of comments that go on."""
        if not self.has_longer_lists:
            return []
        return [f"the lists of the blog's comments have more than {MOST_LIST_PAGES:,} pages: the rest was not read"]

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
        """Comment rules out of some posts' comment feeds, and whether they find what nothing else
        did.
        """
        samples = self._samples(keys, pages, read)
        rules = learn_comment_rules(samples)
        if not rules:
            return Lesson(rules, False)
        found_with = found_without = better = 0
        for page, in_feed in samples:
            by_rules = confirmed(extract_comments(page, rules=rules), in_feed)
            without = confirmed(extract_comments(page), in_feed)
            found_with += by_rules
            found_without += without
            better += by_rules > without
        if found_with < found_without:
            return Lesson((), False)
        return Lesson(rules, 2 * better > len(samples))

    def teach_own(self, posts: Set[str], pages: Callable[[str], Page]) -> Lesson:
        """Comment rules out of the blog's own pages: where no system numbers comments, those that
        repeat on some pages show how to find a single one on others. They are believed if they find
        on each of these just what was found.
        """
        several = sorted((key for key in posts if self._unmarked.get(key, 0) > 1), key=self._most_first)
        may_gain = not self.few().isdisjoint(posts)
        if self._taught_own or self._has_marks or not may_gain or len(several) < FEWEST_OWN:
            return Lesson((), False)
        self._taught_own = True
        samples = [pages(key) for key in several[:MOST_SAMPLES]]
        rules = learn_own_rules(samples)
        agrees = bool(rules) and all(
            _told(extract_comments(page, rules=rules)) == _told(extract_comments(page)) for page in samples
        )
        return Lesson(rules if agrees else (), agrees)

    def _most_first(self, key: str) -> tuple[int, str]:
        return -self._unmarked[key], key

    def few(self) -> set[str]:
        """Posts on whose pages at most one comment was found."""
        return {key for key, count in self._unmarked.items() if count <= 1}

    def _samples(
        self, keys: Iterable[str], pages: Callable[[str], Page], read: Callable[[Ref], Page]
    ) -> list[tuple[Page, tuple[Comment, ...]]]:
        """Pages of some posts, and the comments their feeds say they show."""
        samples: list[tuple[Page, tuple[Comment, ...]]] = []
        for key in sorted(keys):
            feeds = [extra for extra in self._extras.get(key, ()) if extra.kind == "feed"]
            for extra in feeds:
                if len(samples) >= MOST_SAMPLES:
                    return samples
                feed = as_feed(read(extra.ref))
                if feed:
                    page = pages(key)
                    samples.append((page, feed_comments(feed, Post(page.url))))
        return samples


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the comment feeds taught."""

    rules: tuple[CommentRules, ...]
    needed: bool


def lacks(entry: Entry | None, gathered: Gathered) -> bool:
    """Whether page or feed speak of more comments than are known, of some no date is known, or a
    password hides all.
    """
    counted = entry.comment_count if entry else None
    stated = max(counted or 0, gathered.stated or 0)
    hidden = gathered.locked and not gathered.comments
    undated = any(comment.published is None for comment in gathered.comments)
    return hidden or undated or stated > len(gathered.comments)


def _told(comments: Iterable[Comment]) -> list[tuple[str, str, str]]:
    """Who said what when."""
    told = []
    for comment in comments:
        name = comment.author.name if comment.author else ""
        told.append((name, comment.published.iso if comment.published else "", comment.text))
    return told


def _pages_of(comments: Iterable[Comment]) -> set[str]:
    """The keys of the pages that comments say they stand on."""
    return {url_key(comment.url.partition("#")[0]) for comment in comments if comment.url}


def confirmed(shown: Sequence[Comment], in_feed: Sequence[Comment]) -> int:
    """How many words and names of comments a feed confirms."""
    return len(_marks(in_feed) & _marks(shown))


def _marks(comments: Iterable[Comment]) -> set[tuple[str, ...]]:
    marks: set[tuple[str, ...]] = set()
    for comment in comments:
        said = said_by(comment.author.name if comment.author else "", comment.text)
        # With the name, and the words alone: a theme may show the name where we do not look.
        marks |= {said, said[2:]}
    return marks


__all__ = ["Threads"]
