"""Responses in the database: where each lies, and with what its address can be asked for the next time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, select, update

from blogforever.protocols import Condition, Ref
from blogforever.storage.values import FROZEN, JUDGED, OUTSIDE, AnswerRow
from blogforever.urls import url_key

from . import schema
from .briefly import briefly, whole_of
from .rows import Columns, Rows

# The status of a page that is there, the first of those that tell of an error, and those of what is
# not there.
FOUND = 200
BAD_STATUS = 400
NOTHING_THERE = (404, 410)
CAPTURES, RUNS, CONDITIONS = schema.captures, schema.runs, schema.conditions
# What every request asks, in SQL as it is; what stands in braces each database says in its own way.
CONDITION = "SELECT * FROM conditions WHERE blog = :blog AND url = :url"
SAME = (
    'SELECT file, "offset", record_id, digest FROM captures'
    " WHERE {same_digest} AND run IN (SELECT id FROM runs WHERE blog = :blog) ORDER BY id LIMIT 1"
)
ANSWERS = (
    'SELECT captured, status, file, "offset", record_id, digest FROM captures'
    " WHERE {same_url} AND run IN (SELECT id FROM runs WHERE blog = :blog)"
    " AND status IN (200, 301, 302, 303, 307, 308) AND failed IS NULL ORDER BY captured DESC LIMIT :most"
)
NEWEST = (
    'SELECT file, "offset", record_id, digest FROM captures'
    " WHERE {same_url} AND run IN (SELECT id FROM runs WHERE blog = :blog)"
    " AND status = 200 AND failed IS NULL ORDER BY id DESC LIMIT 1"
)
IN_FILE = 'SELECT file, "offset", record_id, digest FROM captures WHERE file = :file ORDER BY "offset"'
PLACE = (CAPTURES.c.file, CAPTURES.c.offset, CAPTURES.c.record_id, CAPTURES.c.digest)


class SqlCaptures:
    """The captures of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        same = rows.dialect.same
        said = {f"same_{name}": same.format(column=name, value=f":{name}") for name in ("url", "digest")}
        self._newest, self._answers, self._same = (query.format(**said) for query in (NEWEST, ANSWERS, SAME))

    def add(self, run: int, url: str, status: int, captured: datetime, ref: Ref) -> None:
        """Remember where a response lies."""
        row = {"run": run, "url": url, "status": status, "captured": captured.isoformat(timespec="seconds")}
        self._rows.gather("captures", row | _place_columns(ref))

    def drop_reference(self, record_id: str) -> None:
        """The archive has its own copy of a record now, and no longer points to one elsewhere."""
        here = (CAPTURES.c.record_id == record_id, named_from(CAPTURES.c.file, OUTSIDE))
        self._rows.execute(delete(CAPTURES).where(*here))

    def find(self, record_id: str) -> Ref | None:
        """Where the response with this WARC record id lies."""
        return self._place(select(*PLACE).where(CAPTURES.c.record_id == record_id).order_by(CAPTURES.c.id))

    def run_of(self, record_id: str) -> int | None:
        """The crawl that captured the response with this WARC record id."""
        self._rows.settle("captures")
        query = select(CAPTURES.c.run).where(CAPTURES.c.record_id == record_id).order_by(CAPTURES.c.id)
        row = self._rows.first(query)
        return int(row.run) if row else None

    def file(self, blog: str, url: str) -> Ref | None:
        """Where the newest whole response to this address lies, if the blog's crawls had one."""
        self._rows.settle("captures")
        row = self._rows.find(self._newest, blog=blog, url=url)
        return Ref(*row) if row else None

    def answers(self, blog: str, url: str, most: int) -> list[AnswerRow]:
        """The whole responses and redirects of this address that the blog's crawls had, newest
        first, so many at most.
        """
        self._rows.settle("captures")
        found = self._rows.find_all(self._answers, blog=blog, url=url, most=most)
        return [AnswerRow(row[0], row[1], Ref(*row[2:])) for row in found]

    def of_blog(self, blog: str) -> Iterator[Ref]:
        """Where each response of a blog lies, oldest first."""
        return self._places(_of_blog(blog).order_by(CAPTURES.c.id))

    def same(self, blog: str, digest: str) -> Ref | None:
        """Where the blog's oldest response with this digest lies."""
        self._rows.settle("captures")
        row = self._rows.find(self._same, blog=blog, digest=digest)
        return Ref(*row) if row else None

    def in_file(self, file: str) -> Iterator[Ref]:
        """The responses in a WARC file, in the order they stand there."""
        self._rows.settle("captures")
        return (Ref(*row) for row in self._rows.find_all(IN_FILE, file=file))

    def files(self) -> list[str]:
        """The WARC files that hold responses, by name."""
        self._rows.settle("captures")
        return list(self._rows.column(select(CAPTURES.c.file).distinct().order_by(CAPTURES.c.file)))

    def outside(self, blog: str | None = None) -> dict[str, Counter[str]]:
        """The files outside the archive that hold responses of its blogs, and how many: by blog."""
        self._rows.settle("captures")
        query = select(RUNS.c.blog, CAPTURES.c.file, func.count()).join(RUNS, RUNS.c.id == CAPTURES.c.run)
        query = query.where(named_from(CAPTURES.c.file, OUTSIDE))
        if blog:
            query = query.where(RUNS.c.blog == blog)
        place = (RUNS.c.blog, CAPTURES.c.file)
        found: dict[str, Counter[str]] = {}
        for name, file, count in self._rows.rows(query.group_by(*place).order_by(*place)):
            # What lies in a box, as a WARC in a WACZ, is named by the box and its place there.
            box = file.partition("!/")[0]
            found.setdefault(name, Counter())[box] += count
        return found

    def mark_failed(self, blog: str, run: int, failed: Mapping[str, str]) -> None:
        """Of these addresses nothing was had in this run, though
        something may have come; by their keys, why.
        """
        if not failed:
            return
        self._rows.settle("captures")
        of_run = self._rows.rows(select(CAPTURES.c.id, CAPTURES.c.url).where(CAPTURES.c.run == run))
        keys = ((number, url_key(url)) for number, url in of_run)
        marks = [{"at": number, "why": failed[key]} for number, key in keys if key in failed]
        if not marks:
            return
        marked = update(CAPTURES).where(CAPTURES.c.id == bindparam("at")).values(failed=bindparam("why"))
        with self._rows.transaction():
            self._rows.execute(marked, marks)
            self._forget_conditions(blog, CAPTURES.c.run == run, CAPTURES.c.failed.is_not(None))

    def seen_addresses(self, blog: str) -> Iterator[str]:
        """Every address of a blog that was fetched with success by a
        crawl of which everything was taken over.
        """
        return self._fetched(RUNS.c.blog == blog, RUNS.c.ending == JUDGED)

    def frozen_addresses(self, blog: str) -> Iterator[str]:
        """Every address that was fetched with success since the blog is
        frozen: nobody has judged what came.
        """
        judged = select(func.max(RUNS.c.id)).where(RUNS.c.blog == blog, RUNS.c.ending == JUDGED)
        return self._fetched(RUNS.c.blog == blog, RUNS.c.ending == FROZEN, RUNS.c.id > judged.scalar_subquery())

    def absent_addresses(self, blog: str, since: str) -> Iterator[str]:
        """Every address of a blog of which a server said since then that nothing is there."""
        self._rows.settle("captures")
        query = select(CAPTURES.c.url).distinct().join(RUNS, RUNS.c.id == CAPTURES.c.run)
        said_so = (CAPTURES.c.status.in_(NOTHING_THERE), CAPTURES.c.captured >= since)
        return iter(self._rows.column(query.where(RUNS.c.blog == blog, RUNS.c.ending == JUDGED, *said_so)))

    def _fetched(self, *wanted: ColumnElement[bool]) -> Iterator[str]:
        self._rows.settle("captures")
        query = select(CAPTURES.c.url).distinct().join(RUNS, RUNS.c.id == CAPTURES.c.run)
        is_good = (CAPTURES.c.status < BAD_STATUS, CAPTURES.c.failed.is_(None))
        return iter(self._rows.column(query.where(*is_good, *wanted)))

    def save_condition(self, blog: str, url: str, condition: Condition) -> None:
        """With what to ask for an address next time."""
        until = condition.until.isoformat() if condition.until else None
        row = {"blog": blog, "url": briefly(url), "etag": condition.etag, "modified": condition.modified}
        row |= {"until": until, "captured": condition.captured.isoformat(), "whole": whole_of(url)}
        self._rows.gather("conditions", row | _place_columns(condition.ref))

    def condition(self, blog: str, url: str) -> Condition | None:
        """With what to ask for an address of a blog."""
        # Asked before every request: what waits is looked at, not written for it.
        key = briefly(url)
        if waiting := self._rows.waiting("conditions", blog, key):
            return _condition(waiting)
        row = self._rows.find(CONDITION, blog=blog, url=key)
        return _condition(dict(row._mapping)) if row else None

    def forget_conditions(self, blog: str, run: int) -> None:
        """Ask for what this run brought as if it had never come:
        "nothing new" would mean new since then.
        """
        self._forget_conditions(blog, CAPTURES.c.run == run)

    def _forget_conditions(self, blog: str, *brought_by: ColumnElement[bool]) -> None:
        brought = select(CAPTURES.c.record_id).where(*brought_by)
        here = (CONDITIONS.c.blog == blog, CONDITIONS.c.record_id.in_(brought))
        self._rows.execute(delete(CONDITIONS).where(*here))

    def fresh_addresses(self, blog: str, moment: str) -> set[str]:
        """The addresses whose server said that they would not have changed by then."""
        self._rows.settle("conditions")
        address = func.coalesce(CONDITIONS.c.whole, CONDITIONS.c.url)
        query = select(address).where(CONDITIONS.c.blog == blog, CONDITIONS.c.until > moment)
        return set(self._rows.column(query))

    def _place(self, query: Select[Any]) -> Ref | None:
        self._rows.settle("captures")
        row = self._rows.first(query)
        return Ref(*row) if row else None

    def _places(self, query: Select[Any]) -> Iterator[Ref]:
        self._rows.settle("captures")
        return (Ref(*row) for row in self._rows.rows(query))


def named_from(column: ColumnElement[str], beginning: str) -> ColumnElement[bool]:
    """Whether a name begins so; said as a range, because an index cannot help with LIKE."""
    after_all = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    return (column >= beginning) & (column < after_all)


def _of_blog(blog: str) -> Select[Any]:
    return select(*PLACE).join(RUNS, RUNS.c.id == CAPTURES.c.run).where(RUNS.c.blog == blog)


def _place_columns(ref: Ref) -> Columns:
    return {"file": ref.file, "offset": ref.offset, "record_id": ref.record_id, "digest": ref.digest}


def _condition(row: Columns) -> Condition:
    until = datetime.fromisoformat(row["until"]) if row["until"] else None
    ref = Ref(row["file"], row["offset"], row["record_id"], row["digest"])
    return Condition(ref, datetime.fromisoformat(row["captured"]), row["etag"], row["modified"], until)
