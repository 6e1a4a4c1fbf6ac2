"""Look at blogs from a program that goes on: one open archive, one running fetcher, hundreds at
once, each for itself.

Nothing here waits for another blog: one that somebody else is writing is busy, and what is wrong
with one is its own.
"""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from blogforever.analyse.values import SeenHost
from blogforever.config import Config
from blogforever.errors import OWN_TROUBLE
from blogforever.fetch.aside import Aside, in_thread
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Lane, Ref
from blogforever.records import BlogRecord
from blogforever.source.address import blog_name, read_address
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import same_site

from .bloglook import BlogLook, PushedFeed, look_of
from .crawling import check, expect_erased, keep_asked, keep_scouted, report_of, set_up_live
from .jobs import CrawlReport, Job, Watcher
from .joining import Home, found_elsewhere, settle
from .making import CrawlSetting, job_at
from .noticing import Noticing
from .observing import observe
from .opening import finish_begun, finish_erasures, open_archive
from .pushing import use_pushed
from .scouting import Scouted
from .stages import hand_over, load_stages, switched
from .surveying import Estimate, Scout, locate, survey
from .versioning import known_name

if TYPE_CHECKING:
    from blogforever.fetch.engine import LiveFetcher

Gate = Callable[[SeenHost], str]
"""Why a host is not harvested; empty where it is."""
# A look has a lock file, a WARC file and its connections open; the usual limit of a process is
# meant for one person.
OPEN_FILES = 16_384
log = logger("archive")


@dataclass(frozen=True, slots=True)
class _Opened:
    """What all looks of a follower share while it is entered."""

    archive: ArchiveFolder
    fetcher: LiveFetcher
    setting: CrawlSetting


@dataclass(frozen=True, slots=True)
class Asides:
    """Where looks begin and end, beside the event loop.

    What ends the walk through a whole blog takes long, and looks at known blogs must not wait for
    it.
    """

    looks: Aside = field(default_factory=Aside)
    walks: Aside = field(default_factory=Aside)

    def end_of(self, job: Job) -> Aside:
        """Where a crawl is ended."""
        return self.walks if job.lane.walks else self.looks


@dataclass(frozen=True, slots=True)
class _Begun:
    """A crawl that was put together, who notes what
    it learns, and what was known of its blog before.
    """

    job: Job
    notes: Noticing
    before: BlogRecord | None


class Follower:
    """Harvests and updates blogs in one open archive, any number at once:

    async with Follower(config) as follower: looked = await follower.look_at("https://some.blog/")

    Each `look_at` ends with its own blog. It raises only trouble of our own, which no other blog
    would be spared.
    """

    def __init__(self, config: Config, watcher: Watcher = lambda _crawl: None) -> None:
        check((), config)
        self._config, self._stages, self._watcher = switched(config), load_stages(config), watcher
        self._asides = Asides()
        self._looks: dict[str, set[_Look]] = {}
        self._written: set[str] = set()
        self._opened: _Opened | None = None

    async def __aenter__(self) -> Self:
        _allow_open_files()
        archive = await in_thread(self._open)
        try:
            fetcher, setting = set_up_live(self._config, self._stages, archive, self._watcher)
            await fetcher.__aenter__()
        except BaseException:
            archive.close()
            raise
        self._opened = _Opened(archive, fetcher, setting)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        opened, self._opened = self._now(), None
        try:
            await opened.fetcher.__aexit__(kind, error, trace)
        finally:
            await in_thread(partial(opened.archive.__exit__, kind, error, trace))

    def _open(self) -> ArchiveFolder:
        config = self._config
        if config.archive.is_dir():
            finish_erasures(config.archive, wait=config.wait)
        return open_archive(config.archive, writing=True, min_free=config.min_free, wait=config.wait)

    def _now(self) -> _Opened:
        if self._opened is None:
            raise RuntimeError("A follower is entered before it looks at blogs: async with Follower(...).")
        return self._opened

    @property
    def archive(self) -> ArchiveFolder:
        """The open archive, which other parts of the same program may read."""
        return self._now().archive

    async def look_at(
        self,
        typed: str,
        blog: str = "",
        config: Config | None = None,
        pushed: PushedFeed | None = None,
        gate: Gate | None = None,
    ) -> BlogLook:
        """Harvest the blog at an address, or bring it up to date where it is known.

        `blog` is its name in the archive, for who knows it: it spares a search. What a hub has
        `pushed` is not asked for, where it is whole. Of an address that the archive does not know,
        `gate` says after a first glance why it is not harvested. Who is cancelled while he waits
        for this stops the look, and is cancelled when it has ended.
        """
        url = read_address(typed)
        options = switched(config or self._config)
        look = _Look(self._now(), self._asides, self._written, url, blog, options, pushed, gate)
        self._looks.setdefault(url, set()).add(look)
        work = asyncio.ensure_future(look.run())
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            look.stop()
            await asyncio.wait([work])
            raise
        finally:
            self._forget(url, look)

    async def survey(self, typed: str) -> Estimate:
        """What the blog at an address announces; nothing is kept."""
        return await in_thread(partial(self._survey, read_address(typed), self._now()))

    def _survey(self, url: str, opened: _Opened) -> Estimate:
        def run(lanes: list[Lane]) -> list[str]:
            return [opened.fetcher.crawl_here(lane) for lane in lanes]

        with Scouted() as held:
            return survey(url, Scout(self._config, run, held, partial(_read, held)))

    def _forget(self, url: str, look: _Look) -> None:
        self._looks[url].discard(look)
        if not self._looks[url]:
            del self._looks[url]

    def stop(self, typed: str | None = None) -> None:
        """Let the looks at one address, or all, end as soon
        as what is under way has come; the next ones go on.
        """
        urls = list(self._looks) if typed is None else [read_address(typed)]
        for look in [look for url in urls for look in self._looks.get(url, ())]:
            look.stop()


