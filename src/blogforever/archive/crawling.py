"""Crawl a blog into the archive, live or from WARC files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from blogforever.config import Config
from blogforever.errors import OWN_TROUBLE, UsageError
from blogforever.fetch.replay import ReplayFetcher
from blogforever.logs import logger
from blogforever.protocols import Fetcher, Lane, Renderer
from blogforever.render.chromium import INSTALL, lacking
from blogforever.source.address import read_address
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.store.unfinished import Plan
from blogforever.store.warcreader import WarcReader

from .fetchers import live_fetcher, renderer, replay_notes, replayed_pages
from .jobs import CrawlProgress, CrawlReport, Job, Watcher
from .joining import Home, settle
from .making import CrawlSetting, job_at
from .opening import finish_erasures, open_archive, unfinished, write_to
from .scouting import Known, Scouted
from .stages import Loaded, hand_over, load_stages, switched
from .surveying import locate, scout_of
from .versioning import known_blogs

if TYPE_CHECKING:
    from blogforever.fetch.engine import LiveFetcher

# How a crawl ended that a fault of ours has ended.
CRASHED = "crashed"
log = logger("archive")

__all__ = ["CrawlProgress", "CrawlReport", "check", "crawl_blog", "crawl_blogs", "write_run"]


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


def crawl_blogs(
    typed: Iterable[str],
    config: Config,
    watcher: Watcher = lambda _crawl: None,
    finished: Callable[[CrawlReport], None] = lambda _report: None,
) -> list[CrawlReport]:
    """Harvest blogs into the archive, all at once over the network, one after the other out of WARC
    files; `finished` hears of each that is done while others go on.
    """
    typed = list(typed)
    config, stages = switched(config), load_stages(config)
    check(typed, config)
    replayed = replayed_pages(config)
    archive = open_archive(config.archive, writing=True, min_free=config.min_free, wait=config.wait)
    with archive, _settled(archive, typed, config, replayed) as (homes, scouted):
        touched = _touched(homes, scouted)
        fetcher, setting = set_up(config, stages, archive, replayed, watcher)
        expect_erased(archive, touched)
        reports = _crawl_homes(homes, scouted, fetcher, setting, finished)
        lines = (line for report in reports for line in archive.exported(report.run, pages=config.pages))
        hand_over(stages.back_end, map(json.loads, lines))
        again = unfinished(archive) & touched
    if again:
        finish_erasures(config.archive, again, config.wait)
    return reports


def set_up(
    config: Config, stages: Loaded, archive: ArchiveFolder, replayed: WarcReader | None, watcher: Watcher
) -> tuple[Fetcher, CrawlSetting]:
    """Where pages come from, the network or somebody's files, and what all blogs of the crawl
    share.
    """
    if replayed is None:
        return set_up_live(config, stages, archive, watcher)
    draws = _drawing(config, stages)
    fetcher = ReplayFetcher(replayed, draws, archive.reader())
    able = draws is not None or replayed.has_drawn
    setting = CrawlSetting(config, stages, archive, fetcher.read, watcher, able)
    return fetcher, replace(setting, files=replayed, has_files=replayed.has_files)


def set_up_live(
    config: Config, stages: Loaded, archive: ArchiveFolder, watcher: Watcher
) -> tuple[LiveFetcher, CrawlSetting]:
    """The same, where pages come from the network."""
    draws = _drawing(config, stages)
    fetcher = live_fetcher(config, archive.reader(), draws)
    return fetcher, CrawlSetting(config, stages, archive, fetcher.read, watcher, able=draws is not None)


def _drawing(config: Config, stages: Loaded) -> Callable[[], Renderer] | None:
    """Makes what pages are drawn in: somebody's own, our browser, or nothing."""
    return (stages.render if config.render != "never" else None) or renderer(config)


