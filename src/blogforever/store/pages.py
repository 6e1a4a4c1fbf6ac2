"""The blogs' own pages that are no posts, in the database; each as a whole record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import ColumnElement, delete, select

from blogforever.extract.content import content_of
from blogforever.records import PageRecord, json_line, read_own_page

from . import schema
from .rows import Rows

PAGES = schema.pages


class SqlPages:
    """The pages of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, run: int, record: PageRecord) -> None:
        """Keep a page as it reads now."""
        row = {"id": record.id, "blog": record.blog, "url": record.url, "run": run}
        self._rows.gather("pages", row | {"digest": content_of(record).digest, "record": json_line(record)})

    def drop(self, pages: Iterable[str]) -> None:
        """Let these go, by their ids: they were found to be posts."""
        gone = list(pages)
        if gone:
            self._rows.execute(delete(PAGES).where(PAGES.c.id.in_(gone)))

    def of_blog(self, blog: str) -> Iterator[PageRecord]:
        """The blog's pages, by address."""
        self._rows.settle("pages")
        return map(read_own_page, self.lines(PAGES.c.blog == blog))

    def lines(self, *wanted: ColumnElement[bool]) -> Iterable[str]:
        """Records as they are written, blog by blog."""
        return self._rows.column(select(PAGES.c.record).where(*wanted).order_by(PAGES.c.blog, PAGES.c.url))
