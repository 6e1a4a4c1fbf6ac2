"""A store that keeps everything in memory, for tests: it does what any store must do, and is gone with the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

from msgspec import structs

from blogforever.extract.content import content_of
from blogforever.protocols import Ref
from blogforever.records import FailureRecord, PageRecord, PostRecord, json_line, read_blog
from blogforever.storage.succession import KeptVersion, sources_now
from blogforever.storage.values import Cleaning, MoveRow, Rewritten, SightingRow

from .memoryfollowing import MemoryBlocks, MemoryFollowed, MemoryLists, MemorySources, forget_followed
from .memorynews import MemoryCounters, MemoryHooks, MemoryNews
from .memoryoutbox import MemoryFtpAccounts, MemoryOutbox, MemoryOutboxAsks
from .memorypages import MemoryPages
from .memorypeople import MemoryAudit, MemorySessions, MemoryTokens, MemoryUsers
from .memorypings import MemoryPingFilters, MemoryPings, MemoryPingServers
from .memoryposts import MemoryChecks, MemoryMoves, MemoryPosts, MemoryVersions, post_lines
from .memorypushes import MemoryDeliveries, MemorySubscriptions
from .memoryruns import MemoryBlogs, MemoryCaptures, MemoryRuns
from .memoryschedule import MemorySchedule
from .memorysearches import MemorySearches, MemoryTagRules
from .memorysuspects import MemoryPrints, MemorySuspicions
from .memorytables import MemoryTables, change_rows, drop_rows
from .memoryverdicts import MemoryVerdicts
from .memorywork import MemoryJobs, MemoryParts, MemoryWorkers


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
        self.pages = MemoryPages(self._tables)
        self.moves = MemoryMoves(self._tables, self.posts)
        self.jobs = MemoryJobs(self._tables)
        self.workers = MemoryWorkers(self._tables)
        self.parts = MemoryParts(self._tables)
        self.followed = MemoryFollowed(self._tables)
        self.schedule = MemorySchedule(self._tables)
        self.sources = MemorySources(self._tables)
        self.lists = MemoryLists(self._tables)
        self.searches = MemorySearches(self._tables)
        self.ping_servers = MemoryPingServers(self._tables)
        self.ping_filters = MemoryPingFilters(self._tables)
        self.pings = MemoryPings(self._tables)
        self.prints = MemoryPrints(self._tables)
        self.suspicions = MemorySuspicions(self._tables)
        self.subscriptions = MemorySubscriptions(self._tables)
        self.deliveries = MemoryDeliveries(self._tables)
        self.tag_rules = MemoryTagRules(self._tables)
        self.verdicts = MemoryVerdicts(self._tables)
        self.blocked = MemoryBlocks(self._tables)
        self.tokens = MemoryTokens(self._tables)
        self.users = MemoryUsers(self._tables)
        self.sessions = MemorySessions(self._tables)
        self.audit = MemoryAudit(self._tables)
        self.news = MemoryNews(self._tables)
        self.counters = MemoryCounters(self._tables)
        self.hooks = MemoryHooks(self._tables)
        self.outbox = MemoryOutbox(self._tables)
        self.outbox_asks = MemoryOutboxAsks(self._tables)
        self.ftp_accounts = MemoryFtpAccounts(self._tables)

    def transaction(self) -> AbstractContextManager[object]:
        """Everything that is written inside is written together, or nothing of it is."""
        return self._tables.transaction()

    def recount(self) -> None:
        """What is there is counted whenever somebody asks."""

    def flush(self) -> None:
        """There are no others to see it."""

    def close(self) -> None:
        """Nothing can be written any more."""
        self._tables.closed = True

    def export(self, run: int | None = None, pages: bool = True) -> Iterator[str]:
        """JSON lines of all records, or of those one run captured or
        changed: blogs, then posts, pages where they are wished for, failures.
        """
        tables = self._tables
        crawled = tables.runs[run].blog if run is not None else None
        yield from (json_line(blog) for name, blog in sorted(tables.blogs.items()) if crawled in (None, name))
        yield from post_lines(row for row in tables.posts.values() if run in (None, row.run))
        yield from (json_line(page) for number, page in self.pages.rows() if pages and run in (None, number))
        yield from (json_line(record) for number, record in tables.failures.values() if run in (None, number))

    def forget(self, blog: str) -> None:
        """Everything that speaks of a blog goes."""
        tables = self._tables
        for post in [row.id for row in tables.posts.values() if row.blog == blog]:
            _forget_post(tables, post)
        runs = tables.runs_of(blog)
        drop_rows(tables.captures, lambda _number, capture: capture.run in runs)
        drop_rows(tables.candidates, lambda place, _record: place[0] in runs)
        drop_rows(tables.failures, lambda _number, failure: failure[0] in runs)
        drop_rows(tables.pages, lambda _page, row: row[1].blog == blog)
        drop_rows(tables.versions, lambda _place, version: version.row.blog == blog)
        drop_rows(tables.checks, lambda _post, check: check.blog == blog)
        drop_rows(tables.sightings, lambda _number, sighting: sighting.blog == blog)
        drop_rows(tables.moves, lambda _number, move: move.blog == blog)
        drop_rows(tables.conditions, lambda place, _condition: place[0] == blog)
        drop_rows(tables.revisions, lambda place, _revision: place[0] == blog)
        drop_rows(tables.runs, lambda number, _run: number in runs)
        tables.standings.pop(blog, None)
        tables.quiet.pop(blog, None)
        forget_followed(tables, blog)
        tables.blogs.pop(blog, None)

    def erase(self, blog: str, posts: frozenset[str], rewritten: Rewritten, cleaning: Cleaning) -> None:
        """Delete these posts, and make what is left of the blog fit its
        WARC files as they are now: all, or nothing.
        """
        with self._tables.transaction():
            for post in posts:
                _forget_post(self._tables, post)
            _Erasure(self._tables, blog, rewritten, cleaning).run()

    def relocate(self, blog: str, rewritten: Rewritten) -> None:
        """Tell where the responses of a blog lie now, all in one."""
        with self._tables.transaction():
            _Erasure(self._tables, blog, rewritten, NOTHING_GOES).relocate()

    def wipe(self) -> None:
        """There is no disk."""


NOTHING_GOES = Cleaning(lambda record: record, lambda text: text, lambda _url: False, lambda _number: None)


class _Erasure:
    """Frees what is left of a blog of what was erased."""

    def __init__(self, tables: MemoryTables, blog: str, rewritten: Rewritten, cleaning: Cleaning) -> None:
        self._tables, self._blog, self._rewritten, self._cleaning = tables, blog, rewritten, cleaning

    def relocate(self) -> None:
        self._captures()
        self._conditions()

    def run(self) -> None:
        self.relocate()
        changed = self._posts()
        self._versions()
        self._pages()
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

    def _pages(self) -> None:
        """Pages may be hidden by an address that is no post's."""
        tables = self._tables
        drop_rows(tables.pages, lambda _page, row: row[1].blog == self._blog and self._cleaning.gone(row[1].url))
        for page, (run, record) in list(tables.pages.items()):
            if record.blog == self._blog:
                tables.pages[page] = (run, PageRecord.of(self._clean(record)))

    def _waiting(self) -> None:
        """What waits of an unfinished crawl is read again by the next;
        failures of what is gone concern nobody.
        """
        runs, gone = self._tables.runs_of(self._blog), self._cleaning.gone
        drop_rows(self._tables.candidates, lambda place, _record: place[0] in runs)
        drop_rows(self._tables.failures, lambda _number, row: row[1].blog == self._blog and gone(row[1].url))

    def _texts(self) -> None:
        """Every other text that is kept of the blog."""
        tables, blog, text = self._tables, self._blog, self._cleaning.text
        if record := tables.blogs.get(blog):
            tables.blogs[blog] = read_blog(text(json_line(record)))
        if standing := tables.standings.get(blog):
            tables.standings[blog] = replace(standing, message=text(standing.message))
        change_rows(tables.failures, lambda row: row[1].blog == blog, self._blanked_failure)
        change_rows(tables.sightings, lambda sighting: sighting.blog == blog, self._blanked_sighting)
        change_rows(tables.moves, lambda move: move.blog == blog, self._blanked_move)
        change_rows(
            tables.revisions,
            lambda revision: revision.blog == blog,
            lambda revision: replace(revision, rules=text(revision.rules)),
        )

    def _blanked_failure(self, row: tuple[int, FailureRecord]) -> tuple[int, FailureRecord]:
        run, failure = row
        text = self._cleaning.text
        return run, structs.replace(failure, url=text(failure.url), detail=text(failure.detail))

    def _blanked_sighting(self, sighting: SightingRow) -> SightingRow:
        text = self._cleaning.text
        return replace(sighting, absent=tuple(map(text, sighting.absent)), reason=text(sighting.reason))

    def _blanked_move(self, move: MoveRow) -> MoveRow:
        before, blank = move.before, self._cleaning.text
        if post := before.post:
            record = self._clean(post.record)
            clean = structs.replace(post, record=record, digest=content_of(record).digest, title=record.title)
            before = structs.replace(before, post=clean)
        return replace(move, old=blank(move.old), new=blank(move.new), before=before)


def _forget_post(tables: MemoryTables, post: str) -> None:
    """Every row that speaks of a post."""
    tables.posts.pop(post, None)
    tables.pages.pop(post, None)
    tables.checks.pop(post, None)
    drop_rows(tables.versions, lambda place, _version: place[0] == post)
    drop_rows(tables.extractions, lambda _number, reading: reading.post == post)
    drop_rows(tables.sightings, lambda _number, sighting: sighting.post == post)
    drop_rows(tables.moves, lambda _number, move: move.post == post)
    drop_rows(tables.news, lambda _number, row: row.post == post)
    for blog, printed in tables.textprints.items():
        tables.textprints[blog] = tuple(one for one in printed if one.post != post)
