"""Crawls and updates in the database: when they ran, how they ended, what waits of them, what failed in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import ColumnElement, delete, func, select

from blogforever.model import Failure
from blogforever.records import FailureRecord, PostRecord, json_line, read_post
from blogforever.storage.values import GOES_ON, JUDGED

from . import schema
from .briefly import briefly
from .journal import moment
from .rows import BATCH, Rows, now

RUNS, CANDIDATES, FAILURES = schema.runs, schema.candidates, schema.failures

# What every update does, in SQL as it is.
UNFINISHED = "SELECT id, started FROM runs WHERE blog = :blog AND finished IS NULL ORDER BY id DESC LIMIT 1"
BEGIN = "INSERT INTO runs (blog, started) VALUES (:blog, :started) RETURNING id"
BEFORE = "SELECT max(id) FROM runs WHERE blog = :blog AND id < :run"
STARTED = "SELECT started FROM runs WHERE id = :run"
CLOSE = "UPDATE runs SET finished = :finished, ending = :ending WHERE id = :run"
DROP_CANDIDATES = "DELETE FROM candidates WHERE run = :run"
LAST_JUDGED = "SELECT max(started) FROM runs WHERE blog = :blog AND ending = :ending"

FAILED = (
    "SELECT url, reason, detail FROM failures WHERE run = (SELECT max(id) FROM runs WHERE blog = :blog)"
    " ORDER BY id LIMIT :most"
)
OF_LAST_JUDGED = (
    "SELECT url, reason, detail FROM failures"
    " WHERE run = (SELECT max(id) FROM runs WHERE blog = :blog AND ending = :ending) ORDER BY id"
)


class SqlRuns:
    """The runs of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def open(self, blog: str) -> tuple[int, str | None]:
        """The number of this blog's run, and since when it is under
        way if an earlier one was not finished.
        """
        known = self._rows.find(UNFINISHED, blog=blog)
        if known:
            return int(known.id), str(known.started)
        return self.begin(blog, moment()), None

    def begin(self, blog: str, started: str) -> int:
        """The number of a run that began then; a rebuilt one has the time it had."""
        return int(self._rows.write(BEGIN, blog=blog, started=started))

    def last(self, blog: str) -> int:
        """The number of the blog's newest run."""
        row = self._rows.first(select(RUNS.c.id).where(RUNS.c.blog == blog).order_by(RUNS.c.id.desc()))
        return int(row.id)

    def before(self, blog: str, run: int) -> int | None:
        """The number of the blog's run before this one; None for its first."""
        earlier = self._rows.find(BEFORE, blog=blog, run=run)[0]
        return None if earlier is None else int(earlier)

    def started(self, run: int) -> str:
        """When a run began."""
        row = self._rows.find(STARTED, run=run)
        return str(row.started) if row else now()

    def close(self, run: int, ending: str) -> None:
        """Mark a run as done; one that was interrupted or lost the
        network stays open for the next crawl.
        """
        self._rows.flush()
        if ending in GOES_ON:
            return
        with self._rows.transaction():
            self._rows.write(CLOSE, run=run, finished=now(), ending=ending)
            self._rows.write(DROP_CANDIDATES, run=run)

    def last_judged(self, blog: str) -> str | None:
        """When the last crawl of a blog began of which everything was taken over."""
        last: str | None = self._rows.find(LAST_JUDGED, blog=blog, ending=JUDGED)[0]
        return last

    def under_way(self, blogs: Collection[str] | None = None) -> dict[str, tuple[int, int]]:
        """Blogs, or those of these, whose crawl is not over: how many pages were
        read that may be posts, and how many responses kept.
        """
        self._rows.flush()
        captures = schema.captures
        read = select(func.count()).where(CANDIDATES.c.run == RUNS.c.id).scalar_subquery()
        kept = select(func.count()).where(captures.c.run == RUNS.c.id).scalar_subquery()
        query = select(RUNS.c.blog, read, kept).where(RUNS.c.finished.is_(None)).order_by(RUNS.c.id)
        query = query if blogs is None else query.where(RUNS.c.blog.in_(blogs))
        return {row[0]: (row[1], row[2]) for row in self._rows.rows(query)}

    def add_candidate(self, run: int, url: str, record: PostRecord) -> None:
        """Keep what was extracted from a page until it is known whether the page is a post."""
        self._rows.gather("candidates", {"run": run, "url": briefly(url), "record": json_line(record)})

    def candidates(self, run: int, urls: Sequence[str]) -> Iterator[PostRecord | None]:
        """What was extracted from these pages in this run, in their order; None where nothing was."""
        for first in range(0, len(urls), BATCH):
            part = [*map(briefly, urls[first : first + BATCH])]
            self._rows.settle("candidates")
            query = select(CANDIDATES.c.url, CANDIDATES.c.record)
            rows = self._rows.all(query.where(CANDIDATES.c.run == run, CANDIDATES.c.url.in_(part)))
            found = {row.url: row.record for row in rows}
            yield from (read_post(found[url]) if url in found else None for url in part)

    def add_failure(self, run: int, blog: str, failure: Failure) -> None:
        """Remember what could not be captured."""
        row = {"run": run, "blog": blog, "url": failure.url, "reason": failure.reason, "detail": failure.detail}
        self._rows.gather("failures", row)

    def forget_failures(self, run: int) -> None:
        """A run that goes on tries its failures again."""
        self._rows.execute(delete(FAILURES).where(FAILURES.c.run == run))

    def failures(self, blog: str) -> dict[str, int]:
        """How often each reason kept something of the blog's last run out
        of the archive; the most frequent first.
        """
        self._rows.settle("failures")
        last = select(func.max(RUNS.c.id)).where(RUNS.c.blog == blog).scalar_subquery()
        query = select(FAILURES.c.reason, func.count()).where(FAILURES.c.run == last)
        rows = self._rows.rows(query.group_by(FAILURES.c.reason).order_by(func.count().desc()))
        return {row[0]: row[1] for row in rows}

    def failed(self, blog: str, most: int) -> list[Failure]:
        """What of the blog's last run could not be captured, in the order in which that was found;
        so many at most.
        """
        self._rows.settle("failures")
        found = self._rows.find_all(FAILED, blog=blog, most=most)
        return [Failure(row.url, row.reason, row.detail) for row in found]

    def unfetched(self, blog: str) -> dict[str, int]:
        """Where posts are that the blog announces and its last judged run could not have for now; tries of each."""
        self._rows.settle("failures")
        failed = self._rows.find_all(OF_LAST_JUDGED, blog=blog, ending=JUDGED)
        urls = list(dict.fromkeys(row.url for row in failed if Failure(row.url, row.reason, row.detail).is_passing))
        tries: dict[str, int] = {}
        for first in range(0, len(urls), BATCH):
            part = FAILURES.c.url.in_(urls[first : first + BATCH])
            query = select(FAILURES.c.url, func.count(FAILURES.c.run.distinct())).where(FAILURES.c.blog == blog, part)
            tries |= {row[0]: row[1] for row in self._rows.rows(query.group_by(FAILURES.c.url))}
        return {url: tries[url] for url in urls}

    def lines(self, *wanted: ColumnElement[bool]) -> Iterator[str]:
        """Failures as records, in the order in which they happened."""
        columns = (FAILURES.c.blog, FAILURES.c.url, FAILURES.c.reason, FAILURES.c.detail)
        for row in self._rows.rows(select(*columns).where(*wanted).order_by(FAILURES.c.id)):
            yield json_line(FailureRecord(**row._mapping))
