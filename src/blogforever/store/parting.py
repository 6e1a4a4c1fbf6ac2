"""Rows of posts under other names: what one post got since a run becomes another post, or goes back to what it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace
from sqlalchemy import insert, select, update

from blogforever.extract.content import content_of
from blogforever.records import PostRecord, json_line, read_json, read_post

from . import schema
from .rows import Columns, Rows
from .tablerows import BeforeMove, CheckRow, MoveRow, PostRow, columns_of

Edit = Callable[[PostRecord, int], PostRecord]
"""A record as it is under the new name, given the number its version has there."""


@dataclass(frozen=True, slots=True)
class Name:
    """Which post becomes which, in which blog; from which run on, and how much smaller its numbers of versions are."""

    old: str
    new: str
    blog: str
    run: int
    shift: int


class Parting:
    """Moves rows between posts, through the rows of this process."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def taken(self, post: str) -> bool:
        """Whether there is a post with this id."""
        return self._rows.first(select(schema.posts.c.id).where(schema.posts.c.id == post)) is not None

    def first_run(self, post: str) -> int:
        """The run that found a post."""
        versions = schema.versions
        row = self._rows.first(select(versions.c.run).where(versions.c.post == post).order_by(versions.c.number))
        return int(row[0]) if row else 0

    def rename(self, name: Name, since: MoveRow | None, edit: Edit) -> None:
        """Give a post's rows, or those `since` a move, to another post; every record goes through `edit`."""
        with self._rows.transaction():
            self._rename(name, since, edit)

    def _rename(self, name: Name, since: MoveRow | None, edit: Edit) -> None:
        self._posts(name, edit)
        self._versions(name, edit)
        self._extractions(name, since)
        values = {"post": name.new, "blog": name.blog}
        checks, sightings = schema.checks, schema.sightings
        self._rows.execute(update(checks).where(checks.c.post == name.old).values(**values))
        of_it = (sightings.c.post == name.old, sightings.c.run >= name.run)
        self._rows.execute(update(sightings).where(*of_it).values(**values))
        self._moves(name, since.id if since else 0, edit)

    def put_back(self, post: PostRow, check: CheckRow | None) -> None:
        """A post's row, and that of its check, as they once were; its newest version is in the row again."""
        with self._rows.transaction():
            self._put_back(post, check)

    def _put_back(self, post: PostRow, check: CheckRow | None) -> None:
        row = columns_of(post, schema.posts) | {"record": json_line(post.record)}
        self._rows.execute(insert(schema.posts).values(**row))
        if check:
            self._rows.execute(insert(schema.checks).values(**columns_of(check, schema.checks)))
        versions = schema.versions
        newest = (versions.c.post == post.id, versions.c.number == post.version)
        self._rows.execute(update(versions).where(*newest).values(record=None, digest=post.digest))

    def add_first(self, record: PostRecord, row: PostRow, run: int) -> None:
        """The first version of a post that was found with no edit in this run, beside those that came after it."""
        capture, top = record.capture, row.version == 1
        values = {"post": record.id, "blog": record.blog, "number": 1, "digest": content_of(record).digest}
        values |= {"rules": row.rules, "run": run, "record": None if top else json_line(record)}
        if capture:
            values |= {"captured": capture.captured, "record_id": capture.record_id}
        self._rows.execute(insert(schema.versions).values(**values))
        if top:
            self.put_record(record)

    def put_record(self, record: PostRecord) -> None:
        """The record of a post as it is now, without a word on how it came to be so."""
        row = {"url": record.url, "title": record.title, "published": record.published}
        row |= {"digest": content_of(record).digest, "record": json_line(record)}
        self._rows.execute(update(schema.posts).where(schema.posts.c.id == record.id).values(**row))

    def _posts(self, name: Name, edit: Edit) -> None:
        posts = schema.posts
        row = self._rows.first(select(posts.c.version, posts.c.record).where(posts.c.id == name.old))
        version = int(row.version) - name.shift
        record = edit(read_post(row.record), version)
        values = {"id": name.new, "blog": name.blog, "url": record.url, "version": version}
        values |= {"digest": content_of(record).digest, "record": json_line(record)}
        self._rows.execute(update(posts).where(posts.c.id == name.old).values(**values))

    def _versions(self, name: Name, edit: Edit) -> None:
        table = schema.versions
        for row in self._some(select(table).where(table.c.post == name.old, table.c.run >= name.run)):
            number = int(row["number"]) - name.shift
            record = json_line(edit(read_post(row["record"]), number)) if row["record"] else None
            values = {"post": name.new, "blog": name.blog, "number": number, "record": record}
            here = (table.c.post == name.old, table.c.number == row["number"])
            self._rows.execute(update(table).where(*here).values(**values))

    def _extractions(self, name: Name, since: MoveRow | None) -> None:
        """Readings of what is no longer this post's."""
        table = schema.extractions
        for row in self._some(select(table).where(table.c.post == name.old)):
            number = int(row["version"]) - name.shift
            if number >= 1 and (since is None or row["extracted"] >= since.moved):
                values = {"post": name.new, "version": number}
                self._rows.execute(update(table).where(table.c.id == row["id"]).values(**values))

    def _moves(self, name: Name, after: int, edit: Edit) -> None:
        """Later moves are those of the other post, and so is what was kept before them."""
        table = schema.moves
        for row in self._some(select(table).where(table.c.post == name.old, table.c.id > after)):
            before = read_json(row["before"] or "{}", BeforeMove)
            if post := before.post:
                number = post.version - name.shift
                record = edit(post.record, number)
                renamed = replace(post, id=name.new, blog=name.blog, version=number, record=record)
                before = replace(before, post=renamed)
            if check := before.check:
                before = replace(before, check=replace(check, post=name.new, blog=name.blog))
            values = {"post": name.new, "blog": name.blog, "before": json_line(before)}
            self._rows.execute(update(table).where(table.c.id == row["id"]).values(**values))

    def _some(self, statement: Any) -> list[Columns]:
        return [dict(row._mapping) for row in self._rows.all(statement)]
