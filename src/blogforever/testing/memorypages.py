"""The blogs' own pages in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from blogforever.records import PageRecord

from .memorytables import MemoryTables


class MemoryPages:
    """The blogs' own pages that are no posts."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, run: int, record: PageRecord) -> None:
        """Keep a page as it reads now."""
        self._tables.check_open()
        self._tables.pages[record.id] = (run, record)

    def drop(self, pages: Iterable[str]) -> None:
        """Let these go, by their ids: they were found to be posts."""
        for page in pages:
            self._tables.pages.pop(page, None)

    def of_blog(self, blog: str) -> Iterator[PageRecord]:
        """The blog's pages, by address."""
        return (record for _run, record in self.rows() if record.blog == blog)

    def rows(self) -> list[tuple[int, PageRecord]]:
        """Every page with the run that read it, blog by blog."""
        return sorted(self._tables.pages.values(), key=lambda row: (row[1].blog, row[1].url))
