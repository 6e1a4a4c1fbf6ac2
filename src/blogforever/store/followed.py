"""Followed blogs in the database, with the addresses they are known by and those that are watched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, func, or_, select, tuple_

from blogforever.model import LookPolicy, Said
from blogforever.source.given import BlogMetadata
from blogforever.storage.following import (
    Cursor,
    FollowedBlog,
    FollowedPage,
    FollowedQuery,
    FollowState,
    LabelKind,
    ReasonCount,
    WatchedAddress,
    title_key,
)
from blogforever.urls import host_of_key, url_key

from . import schema
from .briefly import briefly, whole_of
from .columns import read_column
from .rows import Columns, Rows, in_parts, upsert, written
from .tallies import FOLLOWED as TALLIED_FOLLOWED
from .tallies import LISTED, TALLIES
from .tallies import REASONS as TALLIED_REASONS

# Blogs with a tag, in a list or in some states: from so many on they are met soon in any order.
MANY = 1000
FOLLOWED, LABELS, ALIASES, WATCHED = schema.followed, schema.labels, schema.aliases, schema.watched
OF_FOLLOWED = (
    LABELS, ALIASES, WATCHED, schema.looks, schema.verdicts, schema.textprints, schema.templates, schema.suspicions
)  # fmt: skip
# What the scheduler and every look ask, in SQL as it is.
FIND = "SELECT * FROM followed WHERE id = :blog"
DUE = "SELECT * FROM followed WHERE next_look > '' AND next_look <= :now ORDER BY next_look, id LIMIT :limit"
# Both in their order, side by side: to look up each blog among those that are followed takes three times as long.
UNFOLLOWED = (
    "SELECT id FROM blogs WHERE id > :after"
    " EXCEPT SELECT blog FROM followed WHERE blog > :after ORDER BY id LIMIT :most"
)
IN_ARCHIVE = "SELECT * FROM followed WHERE blog = :blog ORDER BY id"
WATCHED_OF = "SELECT * FROM watched WHERE blog = :blog ORDER BY url"
# One step in the index for each name, however many blogs have it.
NAMES = (
    "WITH RECURSIVE names(name) AS (SELECT min({name}) FROM {table} WHERE {wanted}{name} > '' UNION ALL"
    " SELECT (SELECT min({name}) FROM {table} WHERE {wanted}{name} > names.name) FROM names"
    " WHERE names.name IS NOT NULL) SELECT name FROM names WHERE name IS NOT NULL LIMIT :most"
)
OF_LABELS = NAMES.format(name="name", table="labels", wanted="kind = :kind AND ")
OF_PLATFORMS = NAMES.format(name="platform", table="followed", wanted="")
# Of each reason that is told, what one of the blogs with it says.
REASONS = (
    "SELECT shown.*, (SELECT said FROM followed WHERE followed.state = shown.state AND {same_reason} LIMIT 1) AS said"
    " FROM (SELECT kind AS state, state AS reason, sum(number) AS number FROM tallies WHERE what = :what"
    " AND kind IN ({states}) GROUP BY kind, state HAVING sum(number) > 0 ORDER BY 1, 3 DESC, 2 LIMIT :most) AS shown"
    " ORDER BY 1, 3 DESC, 2"
)
# Empty in the table where there is none, so that a column can be sorted by.
MOMENTS = ("last_look", "next_look")
FIELDS = tuple(one.name for one in fields(FollowedBlog))
NAMES_KIND, SAID_KIND = tuple[str, ...], tuple[Said, ...]
# Written as JSON, and what it is read as.
WRITTEN: dict[str, Any] = {
    "lists": NAMES_KIND,
    "tags": NAMES_KIND,
    "metadata": BlogMetadata,
    "policy": LookPolicy,
    "said": SAID_KIND,
    "next_said": SAID_KIND,
}
# Texts of such columns that are remembered as they were read.
REMEMBERED = 4096


class SqlFollowed:
    """The followed blogs of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, blogs: Iterable[FollowedBlog]) -> None:
        """Follow these; one whose id is there already stays as it is."""
        added = list({blog.id: blog for blog in reversed(list(blogs))}.values())
        with self._rows.transaction() as connection:
            there = {blog.id for blog in self.some(blog.id for blog in added)}
            new = [blog for blog in added if blog.id not in there]
            _insert(connection, "followed", map(_columns, new))
            _insert(connection, "labels", (label for blog in new for label in _labels(blog)))
            _insert(connection, "aliases", (_alias(blog.id, url) for blog in new for url in _addresses(blog)))

    def find(self, blog: str) -> FollowedBlog | None:
        """The followed blog with this id."""
        found = _all_followed(self._rows.find_all(FIND, blog=blog))
        return found[0] if found else None

    def some(self, blogs: Iterable[str]) -> list[FollowedBlog]:
        """Those of these ids that are followed, by id."""
        queries = (select(FOLLOWED).where(FOLLOWED.c.id.in_(some)) for some in in_parts(sorted(set(blogs))))
        found = (_all_followed(self._rows.all(query.order_by(FOLLOWED.c.id))) for query in queries)
        return [blog for some in found for blog in some]

    def change(self, blog: str, edit: Callable[[FollowedBlog], FollowedBlog]) -> FollowedBlog | None:
        """What a followed blog is after an edit, which no
        other writer comes between; None where there is none.
        """
        with self._rows.transaction() as connection:
            before = self.find(blog)
            if before is None:
                return None
            after = edit(before)
            if after == before:
                return before
            _insert(connection, "followed", [_columns(after)])
            if _labels(after) != _labels(before):
                connection.execute(LABELS.delete().where(LABELS.c.blog == blog))
                _insert(connection, "labels", _labels(after))
            _insert(connection, "aliases", (_alias(blog, url) for url in _addresses(after)))
        return after

    def drop(self, blogs: Iterable[str]) -> None:
        """Follow these no more; their addresses go with them."""
        with self._rows.transaction() as connection:
            for some in in_parts(blogs):
                for table in OF_FOLLOWED:
                    connection.execute(table.delete().where(table.c.blog.in_(some)))
                connection.execute(FOLLOWED.delete().where(FOLLOWED.c.id.in_(some)))

    def add_aliases(self, blog: str, urls: Iterable[str]) -> None:
        """Other addresses that mean this followed blog."""
        with self._rows.transaction() as connection:
            _insert(connection, "aliases", (_alias(blog, url) for url in urls))

    def known(self, urls: Iterable[str]) -> dict[str, FollowedBlog]:
        """The followed blogs that have one of these addresses,
        or a watched one, by the address as it was asked.
        """
        asked: dict[str, list[str]] = {}
        for url in urls:
            asked.setdefault(_key(url), []).append(url)
        found: dict[str, FollowedBlog] = {}
        for some in in_parts(asked):
            for key, blog in self._with_keys(some):
                is_own = _key(blog.url) == key
                for url in asked[key]:
                    if is_own or url not in found:
                        found[url] = blog
        return found

    def _with_keys(self, keys: Iterable[str]) -> Iterator[tuple[str, FollowedBlog]]:
        query = select(ALIASES.c.key.label("alias"), FOLLOWED).join(FOLLOWED, FOLLOWED.c.id == ALIASES.c.blog)
        rows = self._rows.all(query.where(ALIASES.c.key.in_(keys)).order_by(FOLLOWED.c.id))
        return zip((row.alias for row in rows), _all_followed(rows), strict=True)

    def hosts(self) -> frozenset[str]:
        """The hosts of all addresses by which blogs are known, without `www.`"""
        return frozenset(host_of_key(row.key) for row in self._rows.find_all("SELECT key FROM aliases"))

    def in_archive(self, blog: str) -> list[FollowedBlog]:
        """The followed blogs that are this blog of the archive; by id."""
        return _all_followed(self._rows.find_all(IN_ARCHIVE, blog=blog))

    def unfollowed(self, after: str, most: int) -> list[str]:
        """The blogs of the archive that nobody follows; ids, in order, from after one on, so many at most."""
        self._rows.settle("blogs")
        return [row.id for row in self._rows.find_all(UNFOLLOWED, after=after, most=most)]

    def page(self, query: FollowedQuery) -> FollowedPage:
        """The followed blogs that are asked for, from a place on."""
        rows = self._rows.all(_selected(query, self._common(query)))
        items = tuple(_all_followed(rows[: query.limit]))
        has_more = len(rows) > query.limit
        if not has_more or not items:
            return FollowedPage(items)
        last = rows[query.limit - 1]._mapping
        return FollowedPage(items, Cursor(last[_sort_column(query).name], last["id"]))

    def _common(self, query: FollowedQuery) -> frozenset[str]:
        """Which of the list, the tag, the states and the completeness that are asked for so many blogs have that they
        are soon met in any order: to put all of them in order would take longer.
        """
        asked = {
            "list": select(LABELS.c.blog).where(_labelled("list", query.list)),
            "tag": select(LABELS.c.blog).where(_labelled("tag", query.tag)),
            "states": select(FOLLOWED.c.id).where(FOLLOWED.c.state.in_(query.states)),
            "completeness": select(FOLLOWED.c.id).where(FOLLOWED.c.completeness == query.completeness),
        }
        given = {
            "list": query.list,
            "tag": query.tag,
            "states": query.states,
            "completeness": query.completeness,
        }
        counted = {
            name: self._rows.first(select(func.count()).select_from(some.limit(MANY).subquery()))[0]
            for name, some in asked.items()
            if given[name]
        }
        return frozenset(name for name, number in counted.items() if number == MANY)

    def due(self, now: str, limit: int) -> list[FollowedBlog]:
        """The followed blogs whose next look is due, the longest due first."""
        return _all_followed(self._rows.find_all(DUE, now=now, limit=limit))

    def counts(self) -> dict[str, int]:
        """How many followed blogs are in each state."""
        return {row.state: row.number for row in self._rows.find_all(TALLIES, what=TALLIED_FOLLOWED.what)}

    def listed(self) -> dict[str, int]:
        """How many followed blogs are in each list that has any."""
        return {row.state: row.number for row in self._rows.find_all(TALLIES, what=LISTED.what)}

    def reasons(self, states: Sequence[FollowState], most: int) -> list[ReasonCount]:
        """Why followed blogs are in these states, the most frequent reason of each first."""
        asked = {f"state{place}": state for place, state in enumerate(states)}
        same = self._rows.dialect.same.format(column="followed.reason", value="shown.reason")
        query = REASONS.format(same_reason=same, states=", ".join(f":{name}" for name in asked))
        found = self._rows.find_all(query, what=TALLIED_REASONS.what, most=most, **asked)
        return [ReasonCount(row.state, row.reason, row.number, _read(row.said or "[]", SAID_KIND)) for row in found]

    def names(self, kind: LabelKind, most: int) -> list[str]:
        """The lists, tags or platforms that followed blogs have, by name, so many at most; without
        counting blogs.
        """
        if kind == "platform":
            return [row.name for row in self._rows.find_all(OF_PLATFORMS, most=most)]
        return [row.name for row in self._rows.find_all(OF_LABELS, kind=kind, most=most)]

    def watch(self, address: WatchedAddress) -> None:
        """Watch an address, or note what it brought."""
        with self._rows.transaction() as connection:
            keys = {"url": briefly(address.url), "whole": whole_of(address.url)}
            _insert(connection, "watched", [asdict(address) | keys])
            _insert(connection, "aliases", [_alias(address.blog, address.url)])

    def watched(self, blog: str) -> list[WatchedAddress]:
        """The watched addresses of a followed blog, by address."""
        return [watched_address(row) for row in self._rows.find_all(WATCHED_OF, blog=blog)]

    def feeds(self, blogs: Iterable[str]) -> dict[str, str]:
        """The feed of posts of each of these followed blogs that has one; where it has several, the
        first by address.
        """
        columns = (WATCHED.c.blog, func.min(func.coalesce(WATCHED.c.whole, WATCHED.c.url)).label("url"))
        of_posts = select(*columns).where(WATCHED.c.kind == "posts").group_by(WATCHED.c.blog)
        queries = (of_posts.where(WATCHED.c.blog.in_(some)) for some in in_parts(blogs))
        return {row.blog: row.url for query in queries for row in self._rows.all(query)}


