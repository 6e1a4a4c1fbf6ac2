"""Crawl a blog into the archive, live or from WARC files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from time import monotonic

from blogforever import clock
from blogforever.care.locks import Locks, with_locks
from blogforever.config import Config
from blogforever.crawl.completeness import TOO_OLD, by_post
from blogforever.crawl.crawl import BlogCrawl
from blogforever.crawl.statement import completeness, stopped_by
from blogforever.errors import OWN_TROUBLE, RulesError, UsageError
from blogforever.fetch.replay import ReplayFetcher
from blogforever.learn import learn_rules
from blogforever.logs import logger
from blogforever.model import Failure, Need
from blogforever.pipeline.guard import StageGuard
from blogforever.pipeline.harvest import HarvestedPost, harvest
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.pipeline.page import Learn
from blogforever.pipeline.rendering import Rendering
from blogforever.pipeline.requisites import WithFiles
from blogforever.pipeline.since import moment_of
from blogforever.pipeline.unread import Unread
from blogforever.pipeline.withheld import Withheld
from blogforever.protocols import Fetcher, Lane, PageHandler
from blogforever.render.chromium import INSTALL, lacking
from blogforever.source.address import read_address
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.store.unfinished import Plan
from blogforever.store.warcreader import WarcReader
from blogforever.update.rechecks import stamps
from blogforever.update.remembered import Remembered
from blogforever.urls import url_key
from blogforever.wording import kept_texts

from .fetchers import live_fetcher, renderer, replay_notes, replayed_pages, taken, warc_info
from .jobs import CrawlProgress, CrawlReport, Job, Read, Run, RunKeeper, Watched, Watcher, finished
from .joining import Home, settle
from .kept import KeptBlog
from .opening import finish_erasures, open_archive, unfinished, write_to
from .ownpages import save_pages
from .past import Captures
from .saving import NewCrawl, save_walk
from .scouting import Known, Scouted
from .shortcut import shortcut_job
from .stages import Loaded, hand_over, load_stages, switched
from .surveying import locate
from .updating import read_since, update_job, young
from .versioning import (
    known_blogs,
    outlined,
    remembered,
)

# Requests under way while walking, even where few are fetched at once: what is waiting costs a site nothing.
LEAST_AT_ONCE = 4
# How a crawl ended that a fault of ours has ended.
CRASHED = "crashed"
log = logger("archive")

__all__ = ["CrawlProgress", "CrawlReport", "check", "crawl_blog", "crawl_blogs", "new_crawl_job", "write_run"]


def check(typed: Iterable[str], config: Config) -> None:
    """Refuse what this version cannot do and what is no address, before anything is fetched."""
    addresses = list(typed)
    for address in addresses:
        read_address(address)
    if config.reference and not config.replay:
        raise UsageError("--reference says how --replay keeps its records; give the files with --replay.")
    is_one_live_address = len(addresses) <= 1 and not config.replay
    if config.moved_from and not is_one_live_address:
        raise UsageError("--moved-from says of one address, over the network, which known blog is there now.")
    if config.screenshots and not _draws(config):
        raise UsageError(
            "--screenshots needs a browser; use it without --render never, and a replay with --render always."
        )
    load_stages(config)
    _check_browser(config)


def _draws(config: Config) -> bool:
    """Whether pages may be drawn: out of WARC files only where that is asked for."""
    return config.render == "always" or (config.render != "never" and not config.replay)


def _check_browser(config: Config) -> None:
    """Refuse what needs a browser where there is none; a stage of one's own may draw without."""
    if config.stages.render != "on":
        return
    if config.render == "always":
        wish = "--render always"
    elif config.screenshots:
        wish = "--screenshots"
    else:
        return
    if missing := lacking():
        raise UsageError(f"{wish} needs {missing}, which is not here. To have it: {INSTALL}")


def crawl_blog(typed: str, config: Config, watcher: Watcher = lambda _crawl: None) -> CrawlReport:
    """Harvest one blog into the archive; an interrupted earlier run is continued."""
    return crawl_blogs([typed], config, watcher)[0]


def crawl_blogs(typed: Iterable[str], config: Config, watcher: Watcher = lambda _crawl: None) -> list[CrawlReport]:
    """Harvest blogs into the archive, all at once over the network, one after the other out of WARC files."""
    typed = list(typed)
    config, stages = switched(config), load_stages(config)
    check(typed, config)
    replayed = replayed_pages(config)
    archive = open_archive(config.archive, writing=True, min_free=config.min_free, wait=config.wait)
    with archive, _settled(archive, typed, config, replayed) as (homes, scouted):
        touched = _touched(homes, scouted)
        fetcher, setting = _set_up(config, stages, archive, replayed, watcher)
        _expect_erased(archive, touched)
        reports = _crawl_homes(homes, scouted, fetcher, setting)
        lines = (line for report in reports for line in archive.exported(report.run, pages=config.pages))
        hand_over(stages.back_end, map(json.loads, lines))
        again = unfinished(archive) & touched
    if again:
        finish_erasures(config.archive, again, config.wait)
    return reports


