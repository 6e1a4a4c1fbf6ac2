"""What the archive holds, for reading: blogs, their posts, one post by its address; never all in memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Engine, func, or_, select

from blogforever.care.veil import Veil
from blogforever.protocols import Ref
from blogforever.records import BlogRecord, BlogSummary, PostRecord, read_blog, read_post

from .schema import blogs, candidates, captures, failures, posts, runs

BATCH = 200


class Library:
    """Reads an archive's database; what is hidden is not there for those who do not ask for everything."""

    def __init__(self, engine: Engine, veil: Veil | None = None) -> None:
        self._engine, self._veil = engine, veil or Veil()

    def blogs(self, everything: bool = False) -> list[BlogSummary]:
        """Each blog's record with what was counted of it; by name."""
        known = {row[0]: read_blog(row[1]) for row in self._rows(select(blogs.c.id, blogs.c.record))}
        counted = {row[0]: row for row in self._rows(_counts())}
        crawled = {row[0]: row for row in self._rows(_crawls())}
        names = sorted(name for name in {*known, *counted} if everything or not self._veil.blog(name))
        found = [_summary(known.get(n) or _unknown(n), counted.get(n), crawled.get(n)) for n in names]
        return found if everything else [self._counted_again(blog) for blog in found]

    def under_way(self) -> dict[str, tuple[int, int]]:
        """Blogs whose crawl is not over: how many pages were read that may be posts, and how many responses kept."""
        found: dict[str, tuple[int, int]] = {}
        for row in self._rows(_unfinished()):
            if not self._veil.blog(row[0]):
                found[row[0]] = (row[1], row[2])
        return found

    def posts(self, blog: str, everything: bool = False) -> Iterator[PostRecord]:
        """The blog's posts, newest first; those without a date come last."""
        order = (posts.c.published.is_(None), posts.c.published.desc(), posts.c.url)
        for row in self._rows(select(posts.c.record).where(posts.c.blog == blog).order_by(*order)):
            record = read_post(row[0])
            shown = record if everything else self._veil.post(record)
            if shown is not None:
                yield shown

    def headings(self, blog: str) -> Iterator[tuple[str | None, str | None, str]]:
        """Day, title and address of the blog's posts, newest first."""
        if self._veil.mark(blog):
            yield from ((post.published, post.title, post.url) for post in self.posts(blog))
            return
        order = (posts.c.published.is_(None), posts.c.published.desc(), posts.c.url)
        columns = (posts.c.published, posts.c.title, posts.c.url)
        for row in self._rows(select(*columns).where(posts.c.blog == blog).order_by(*order)):
            yield row[0], row[1], row[2]

    def post(self, address: str, ids: Sequence[str] = ()) -> PostRecord | None:
        """The post with this address, or one of these ids, or this address among its others."""
        own = or_(posts.c.url == address, posts.c.id == address, posts.c.id.in_(ids))
        quoted = json.dumps(address, ensure_ascii=False)
        for where in (own, posts.c.record.contains(f'"aliases":[{quoted}', autoescape=True), _among_aliases(quoted)):
            for row in self._rows(select(posts.c.record).where(where).limit(1)):
                return self._veil.post(read_post(row[0]))
        return None

    def sharing_titles(self, titles: Sequence[str]) -> dict[str, int]:
        """How many posts of each blog have one of these titles."""
        query = select(posts.c.blog, func.count()).where(posts.c.title.in_(titles)).group_by(posts.c.blog)
        return {row[0]: row[1] for row in self._rows(query)}

    def failures(self, blog: str) -> dict[str, int]:
        """How often each reason kept something of the blog's last run out of the archive."""
        last = select(func.max(runs.c.id)).where(runs.c.blog == blog).scalar_subquery()
        query = select(failures.c.reason, func.count()).where(failures.c.run == last).group_by(failures.c.reason)
        return {row[0]: row[1] for row in self._rows(query.order_by(func.count().desc()))}

    def captures(self, file: str) -> Iterator[tuple[int, str, str]]:
        """Offset, record id and digest of what the database says lies in a WARC file."""
        query = select(captures.c.offset, captures.c.record_id, captures.c.digest).where(captures.c.file == file)
        for row in self._rows(query.order_by(captures.c.offset)):
            yield row[0], row[1], row[2]

    def bodies(self, blog: str) -> Iterator[tuple[str, str, int]]:
        """Digest, file and offset of the blog's responses, oldest first."""
        columns = (captures.c.digest, captures.c.file, captures.c.offset)
        query = select(*columns).join(runs, runs.c.id == captures.c.run).where(runs.c.blog == blog)
        for row in self._rows(query.order_by(captures.c.id)):
            yield row[0], row[1], row[2]

    def records_of(self, blog: str) -> Iterator[Ref]:
        """Where each response of a blog lies, oldest first."""
        columns = (captures.c.file, captures.c.offset, captures.c.record_id, captures.c.digest)
        query = select(*columns).join(runs, runs.c.id == captures.c.run).where(runs.c.blog == blog)
        for row in self._rows(query.order_by(captures.c.id)):
            yield Ref(*row)

    def outside(self, blog: str | None = None) -> dict[str, Counter[str]]:
        """The files outside the archive that hold responses of its blogs, and how many: by blog."""
        query = select(runs.c.blog, captures.c.file, func.count()).join(runs, runs.c.id == captures.c.run)
        query = query.where(captures.c.file.startswith("/"), *([runs.c.blog == blog] if blog else []))
        found: dict[str, Counter[str]] = {}
        for row in self._rows(query.group_by(runs.c.blog, captures.c.file).order_by(runs.c.blog, captures.c.file)):
            found.setdefault(row[0], Counter())[row[1].partition("!/")[0]] += row[2]
        return found

    def capture_files(self) -> list[str]:
        """The WARC files the database speaks of."""
        return [row[0] for row in self._rows(select(captures.c.file).distinct().order_by(captures.c.file))]

    def _counted_again(self, blog: BlogSummary) -> BlogSummary:
        """Where something is hidden, the figures are of what is left."""
        if not self._veil.mark(blog.id):
            return blog
        days = [post.published for post in self.posts(blog.id)]
        known = sorted(day for day in days if day)
        first, last = (known[0], known[-1]) if known else (None, None)
        return replace(blog, kept=len(days), first=first, last=last)

    def _rows(self, statement: Any) -> Iterator[Any]:
        with self._engine.connect() as connection:
            yield from connection.execution_options(yield_per=BATCH).execute(statement)


