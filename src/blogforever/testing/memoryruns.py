"""Blogs, runs and responses of a store in memory."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from blogforever import clock
from blogforever.model import Failure
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, BlogSummary, FailureRecord, PostRecord
from blogforever.storage.values import FROZEN, GOES_ON, JUDGED, REDIRECTS, AnswerRow, QuietRow, RevisionRow, StandingRow
from blogforever.urls import url_key

from .memorytables import KeptCapture, KeptRun, MemoryTables, add_row, drop_rows, now, numbered

# The status of a page that is there, the first of those that tell of an error, and those of what is
# not there.
FOUND = 200
BAD_STATUS = 400
NOTHING_THERE = (404, 410)


class MemoryBlogs:
    """What is known of blogs."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, record: BlogRecord) -> None:
        """Keep what is known about a blog."""
        self._tables.check_open()
        self._tables.blogs[record.id] = record

    def find(self, blog: str) -> BlogRecord | None:
        """The record of a blog."""
        return self._tables.blogs.get(blog)

    def some(self, blogs: Iterable[str]) -> dict[str, BlogRecord]:
        """The records of those of these blogs that have one, by id."""
        wanted = set(blogs)
        return {name: record for name, record in self._tables.blogs.items() if name in wanted}

    def summaries(self) -> list[BlogSummary]:
        """Each blog's record with what was counted of it; by name."""
        names = {*self._tables.blogs, *(row.blog for row in self._tables.posts.values())}
        return [self._summary(name) for name in sorted(names)]

    def addresses(self) -> dict[str, str]:
        """The address of each blog that has one, by its id."""
        return {name: blog.url for name, blog in sorted(self._tables.blogs.items()) if blog.url}

    def _summary(self, blog: str) -> BlogSummary:
        rows = [row for row in self._tables.posts.values() if row.blog == blog]
        days = [row.published for row in rows if row.published]
        runs = self._tables.runs_of(blog).values()
        return BlogSummary(
            self._tables.blogs.get(blog) or BlogRecord(id=blog, url=""),
            kept=len(rows),
            first=min(days, default=None),
            last=max(days, default=None),
            crawled=max((run.started for run in runs), default=None),
            unfinished=any(run.ending is None for run in runs),
        )

    def add_revision(self, blog: str, rules: str, reason: str, when: str | None = None) -> int:
        """The number of these rules among the blog's; rules that are known already keep theirs."""
        digest, last = hashlib.sha256(rules.encode()).hexdigest(), self.revision(blog)
        if last and last.digest == digest:
            return last.number
        number = last.number + 1 if last else 1
        self._tables.revisions[blog, number] = RevisionRow(blog, number, when or now(), reason, digest, rules)
        return number

    def revisions(self, blog: str) -> list[RevisionRow]:
        """The rules of a blog as they once were, oldest first."""
        return list(numbered(self._tables.revisions, blog).values())

    def revision(self, blog: str, number: int | None = None) -> RevisionRow | None:
        """One revision of a blog's rules, or the newest."""
        found = self.revisions(blog)
        return next((row for row in reversed(found) if number is None or row.number == number), None)

    def standing(self, blog: str) -> StandingRow | None:
        """How the blog stands as a whole."""
        return self._tables.standings.get(blog)

    def save_standing(self, standing: StandingRow) -> None:
        """How the blog stands now."""
        self._tables.standings[standing.blog] = standing

    def quiet(self, blog: str) -> QuietRow | None:
        """What the blog's announcements said at its last update."""
        return self._tables.quiet.get(blog)

    def save_quiet(self, quiet: QuietRow) -> None:
        """What they said now."""
        self._tables.quiet[quiet.blog] = quiet


