"""Crawl a blog into the archive, live or from WARC files."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.extract.post import extract_post
from blogforever.fetch.policy import Policies
from blogforever.fetch.replay import ReplayFetcher
from blogforever.learn import learn_rules
from blogforever.learn.rulefile import dump_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.crawl import BlogCrawl, Limits, Tools
from blogforever.pipeline.harvest import Found, harvest
from blogforever.pipeline.home import describe_home
from blogforever.pipeline.record import blog_record, other_addresses, post_id
from blogforever.protocols import Answer, Ask, Fetcher, Lane, PageHandler, Record, Ref
from blogforever.source.address import blog_name, read_address
from blogforever.store.folder import ArchiveFolder
from blogforever.store.warcreader import WarcReader

Watcher = Callable[[BlogCrawl], None]
Read = Callable[[Ref], Page]


@dataclass(slots=True)
class Report:
    """What one crawl did, in numbers and in the words of its summary."""

    blog: str
    url: str
    run: int
    title: str | None = None
    ending: str = "finished"
    stopped: str | None = None
    home_failure: str | None = None
    feed: str | None = None
    announced: int = 0
    posts: int = 0
    pages: int = 0
    failures: int = 0
    missing: dict[str, str] = field(default_factory=dict)
    resumed: bool = False

    @property
    def complete(self) -> bool:
        """Whether every post the feed announces was captured."""
        return not self.missing and self.ending == "finished" and not self.stopped


class _Keeper:
    """Puts what a crawl finds into the records of its run."""

    def __init__(self, archive: ArchiveFolder, run: int, blog: str) -> None:
        self._records, self._run, self._blog = archive.records, run, blog
        self.failures = 0

    def keep(self, url: str, record: dict[str, Any]) -> None:
        self._records.add_candidate(self._run, url, record)

    def fail(self, failure: Failure) -> None:
        self.failures += 1
        self._records.add_failure(self._run, self._blog, failure)


class _Watched:
    """A handler that tells somebody after each answer."""

    def __init__(self, crawl: BlogCrawl, watcher: Watcher) -> None:
        self.start, self.idle = crawl.start, crawl.idle
        self._crawl, self._watcher = crawl, watcher

    def handle(self, answer: Answer) -> list[Ask]:
        asks = list(self._crawl.handle(answer))
        self._watcher(self._crawl)
        return asks


def check(typed: Iterable[str], config: Config) -> None:
    """Refuse what this version cannot do and what is no address, before anything is fetched."""
    for address in typed:
        read_address(address)
    if config.render == "always":
        raise UsageError("This version draws no pages in a browser; use --render never or auto.")


@dataclass(slots=True)
class _Job:
    """One blog of a crawl: its run in the archive, what is known of it while it goes on."""

    url: str
    blog: str
    run: int
    since: str | None
    keeper: _Keeper
    crawl: BlogCrawl
    lane: Lane


def crawl_blog(typed: str, config: Config, watcher: Watcher = lambda _crawl: None) -> Report:
    """Harvest one blog into the archive; an interrupted earlier run is continued."""
    return crawl_blogs([typed], config, watcher)[0]


def crawl_blogs(typed: Iterable[str], config: Config, watcher: Watcher = lambda _crawl: None) -> list[Report]:
    """Harvest blogs into the archive, all at once over the network, one after the other out of WARC files."""
    typed = list(typed)
    check(typed, config)
    urls = {blog_name(url): url for url in map(read_address, reversed(typed))}
    replayed = WarcReader([Path(path) for path in config.replay]) if config.replay else None
    with ArchiveFolder(config.archive, writing=True) as archive:
        fetcher = ReplayFetcher(replayed) if replayed is not None else _live(config, archive)
        jobs = [_job(url, blog, config, archive, fetcher.read, watcher) for blog, url in reversed(urls.items())]
        endings = fetcher.run([job.lane for job in jobs])
        return [_finish(archive, job, ending, fetcher.read) for job, ending in zip(jobs, endings, strict=True)]


def _job(url: str, blog: str, config: Config, archive: ArchiveFolder, read: Read, watcher: Watcher) -> _Job:
    run, since = archive.records.open_run(blog)
    archive.records.forget_failures(run)
    keeper = _Keeper(archive, run, blog)
    tools = Tools(learn_rules, extract_post, read, keeper)
    crawl = BlogCrawl(url, blog, tools, Limits(config.max_pages, config.max_time))
    handler: PageHandler = _Watched(crawl, watcher)
    if config.replay:
        return _Job(url, blog, run, since, keeper, crawl, Lane(handler))
    resumed = archive.captured_since(blog, since) if since else None
    deadline = monotonic() + config.max_time if config.max_time else None
    lane = Lane(handler, archive.recorder(blog, run, _info(config, url)), resumed, deadline)
    return _Job(url, blog, run, since, keeper, crawl, lane)


def _finish(archive: ArchiveFolder, job: _Job, ending: str, read: Read) -> Report:
    found = harvest(list(job.crawl.seen.values()), job.crawl.known.rules)
    _save(archive, job.run, job.crawl, found, read)
    archive.records.close_run(job.run, ending)
    archive.search.update()
    report = _report(job.crawl, job.run, ending, len(found), job.keeper.failures)
    report.resumed = job.since is not None
    return report


def write_run(config: Config, run: int) -> Iterator[str]:
    """JSON lines of the records one run captured or changed."""
    with ArchiveFolder(config.archive, writing=False) as archive:
        yield from archive.records.export(run)


def _live(config: Config, archive: ArchiveFolder) -> Fetcher:
    from blogforever.fetch.engine import LiveFetcher  # noqa: PLC0415  Scrapy is heavy, and a replay needs none of it

    return LiveFetcher(config, user_agent(config.contact, version("blogforever")), archive.reader())


def user_agent(contact: str, number: str) -> str:
    """Says who we are and whom to ask; an operator who gives no contact is not given one."""
    return f"blogforever/{number} (+{contact})" if contact else f"blogforever/{number} (archiving crawler)"


def _info(config: Config, url: str) -> dict[str, str]:
    """What the WARC says of itself: who made it, with what, and by which rules."""
    number = version("blogforever")
    policy = Policies(config.policy).of(url)
    robots = "ignored" if policy and policy.robots == "ignore" else "obeyed (RFC 9309) for pages"
    info = {
        "software": f"blogforever/{number} Python/{platform.python_version()}",
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "isPartOf": url,
        "robots": robots,
        "http-header-user-agent": user_agent(config.contact, number),
        "operator": config.contact,
        "description": policy.note if policy else "",
    }
    return {name: value for name, value in info.items() if value}


def _home_facts(read: Read, crawl: BlogCrawl) -> Record:
    return describe_home(read(crawl.home_ref), crawl.offers.feed) if crawl.home_ref else {}


def _save(archive: ArchiveFolder, run: int, crawl: BlogCrawl, found: list[Found], read: Read) -> None:
    """The final record of every post, the blog's own record, and its rules."""
    blog = crawl.known.blog
    saved = 0
    for post in found:
        record = archive.records.candidate(run, post.url)
        if record is not None:
            record |= {"id": post_id(blog, post.url), "aliases": other_addresses(record["url"], post.aliases)}
            archive.records.save_post(run, record)
            saved += 1
    offers = crawl.offers
    facts = _home_facts(read, crawl) | {
        "feeds": list(dict.fromkeys(feed.url for feed in offers.feeds)),
        "sitemap": offers.sitemaps,
        "posts": saved,
        "completeness": {
            "announced": len(offers.feed.entries) if offers.feed else None,
            "missing": [{"url": url, "reason": reason} for url, reason in crawl.missing.items()],
            "stopped_by": crawl.stopped,
        },
    }
    if crawl.seen:
        archive.records.save_blog(blog_record(blog, crawl.scope.root, offers.feed, facts))
    if crawl.known.rules is not None:
        archive.write_rules(blog, dump_rules(crawl.known.rules))


def _report(crawl: BlogCrawl, run: int, ending: str, posts: int, failures: int) -> Report:
    feed = crawl.offers.feed
    return Report(
        blog=crawl.known.blog,
        url=crawl.scope.root,
        run=run,
        title=feed.title if feed else None,
        ending=ending,
        stopped=crawl.stopped,
        home_failure=crawl.home_failure,
        feed=feed.url if feed else None,
        announced=len(feed.entries) if feed else 0,
        posts=posts,
        pages=len(crawl.seen),
        failures=failures,
        missing=crawl.missing,
    )
