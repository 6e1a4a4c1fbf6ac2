"""The one way in for every address, whoever sends it: blocked, known, a post of a known blog, or
new. Pure.

What is known is looked up before, for all addresses at once; what comes out are values that can be
written down or only shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from blogforever.source.address import blog_name
from blogforever.source.given import GivenRow
from blogforever.storage.blocklist import BlockList
from blogforever.storage.following import FollowedBlog, SourceRow, WatchedAddress, WatchedKind
from blogforever.urls import url_key
from blogforever.wording import N_, day_of

# Where the feeds of a blog lie below its home, those of its comments and categories among them.
FEED_BELOW = re.compile(
    r"""(?:(?P<part>category|categories|tag|tags|label|labels|topics?|author)/[^/]+/|(?P<comments>comments)/)?
    (?:(?:feed|rss2?|atom|rdf)(?:\.xml|\.rss|\.atom|\.json)?(?:/(?:rss2?|atom|rdf))?/?
    |(?:index|feed|rss|atom|blog)\.(?:xml|rdf|rss|atom|json)
    |feeds/(?:posts|(?P<comment_feed>comments))/(?:default|summary|full)/?)""",
    re.IGNORECASE | re.VERBOSE,
)
# Folders between a home and its feeds.
DEEPEST_FEED = 4
FIRST_LOOK = N_("the first harvest")
ASKED_FOR = N_("an address of it was added")


@dataclass(frozen=True, slots=True)
class KnownPlaces:
    """What is known of some addresses: who is followed there, which archived blog they are of, what
    is blocked.

    `followed` and `owners` (blogs with a post there) are by address, `kept` (blogs of the archive)
    by `url_key`.
    """

    followed: Mapping[str, FollowedBlog] = field(default_factory=dict)
    names: Mapping[str, FollowedBlog] = field(default_factory=dict)
    """Followed blogs by their ids."""
    owners: Mapping[str, str] = field(default_factory=dict)
    of_archive: Mapping[str, FollowedBlog] = field(default_factory=dict)
    """Followed blogs by the archive's ids."""
    kept: Mapping[str, str] = field(default_factory=dict)
    blocked: BlockList = field(default_factory=lambda: BlockList(()))


@dataclass(frozen=True, slots=True)
class Labels:
    """What is said of every row of a batch."""

    list: str = ""
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class Routed:
    """Where rows lead: what each came to, the blogs that
    are followed from now on, those to be looked at at once.
    """

    rows: list[SourceRow] = field(default_factory=list)
    blogs: dict[str, FollowedBlog] = field(default_factory=dict)
    looks: set[str] = field(default_factory=set)
    watched: list[WatchedAddress] = field(default_factory=list)


def candidates(row: GivenRow) -> Iterator[str]:
    """Every address by which the blog of a row may be known."""
    yield row.url
    yield from row.feeds
    yield from homes_of_feed(row.url)


def homes_of_feed(url: str) -> Iterator[str]:
    """The homes that a feed with such an address may belong to."""
    home = url.rstrip("/")
    for _ in range(DEEPEST_FEED):
        home = home.rpartition("/")[0]
        if home.endswith("/") or ":" not in home:
            return
        if FEED_BELOW.fullmatch(url[len(home) + 1 :]):
            yield f"{home}/"


