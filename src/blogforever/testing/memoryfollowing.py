"""What the service follows, in memory: followed blogs, sources, lists, the block list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from blogforever.storage.following import (
    USUAL_PAGE,
    BlockedPlace,
    BlogList,
    Cursor,
    FollowedBlog,
    FollowedPage,
    FollowedQuery,
    FollowState,
    LabelKind,
    ReasonCount,
    SourceBatch,
    SourceRow,
    Verdict,
    WatchedAddress,
    title_key,
)
from blogforever.urls import host_of_key, url_key

from .memorytables import MemoryTables, change_rows, drop_rows


class MemoryFollowed:
    """The followed blogs."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, blogs: Iterable[FollowedBlog]) -> None:
        """Follow these; one whose id is there already stays as it is."""
        self._tables.check_open()
        for blog in blogs:
            if blog.id not in self._tables.followed:
                self._keep(blog)

    def _keep(self, blog: FollowedBlog) -> None:
        self._tables.followed[blog.id] = blog
        self.add_aliases(blog.id, [blog.url, blog.moved_to] if blog.moved_to else [blog.url])

    def find(self, blog: str) -> FollowedBlog | None:
        """The followed blog with this id."""
        return self._tables.followed.get(blog)

    def some(self, blogs: Iterable[str]) -> list[FollowedBlog]:
        """Those of these ids that are followed, by id."""
        return [self._tables.followed[name] for name in sorted(set(blogs)) if name in self._tables.followed]

    def change(self, blog: str, edit: Callable[[FollowedBlog], FollowedBlog]) -> FollowedBlog | None:
        """What a followed blog is after an edit; None where there is none."""
        self._tables.check_open()
        before = self.find(blog)
        if before is not None:
            self._keep(edit(before))
        return self.find(blog)

    def drop(self, blogs: Iterable[str]) -> None:
        """Follow these no more; their addresses go with them."""
        gone = set(blogs)
        drop_rows(self._tables.followed, lambda name, _blog: name in gone)
        drop_rows(self._tables.aliases, lambda place, _: place[1] in gone)
        drop_rows(self._tables.watched, lambda place, _address: place[0] in gone)
        drop_rows(self._tables.looks, lambda blog, _looks: blog in gone)
        for table in (self._tables.textprints, self._tables.templates, self._tables.suspicions):
            for blog in gone:
                table.pop(blog, None)

    def add_aliases(self, blog: str, urls: Iterable[str]) -> None:
        """Other addresses that mean this followed blog."""
        self._tables.aliases.update({(url_key(url), blog): None for url in urls})

    def known(self, urls: Iterable[str]) -> dict[str, FollowedBlog]:
        """The followed blogs that have one of these addresses, or a watched one, by the address as
        it was asked.
        """
        found = {url: self._at(url_key(url)) for url in urls}
        return {url: blog for url, blog in found.items() if blog}

    def _at(self, key: str) -> FollowedBlog | None:
        blogs = [self._tables.followed[blog] for known, blog in sorted(self._tables.aliases) if known == key]
        return min(blogs, key=lambda blog: url_key(blog.url) != key, default=None)

    def hosts(self) -> frozenset[str]:
        """The hosts of all addresses by which blogs are known, without `www.`"""
        return frozenset(host_of_key(key) for key, _blog in self._tables.aliases)

    def in_archive(self, blog: str) -> list[FollowedBlog]:
        """The followed blogs that are this blog of the archive; by id."""
        return [one for _, one in sorted(self._tables.followed.items()) if one.blog == blog]

    def unfollowed(self, after: str, most: int) -> list[str]:
        """The blogs of the archive that nobody follows; ids, in order, from after one on, so many at most."""
        followed = {one.blog for one in self._tables.followed.values()}
        return [name for name in sorted(self._tables.blogs) if name > after and name not in followed][:most]

    def page(self, query: FollowedQuery) -> FollowedPage:
        """The followed blogs that are asked for, from a place on."""
        found = [(_sorted_by(blog, query), blog) for blog in self._tables.followed.values() if _is_asked(blog, query)]
        found.sort(key=lambda pair: (pair[0].value, pair[0].id), reverse=query.descending)
        if after := query.after:
            found = [pair for pair in found if _comes_after(pair[0], after, query.descending)]
        items = tuple(blog for _place, blog in found[: query.limit])
        return FollowedPage(items, found[query.limit - 1][0] if len(found) > query.limit else None)

    def due(self, now: str, limit: int) -> list[FollowedBlog]:
        """The followed blogs whose next look is due, the longest due first."""
        due = [(blog.next_look, blog.id) for blog in self._tables.followed.values() if blog.next_look]
        return [self._tables.followed[name] for moment, name in sorted(due) if moment <= now][:limit]

    def counts(self) -> dict[str, int]:
        """How many followed blogs are in each state."""
        return dict(Counter(blog.state for blog in self._tables.followed.values()))

    def listed(self) -> dict[str, int]:
        """How many followed blogs are in each list that has any."""
        return dict(Counter(name for blog in self._tables.followed.values() for name in blog.lists))

    def reasons(self, states: Sequence[FollowState], most: int) -> list[ReasonCount]:
        """Why followed blogs are in these states, the most frequent reason of each first."""
        meant = [blog for blog in self._tables.followed.values() if blog.state in states]
        counted = Counter((blog.state, blog.reason) for blog in meant)
        said = {(blog.state, blog.reason): blog.said for blog in meant}
        rows = [ReasonCount(*place, number, said[place]) for place, number in counted.items()]
        return sorted(rows, key=lambda row: (row.state, -row.number, row.reason))[:most]

    def names(self, kind: LabelKind, most: int) -> list[str]:
        """The lists, tags or platforms that followed blogs have, by name, so many at most; without
        counting blogs.
        """
        blogs = self._tables.followed.values()
        found = {
            "platform": {blog.platform for blog in blogs if blog.platform},
            "list": {name for blog in blogs for name in blog.lists},
            "tag": {name for blog in blogs for name in blog.tags},
        }
        return sorted(found[kind])[:most]

    def watch(self, address: WatchedAddress) -> None:
        """Watch an address, or note what it brought."""
        self._tables.check_open()
        self._tables.watched[address.blog, address.url] = address
        self.add_aliases(address.blog, [address.url])

    def watched(self, blog: str) -> list[WatchedAddress]:
        """The watched addresses of a followed blog, by address."""
        return [address for place, address in sorted(self._tables.watched.items()) if place[0] == blog]

    def feeds(self, blogs: Iterable[str]) -> dict[str, str]:
        """The feed of posts of each of these followed blogs that has one; where it has several, the
        first by address.
        """
        asked = set(blogs)
        last_first = sorted(self._tables.watched.values(), key=lambda one: one.url, reverse=True)
        return {one.blog: one.url for one in last_first if one.blog in asked and one.kind == "posts"}