def watched_address(row: Any) -> WatchedAddress:
    """A watched address as its row has it."""
    values = dict(row._mapping)
    whole = values.pop("whole")
    return WatchedAddress(**values | {"url": whole or values["url"]})


def _insert(connection: Connection, table: str, rows: Iterable[Columns]) -> None:
    """Write rows; one with the same key is replaced."""
    written_rows = [written(row) for row in rows]
    if written_rows:
        connection.exec_driver_sql(upsert(table, *written_rows[0]), written_rows)


def _columns(blog: FollowedBlog) -> Columns:
    row: Columns = {one.name: getattr(blog, one.name) for one in fields(blog)}
    row |= {name: row[name] or "" for name in MOMENTS}
    row |= {name: msgspec.json.encode(row[name]).decode() for name in WRITTEN}
    return row | {"title_key": title_key(blog), "paused": int(blog.paused)}


def _all_followed(rows: Sequence[Any]) -> list[FollowedBlog]:
    """The followed blogs of these rows. What their columns are called is asked once: of each row, that takes longer
    than everything else.
    """
    names = rows[0]._fields if rows else ()
    return [_followed(dict(zip(names, row, strict=True))) for row in rows]


def _followed(values: dict[str, Any]) -> FollowedBlog:
    for name in MOMENTS:
        values[name] = values[name] or None
    for name, kind in WRITTEN.items():
        values[name] = _read(values[name], kind)
    values["paused"] = bool(values["paused"])
    # In their order: given by name, each would be compared with all names of the class.
    return FollowedBlog(*(values[name] for name in FIELDS))