def _among_aliases(quoted: str) -> ColumnElement[bool]:
    return posts.c.record.contains(f",{quoted}", autoescape=True) & posts.c.record.contains('"aliases":["')


def _counts() -> Any:
    columns = (posts.c.blog, func.count(), func.min(posts.c.published), func.max(posts.c.published))
    return select(*columns).group_by(posts.c.blog)


def _crawls() -> Any:
    unfinished = func.count().filter(runs.c.finished.is_(None))
    return select(runs.c.blog, func.max(runs.c.started), unfinished).group_by(runs.c.blog)


def _unfinished() -> Any:
    read = select(func.count()).where(candidates.c.run == runs.c.id).scalar_subquery()
    kept = select(func.count()).where(captures.c.run == runs.c.id).scalar_subquery()
    return select(runs.c.blog, read, kept).where(runs.c.finished.is_(None)).order_by(runs.c.id)


def bare(name: str) -> BlogSummary:
    """A blog of which nothing is known yet."""
    return BlogSummary(_unknown(name))


def _unknown(name: str) -> BlogRecord:
    return BlogRecord(id=name, url="")


def _summary(record: BlogRecord, counted: Any, crawled: Any) -> BlogSummary:
    return BlogSummary(
        record,
        kept=counted[1] if counted else 0,
        first=counted[2] if counted else None,
        last=counted[3] if counted else None,
        crawled=crawled[1] if crawled else None,
        unfinished=bool(crawled and crawled[2]),
    )