class MemorySources:
    """Batches and their rows."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, batch: SourceBatch, rows: Sequence[SourceRow] = ()) -> None:
        """Keep a batch with its rows, or the first of them; one that is there is replaced."""
        self._tables.check_open()
        self._tables.batches[batch.id] = batch
        self.add_rows(rows)

    def add_rows(self, rows: Sequence[SourceRow]) -> None:
        """Keep further rows of batches; what is there under their numbers is replaced."""
        self._tables.sources.update({(row.batch, row.number): row for row in rows})

    def batch(self, batch: str) -> SourceBatch | None:
        """The batch with this id."""
        return self._tables.batches.get(batch)

    def batches(self, after: str | None = None, limit: int = USUAL_PAGE) -> list[SourceBatch]:
        """Batches, newest first, from after one on."""
        names = sorted(self._tables.batches, reverse=True)
        return [self._tables.batches[name] for name in names if after is None or name < after][:limit]

    def verdicts(self, batch: str) -> dict[str, int]:
        """How many rows of a batch have each verdict."""
        return dict(Counter(row.verdict for row in self.rows(batch)))

    def states(self, batch: str) -> dict[str, int]:
        """How many followed blogs that rows of a batch mean are in each state."""
        blogs = {row.blog for row in self.rows(batch) if row.blog}
        return dict(Counter(self._tables.followed[blog].state for blog in blogs if blog in self._tables.followed))

    def rows(self, batch: str, after: int = 0, limit: int | None = None) -> Iterator[SourceRow]:
        """The rows of a batch in their order, from after a number on."""
        found = (row for place, row in sorted(self._tables.sources.items()) if place[0] == batch and place[1] > after)
        return islice(found, limit)

    def of_blog(self, blog: str) -> list[SourceRow]:
        """The rows, of batches that are not undone, that mean a followed blog."""
        rows = [row for _place, row in sorted(self._tables.sources.items()) if row.blog == blog]
        return [row for row in rows if self._tables.batches[row.batch].undone is None]

    def judge(self, blog: str, verdict: Verdict, reason: str, means: str | None = None) -> None:
        """What analysis says of the rows that mean a followed blog; where it is another one,
        `means` is its id.
        """
        change_rows(
            self._tables.sources,
            lambda row: row.blog == blog,
            lambda row: replace(row, verdict=verdict, reason=reason, blog=means or blog, made=row.made and not means),
        )

    def undo(self, batch: str, at: str) -> None:
        """The batch counts no more."""
        change_rows(self._tables.batches, lambda one: one.id == batch, lambda one: replace(one, undone=at))


class MemoryLists:
    """The lists."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, blog_list: BlogList) -> None:
        """Keep a list, or what is said of it now."""
        self._tables.check_open()
        self._tables.lists[blog_list.name] = blog_list

    def find(self, name: str) -> BlogList | None:
        """The list with this name."""
        return self._tables.lists.get(name)

    def all(self) -> list[BlogList]:
        """All lists, by name."""
        return [blog_list for _name, blog_list in sorted(self._tables.lists.items())]

    def drop(self, name: str) -> None:
        """Drop a list; its blogs stay, and belong to it no more."""
        self._tables.lists.pop(name, None)
        change_rows(
            self._tables.followed,
            lambda blog: name in blog.lists,
            lambda blog: replace(blog, lists=tuple(other for other in blog.lists if other != name)),
        )