def _set_up(
    config: Config, stages: Loaded, archive: ArchiveFolder, replayed: WarcReader | None, watcher: Watcher
) -> tuple[Fetcher, CrawlSetting]:
    """Where pages come from, the network or somebody's files, and what all blogs of the crawl share."""
    own_renderer = stages.render if config.render != "never" else None
    draws = own_renderer or renderer(config)
    if replayed is None:
        fetcher: Fetcher = live_fetcher(config, archive.reader(), draws)
        return fetcher, CrawlSetting(config, stages, archive, fetcher.read, watcher, able=draws is not None)
    fetcher = ReplayFetcher(replayed, draws, archive.reader())
    able = draws is not None or replayed.has_drawn
    setting = CrawlSetting(config, stages, archive, fetcher.read, watcher, able)
    return fetcher, replace(setting, files=replayed, has_files=replayed.has_files)


def _crawl_homes(homes: list[Home], scouted: Scouted, fetcher: Fetcher, setting: CrawlSetting) -> list[CrawlReport]:
    """Crawl each blog once, by the first address that was given for it."""
    archive, config = setting.archive, setting.config
    settled = {home.blog: home for home in reversed(homes)}
    jobs = {home.blog: _job_at(home, setting) for home in reversed(settled.values())}
    _keep_scouted(archive, scouted, homes, jobs)
    for job in jobs.values():
        job.save_when_done()
    archive.tell_crawled(settled)
    endings = _run_all(fetcher, [job.lane for job in jobs.values()])
    reports = [
        _report_of(job, ending, settled[blog], archive)
        for (blog, job), ending in zip(jobs.items(), endings, strict=True)
    ]
    faults = [job.lane.fault for job in jobs.values() if job.lane.fault]
    if len(faults) == len(jobs):
        # Nothing is lost by raising it, and who mends it sees where it was.
        raise faults[0]
    for report in reports:
        if note := settled[report.blog].note:
            report.notes.append(note)
        if setting.files is not None:
            report.notes += replay_notes(setting.files, config.reference)
    return reports


def _run_all(fetcher: Fetcher, lanes: list[Lane]) -> list[str]:
    """How each crawl ended; a fault in one costs none of the others what they brought."""
    try:
        return fetcher.run(lanes)
    except OWN_TROUBLE:
        raise
    except Exception:
        # A fault that a lane has noted is told in the report of its blog; any other is not ours to hide.
        if not any(lane.fault for lane in lanes):
            raise
        return [lane.ending for lane in lanes]


def _report_of(job: Job, ending: str, home: Home, archive: ArchiveFolder) -> CrawlReport:
    """What a crawl did; of one that a fault of ours ended, that it did. Its run stays open for the next crawl."""
    fault = job.lane.fault
    if fault is None:
        try:
            return job.report(ending)
        except OWN_TROUBLE:
            raise
        except Exception as error:  # of the other blogs there is something to tell
            fault = job.lane.fault = error
    log.error("the crawl of %s was ended by a fault of blogforever", home.url, exc_info=fault)
    what = f"{type(fault).__name__}: {fault}"
    return CrawlReport(home.blog, home.url, archive.store.runs.last(home.blog), ending=CRASHED, fault=what)


@contextmanager
def _settled(
    archive: ArchiveFolder, typed: list[str], config: Config, replayed: WarcReader | None
) -> Iterator[tuple[list[Home], Scouted]]:
    """Where each crawl begins and of which blog, with what was fetched to find that out; nobody else writes them.

    Who had to wait for a blog looks again: it was crawled meanwhile, and what was fetched before is no answer of today.
    """
    archive.check_room()
    waited = True
    while waited:
        with Scouted() as scouted:
            known = known_blogs(archive)
            given = map(read_address, typed)
            urls = {known.get(address) or locate(address, config, replayed, scouted): address for address in given}
            homes = settle(archive, urls, config, scouted)
            waited = write_to(archive, _touched(homes, scouted))
            if not waited:
                yield homes, scouted


def _touched(homes: list[Home], scouted: Scouted) -> set[str]:
    """The blogs of which something is written: those that are crawled, and those that were asked if they are there."""
    return {home.blog for home in homes} | (scouted.names() - {home.url for home in homes})