@dataclass(slots=True, eq=False)
class _Look:
    """One look at one blog."""

    opened: _Opened
    asides: Asides
    written: set[str]
    """The blogs that looks of this program are writing."""
    url: str
    blog: str
    config: Config
    pushed: PushedFeed | None = None
    gate: Gate | None = None
    _stopped: bool = False
    _lanes: list[Lane] = field(default_factory=list)

    @property
    def _archive(self) -> ArchiveFolder:
        return self.opened.archive

    def stop(self) -> None:
        """Ask nothing more, and wait a little for what is under way: the turn of a slow host may be minutes away."""
        self._stopped = True
        for lane in self._lanes:
            lane.stopped = True
            self.opened.fetcher.stop(lane)

    async def run(self) -> BlogLook:
        """From the address to what was kept."""
        home = await self.asides.looks.do(self._known_home)
        if home is not None:
            return await self._look_elsewhere(home, await self._look_at(home, None))
        with Scouted() as held:
            # It waits for the network most of the time: the few places of the others are not for
            # that.
            if refused := await in_thread(partial(self._refused, held)):
                return BlogLook("nothing", self.url, blog_name(self.url), refused)
            home = await in_thread(partial(self._find_home, held))
            return await self._look_at(home, held)

    async def _look_elsewhere(self, home: Home, look: BlogLook) -> BlogLook:
        """The look at a known blog; where it has gone from the site it had moved to, that at where it is now."""
        if self._stopped or same_site(home.url, home.given) or not _has_no_home(look):
            return look
        with Scouted() as held:
            scout = Scout(self.config, self._run_lanes, held, partial(_read, held))
            there = await in_thread(partial(found_elsewhere, self._archive, home, scout))
            return _after(look, await self._look_at(there, held)) if there else look

    def _known_home(self) -> Home | None:
        """Where a known blog is; None where it is to be found out what is at the address."""
        name = self.blog or known_name(self._archive, self.url)
        record = self._archive.store.blogs.find(name) if name and not self.config.moved_from else None
        return Home(record.url, record.id, given=self.url) if record and record.url else None

    def _refused(self, held: Scouted) -> str:
        """Why the address is not harvested; what was seen of it is held for the harvest otherwise."""
        if self.gate is None:
            return ""
        return self.gate(observe(self.url, Scout(self.config, self._run_lanes, held, partial(_read, held))))

    def _find_home(self, held: Scouted) -> Home:
        scout = Scout(self.config, self._run_lanes, held, partial(_read, held))
        url = locate(self.url, scout)
        (home,) = settle(self._archive, {url: self.url}, scout, has_others=True)
        return home

    def _run_lanes(self, lanes: list[Lane]) -> list[str]:
        """Fetch for these, one after the other, in a thread that waits for it."""
        self._admit(lanes)
        return [self.opened.fetcher.crawl_here(lane) for lane in lanes]

    def _admit(self, lanes: list[Lane]) -> None:
        self._lanes += lanes
        for lane in lanes:
            lane.stopped = self._stopped

    async def _look_at(self, home: Home, held: Scouted | None) -> BlogLook:
        if not home.names.isdisjoint(self.written):
            return self._busy(home)
        self.written |= home.names
        try:
            return await self._crawl(home, held)
        finally:
            self.written -= home.names

    async def _crawl(self, home: Home, held: Scouted | None) -> BlogLook:
        begun = await self.asides.looks.do(partial(self._begin, home, held))
        if begun is None:
            return self._busy(home)
        try:
            ending = await self._fetch(begun.job)
        except BaseException:
            await self.asides.looks.do(partial(self._give_back, home))
            raise
        return await self.asides.end_of(begun.job).do(partial(self._end, begun, home, ending))

    def _busy(self, home: Home) -> BlogLook:
        return BlogLook("busy", home.url, home.blog, "another command is writing this blog")

    def _begin(self, home: Home, held: Scouted | None) -> _Begun | None:
        """The crawl, put together while nobody else can write the blog; None where somebody
        does.
        """
        archive = self._archive
        archive.check_room()
        with ExitStack() as undo:
            for name in home.names:
                if not archive.take(name):
                    return None
                undo.callback(archive.give_back, name)
            finish_begun(archive, {home.blog})
            expect_erased(archive, [home.blog])
            before = archive.store.blogs.find(home.blog)
            job = job_at(home, replace(self.opened.setting, config=self.config))
            if held is not None:
                self._keep(held, home, job)
            archive.tell_crawled([home.blog])
            is_used = self.pushed is not None and use_pushed(archive, before, job, self.pushed)
            notes = job.lane.handler = Noticing(job.lane.handler, self.pushed.url if self.pushed and is_used else "")
            undo.pop_all()
        return _Begun(job, notes, before)

    def _keep(self, held: Scouted, home: Home, job: Job) -> None:
        """What was fetched to find the home goes to its blog;
        what others answered to theirs, if nobody writes them.
        """
        archive = self._archive
        keep_scouted(archive, held, [home], job)
        for other in held.names():
            if other not in self.written and archive.take(other):
                try:
                    keep_asked(archive, held, other)
                finally:
                    archive.give_back(other)

    async def _fetch(self, job: Job) -> str:
        """How the crawl ended; what its handler raised is noted in its lane."""
        self._admit([job.lane])
        try:
            return await self.opened.fetcher.crawl(job.lane)
        except OWN_TROUBLE:
            raise
        except Exception:
            if job.lane.fault is None:
                raise
            return job.lane.ending

    def _end(self, begun: _Begun, home: Home, ending: str) -> BlogLook:
        """Write down what was found, give it to whom
        it was promised, and let others write the blog.
        """
        archive = self._archive
        try:
            report = report_of(begun.job, ending, home, archive)
            learned = begun.notes.learned(report, begun.before, archive)
            self._hand_over(report)
        finally:
            self._give_back(home)
        if home.note:
            report.notes.append(home.note)
        return look_of(report, self.url, begun.before, learned)

    def _hand_over(self, report: CrawlReport) -> None:
        back_end = self.opened.setting.stages.back_end
        if back_end:
            lines = self._archive.exported(report.run, pages=self.config.pages)
            hand_over(back_end, map(json.loads, lines))

    def _give_back(self, home: Home) -> None:
        """Let others write the blog, with nothing in it that must not be there."""
        archive, blog = self._archive, home.blog
        try:
            archive.finish_files(blog)
            if archive.unfinished.plan(blog):
                finish_begun(archive, {blog})
        finally:
            for name in home.names:
                archive.give_back(name)


def _after(first: BlogLook, then: BlogLook) -> BlogLook:
    """A look that took another one, with what both brought."""
    found = first.learned.found + then.learned.found
    return replace(then, learned=replace(then.learned, found=found))


def _has_no_home(look: BlogLook) -> bool:
    """Whether the home of a known blog did not answer, or whoever has its name now; its lists may lie elsewhere, and
    still tell of posts.
    """
    return look.outcome in ("unreachable", "frozen") or bool(look.report and look.report.home_failure)


def _read(held: Scouted, ref: Ref) -> Page:
    return held.reader().response(ref)[1]


def _allow_open_files() -> None:
    """As many open files as so many blogs at once take, as far as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