def _crawl_homes(
    homes: list[Home],
    scouted: Scouted,
    fetcher: Fetcher,
    setting: CrawlSetting,
    finished: Callable[[CrawlReport], None],
) -> list[CrawlReport]:
    """Crawl each blog once, by the first address that was given for it."""
    archive, config = setting.archive, setting.config
    settled = {home.blog: home for home in reversed(homes)}
    jobs = _jobs_at(homes, settled, scouted, setting)
    for job in jobs.values():
        job.told = finished
    archive.tell_crawled(settled)
    endings = _run_all(fetcher, [job.lane for job in jobs.values()])
    reports = [
        report_of(job, ending, settled[blog], archive)
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


def _jobs_at(homes: list[Home], settled: dict[str, Home], scouted: Scouted, setting: CrawlSetting) -> dict[str, Job]:
    """The crawls of the blogs, which have what was fetched to find their homes."""
    archive = setting.archive
    jobs = {home.blog: job_at(home, setting) for home in reversed(settled.values())}
    for blog, job in jobs.items():
        keep_scouted(archive, scouted, [home for home in homes if home.blog == blog], job)
        job.save_when_done()
    for blog in scouted.names():
        keep_asked(archive, scouted, blog)
    return jobs


def _run_all(fetcher: Fetcher, lanes: list[Lane]) -> list[str]:
    """How each crawl ended; a fault in one costs none of the others what they brought."""
    try:
        return fetcher.run(lanes)
    except OWN_TROUBLE:
        raise
    except Exception:
        # A fault that a lane has noted is told in the report of its blog; any other is not ours to
        # hide.
        if not any(lane.fault for lane in lanes):
            raise
        return [lane.ending for lane in lanes]


def report_of(job: Job, ending: str, home: Home, archive: ArchiveFolder) -> CrawlReport:
    """What a crawl did; of one that a fault of ours ended, that it did. Its run stays open for the
    next crawl.
    """
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
    """Where each crawl begins and of which blog, with what was fetched to find that out; nobody
    else writes them.

    Who had to wait for a blog looks again: it was crawled meanwhile, and what was fetched before is
    no answer of today.
    """
    archive.check_room()
    waited = True
    while waited:
        with Scouted() as scouted:
            known, scout = known_blogs(archive), scout_of(config, replayed, scouted)
            given = map(read_address, typed)
            urls = {known.get(address) or locate(address, scout): address for address in given}
            homes = settle(archive, urls, scout)
            waited = write_to(archive, _touched(homes, scouted))
            if not waited:
                yield homes, scouted


def _touched(homes: list[Home], scouted: Scouted) -> set[str]:
    """The blogs of which something is written: those that are crawled, and those that were asked if
    they are there.
    """
    return {home.blog for home in homes} | (scouted.names() - {url for home in homes for url in home.looked_at})


def keep_scouted(archive: ArchiveFolder, scouted: Scouted, homes: Iterable[Home], job: Job) -> None:
    """What was fetched to find out which blog this is goes to its WARC files, and is not fetched
    again.
    """
    if job.lane.record:
        names = {name: None for home in homes for name in (*home.looked_at, home.blog)}
        places = scouted.hand_over(names, job.lane.record)
        job.lane.resumed = Known(places, archive.reader(), job.lane.resumed)


def keep_asked(archive: ArchiveFolder, scouted: Scouted, blog: str) -> None:
    """Keep what a blog answered that was only asked whether it is still there: it is no crawl of
    it.
    """
    scouted.hand_over([blog], archive.recorder(blog, archive.store.runs.last(blog), {}, conditions=False))


def expect_erased(archive: ArchiveFolder, blogs: Iterable[str]) -> None:
    """What was erased comes back with feeds and lists: however this crawl ends, it must be erased
    again.
    """
    for blog in blogs:
        if archive.erased.mark(blog):
            archive.unfinished.begin(Plan(blog, "renew", moment()))


def write_run(config: Config, run: int) -> Iterator[str]:
    """JSON lines of the records one run captured or changed; the blog's own pages only where they
    are wished for.
    """
    with open_archive(config.archive, writing=False) as archive:
        yield from archive.exported(run, pages=config.pages)