def _keep_scouted(archive: ArchiveFolder, scouted: Scouted, homes: list[Home], jobs: Mapping[str, Job]) -> None:
    """What was fetched to find out which blogs these are goes to their WARC files, and is not fetched again."""
    for blog, job in jobs.items():
        if job.lane.record:
            names = [*(home.url for home in homes if home.blog == blog), blog]
            places = scouted.hand_over(names, job.lane.record)
            job.lane.resumed = Known(places, archive.reader(), job.lane.resumed)
    for blog in scouted.names():
        # A blog that was only asked whether it is still there: what it answered is no crawl of it.
        scouted.hand_over([blog], archive.recorder(blog, archive.store.runs.last(blog), {}, conditions=False))


def _expect_erased(archive: ArchiveFolder, blogs: Iterable[str]) -> None:
    """What was erased comes back with feeds and lists: however this crawl ends, it must be erased again."""
    for blog in blogs:
        if archive.erased.mark(blog):
            archive.unfinished.begin(Plan(blog, "renew", moment()))


@dataclass(frozen=True, slots=True)
class CrawlSetting:
    """What all blogs of a crawl share; `able` says that pages can be drawn. A run that is rebuilt has its own time."""

    config: Config
    stages: Loaded
    archive: ArchiveFolder
    read: Read
    watcher: Watcher
    able: bool
    run: int | None = None
    now: datetime | None = None
    files: WarcReader | None = None
    """Somebody's files that are replayed."""
    captures: Captures | None = None
    has_files: bool = True
    """Whether what pages load can be had, too."""


def _job_at(home: Home, place: CrawlSetting) -> Job:
    """The crawl of one blog; one that is found under another name is walked there as a whole."""
    moved = replace(place.config, full=True, moved_from=home.blog) if home.moved else place.config
    job = make_job(home.url, home.blog, replace(place, config=moved))
    job.lane.given = home.given
    return job


def make_job(url: str, blog: str, place: CrawlSetting) -> Job:
    """The crawl of one blog: a walk through the whole of it, or an update where it is known."""
    config, stages, archive = place.config, place.stages, place.archive
    run, since = (place.run, None) if place.run else archive.store.runs.open(blog)
    if since:
        archive.store.runs.forget_failures(run)
    keeper = RunKeeper(archive, run, blog)
    kept = KeptBlog(archive, blog, place.now)
    guard = StageGuard()
    learn, extract = guard.learn(_learning(kept.locks())), guard.extract(stages.extract)
    tools = Tools(learn, extract, place.read, keeper, guard.comments(stages.comments), guard)
    # Out of WARC files nothing can be drawn that nobody drew, unless it is asked for.
    mode = config.render if place.able or not config.replay else "never"
    now = place.now or clock.now()

    def undrawn(failure: Failure) -> None:
        if not guard.undrawn(failure):
            keeper.fail(failure)

    outline = outlined(archive, blog, config)
    rendering = Rendering(mode, place.able, undrawn, _need(kept), config.screenshots, now.date(), walks=outline is None)
    files = place.files
    source = None if files is None else taken(files, (archive, blog, run), url, config, place.able)
    captures = source.captures if source else place.captures
    find = guard.media(stages.media)
    this = Run(
        archive,
        config,
        blog,
        run,
        since,
        keeper,
        tools,
        now,
        rendering,
        find,
        captures,
        source=source,
        has_files=place.has_files,
    )
    this = replace(this, live=not config.replay and place.run is None)
    job = _update_of(this, outline, place) if outline else new_crawl_job(url, this, place.watcher)
    unread = Unread(Withheld(job.lane.handler, partial(archive.erased.hides, "url", blog=blog)))
    job.lane.handler, job.finish = unread, partial(_finish_marked, this, unread, job.finish)
    job.finish = partial(finished, job.finish, guard, keeper)
    return job


def _update_of(this: Run, outline: Remembered, place: CrawlSetting) -> Job:
    """The update of a known blog: the short way where it may be unchanged."""
    # A run that is rebuilt takes the long way: its answers lie in WARC files, and its posts are read anyway.
    shortcut = shortcut_job(this, outline, place.watcher) if this.live else None
    return shortcut or update_job(remembered(this.archive, outline, place.now), this, place.watcher)


def _finish_marked(this: Run, unread: Unread, finish: Callable[[str], CrawlReport], ending: str) -> CrawlReport:
    """End a crawl after what failed was marked: the next one must not take it for seen."""
    this.archive.store.captures.mark_failed(this.blog, this.run, unread.failed)
    return finish(ending)


