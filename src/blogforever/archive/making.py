"""Put the crawl of one blog together: a walk through a new one, the update of a known one, and what its end writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from time import monotonic

from blogforever import clock
from blogforever.config import Config
from blogforever.crawl.completeness import TOO_OLD, by_post
from blogforever.crawl.crawl import BlogCrawl
from blogforever.crawl.postlimit import keys_of
from blogforever.crawl.statement import completeness, stopped_by
from blogforever.errors import RulesError
from blogforever.model import Failure, Need
from blogforever.pipeline.guard import StageGuard
from blogforever.pipeline.harvest import HarvestedPost
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits, limit_of_posts
from blogforever.pipeline.rendering import Rendering
from blogforever.pipeline.requisites import WithFiles
from blogforever.pipeline.since import moment_of
from blogforever.pipeline.unread import Unread
from blogforever.pipeline.withheld import Withheld
from blogforever.protocols import Lane, PageHandler
from blogforever.render.chromium import INSTALL
from blogforever.storage.values import GOES_ON
from blogforever.store.folder import ArchiveFolder
from blogforever.store.warcreader import WarcReader
from blogforever.update.rechecks import stamps
from blogforever.update.remembered import Remembered
from blogforever.urls import url_key
from blogforever.wording import kept_texts

from .fetchers import taken, warc_info
from .handed import handed_rules, learning
from .jobs import CrawlProgress, CrawlReport, Job, Read, Run, RunKeeper, Watched, Watcher, finished
from .joining import Home
from .kept import KeptBlog
from .ownpages import save_pages
from .past import Captures
from .saving import NewCrawl, save_walk
from .shortcut import shortcut_job
from .stages import Loaded
from .updating import read_since, update_job, young
from .versioning import (
    kept_addresses,
    outlined,
    remembered,
)

# Requests under way while walking, even where few are fetched at once: what is waiting costs a site
# nothing.
LEAST_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class CrawlSetting:
    """What all blogs of a crawl share; `able` says that pages can be drawn. A run that is rebuilt
    has its own time.
    """

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


def job_at(home: Home, place: CrawlSetting) -> Job:
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
    learn = guard.learn(learning(kept.locks(), handed_rules(archive, blog, url), blog))
    extract = guard.extract(stages.extract)
    erased = partial(archive.erased.hides, "url", blog=blog)
    tools = Tools(learn, extract, place.read, keeper, guard.comments(stages.comments), guard, erased)
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
    # A run that is rebuilt takes the long way: its answers lie in WARC files, and its posts are
    # read anyway.
    shortcut = shortcut_job(this, outline, place.watcher) if this.live else None
    return shortcut or update_job(remembered(this.archive, outline, place.now), this, place.watcher)


def _finish_marked(this: Run, unread: Unread, finish: Callable[[str], CrawlReport], ending: str) -> CrawlReport:
    """End a crawl after what failed was marked: the next one must not take it for seen."""
    this.archive.store.captures.mark_failed(this.blog, this.run, unread.failed)
    return finish(ending)


def new_crawl_job(url: str, this: Run, watcher: Watcher = lambda _crawl: None) -> Job:
    """The walk through a whole blog, ready to be fetched for."""
    archive, config, blog, run, since = this.archive, this.config, this.blog, this.run, this.since
    kept = kept_addresses(archive, blog) if config.max_posts else ()
    limits, from_day = _limits(config, this.live), read_since(config.since)
    crawl = BlogCrawl(url, blog, this.tools, limits, this.rendering, from_day, kept)
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
    return Job(Lane(handler, recorder, resumed, deadline, distrusted=this.distrusted, walks=True), finish)


def _need(kept: KeptBlog) -> Need | None:
    """What an earlier crawl found out about the browser; a rule file that cannot be read tells
    nothing.
    """
    try:
        rules = kept.rules()
    except RulesError:
        return None
    return rules.browser if rules else None


def _limits(config: Config, live: bool) -> CrawlLimits:
    at_once = max(LEAST_AT_ONCE, 2 * config.concurrency)
    limits = CrawlLimits(config.max_pages, config.max_time, config.max_total, config.max_posts, at_once=at_once)
    return replace(limits, order=config.frontier, misses_cost=live)


def _finish(archive: ArchiveFolder, job: NewCrawl, ending: str) -> CrawlReport:
    if ending in GOES_ON:
        job.crawl.read_what_came()
    harvested = job.crawl.harvest()
    # A page that could not be read is no post, though everything else speaks for one.
    found = [post for post in harvested.posts if not job.crawl.guard.why_not(post.url)]
    pages = save_pages(job, harvested.pages, found)
    found = _within_limit(job.crawl, _young(archive, job, found))
    statement = completeness(job.crawl, by_post(_names(archive, job, found)), ending, pages)
    statement = replace(statement, distrusted=job.this.distrusted)
    statement, fuller = save_walk(archive, job, found, statement)
    archive.store.runs.close(job.this.run, ending)
    archive.search.update(job.this.blog)
    report = _report(job.crawl, job.this.run, ending, statement.posts, job.this.keeper.failures)
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


def _within_limit(crawl: BlogCrawl, found: list[HarvestedPost]) -> list[HarvestedPost]:
    """With --max-posts, no more new posts than that; the others are there for the next crawl."""
    kept = crawl.posts.kept(found)
    urls = {post.url for post in kept}
    left = [post for post in found if post.url not in urls]
    if left:
        crawl.posts.reached = limit_of_posts(crawl.posts.most)
        crawl.reasons |= {key: crawl.posts.reached for post in left for key in keys_of(post)}
    return kept


def _names(archive: ArchiveFolder, job: NewCrawl, found: list[HarvestedPost]) -> Iterator[tuple[str, ...]]:
    """The addresses of each post that was captured, and of each that must not be."""
    yield from ((post.url, *post.aliases) for post in found)
    if archive.erased:
        announced = (url for urls in job.crawl.offers.announced.values() for url in urls.values())
        yield from ((url,) for url in announced if archive.erased.hides("url", url, job.this.blog))


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
