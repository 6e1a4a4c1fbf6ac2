"""Moves in the database, and what undoes them: what one post got since a run becomes another post, or what it was."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select, update

from blogforever.extract.content import content_of
from blogforever.records import PostRecord, json_line, read_json, read_post
from blogforever.storage.succession import before_renaming
from blogforever.storage.values import BeforeMove, CheckRow, Edit, MoveRow, Name, PostRow

from . import schema
from .posts import SqlPosts, rewrite_names
from .rows import Columns, Rows, columns_of

MOVES, POSTS, VERSIONS = schema.moves, schema.posts, schema.versions
EXTRACTIONS, CHECKS, SIGHTINGS = schema.extractions, schema.checks, schema.sightings


class SqlMoves:
    """The moves of an archive's database."""

    def __init__(self, rows: Rows, posts: SqlPosts) -> None:
        self._rows, self._posts = rows, posts

    def add(self, move: MoveRow) -> None:
        """A post, or the blog itself, was found under another address."""
        row: Columns = {"post": move.post, "blog": move.blog, "run": move.run, "moved": move.moved}
        row |= {"old": move.old, "new": move.new, "sign": move.sign, "before": json_line(move.before)}
        self._rows.gather("moves", row)

    def of_blog(self, blog: str) -> list[MoveRow]:
        """Where posts of a blog, and the blog itself, have moved, in
        order; with what was kept of them before.
        """
        self._rows.settle("moves")
        rows = self._some(select(MOVES).where(MOVES.c.blog == blog).order_by(MOVES.c.run, MOVES.c.old))
        return [MoveRow(**row | {"before": _before(row)}) for row in rows]

    def of_post(self, post: str) -> list[MoveRow]:
        """Where a post has moved, in order."""
        self._rows.settle("moves")
        rows = self._some(select(MOVES).where(MOVES.c.post == post).order_by(MOVES.c.run, MOVES.c.old))
        return [MoveRow(**row | {"before": _before(row)}) for row in rows]

    def before(self, post: str) -> BeforeMove:
        """What there is of a post now, to be kept with its move."""
        row = self._posts.row(post)
        if row is None:
            return BeforeMove()
        self._rows.settle("checks")
        check = self._rows.first(select(CHECKS).where(CHECKS.c.post == post))
        return BeforeMove(post=row, check=CheckRow(**check._mapping) if check else None)

    def rename(self, name: Name, since: MoveRow | None, edit: Edit) -> None:
        """Give a post's rows, or those `since` a move, to another
        post; every record goes through `edit`.
        """
        with self._rows.transaction():
            self._rename_post(name, edit)
            self._rename_versions(name, edit)
            self._rename_readings(name, since)
            self._rename_looks(name)
            self._rename_moves(name, since.id if since else 0, edit)

    def put_back(self, post: PostRow, check: CheckRow | None) -> None:
        """A post's row, and that of its check, as they once were; its
        newest version is in the row again.
        """
        row = columns_of(post, POSTS) | {"record": json_line(post.record)}
        newest = (VERSIONS.c.post == post.id, VERSIONS.c.number == post.version)
        with self._rows.transaction():
            self._rows.execute(insert(POSTS).values(**row))
            rewrite_names(self._rows, post.id, post.record)
            if check:
                self._rows.execute(insert(CHECKS).values(**columns_of(check, CHECKS)))
            self._rows.execute(update(VERSIONS).where(*newest).values(record=None, digest=post.digest))

    def add_first(self, record: PostRecord, row: PostRow, run: int) -> None:
        """The first version of a post that was found with no edit in
        this run, beside those that came after it.
        """
        capture, is_newest = record.capture, row.version == 1
        values = {"post": record.id, "blog": record.blog, "number": 1, "digest": content_of(record).digest}
        values |= {"rules": row.rules, "run": run, "record": None if is_newest else json_line(record)}
        if capture:
            values |= {"captured": capture.captured, "record_id": capture.record_id}
        with self._rows.transaction():
            self._rows.execute(insert(VERSIONS).values(**values))
            if is_newest:
                self._posts.rewrite(record)

    def _rename_post(self, name: Name, edit: Edit) -> None:
        row = self._rows.first(select(POSTS.c.version, POSTS.c.record).where(POSTS.c.id == name.old))
        version = int(row.version) - name.shift
        record = edit(read_post(row.record), version)
        values = {"id": name.new, "blog": name.blog, "url": record.url, "version": version}
        values |= {"digest": content_of(record).digest, "record": json_line(record)}
        self._rows.execute(update(POSTS).where(POSTS.c.id == name.old).values(**values))
        rewrite_names(self._rows, name.old, record)

    def _rename_versions(self, name: Name, edit: Edit) -> None:
        for row in self._some(select(VERSIONS).where(VERSIONS.c.post == name.old, VERSIONS.c.run >= name.run)):
            number = int(row["number"]) - name.shift
            record = json_line(edit(read_post(row["record"]), number)) if row["record"] else None
            values = {"post": name.new, "blog": name.blog, "number": number, "record": record}
            here = (VERSIONS.c.post == name.old, VERSIONS.c.number == row["number"])
            self._rows.execute(update(VERSIONS).where(*here).values(**values))

    def _rename_readings(self, name: Name, since: MoveRow | None) -> None:
        """Readings of what is no longer this post's."""
        for row in self._some(select(EXTRACTIONS).where(EXTRACTIONS.c.post == name.old)):
            number = int(row["version"]) - name.shift
            is_later = since is None or row["extracted"] >= since.moved
            if number >= 1 and is_later:
                here = EXTRACTIONS.c.id == row["id"]
                self._rows.execute(update(EXTRACTIONS).where(here).values(post=name.new, version=number))

    def _rename_looks(self, name: Name) -> None:
        values = {"post": name.new, "blog": name.blog}
        self._rows.execute(update(CHECKS).where(CHECKS.c.post == name.old).values(**values))
        since = (SIGHTINGS.c.post == name.old, SIGHTINGS.c.run >= name.run)
        self._rows.execute(update(SIGHTINGS).where(*since).values(**values))

    def _rename_moves(self, name: Name, after: int, edit: Edit) -> None:
        """Later moves are those of the other post, and so is what was kept before them."""
        for row in self._some(select(MOVES).where(MOVES.c.post == name.old, MOVES.c.id > after)):
            before = before_renaming(_before(row), name, edit)
            values = {"post": name.new, "blog": name.blog, "before": json_line(before)}
            self._rows.execute(update(MOVES).where(MOVES.c.id == row["id"]).values(**values))

    def _some(self, statement: Any) -> list[Columns]:
        return [dict(row._mapping) for row in self._rows.all(statement)]


def _before(row: Columns) -> BeforeMove:
    return read_json(row["before"] or "{}", BeforeMove)