class MemoryRuns:
    """Crawls and updates."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def open(self, blog: str) -> tuple[int, str | None]:
        """The number of this blog's run, and since when it is under
        way if an earlier one was not finished.
        """
        for number, run in reversed(self._tables.runs_of(blog).items()):
            if run.ending is None:
                return number, run.started
        return self.begin(blog, clock.now().isoformat()), None

    def begin(self, blog: str, started: str) -> int:
        """The number of a run that began then; a rebuilt one has the time it had."""
        self._tables.check_open()
        return add_row(self._tables.runs, KeptRun(blog, started))

    def last(self, blog: str) -> int:
        """The number of the blog's newest run."""
        return max(self._tables.runs_of(blog))

    def before(self, blog: str, run: int) -> int | None:
        """The number of the blog's run before this one; None for its first."""
        return max((number for number in self._tables.runs_of(blog) if number < run), default=None)

    def started(self, run: int) -> str:
        """When a run began."""
        return self._tables.runs[run].started if run in self._tables.runs else now()

    def close(self, run: int, ending: str) -> None:
        """Mark a run as done; one that was interrupted or lost the
        network stays open for the next crawl.
        """
        self._tables.check_open()
        if ending in GOES_ON:
            return
        self._tables.runs[run] = replace(self._tables.runs[run], ending=ending)
        drop_rows(self._tables.candidates, lambda place, _record: place[0] == run)

    def last_judged(self, blog: str) -> str | None:
        """When the last crawl of a blog began of which everything was taken over."""
        runs = self._tables.runs_of(blog).values()
        return max((run.started for run in runs if run.ending == JUDGED), default=None)

    def under_way(self, blogs: Collection[str] | None = None) -> dict[str, tuple[int, int]]:
        """Blogs, or those of these, whose crawl is not over: how many pages were
        read that may be posts, and how many responses kept.
        """
        read = Counter(run for run, _url in self._tables.candidates)
        kept = Counter(capture.run for capture in self._tables.captures.values())
        still_open = [(number, run) for number, run in self._tables.runs.items() if run.ending is None]
        meant = [(number, run) for number, run in still_open if blogs is None or run.blog in blogs]
        return {run.blog: (read[number], kept[number]) for number, run in meant}

    def add_candidate(self, run: int, url: str, record: PostRecord) -> None:
        """Keep what was extracted from a page until it is known whether the page is a post."""
        self._tables.candidates[run, url] = record

    def candidates(self, run: int, urls: Sequence[str]) -> Iterator[PostRecord | None]:
        """What was extracted from these pages in this run, in their order; None where nothing was."""
        return (self._tables.candidates.get((run, url)) for url in urls)

    def add_failure(self, run: int, blog: str, failure: Failure) -> None:
        """Remember what could not be captured."""
        record = FailureRecord(blog=blog, url=failure.url, reason=failure.reason, detail=failure.detail)
        add_row(self._tables.failures, (run, record))

    def forget_failures(self, run: int) -> None:
        """A run that goes on tries its failures again."""
        drop_rows(self._tables.failures, lambda _number, failure: failure[0] == run)

    def failures(self, blog: str) -> dict[str, int]:
        """How often each reason kept something of the blog's last run out
        of the archive; the most frequent first.
        """
        last = max(self._tables.runs_of(blog), default=0)
        reasons = Counter(record.reason for run, record in self._tables.failures.values() if run == last)
        return dict(reasons.most_common())

    def failed(self, blog: str, most: int) -> list[Failure]:
        """What of the blog's last run could not be captured, in the order in which that was found;
        so many at most.
        """
        last = max(self._tables.runs_of(blog), default=0)
        found = [record for run, record in self._tables.failures.values() if run == last]
        return [Failure(record.url, record.reason, record.detail) for record in found[:most]]

    def unfetched(self, blog: str) -> dict[str, int]:
        """Where posts are that the blog announces and its last judged run could not have for now; tries of each."""
        judged = (run for run, row in self._tables.runs_of(blog).items() if row.ending == JUDGED)
        last, rows = max(judged, default=0), self._tables.failures.values()
        urls = [one.url for run, one in rows if run == last and Failure(one.url, one.reason, one.detail).is_passing]
        return {url: len({run for run, one in rows if (one.blog, one.url) == (blog, url)}) for url in urls}