@lru_cache(maxsize=REMEMBERED)
def _read(written: str, kind: Any) -> Any:
    """What is written as JSON. Blogs have the same few lists, tags and wishes over and over, and nobody can change
    what was read.
    """
    return read_column(written, kind)


def _labels(blog: FollowedBlog) -> list[Columns]:
    lists = [{"kind": "list", "name": name, "blog": blog.id} for name in blog.lists]
    return lists + [{"kind": "tag", "name": name, "blog": blog.id} for name in blog.tags]


def _addresses(blog: FollowedBlog) -> list[str]:
    return [blog.url, blog.moved_to] if blog.moved_to else [blog.url]


def _alias(blog: str, url: str) -> Columns:
    return {"key": _key(url), "blog": blog}


def _key(url: str) -> str:
    return briefly(url_key(url))


def _sort_column(query: FollowedQuery) -> Any:
    return FOLLOWED.c.title_key if query.sort == "title" else FOLLOWED.c[query.sort]


def _selected(query: FollowedQuery, common: frozenset[str]) -> Select[Any]:
    """The rows of a page, and one more: whether there is a next page. What is `common` is looked up
    row by row.
    """
    column, name = _sort_column(query), FOLLOWED.c.id
    wanted = list(_conditions(query, common))
    if query.after:
        place, here = tuple_(column, name), tuple_(query.after.value, query.after.id)
        wanted.append(place < here if query.descending else place > here)
    order = (column.desc(), name.desc()) if query.descending else (column, name)
    return select(FOLLOWED).where(*wanted).order_by(*order).limit(query.limit + 1)


