"""Verdicts on followed blogs, in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from blogforever.analyse.values import Kind
from blogforever.storage.verdicts import VerdictRow

from .memorytables import MemoryTables


class MemoryVerdicts:
    """The verdicts, one a followed blog."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, row: VerdictRow) -> None:
        """Keep a verdict; one on the same blog is replaced."""
        self._tables.verdicts[row.blog] = row

    def find(self, blog: str) -> VerdictRow | None:
        """The verdict on a followed blog."""
        return self._tables.verdicts.get(blog)

    def drop(self, blog: str) -> None:
        """Keep it no more."""
        self._tables.verdicts.pop(blog, None)

    def decisions(self, pattern: str) -> dict[Kind, int]:
        """What people say of the blogs of one pattern, and how often."""
        return dict(Counter(row.verdict.kind for row in self.examples() if row.pattern == pattern))

    def examples(self) -> Iterator[VerdictRow]:
        """Those on which a person decided, by blog."""
        return (row for _blog, row in sorted(self._tables.verdicts.items()) if row.decided)