class Router:
    """Routes the rows of one batch, one after the other:
    a later row may be the same blog as an earlier one.
    """

    def __init__(self, batch: str, now: str, labels: Labels, knowledge: KnownPlaces) -> None:
        self._batch, self._now, self._labels, self._knowledge = batch, now, labels, knowledge
        self._typed: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self.routed = Routed()

    def take(self, rows: Iterable[GivenRow]) -> Routed:
        """Route all of these."""
        for row in rows:
            self.routed.rows.append(self._route(row))
        return self.routed

    def _route(self, row: GivenRow) -> SourceRow:
        plain = SourceRow(self._batch, row.number, row.input, row.url, "invalid", reason=row.problem)
        if not row.url:
            return plain
        if place := self._knowledge.blocked.blocking(row.url):
            return replace(plain, verdict="blocked", reason=place.reason or N_(f"blocked: {place.what}"))
        return self._again(row, plain) or self._known(row, plain) or self._new(row, plain)

    def _again(self, row: GivenRow, plain: SourceRow) -> SourceRow | None:
        """An address that an earlier row of this batch has."""
        blog = next((self._keys[key] for key in map(url_key, candidates(row)) if key in self._keys), None)
        blog = blog or (blog_name(row.url) if blog_name(row.url) in self._typed else None)
        if blog is None:
            return None
        # By what was typed: rows are counted in one way where somebody sees them, in another in his file.
        typed = self._typed[blog]
        return replace(plain, verdict="known", blog=blog, reason=N_(f"the same blog as {typed}"))

    def _known(self, row: GivenRow, plain: SourceRow) -> SourceRow | None:
        """A blog that is followed, by one of its addresses or by that of one of its posts."""
        followed = self._knowledge.followed
        blog = next((followed[url] for url in candidates(row) if url in followed), None)
        blog = blog or self._knowledge.names.get(blog_name(row.url))
        if blog:
            self._watch(row.url, blog)
            return self._labelled(row, replace(plain, verdict="known", blog=blog.id, reason=standing_of(blog)), blog)
        owner = self._knowledge.of_archive.get(self._knowledge.owners.get(row.url, ""))
        if owner is None:
            return None
        self.routed.looks.add(owner.id)
        name, standing = owner.title or owner.url, standing_of(owner)
        reason = N_(f"a post of {name}, {standing}; it will be looked at")
        return self._labelled(row, replace(plain, verdict="known", blog=owner.id, reason=reason), owner)

    def _watch(self, url: str, blog: FollowedBlog) -> None:
        """The address of a feed of a known blog is watched from now on."""
        kind = kind_of_feed(url, blog.url)
        if kind:
            self.routed.watched.append(WatchedAddress(blog.id, url, kind))

    def _new(self, row: GivenRow, plain: SourceRow) -> SourceRow:
        """An address that nobody follows yet; the archive may have its blog all the same."""
        lists = (self._labels.list,) if self._labels.list else ()
        tags = tuple(dict.fromkeys((*self._labels.tags, *row.tags)))
        blog = FollowedBlog(
            blog_name(row.url),
            row.url,
            self._now,
            self._knowledge.kept.get(url_key(row.url)),
            row.title,
            next_look=self._now,
            next_reason=FIRST_LOOK,
            lists=lists,
            tags=tags,
            notes=row.notes,
            metadata=row.metadata,
            until=row.until or None,
        )
        self.routed.blogs[blog.id] = blog
        self.routed.watched += [WatchedAddress(blog.id, feed) for feed in row.feeds]
        self._typed[blog.id] = row.input
        self._keys |= {url_key(url): blog.id for url in (row.url, *row.feeds)}
        reason = N_("the archive has it already; it is followed from now on") if blog.blog else ""
        return replace(plain, verdict="new", blog=blog.id, reason=reason, made=True, tagged=tags, listed=lists)

    def _labelled(self, row: GivenRow, plain: SourceRow, blog: FollowedBlog) -> SourceRow:
        """The row with the labels that it gives to a blog which is known."""
        tags = tuple(tag for tag in dict.fromkeys((*self._labels.tags, *row.tags)) if tag not in blog.tags)
        lists = (self._labels.list,) if self._labels.list and self._labels.list not in blog.lists else ()
        return replace(plain, tagged=tags, listed=lists)


def standing_of(blog: FollowedBlog) -> str:
    """How a followed blog stands, in a few words."""
    since, why = day_of(blog.created), blog.reason
    if why:
        return N_(f"followed since {since}, {blog.state} ({why})")
    return N_(f"followed since {since}, {blog.state}")


def kind_of_feed(url: str, home: str) -> WatchedKind | None:
    """What the feed at an address below a home brings; None for what is no feed of it."""
    below = FEED_BELOW.fullmatch(url_key(url).removeprefix(url_key(home)).lstrip("/"))
    if below is None or not url_key(url).startswith(url_key(home)):
        return None
    if below["comments"] or below["comment_feed"]:
        return "comments"
    return "category" if below["part"] else "posts"