class MemoryCaptures:
    """Where responses lie, and with what to ask for their addresses."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, run: int, url: str, status: int, captured: datetime, ref: Ref) -> None:
        """Remember where a response lies."""
        moment = captured.isoformat(timespec="seconds")
        add_row(self._tables.captures, KeptCapture(run, url, status, ref, captured=moment))

    def drop_reference(self, record_id: str) -> None:
        """The archive has its own copy of a record now, and no longer points to one elsewhere."""
        drop_rows(
            self._tables.captures,
            lambda _number, capture: capture.ref.record_id == record_id and capture.ref.outside,
        )

    def find(self, record_id: str) -> Ref | None:
        """Where the response with this WARC record id lies."""
        found = (capture.ref for capture in self._tables.captures.values())
        return next((ref for ref in found if ref.record_id == record_id), None)

    def run_of(self, record_id: str) -> int | None:
        """The crawl that captured the response with this WARC record id."""
        found = self._tables.captures.values()
        return next((capture.run for capture in found if capture.ref.record_id == record_id), None)

    def file(self, blog: str, url: str) -> Ref | None:
        """Where the newest whole response to this address lies, if the blog's crawls had one."""
        for capture in reversed(self._tables.captures_of(blog).values()):
            is_whole = capture.status == FOUND and capture.failed is None
            if capture.url == url and is_whole:
                return capture.ref
        return None

    def answers(self, blog: str, url: str, most: int) -> list[AnswerRow]:
        """The whole responses and redirects of this address that the blog's crawls had, newest
        first, so many at most.
        """
        here = [one for one in self._tables.captures_of(blog).values() if one.url == url and one.failed is None]
        good = [one for one in here if one.status == FOUND or one.status in REDIRECTS]
        newest = sorted(good, key=lambda one: one.captured, reverse=True)
        return [AnswerRow(one.captured, one.status, one.ref) for one in newest[:most]]

    def of_blog(self, blog: str) -> Iterator[Ref]:
        """Where each response of a blog lies, oldest first."""
        return (capture.ref for capture in self._tables.captures_of(blog).values())

    def same(self, blog: str, digest: str) -> Ref | None:
        """Where the blog's oldest response with this digest lies."""
        return next((ref for ref in self.of_blog(blog) if ref.digest == digest), None)

    def in_file(self, file: str) -> Iterator[Ref]:
        """The responses in a WARC file, in the order they stand there."""
        found = [capture.ref for capture in self._tables.captures.values() if capture.ref.file == file]
        return iter(sorted(found, key=lambda ref: ref.offset))

    def files(self) -> list[str]:
        """The WARC files that hold responses, by name."""
        return sorted({capture.ref.file for capture in self._tables.captures.values()})

    def outside(self, blog: str | None = None) -> dict[str, Counter[str]]:
        """The files outside the archive that hold responses of its blogs, and how many: by blog."""
        found: dict[str, Counter[str]] = {}
        for capture in self._tables.captures.values():
            owner = self._tables.runs[capture.run].blog
            if capture.ref.outside and blog in (None, owner):
                found.setdefault(owner, Counter())[capture.ref.file.partition("!/")[0]] += 1
        return dict(sorted(found.items()))

    def mark_failed(self, blog: str, run: int, failed: Mapping[str, str]) -> None:
        """Of these addresses nothing was had in this run, though
        something may have come; by their keys, why.
        """
        marked = set()
        for number, capture in self._tables.captures.items():
            why = failed.get(url_key(capture.url))
            if capture.run == run and why is not None:
                self._tables.captures[number] = replace(capture, failed=why)
                marked.add(capture.ref.record_id)
        self._forget_conditions(blog, marked)

    def seen_addresses(self, blog: str) -> Iterator[str]:
        """Every address of a blog that was fetched with success by a
        crawl of which everything was taken over.
        """
        return self._fetched({n for n, run in self._tables.runs_of(blog).items() if run.ending == JUDGED})

    def frozen_addresses(self, blog: str) -> Iterator[str]:
        """Every address that was fetched with success since the blog is
        frozen: nobody has judged what came.
        """
        runs = self._tables.runs_of(blog)
        judged = [number for number, run in runs.items() if run.ending == JUDGED]
        if not judged:
            return iter(())
        return self._fetched({n for n, run in runs.items() if run.ending == FROZEN and n > max(judged)})

    def absent_addresses(self, blog: str, since: str) -> Iterator[str]:
        """Every address of a blog of which a server said since then that nothing is there."""
        judged = {number for number, run in self._tables.runs_of(blog).items() if run.ending == JUDGED}
        captures = [capture for capture in self._tables.captures.values() if capture.run in judged]
        said_so = [one.url for one in captures if one.status in NOTHING_THERE and one.captured >= since]
        return iter(dict.fromkeys(said_so))

    def _fetched(self, runs: set[int]) -> Iterator[str]:
        captures = [capture for capture in self._tables.captures.values() if capture.run in runs]
        good = [one.url for one in captures if one.status < BAD_STATUS and one.failed is None]
        return iter(dict.fromkeys(good))

    def save_condition(self, blog: str, url: str, condition: Condition) -> None:
        """With what to ask for an address next time."""
        self._tables.conditions[blog, url] = condition

    def condition(self, blog: str, url: str) -> Condition | None:
        """With what to ask for an address of a blog."""
        return self._tables.conditions.get((blog, url))

    def forget_conditions(self, blog: str, run: int) -> None:
        """Ask for what this run brought as if it had never come:
        "nothing new" would mean new since then.
        """
        captures = self._tables.captures.values()
        self._forget_conditions(blog, {capture.ref.record_id for capture in captures if capture.run == run})

    def _forget_conditions(self, blog: str, records: set[str]) -> None:
        drop_rows(
            self._tables.conditions,
            lambda place, condition: place[0] == blog and condition.ref.record_id in records,
        )

    def fresh_addresses(self, blog: str, moment: str) -> set[str]:
        """The addresses whose server said that they would not have changed by then."""
        conditions = self._tables.conditions.items()
        dated = [(url, one.until) for (owner, url), one in conditions if owner == blog and one.until]
        return {url for url, until in dated if until.isoformat() > moment}
