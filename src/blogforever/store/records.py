"""Blogs, posts and failures in the database; every record is kept whole as JSON beside the columns we look up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from msgspec.structs import replace
from sqlalchemy import Engine, Table, delete, insert, select, update

from blogforever.comments import keep_comments
from blogforever.extract.content import content_of
from blogforever.model import Failure
from blogforever.protocols import Ref
from blogforever.records import BlogRecord, FailureRecord, PostRecord, json_line, read_post

from . import schema
from .journal import moment
from .rows import BATCH, Columns, Rows, now

Change = Literal["content", "none", "compare"]
"""Whether the author changed a post: yes, no, or to be told from the digests alone."""


@dataclass(frozen=True, slots=True)
class _KeptPost:
    """A post as it is kept: its version, the digest of its content, its record as it was written."""

    version: int
    digest: str
    line: str


class Records(Rows):
    """The rows of one archive."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._saved: dict[str, _KeptPost] = {}

    def _emptied(self) -> None:
        super()._emptied()
        self._saved.clear()

    def open_run(self, blog: str) -> tuple[int, str | None]:
        """The number of this blog's run, and since when it is under way if an earlier one was not finished."""
        known = self.first(
            select(schema.runs.c.id, schema.runs.c.started)
            .where(schema.runs.c.blog == blog, schema.runs.c.finished.is_(None))
            .order_by(schema.runs.c.id.desc())
        )
        if known:
            return int(known[0]), str(known[1])
        return self.begin_run(blog, moment()), None

    def begin_run(self, blog: str, started: str) -> int:
        """The number of a run that began then; a rebuilt one has the time it had."""
        result = self.execute(insert(schema.runs).values(blog=blog, started=started))
        return int(result.inserted_primary_key[0])

    def last_run(self, blog: str) -> int:
        """The number of the blog's newest run."""
        row = self.first(select(schema.runs.c.id).where(schema.runs.c.blog == blog).order_by(schema.runs.c.id.desc()))
        return int(row[0])

    def started(self, run: int) -> str:
        """When a run began."""
        row = self.first(select(schema.runs.c.started).where(schema.runs.c.id == run))
        return str(row[0]) if row else now()

    def close_run(self, run: int, ending: str) -> None:
        """Mark a run as done; one that was interrupted or lost the network stays open for the next crawl."""
        self.flush()
        if ending in ("interrupted", "lost"):
            return
        with self.transaction():
            self.execute(update(schema.runs).where(schema.runs.c.id == run).values(finished=now(), ending=ending))
            self.execute(delete(schema.candidates).where(schema.candidates.c.run == run))

    def add_capture(self, run: int, url: str, status: int, captured: datetime, ref: Ref) -> None:
        """Remember where a response lies."""
        self.gather(
            "captures",
            {"run": run, "url": url, "status": status, "captured": captured.isoformat(timespec="seconds")}
            | {"file": ref.file, "offset": ref.offset, "record_id": ref.record_id, "digest": ref.digest},
        )

    def drop_reference(self, record_id: str) -> None:
        """The archive has its own copy of a record now, and no longer points to one elsewhere."""
        table = schema.captures
        self.execute(delete(table).where(table.c.record_id == record_id, table.c.file.startswith("/")))

    def add_candidate(self, run: int, url: str, record: PostRecord) -> None:
        """Keep what was extracted from a page until it is known whether the page is a post."""
        self.gather("candidates", {"run": run, "url": url, "record": json_line(record)})

    def candidates(self, run: int, urls: Sequence[str]) -> Iterator[PostRecord | None]:
        """What was extracted from these pages in this run, in their order; None where nothing was."""
        table = schema.candidates
        for first in range(0, len(urls), BATCH):
            part = urls[first : first + BATCH]
            if self.waits("candidates"):
                self.flush()
            query = select(table.c.url, table.c.record).where(table.c.run == run, table.c.url.in_(part))
            found = {row.url: row.record for row in self.all(query)}
            yield from (read_post(found[url]) if url in found else None for url in part)

    def save_post(self, run: int, record: PostRecord, change: Change = "compare", rules: int | None = None) -> int:
        """Keep a post; where its content changed it gets a new version, and the one before is kept. Its version."""
        with self.lock:
            kept = self._kept(record.id)
            digest = content_of(record).digest
            about = {"blog": record.blog, "digest": digest, "rules": rules, "run": run}
            if kept is None:
                return self._put(replace(record, version=1), about, is_new=True)
            comments = keep_comments(read_post(kept.line).comments, record.comments)
            record = replace(record, comments=comments, version=kept.version)
            edited = change == "content" or (change == "compare" and kept.digest != digest)
            if not edited:
                return self._put(record, about, is_new=False)
            # The record that is replaced and the one that replaces it are written together.
            with self.transaction():
                self._put_by(record.id, kept)
                return self._put(replace(record, version=kept.version + 1), about, is_new=True)

    def _put(self, record: PostRecord, about: Columns, is_new: bool) -> int:
        """Write the newest version of a post, in the place of the same one or as a new one."""
        if is_new:
            place = _place(record) | {"record": None}
            self.gather("versions", {"post": record.id, "number": record.version} | about | place)
        line = json_line(record)
        self._saved[record.id] = _KeptPost(record.version, about["digest"], line)
        row = {"id": record.id, "url": record.url, "title": record.title, "published": record.published}
        self.gather("posts", row | about | {"version": record.version, "record": line})
        return record.version

    def weave(self, run: int, post: str, order: Sequence[int | PostRecord], rules: int | None) -> None:
        """Put records between the versions of a post, which stand as their numbers; the newest stays the newest."""
        with self.transaction():
            self._weave(run, post, order, rules)

    def _weave(self, run: int, post: str, order: Sequence[int | PostRecord], rules: int | None) -> None:
        table, posts = schema.versions, schema.posts
        rows = {row.number: dict(row._mapping) for row in self.all(select(table).where(table.c.post == post))}
        fresh = []
        for number, one in enumerate(order, 1):
            row = rows[one] if isinstance(one, int) else _version_row(one, run, rules)
            record = _with_version(row["record"], number) if row["record"] else None
            fresh.append(row | {"post": post, "number": number, "record": record})
        self.execute(delete(table).where(table.c.post == post))
        self.execute(insert(table), fresh)
        moved = sorted(((old, new) for new, old in enumerate(order, 1) if isinstance(old, int)), reverse=True)
        for old, new in moved:
            readings = schema.extractions
            here = (readings.c.post == post, readings.c.version == old)
            self.execute(update(readings).where(*here).values(version=new))
        row = self.first(select(posts.c.record).where(posts.c.id == post))
        newest = _with_version(row[0], len(order))
        self.execute(update(posts).where(posts.c.id == post).values(version=len(order), run=run, record=newest))

    def revise_post(self, record: PostRecord, rules: int | None, when: str) -> None:
        """The newest version of a post reads otherwise, though nobody edited it."""
        digest = content_of(record).digest
        row: Columns = {"url": record.url, "title": record.title, "published": record.published}
        row |= {"digest": digest, "rules": rules, "record": json_line(record)}
        with self.transaction():
            self.execute(update(schema.posts).where(schema.posts.c.id == record.id).values(**row))
            self._note_reading((record.id, record.version), rules, digest, when)

    def revise_version(self, record: PostRecord, number: int, rules: int | None, when: str) -> None:
        """An older version of a post reads otherwise, though nobody edited it."""
        versions, digest = schema.versions, content_of(record).digest
        here = (versions.c.post == record.id, versions.c.number == number)
        with self.transaction():
            self.execute(update(versions).where(*here).values(record=json_line(record)))
            self._note_reading((record.id, number), rules, digest, when)

    def _note_reading(self, place: tuple[str, int], rules: int | None, digest: str, when: str) -> None:
        versions = schema.versions
        here = (versions.c.post == place[0], versions.c.number == place[1])
        self.execute(update(versions).where(*here).values(digest=digest, rules=rules))
        row = {"post": place[0], "version": place[1], "rules": rules, "extracted": when, "digest": digest}
        self.gather("extractions", row | {"reason": "reextract"})

    def _kept(self, post: str) -> _KeptPost | None:
        if post in self._saved:
            return self._saved[post]
        posts = schema.posts
        row = self.first(select(posts.c.version, posts.c.digest, posts.c.record).where(posts.c.id == post))
        return _KeptPost(*row) if row else None

    def _put_by(self, post: str, kept: _KeptPost) -> None:
        """The record that is replaced stays with its version."""
        versions = schema.versions
        here = (versions.c.post == post, versions.c.number == kept.version)
        self.execute(update(versions).where(*here).values(record=kept.line, digest=kept.digest))

    def save_blog(self, record: BlogRecord) -> None:
        """Keep what is known about a blog."""
        self.gather("blogs", {"id": record.id, "url": record.url, "record": json_line(record)})

    def add_failure(self, run: int, blog: str, failure: Failure) -> None:
        """Remember what could not be captured."""
        self.gather(
            "failures",
            {"run": run, "blog": blog, "url": failure.url, "reason": failure.reason, "detail": failure.detail},
        )

    def forget_failures(self, run: int) -> None:
        """A run that goes on tries its failures again."""
        self.execute(delete(schema.failures).where(schema.failures.c.run == run))

    def export(self, run: int | None = None) -> Iterator[str]:
        """JSON lines of all records, or of those one run captured or changed: blogs, then posts, then failures."""
        self.flush()
        blogs, posts, failures = schema.blogs, schema.posts, schema.failures
        wanted_blogs = [blogs.c.id.in_(select(schema.runs.c.blog).where(schema.runs.c.id == run))] if run else []
        yield from self.column(select(blogs.c.record).where(*wanted_blogs).order_by(blogs.c.id))
        order = (posts.c.blog, posts.c.published.desc(), posts.c.url)
        yield from self.column(select(posts.c.record).where(*_of_run(posts, run)).order_by(*order))
        columns = (failures.c.blog, failures.c.url, failures.c.reason, failures.c.detail)
        for row in self.rows(select(*columns).where(*_of_run(failures, run)).order_by(failures.c.id)):
            yield json_line(FailureRecord(**row._mapping))


def _of_run(table: Table, run: int | None) -> list[Any]:
    return [] if run is None else [table.c.run == run]


def _version_row(record: PostRecord, run: int, rules: int | None) -> Columns:
    about = {"blog": record.blog, "digest": content_of(record).digest, "rules": rules, "run": run}
    return _place(record) | about | {"record": json_line(record)}


def _place(record: PostRecord) -> Columns:
    """When a version was captured, and the capture it was read from."""
    capture = record.capture
    captured = capture.captured if capture else None
    return {"captured": captured or now(), "record_id": capture.record_id if capture else None}


def _with_version(line: str, number: int) -> str:
    return json_line(replace(read_post(line), version=number))
