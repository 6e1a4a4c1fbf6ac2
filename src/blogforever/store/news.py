"""News of posts and counters by the hour, in the database."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.records import PostRecord
from blogforever.storage.counting import GaugeName, HourCount, PeriodCount
from blogforever.storage.news import NewsRow, became

from .rows import Rows, TableRow, now, upsert

AFTER = "SELECT * FROM news WHERE number > :number ORDER BY number LIMIT :limit"
# News are written in the order of time: the first that is not older ends those before it.
BEFORE = "SELECT number FROM news WHERE at < :moment ORDER BY number DESC LIMIT 1"
FORGET = "DELETE FROM news WHERE at < :before"
REACHED = "SELECT number FROM readers WHERE reader = :reader"
LEAVE = "DELETE FROM readers WHERE reader = :reader"
ADD = """INSERT INTO counters (hour, name, label, number) VALUES (:hour, :name, :label, :number)
ON CONFLICT (hour, name, label) DO UPDATE SET number = counters.number + excluded.number
"""
UNNOTE = "DELETE FROM counters WHERE hour = :hour AND name = :name"
NOTE = "INSERT INTO counters (hour, name, label, number) VALUES (:hour, :name, :label, :number)"
SUMS = """SELECT substr(hour, 1, :width) AS period, name, label, sum(number) AS number FROM counters
WHERE hour BETWEEN :first AND :last AND (name <> 'blogs' OR hour IN (
  SELECT max(hour) FROM counters WHERE name = 'blogs' AND hour BETWEEN :first AND :last GROUP BY substr(hour, 1, :width)
))
GROUP BY period, name, label ORDER BY period, name, label
"""


def news_rows(before: PostRecord | None, after: PostRecord) -> list[TableRow]:
    """The row that tells what became of a post, if anything did."""
    kind, comments = became(before, after)
    if kind is None:
        return []
    row = {"at": now(), "blog": after.blog, "post": after.id, "kind": kind, "version": after.version}
    return [("news", row | {"comments": comments})]


class SqlNews:
    """The news of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def after(self, number: int, limit: int) -> list[NewsRow]:
        """What came after that number, oldest first."""
        self._rows.settle("news")
        return [NewsRow(**row._mapping) for row in self._rows.find_all(AFTER, number=number, limit=limit)]

    def before(self, moment: str) -> int:
        """The number of the last row that came before that moment; 0 where none did."""
        self._rows.settle("news")
        row = self._rows.find(BEFORE, moment=moment)
        return int(row.number) if row else 0

    def last(self) -> int:
        """The number of the newest; 0 where there never was any."""
        self._rows.settle("news")
        return self._rows.highest("news", "number")

    def forget(self, before: str) -> int:
        """Drop what is older than that moment."""
        with self._rows.transaction() as connection:
            return connection.exec_driver_sql(FORGET, {"before": before}).rowcount

    def reached(self, reader: str) -> int:
        """How far a reader has come; 0 where it never began."""
        row = self._rows.find(REACHED, reader=reader)
        return row.number if row else 0

    def reach(self, reader: str, number: int) -> None:
        """It has read all up to there."""
        self._rows.write(upsert("readers", "reader", "number"), reader=reader, number=number)

    def leave(self, reader: str) -> None:
        """It reads no more."""
        self._rows.write(LEAVE, reader=reader)


class SqlCounters:
    """The counters of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, hour: str, counts: Iterable[HourCount]) -> None:
        """This happened, too."""
        rows = [_row(hour, one.name, one.label, one.number) for one in counts if one.number]
        if rows:
            with self._rows.transaction() as connection:
                connection.exec_driver_sql(ADD, rows)

    def note(self, hour: str, gauge: GaugeName, levels: Iterable[tuple[str, int]]) -> None:
        """So it stands in that hour."""
        with self._rows.transaction() as connection:
            connection.exec_driver_sql(UNNOTE, {"hour": hour, "name": gauge})
            if rows := [_row(hour, gauge, label, number) for label, number in levels]:
                connection.exec_driver_sql(NOTE, rows)

    def sums(self, first: str, last: str, width: int) -> list[PeriodCount]:
        """What was counted, period by period."""
        return [PeriodCount(**row._mapping) for row in self._rows.find_all(SUMS, first=first, last=last, width=width)]


def _row(hour: str, name: str, label: str, number: int) -> dict[str, str | int]:
    return {"hour": hour, "name": name, "label": label, "number": number}