class MemoryBlocks:
    """The block list."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, blocked: BlockedPlace) -> None:
        """Block something."""
        self._tables.check_open()
        self._tables.blocked[blocked.id] = blocked

    def find(self, blocked: str) -> BlockedPlace | None:
        """The entry with this id."""
        return self._tables.blocked.get(blocked)

    def all(self) -> list[BlockedPlace]:
        """Everything that is blocked, oldest first."""
        return sorted(self._tables.blocked.values(), key=lambda one: (one.at, one.id))

    def drop(self, blocked: str) -> None:
        """Let it in again."""
        self._tables.blocked.pop(blocked, None)


def forget_followed(tables: MemoryTables, blog: str) -> None:
    """A blog that is forgotten is followed no more."""
    names = [name for name, one in tables.followed.items() if blog in (name, one.blog)]
    drop_rows(tables.sources, lambda _place, row: row.blog in names)
    drop_rows(tables.deliveries, lambda _number, one: one.blog in names)
    MemoryFollowed(tables).drop(names)


def _is_asked(blog: FollowedBlog, query: FollowedQuery) -> bool:
    folded = query.q.casefold()
    has_words = folded in blog.url.lower() or folded in title_key(blog)
    has_state = not query.states or blog.state in query.states
    has_labels = query.tag in ("", *blog.tags) and query.list in ("", *blog.lists)
    is_such = query.platform.lower() in ("", blog.platform.lower()) and query.reason in ("", blog.reason)
    is_such = is_such and query.completeness in (None, blog.completeness)
    return has_words and has_state and has_labels and is_such


def _sorted_by(blog: FollowedBlog, query: FollowedQuery) -> Cursor:
    value = title_key(blog) if query.sort == "title" else getattr(blog, query.sort)
    return Cursor("" if value is None else value, blog.id)


def _comes_after(place: Cursor, after: Cursor, descending: bool) -> bool:
    here, there = (place.value, place.id), (after.value, after.id)
    return here < there if descending else here > there