def new_crawl_job(url: str, this: Run, watcher: Watcher = lambda _crawl: None) -> Job:
    """The walk through a whole blog, ready to be fetched for."""
    archive, config, blog, run, since = this.archive, this.config, this.blog, this.run, this.since
    crawl = BlogCrawl(url, blog, this.tools, _limits(config, this.live), this.rendering, read_since(config.since))
    # Out of WARC files that hold no file at all, none need be asked for.
    wanted = (config.requisites == "page" and this.has_files, config.media)
    watched = Watched(crawl, CrawlProgress(crawl, this.keeper), watcher)
    files = WithFiles(watched, *wanted, crawl.offers.enclosures, this.find)
    handler: PageHandler = files if any(wanted) else watched
    finish = partial(_finish, archive, NewCrawl(this, crawl, files))
    if config.replay:
        drawn = archive.recorder(blog, run, warc_info(config, url, able=True)) if this.rendering.able else None
        return Job(Lane(handler, keep_drawn=drawn, source=this.source), finish)
    resumed = archive.captured_since(blog, since) if since else None
    deadline = monotonic() + config.max_time if config.max_time else None
    recorder = archive.recorder(blog, run, warc_info(config, url, this.rendering.able))
    return Job(Lane(handler, recorder, resumed, deadline, distrusted=this.distrusted), finish)


def _need(kept: KeptBlog) -> Need | None:
    """What an earlier crawl found out about the browser; a rule file that cannot be read tells nothing."""
    try:
        rules = kept.rules()
    except RulesError:
        return None
    return rules.browser if rules else None


def _learning(locks: Locks) -> Learn:
    """Learning that keeps what people have locked."""
    if not locks:
        return learn_rules
    return lambda *told: with_locks(learn_rules(*told), locks)


def _limits(config: Config, live: bool) -> CrawlLimits:
    at_once = max(LEAST_AT_ONCE, 2 * config.concurrency)
    limits = CrawlLimits(config.max_pages, config.max_time, config.max_total, at_once=at_once)
    return replace(limits, order=config.frontier, misses_cost=live)


def _finish(archive: ArchiveFolder, job: NewCrawl, ending: str) -> CrawlReport:
    harvested = harvest(list(job.crawl.seen.values()), job.crawl.known.rules, job.crawl.known.lists)
    # A page that could not be read is no post, though everything else speaks for one.
    found = [post for post in harvested.posts if not job.crawl.guard.why_not(post.url)]
    pages = save_pages(job, harvested.pages, found)
    found = _young(archive, job, found)
    statement = completeness(job.crawl, by_post(_names(archive, job, found)), ending, pages)
    statement = replace(statement, distrusted=job.this.distrusted)
    statement, fuller = save_walk(archive, job, found, statement)
    archive.store.runs.close(job.this.run, ending)
    archive.search.update()
    report = _report(job.crawl, job.this.run, ending, len(found), job.this.keeper.failures)
    report.completeness = statement
    report.notes += [kept_texts(fuller)] if fuller else []
    report.files = len(job.files.kept)
    report.resumed = job.this.since is not None
    report.drawn = job.crawl.rendering.drawn
    report.unseen = job.crawl.rendering.unseen(INSTALL)
    return report


def _young(archive: ArchiveFolder, job: NewCrawl, found: list[HarvestedPost]) -> list[HarvestedPost]:
    """With --since, the posts that were published or changed since; all without it."""
    since = read_since(job.this.config.since)
    if since is None:
        return found
    lastmods = job.crawl.offers.lastmods()
    stamped = stamps(list(lastmods.values()), len(lastmods))
    records = archive.store.runs.candidates(job.this.run, [post.url for post in found])
    kept = []
    for post, record in zip(found, records, strict=True):
        told = lastmods.get(url_key(post.url))
        changed = moment_of(told) if told not in stamped else None
        if record and (young(record, since) or (changed and changed >= since)):
            kept.append(post)
    urls = {post.url for post in kept}
    job.crawl.reasons |= {url_key(post.url): TOO_OLD for post in found if post.url not in urls}
    return kept


def _names(archive: ArchiveFolder, job: NewCrawl, found: list[HarvestedPost]) -> Iterator[tuple[str, ...]]:
    """The addresses of each post that was captured, and of each that must not be."""
    yield from ((post.url, *post.aliases) for post in found)
    if archive.erased:
        announced = (url for urls in job.crawl.offers.announced.values() for url in urls.values())
        yield from ((url,) for url in announced if archive.erased.hides("url", url, job.this.blog))


def write_run(config: Config, run: int) -> Iterator[str]:
    """JSON lines of the records one run captured or changed; the blog's own pages only where they are wished for."""
    with open_archive(config.archive, writing=False) as archive:
        yield from archive.exported(run, pages=config.pages)


def _report(crawl: BlogCrawl, run: int, ending: str, posts: int, failures: int) -> CrawlReport:
    feed = crawl.offers.feed
    return CrawlReport(
        blog=crawl.known.blog,
        url=crawl.scope.root,
        run=run,
        title=feed.title if feed else None,
        ending=ending,
        stopped=stopped_by(crawl),
        home_failure=crawl.home_failure,
        feed=feed.url if feed else None,
        posts=posts,
        pages=len(crawl.seen),
        failures=failures,
    )
