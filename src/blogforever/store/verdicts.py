"""Verdicts on followed blogs, in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from blogforever.analyse.values import Kind
from blogforever.storage.verdicts import VerdictRow
from blogforever.typedjson import converted

from . import schema
from .columns import read_column
from .rows import Columns, Rows, columns_of, written

FIND = "SELECT * FROM verdicts WHERE blog = :blog"
DROP = "DELETE FROM verdicts WHERE blog = :blog"
DECIDED = "SELECT * FROM verdicts WHERE decided > '' ORDER BY blog"
OF_PATTERN = "SELECT * FROM verdicts WHERE pattern = :pattern AND decided > '' LIMIT :most"
# Blogs of one pattern that are asked: what a hundred say is known.
MOST_ASKED = 100


class SqlVerdicts:
    """The verdicts of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, row: VerdictRow) -> None:
        """Keep a verdict; one on the same blog is replaced."""
        plain = {name: msgspec.json.encode(getattr(row, name)).decode() for name in ("verdict", "answers")}
        with self._rows.transaction():
            self._rows.gather("verdicts", written(columns_of(row, schema.verdicts) | plain))

    def find(self, blog: str) -> VerdictRow | None:
        """The verdict on a followed blog."""
        row = self._rows.find(FIND, blog=blog)
        return _verdict(dict(row._mapping)) if row else None

    def drop(self, blog: str) -> None:
        """Keep it no more."""
        self._rows.write(DROP, blog=blog)

    def decisions(self, pattern: str) -> dict[Kind, int]:
        """What people say of the blogs of one pattern, and how often."""
        rows = self._rows.find_all(OF_PATTERN, pattern=pattern, most=MOST_ASKED)
        return dict(Counter(_verdict(dict(row._mapping)).verdict.kind for row in rows))

    def examples(self) -> Iterator[VerdictRow]:
        """Those on which a person decided, by blog."""
        return (_verdict(dict(row._mapping)) for row in self._rows.find_all(DECIDED))


def _verdict(row: Columns) -> VerdictRow:
    plain = {name: read_column(row[name], Any) for name in ("verdict", "answers")}
    return converted(row | plain, VerdictRow)
