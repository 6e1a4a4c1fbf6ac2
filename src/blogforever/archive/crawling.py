"""Crawl a blog into the archive, live or from WARC files."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.extract.post import extract_post
from blogforever.fetch.replay import ReplayFetcher
from blogforever.learn import learn_rules
from blogforever.learn.rulefile import dump_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.crawl import BlogCrawl, Limits, Tools
from blogforever.pipeline.harvest import Found, harvest
from blogforever.pipeline.home import describe_home
from blogforever.pipeline.record import blog_record, other_addresses, post_id
from blogforever.protocols import Answer, Ask, Fetcher, PageHandler, Record, Ref
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


def crawl_blog(typed: str, config: Config, watcher: Watcher = lambda _crawl: None) -> Report:
    """Harvest one blog into the archive; an interrupted earlier run is continued."""
    check([typed], config)
    url = read_address(typed)
    replayed = WarcReader([Path(path) for path in config.replay]) if config.replay else None
    with ArchiveFolder(config.archive, writing=True) as archive:
        blog = blog_name(url)
        run, since = archive.records.open_run(blog)
        archive.records.forget_failures(run)
        fetcher = ReplayFetcher(replayed) if replayed is not None else _live(config, archive, blog, run, since)
        keeper = _Keeper(archive, run, blog)
        crawl = BlogCrawl(
            url,
            blog,
            Tools(learn_rules, extract_post, fetcher.read, keeper),
            Limits(config.max_pages, config.max_time),
        )
        handler: PageHandler = _Watched(crawl, watcher)
        ending = fetcher.run(handler)
        found = harvest(list(crawl.seen.values()), crawl.known.rules)
        _save(archive, run, crawl, found, fetcher.read)
        archive.records.close_run(run, ending)
        report = _report(crawl, run, ending, len(found), keeper.failures)
        report.resumed = since is not None
    return report


def write_run(config: Config, run: int) -> Iterator[str]:
    """JSON lines of the records one run captured or changed."""
    with ArchiveFolder(config.archive, writing=False) as archive:
        yield from archive.records.export(run)


def _live(config: Config, archive: ArchiveFolder, blog: str, run: int, since: str | None) -> Fetcher:
    from blogforever.fetch.engine import LiveFetcher, user_agent  # noqa: PLC0415  Scrapy is heavy, and a replay needs none of it

    agent = user_agent(config.contact, version("blogforever"))
    info = {
        "software": f"blogforever/{version('blogforever')} Python/{platform.python_version()}",
        "format": "WARC File Format 1.1",
        "robots": "obey",
        "http-header-user-agent": agent,
        "operator": config.contact,
    }
    resumed = archive.captured_since(blog, since) if since else None
    return LiveFetcher(config, agent, archive.recorder(blog, run, info), archive.reader(), resumed)


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
