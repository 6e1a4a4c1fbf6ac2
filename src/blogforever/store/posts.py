"""Posts in the database; every record is kept whole as JSON beside the columns we look up.

What belongs to a post (its versions, its check, the names it is found by) is written with it, and
only here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields
from operator import attrgetter
from typing import Any

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Select, delete, func, insert, or_, select, update

from blogforever.errors import ArchiveError
from blogforever.extract.content import content_of
from blogforever.records import PostRecord, json_line, read_post
from blogforever.storage.browsing import (
    CommentPage,
    CommentQuery,
    Facet,
    PostLine,
    PostPage,
    PostPlace,
    PostQuery,
    folded,
)
from blogforever.storage.succession import (
    KeptVersion,
    is_edited,
    renumbering,
    succeeding,
    version_row,
    woven,
)
from blogforever.storage.values import Change, CheckRow, PostRow, VersionRow
from blogforever.urls import url_key

from . import schema
from .briefly import briefly
from .browsing import page_of_comments, page_of_posts, post_after
from .names import added_names, dropped_names, forget_names, insert_names
from .news import news_rows
from .rows import Columns, Rows, TableRow, columns_of, in_parts, now
from .versions import SqlVersions, note_reading

POSTS, VERSIONS = schema.posts, schema.versions
# Asked for every post, in SQL as it is.
KEPT = "SELECT version, digest, record FROM posts WHERE id = :post"
BROUGHT = (
    "SELECT url, published FROM posts WHERE run = :run AND version = 1"
    " ORDER BY published IS NULL, published DESC, url LIMIT :most"
)
MONTHS = (
    "SELECT substr(published, 1, 7) AS month, count(*) AS number FROM posts"
    " WHERE blog = :blog AND published > '' GROUP BY month ORDER BY month"
)
VERSION = tuple(column.name for column in fields(VersionRow))
# `asdict` would copy each value, deeply; there is one such row for every post that is new.
_columns_of_version = attrgetter(*VERSION)
NUMBER_WITH = (
    "SELECT count(*) AS number FROM (SELECT 1 FROM facets WHERE kind = :kind AND name = :name LIMIT :most) AS met"
)
# Newest first; those without a date come last.
NEWEST_FIRST = (POSTS.c.published.is_(None), POSTS.c.published.desc(), POSTS.c.url)


@dataclass(frozen=True, slots=True)
class _KeptPost:
    """A post as it is kept: its version, the digest of its content, its record as it was written."""

    version: int
    digest: str
    line: str


class SqlPosts:
    """The posts of an archive's database."""

    def __init__(self, rows: Rows, versions: SqlVersions) -> None:
        self._rows, self._versions = rows, versions

    def keep(
        self,
        run: int,
        record: PostRecord,
        change: Change = "compare",
        rules: int | None = None,
        check: CheckRow | None = None,
    ) -> int:
        """Keep a post, and how it stands, in one; its version.

        Where its content changed it gets a new version, and the one before is kept. Comments that
        are kept stay.
        """
        # Nobody may keep the same post between our reading of it and our writing.
        with self._rows.lock:
            kept = self._kept(record.id)
            before = read_post(kept.line) if kept else None
            digest = content_of(record).digest
            if kept is None or before is None:
                replaced, record = None, replace(record, version=1)
            else:
                edited = is_edited(change, kept.digest, digest)
                record = succeeding(before, kept.version, record, edited)
                replaced = kept if edited else None
            about = {"blog": record.blog, "digest": digest, "rules": rules, "run": run}
            rows = list(_post_rows(record, about, is_new=kept is None or replaced is not None))
            rows += [("checks", columns_of(check, schema.checks))] if check else []
            rows += news_rows(before, record)
            self._write(record, [*rows, *added_names(before, record)], before, replaced)
            return record.version

    def _write(
        self, record: PostRecord, rows: list[TableRow], before: PostRecord | None, replaced: _KeptPost | None
    ) -> None:
        """Write the rows of a post, and what becomes of the earlier ones, together.

        Mostly there is nothing to change in earlier ones, and the rows can wait for others to be
        written with.
        """
        gone = dropped_names(before, record)
        at_once = gone or replaced
        with self._rows.transaction() if at_once else nullcontext():
            if replaced:
                self._put_by(record.id, replaced)
            for statement in gone:
                self._rows.execute(statement)
            self._rows.gather_together(rows)

    def _put_by(self, post: str, kept: _KeptPost) -> None:
        """The record that is replaced stays with its version."""
        here = (VERSIONS.c.post == post, VERSIONS.c.number == kept.version)
        self._rows.execute(update(VERSIONS).where(*here).values(record=kept.line, digest=kept.digest))

    def revise(self, record: PostRecord, rules: int | None, when: str) -> None:
        """The newest version of a post reads otherwise, though nobody edited it."""
        with self._rows.transaction():
            self._update(record, rules=rules)
            place = (record.id, record.version)
            note_reading(self._rows, place, rules, content_of(record).digest, when)

    def revise_version(self, record: PostRecord, number: int, rules: int | None, when: str) -> None:
        """An older version of a post reads otherwise, though nobody edited it."""
        here = (VERSIONS.c.post == record.id, VERSIONS.c.number == number)
        with self._rows.transaction():
            self._rows.execute(update(VERSIONS).where(*here).values(record=json_line(record)))
            note_reading(self._rows, (record.id, number), rules, content_of(record).digest, when)

    def rewrite(self, record: PostRecord) -> None:
        """The record of a post as it is now, without a word on how it came to be so."""
        with self._rows.transaction():
            self._update(record)

    def _update(self, record: PostRecord, **more: int | None) -> None:
        row: Columns = {"url": record.url, "title": record.title, "published": record.published, **more}
        row |= {"digest": content_of(record).digest, "record": json_line(record)}
        self._rows.execute(update(POSTS).where(POSTS.c.id == record.id).values(**row))
        rewrite_names(self._rows, record.id, record)

    def weave(self, run: int, post: str, order: Sequence[int | PostRecord], rules: int | None) -> None:
        """Put records between the versions of a post, which stand as
        their numbers; the newest stays the newest.
        """
        places = [one if isinstance(one, int) else _fresh_version(one, run, rules) for one in order]
        with self._rows.transaction():
            fresh = woven(self._versions.kept(post), places)
            self._rows.execute(delete(VERSIONS).where(VERSIONS.c.post == post))
            self._rows.execute(insert(VERSIONS), [_version_columns(version) for version in fresh])
            self._renumber_readings(post, renumbering(places))
            newest = replace(self.record(post), version=len(order))
            values = {"version": len(order), "run": run, "record": json_line(newest)}
            self._rows.execute(update(POSTS).where(POSTS.c.id == post).values(**values))
            rewrite_names(self._rows, post, newest)

    def _renumber_readings(self, post: str, numbers: dict[int, int]) -> None:
        readings = schema.extractions
        for old, new in numbers.items():
            here = (readings.c.post == post, readings.c.version == old)
            self._rows.execute(update(readings).where(*here).values(version=new))

    def find(self, post: str) -> PostRecord | None:
        """The record of a post; None where there is no such post."""
        kept = self._kept(post)
        return read_post(kept.line) if kept else None

    def record(self, post: str) -> PostRecord:
        """The record of a post that is there; ArchiveError where it is not."""
        record = self.find(post)
        if record is None:
            raise ArchiveError(f"The archive has lost its post {post}.")
        return record

    def any_of(self, blog: str) -> bool:
        """Whether any post of a blog is kept."""
        self._rows.settle("posts")
        return self._rows.find("SELECT 1 FROM posts WHERE blog = :blog LIMIT 1", blog=blog) is not None

    def brought_by(self, run: int, most: int) -> list[tuple[str, str | None]]:
        """Address and day of the posts that a run brought in their first version, newest first, so
        many at most.
        """
        self._rows.settle("posts")
        return [(row.url, row.published) for row in self._rows.find_all(BROUGHT, run=run, most=most)]

    def row(self, post: str) -> PostRow | None:
        """All that is kept of a post itself."""
        self._rows.settle("posts")
        row = self._rows.first(select(POSTS).where(POSTS.c.id == post))
        return PostRow(**dict(row._mapping) | {"record": read_post(row.record)}) if row else None

    def of_blog(self, blog: str) -> Iterator[PostRecord]:
        """The blog's posts, newest first; those without a date come last."""
        self._rows.settle("posts")
        query = select(POSTS.c.record).where(POSTS.c.blog == blog).order_by(*NEWEST_FIRST)
        return map(read_post, self._rows.column(query))

    def page(self, query: PostQuery) -> PostPage:
        """The posts that are asked for, newest first, from a place on."""
        return page_of_posts(self._rows, query)

    def following(self, blog: str, place: PostPlace) -> PostLine | None:
        """The next newer post of a blog after a place."""
        return post_after(self._rows, blog, place)

    def comments(self, query: CommentQuery) -> CommentPage:
        """The comments that are asked for, newest first, from a place on."""
        return page_of_comments(self._rows, query)

    def headings(self, blog: str) -> Iterator[tuple[str | None, str | None, str]]:
        """Day, title and address of the blog's posts, in the same order."""
        self._rows.settle("posts")
        columns = (POSTS.c.published, POSTS.c.title, POSTS.c.url)
        query = select(*columns).where(POSTS.c.blog == blog).order_by(*NEWEST_FIRST)
        for row in self._rows.rows(query):
            yield row[0], row[1], row[2]

    def number_with(self, facet: Facet, most: int) -> int:
        """How many posts of all blogs are chosen by something; no more than so many are counted."""
        self._rows.settle("posts")
        return int(self._rows.find(NUMBER_WITH, kind=facet.kind, name=folded(facet.name), most=most).number)

    def months(self, blog: str) -> dict[str, int]:
        """How many posts of a blog are of each month, the first one first."""
        self._rows.settle("posts")
        return {row.month: row.number for row in self._rows.find_all(MONTHS, blog=blog)}

    def at(self, address: str) -> PostRecord | None:
        """The post with exactly this address; its own before one of its others."""
        query = _by_address(address, schema.addresses.c.url == briefly(address))
        found = self._read(query.order_by(POSTS.c.url != address))
        return found[0] if found else None

    def named(self, address: str) -> list[PostRecord]:
        """The posts with an address that means the same page as this one; by blog, newest first."""
        return self._read(_by_address(address).order_by(POSTS.c.blog, *NEWEST_FIRST))

    def owners(self, addresses: Iterable[str]) -> dict[str, str]:
        """The blogs that have a post with one of these addresses, by the address as it was asked."""
        self._rows.settle("posts")
        names = {address: briefly(url_key(address)) for address in addresses}
        table, keys = schema.addresses, sorted(set(names.values()))
        blogs: dict[str, str] = {}
        for some in in_parts(keys):
            for row in self._rows.all(select(table.c.key, table.c.blog).where(table.c.key.in_(some))):
                blogs[row.key] = min(row.blog, blogs.get(row.key, row.blog))
        return {address: blogs[key] for address, key in names.items() if key in blogs}

    def ids_at(self, addresses: Iterable[str]) -> dict[str, str]:
        """The post with each of these addresses, by the address as it was asked; without those that
        have none.
        """
        self._rows.settle("posts")
        names = {address: briefly(url_key(address)) for address in addresses}
        table, posts = schema.addresses, dict[str, str]()
        for some in in_parts(sorted(set(names.values()))):
            for row in self._rows.all(select(table.c.key, table.c.post).where(table.c.key.in_(some))):
                posts[row.key] = min(row.post, posts.get(row.key, row.post))
        return {address: posts[key] for address, key in names.items() if key in posts}

    def with_comment(self, name: str) -> list[PostRecord]:
        """The posts with a comment of this id or address; in the same order."""
        table = schema.comments
        holders = select(table.c.post).where(or_(table.c.id == name, table.c.url == briefly(name)))
        query = select(POSTS.c.record).where(POSTS.c.id.in_(holders))
        return self._read(query.order_by(POSTS.c.blog, *NEWEST_FIRST))

    def _read(self, query: Select[Any]) -> list[PostRecord]:
        self._rows.settle("posts")
        return [read_post(row.record) for row in self._rows.all(query)]

    def digests(self, blog: str) -> dict[str, str]:
        """The digest of each post's content, by its id."""
        self._rows.settle("posts")
        query = select(POSTS.c.id, POSTS.c.digest).where(POSTS.c.blog == blog)
        return {row.id: row.digest for row in self._rows.rows(query)}

    def sharing_titles(self, titles: Sequence[str]) -> dict[str, int]:
        """How many posts of each blog have one of these titles."""
        self._rows.settle("posts")
        query = select(POSTS.c.blog, func.count()).where(POSTS.c.title.in_(titles)).group_by(POSTS.c.blog)
        return {row[0]: row[1] for row in self._rows.rows(query)}

    def lines(self, *wanted: ColumnElement[bool]) -> Iterable[str]:
        """Records as they are written, blog by blog."""
        order = (POSTS.c.blog, POSTS.c.published.desc().nulls_last(), POSTS.c.url)
        return self._rows.column(select(POSTS.c.record).where(*wanted).order_by(*order))

    def _kept(self, post: str) -> _KeptPost | None:
        # What waits is newer than what is written.
        if waiting := self._rows.waiting("posts", post):
            return _KeptPost(waiting["version"], waiting["digest"], waiting["record"])
        row = self._rows.find(KEPT, post=post)
        return _KeptPost(*row) if row else None