def _labelled(kind: str, label: str) -> ColumnElement[bool]:
    return (LABELS.c.kind == kind) & (LABELS.c.name == label)


def _unless_common(column: Any, name: str, query: FollowedQuery, common: frozenset[str]) -> Any:
    """A column whose index the database may begin with; where what is asked for is common, the
    empty text keeps it from that.
    """
    return column.concat("") if name in common and query.sort != column.name else column


def _conditions(query: FollowedQuery, common: frozenset[str]) -> Iterator[ColumnElement[bool]]:
    if query.q:
        folded = query.q.casefold()
        in_address = func.lower(FOLLOWED.c.url).contains(folded, autoescape=True)
        yield or_(in_address, FOLLOWED.c.title_key.contains(folded, autoescape=True))
    if query.states:
        yield _unless_common(FOLLOWED.c.state, "states", query, common).in_(query.states)
    if query.reason:
        yield FOLLOWED.c.reason == query.reason
    if query.platform:
        yield func.lower(FOLLOWED.c.platform) == query.platform.lower()
    if query.completeness:
        # As with states: most blogs may be so, and are then met soon in any order.
        yield _unless_common(FOLLOWED.c.completeness, "completeness", query, common) == query.completeness
    for kind, label in (("list", query.list), ("tag", query.tag)):
        if label:
            named = select(LABELS.c.blog).where(_labelled(kind, label))
            is_common = kind in common
            yield named.where(LABELS.c.blog == FOLLOWED.c.id).exists() if is_common else FOLLOWED.c.id.in_(named)
