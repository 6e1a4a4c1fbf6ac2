"""Versions of posts in the database, and when we came to read them otherwise."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, select, update

from blogforever.records import PostRecord, read_post
from blogforever.storage.succession import KeptVersion
from blogforever.storage.values import ExtractionRow, VersionRow

from . import schema
from .rows import Rows

VERSIONS, EXTRACTIONS = schema.versions, schema.extractions
COLUMNS = [column for column in VERSIONS.columns if column is not VERSIONS.c.record]


class SqlVersions:
    """The versions in an archive's database; those who write posts write them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def of(self, post: str) -> list[VersionRow]:
        """The versions of a post, oldest first."""
        self._rows.settle("versions")
        query = select(*COLUMNS).where(VERSIONS.c.post == post).order_by(VERSIONS.c.number)
        return [VersionRow(**row._mapping) for row in self._rows.all(query)]

    def kept(self, post: str) -> dict[int, KeptVersion]:
        """The versions of a post with their records, by their numbers."""
        self._rows.settle("versions")
        found = self._rows.all(select(VERSIONS).where(VERSIONS.c.post == post))
        return {row.number: _kept_version(row) for row in found}

    def record(self, post: str, number: int) -> PostRecord | None:
        """The record of one version of a post."""
        self._rows.settle("posts")
        posts = schema.posts
        older = select(VERSIONS.c.record).where(VERSIONS.c.post == post, VERSIONS.c.number == number)
        row = self._rows.first(older)
        if row is None or row.record is None:
            row = self._rows.first(select(posts.c.record).where(posts.c.id == post, posts.c.version == number))
        return read_post(row.record) if row else None

    def first_run(self, post: str) -> int:
        """The run that found a post; 0 where none did."""
        self._rows.settle("versions")
        query = select(VERSIONS.c.run).where(VERSIONS.c.post == post).order_by(VERSIONS.c.number)
        row = self._rows.first(query)
        return int(row.run) if row else 0

    def add_extraction(self, place: tuple[str, int], rules: int | None, digest: str, reason: str, when: str) -> None:
        """A version of a post reads otherwise now, though nobody edited it."""
        post, version = place
        self._rows.gather("extractions", asdict(ExtractionRow(post, version, rules, when, digest, reason)))

    def extractions(self, post: str) -> list[ExtractionRow]:
        """When and why a post came to read otherwise though nobody edited it."""
        self._rows.settle("extractions")
        columns = [column for column in EXTRACTIONS.columns if column is not EXTRACTIONS.c.id]
        query = select(*columns).where(EXTRACTIONS.c.post == post).order_by(EXTRACTIONS.c.id)
        return [ExtractionRow(**row._mapping) for row in self._rows.all(query)]


def note_reading(rows: Rows, place: tuple[str, int], rules: int | None, digest: str, when: str) -> None:
    """A version was read again by these rules, and this is what its content is now."""
    post, number = place
    here = (VERSIONS.c.post == post, VERSIONS.c.number == number)
    rows.execute(update(VERSIONS).where(*here).values(digest=digest, rules=rules))
    rows.gather("extractions", asdict(ExtractionRow(post, number, rules, when, digest, "reextract")))


def _kept_version(row: Row[Any]) -> KeptVersion:
    columns = dict(row._mapping)
    line = columns.pop("record")
    return KeptVersion(VersionRow(**columns), read_post(line) if line else None)