def rewrite_names(rows: Rows, earlier: str, record: PostRecord | None) -> None:
    """The names of a post, in place of those it had under its earlier id; none where it is gone."""
    for statement in forget_names(earlier):
        rows.execute(statement)
    if record is not None:
        insert_names(rows.execute, record)


def _by_address(address: str, *wanted: ColumnElement[bool]) -> Select[Any]:
    names = schema.addresses
    holders = select(names.c.post).where(names.c.key == briefly(url_key(address)), *wanted)
    return select(POSTS.c.record).where(POSTS.c.id.in_(holders))


def _post_rows(record: PostRecord, about: Columns, is_new: bool) -> Iterator[TableRow]:
    """The rows of the newest version of a post: in the place of the same one, or as a new one."""
    if is_new:
        version = version_row(record, about["digest"], about["run"], about["rules"], now())
        # The record of the newest version stands in the post's own row.
        yield "versions", dict(zip(VERSION, _columns_of_version(version), strict=True)) | {"record": None}
    row = {"id": record.id, "url": record.url, "title": record.title, "published": record.published}
    yield "posts", row | about | {"version": record.version, "record": json_line(record)}


def _fresh_version(record: PostRecord, run: int, rules: int | None) -> KeptVersion:
    return KeptVersion(version_row(record, content_of(record).digest, run, rules, now()), record)


def _version_columns(version: KeptVersion) -> Columns:
    return asdict(version.row) | {"record": json_line(version.record) if version.record else None}
