"""A store that keeps everything in memory, for tests: it does what any store must do, and is gone with the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

from msgspec import structs

from blogforever.extract.content import content_of
from blogforever.protocols import Ref
from blogforever.records import BlogRecord, PostRecord, json_line, read_blog
from blogforever.storage.succession import KeptVersion, sources_now
from blogforever.storage.values import Cleaning, MoveRow, Rewritten, SightingRow

from .memoryposts import MemoryChecks, MemoryMoves, MemoryPosts, MemoryVersions, post_lines
from .memoryruns import MemoryBlogs, MemoryCaptures, MemoryRuns
from .memorytables import MemoryTables


class MemoryStore:
    """Everything in memory; for one thread."""

    def __init__(self) -> None:
        self._tables = MemoryTables()
        self.blogs = MemoryBlogs(self._tables)
        self.runs = MemoryRuns(self._tables)
        self.captures = MemoryCaptures(self._tables)
        self.versions = MemoryVersions(self._tables)
        self.checks = MemoryChecks(self._tables)
        self.posts = MemoryPosts(self._tables, self.versions)
        self.moves = MemoryMoves(self._tables, self.posts)

    def transaction(self) -> AbstractContextManager[object]:
        """Everything that is written inside is written together, or nothing of it is."""
        return self._tables.transaction()

    def flush(self) -> None:
        """There are no others to see it."""

    def close(self) -> None:
        """Nothing can be written any more."""
        self._tables.closed = True

    def export(self, run: int | None = None) -> Iterator[str]:
        """JSON lines of all records, or of those one run captured or changed: blogs, then posts, then failures."""
        tables = self._tables
        crawled = tables.runs[run].blog if run is not None else None
        yield from (json_line(blog) for name, blog in sorted(tables.blogs.items()) if crawled in (None, name))
        yield from post_lines(row for row in tables.posts.values() if run in (None, row.run))
        yield from (json_line(record) for number, record in tables.failures.values() if run in (None, number))

    def forget(self, blog: str) -> None:
        """Everything that speaks of a blog goes."""
        tables = self._tables
        for post in [row.id for row in tables.posts.values() if row.blog == blog]:
            _forget_post(tables, post)
        runs = tables.runs_of(blog)
        tables.captures = {key: row for key, row in tables.captures.items() if row.run not in runs}
        tables.candidates = {key: row for key, row in tables.candidates.items() if key[0] not in runs}
        tables.failures = {key: row for key, row in tables.failures.items() if row[0] not in runs}
        tables.versions = {key: row for key, row in tables.versions.items() if row.row.blog != blog}
        tables.checks = {key: row for key, row in tables.checks.items() if row.blog != blog}
        tables.sightings = {key: row for key, row in tables.sightings.items() if row.blog != blog}
        tables.moves = {key: row for key, row in tables.moves.items() if row.blog != blog}
        tables.conditions = {key: row for key, row in tables.conditions.items() if key[0] != blog}
        tables.revisions = {key: row for key, row in tables.revisions.items() if key[0] != blog}
        tables.standings.pop(blog, None)
        tables.blogs.pop(blog, None)
        tables.runs = {key: row for key, row in tables.runs.items() if key not in runs}

    def erase(self, blog: str, posts: frozenset[str], rewritten: Rewritten, cleaning: Cleaning) -> None:
        """Delete these posts, and make what is left of the blog fit its WARC files as they are now: all, or nothing."""
        with self._tables.transaction():
            for post in posts:
                _forget_post(self._tables, post)
            _Erasure(self._tables, blog, rewritten, cleaning).run()

    def wipe(self) -> None:
        """There is no disk."""


class _Erasure:
    """Frees what is left of a blog of what was erased."""

    def __init__(self, tables: MemoryTables, blog: str, rewritten: Rewritten, cleaning: Cleaning) -> None:
        self._tables, self._blog, self._rewritten, self._cleaning = tables, blog, rewritten, cleaning

    def run(self) -> None:
        self._captures()
        self._conditions()
        changed = self._posts()
        self._versions()
        self._waiting()
        self._texts()
        self._cleaning.told(changed)

    def _captures(self) -> None:
        for number, capture in self._tables.captures_of(self._blog).items():
            is_erased = capture.ref.record_id in self._rewritten.dropped and not capture.ref.outside
            is_pointed_to = capture.ref.outside and self._cleaning.gone(capture.url)
            if is_erased or is_pointed_to:
                del self._tables.captures[number]
            else:
                self._tables.captures[number] = replace(capture, ref=self._placed(capture.ref))

    def _conditions(self) -> None:
        gone = self._rewritten.dropped | self._rewritten.blanked
        for place, condition in list(self._tables.conditions.items()):
            if place[0] != self._blog or condition.ref.outside:
                continue
            if condition.ref.record_id in gone:
                del self._tables.conditions[place]
            else:
                self._tables.conditions[place] = replace(condition, ref=self._placed(condition.ref))

    def _placed(self, ref: Ref) -> Ref:
        """Where a response lies now."""
        place = self._rewritten.places.get(ref.record_id)
        if place is None or ref.outside:
            return ref
        file, offset, digest = place
        return Ref(file, offset, ref.record_id, digest or ref.digest)

    def _clean(self, record: PostRecord) -> PostRecord:
        return sources_now(self._cleaning.record(record), self._rewritten)

    def _posts(self) -> int:
        """In how many posts something was erased."""
        changed = 0
        for row in [row for row in self._tables.posts.values() if row.blog == self._blog]:
            changed += self._cleaning.record(row.record) != row.record
            fresh = self._clean(row.record)
            digest = content_of(fresh).digest if fresh != row.record else row.digest
            self._tables.posts[row.id] = structs.replace(row, title=fresh.title, digest=digest, record=fresh)
        return changed

    def _versions(self) -> None:
        for place, version in list(self._tables.versions.items()):
            if version.row.blog == self._blog and version.record:
                fresh = self._clean(version.record)
                row = replace(version.row, digest=content_of(fresh).digest)
                self._tables.versions[place] = KeptVersion(row, fresh)

    def _waiting(self) -> None:
        """What waits of an unfinished crawl is read again by the next; failures of what is gone concern nobody."""
        runs = self._tables.runs_of(self._blog)
        for place in [place for place in self._tables.candidates if place[0] in runs]:
            del self._tables.candidates[place]
        for number, (_run, failure) in list(self._tables.failures.items()):
            if failure.blog == self._blog and self._cleaning.gone(failure.url):
                del self._tables.failures[number]

    def _texts(self) -> None:
        """Every other text that is kept of the blog."""
        tables, blank = self._tables, self._cleaning.text
        if blog := tables.blogs.get(self._blog):
            tables.blogs[self._blog] = _blanked_blog(blog, self._cleaning)
        for key, (run, failure) in tables.failures.items():
            if failure.blog == self._blog:
                clean = structs.replace(failure, url=blank(failure.url), detail=blank(failure.detail))
                tables.failures[key] = (run, clean)
        for key, sighting in tables.sightings.items():
            if sighting.blog == self._blog:
                tables.sightings[key] = _blanked_sighting(sighting, self._cleaning)
        for key, move in tables.moves.items():
            if move.blog == self._blog:
                tables.moves[key] = self._blanked_move(move)
        for place, revision in tables.revisions.items():
            if revision.blog == self._blog:
                tables.revisions[place] = replace(revision, rules=blank(revision.rules))
        if standing := tables.standings.get(self._blog):
            tables.standings[self._blog] = replace(standing, message=blank(standing.message))

    def _blanked_move(self, move: MoveRow) -> MoveRow:
        before, blank = move.before, self._cleaning.text
        if post := before.post:
            record = self._clean(post.record)
            clean = structs.replace(post, record=record, digest=content_of(record).digest, title=record.title)
            before = structs.replace(before, post=clean)
        return replace(move, old=blank(move.old), new=blank(move.new), before=before)


def _blanked_blog(blog: BlogRecord, cleaning: Cleaning) -> BlogRecord:
    return read_blog(cleaning.text(json_line(blog)))


def _blanked_sighting(sighting: SightingRow, cleaning: Cleaning) -> SightingRow:
    absent = tuple(map(cleaning.text, sighting.absent))
    return replace(sighting, absent=absent, reason=cleaning.text(sighting.reason))


def _forget_post(tables: MemoryTables, post: str) -> None:
    """Every row that speaks of a post."""
    tables.posts.pop(post, None)
    tables.checks.pop(post, None)
    tables.versions = {key: row for key, row in tables.versions.items() if key[0] != post}
    tables.extractions = {key: row for key, row in tables.extractions.items() if row.post != post}
    tables.sightings = {key: row for key, row in tables.sightings.items() if row.post != post}
    tables.moves = {key: row for key, row in tables.moves.items() if row.post != post}
