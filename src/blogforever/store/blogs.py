"""Blogs in the database: their records, the rules they were read by, how they stand as a whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict

from sqlalchemy import ColumnElement, func, insert, select

from blogforever.records import BlogRecord, BlogSummary, json_line, read_blog
from blogforever.storage.values import QuietRow, RevisionRow, StandingRow

from . import schema
from .columns import read_column
from .rows import Rows, in_parts, now

BLOGS, REVISIONS = schema.blogs, schema.revisions
# What every update asks, in SQL as it is.
RECORD = "SELECT record FROM blogs WHERE id = :blog"
ADDRESSES = "SELECT id, url FROM blogs ORDER BY id"
STANDING = "SELECT * FROM standings WHERE blog = :blog"
SAID = "SELECT * FROM quiet WHERE blog = :blog"


class SqlBlogs:
    """The blogs of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, record: BlogRecord) -> None:
        """Keep what is known about a blog."""
        self._rows.gather("blogs", {"id": record.id, "url": record.url, "record": json_line(record)})

    def find(self, blog: str) -> BlogRecord | None:
        """The record of a blog."""
        self._rows.settle("blogs")
        row = self._rows.find(RECORD, blog=blog)
        return read_blog(row.record) if row else None

    def some(self, blogs: Iterable[str]) -> dict[str, BlogRecord]:
        """The records of those of these blogs that have one, by id."""
        self._rows.settle("blogs")
        wanted = select(BLOGS.c.id, BLOGS.c.record)
        queries = (wanted.where(BLOGS.c.id.in_(some)) for some in in_parts(sorted(set(blogs))))
        return {row.id: read_blog(row.record) for query in queries for row in self._rows.all(query)}

    def summaries(self) -> list[BlogSummary]:
        """Each blog's record with what was counted of it; by name."""
        # Posts and runs are counted, and may wait.
        self._rows.flush()
        known = {row.id: read_blog(row.record) for row in self._rows.rows(select(BLOGS.c.id, BLOGS.c.record))}
        counted = self._counted()
        crawled = self._crawled()
        found = []
        # The posts of an unfinished first crawl are there before the record of their blog.
        for name in sorted({*known, *counted}):
            kept, first, last = counted.get(name, (0, None, None))
            started, is_unfinished = crawled.get(name, (None, False))
            record = known.get(name) or BlogRecord(id=name, url="")
            found.append(BlogSummary(record, kept, first, last, started, is_unfinished))
        return found

    def addresses(self) -> dict[str, str]:
        """The address of each blog that has one, by its id."""
        self._rows.settle("blogs")
        return {row.id: row.url for row in self._rows.find_all(ADDRESSES) if row.url}

    def _counted(self) -> dict[str, tuple[int, str | None, str | None]]:
        """How many posts each blog has, and the days of the first and of the last."""
        posts = schema.posts
        columns = (posts.c.blog, func.count(), func.min(posts.c.published), func.max(posts.c.published))
        rows = self._rows.rows(select(*columns).group_by(posts.c.blog))
        return {row[0]: (row[1], row[2], row[3]) for row in rows}

    def _crawled(self) -> dict[str, tuple[str, bool]]:
        """When each blog was last crawled, and whether a crawl of it is not finished."""
        runs = schema.runs
        unfinished = func.count().filter(runs.c.finished.is_(None))
        rows = self._rows.rows(select(runs.c.blog, func.max(runs.c.started), unfinished).group_by(runs.c.blog))
        return {row[0]: (row[1], bool(row[2])) for row in rows}

    def add_revision(self, blog: str, rules: str, reason: str, when: str | None = None) -> int:
        """The number of these rules among the blog's; rules that are known already keep theirs."""
        digest = hashlib.sha256(rules.encode()).hexdigest()
        columns = (REVISIONS.c.number, REVISIONS.c.digest)
        last = self._rows.first(select(*columns).where(REVISIONS.c.blog == blog).order_by(REVISIONS.c.number.desc()))
        if last and last.digest == digest:
            return int(last.number)
        number = int(last.number) + 1 if last else 1
        row = RevisionRow(blog, number, when or now(), reason, digest, rules)
        self._rows.execute(insert(REVISIONS).values(**asdict(row)))
        return number

    def revisions(self, blog: str) -> list[RevisionRow]:
        """The rules of a blog as they once were, oldest first."""
        query = select(REVISIONS).where(REVISIONS.c.blog == blog).order_by(REVISIONS.c.number)
        return [RevisionRow(**row._mapping) for row in self._rows.rows(query)]

    def revision(self, blog: str, number: int | None = None) -> RevisionRow | None:
        """One revision of a blog's rules, or the newest."""
        query = select(REVISIONS).where(REVISIONS.c.blog == blog)
        if number is not None:
            query = query.where(REVISIONS.c.number == number)
        row = self._rows.first(query.order_by(REVISIONS.c.number.desc()))
        return RevisionRow(**row._mapping) if row else None

    def standing(self, blog: str) -> StandingRow | None:
        """How the blog stands as a whole."""
        self._rows.settle("standings")
        row = self._rows.find(STANDING, blog=blog)
        return StandingRow(**row._mapping) if row else None

    def save_standing(self, standing: StandingRow) -> None:
        """How the blog stands now."""
        self._rows.gather("standings", asdict(standing))

    def quiet(self, blog: str) -> QuietRow | None:
        """What the blog's announcements said at its last update."""
        self._rows.settle("quiet")
        row = self._rows.find(SAID, blog=blog)
        return QuietRow(**dict(row._mapping) | {"said": read_column(row.said, dict[str, str])}) if row else None

    def save_quiet(self, quiet: QuietRow) -> None:
        """What they said now."""
        self._rows.gather("quiet", asdict(quiet) | {"said": json_line(quiet.said)})

    def lines(self, *wanted: ColumnElement[bool]) -> Iterable[str]:
        """Records as they are written, by name."""
        return self._rows.column(select(BLOGS.c.record).where(*wanted).order_by(BLOGS.c.id))
