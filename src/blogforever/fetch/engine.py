"""Starts and stops a live crawl: options to Scrapy settings, one event loop for all crawls of a process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache, partial
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from scrapy.crawler import AsyncCrawlerRunner
from scrapy.settings import Settings
from scrapy.utils.url import add_http_if_no_scheme
from twisted.internet import asyncioreactor

from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.model import Page
from blogforever.protocols import Lane, Ref, Renderer, ResponseReader

from .certificates import Certificates
from .guard import GuardedResolver, Names
from .interrupt import Interrupt
from .policy import Policies
from .spider import BlogSpider

HERE = "blogforever.fetch"
USUAL_PORTS = {"http": 80, "https": 443}
ACCEPTED = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en",
    "Accept-Encoding": "gzip, deflate",  # what every reader of WARC files can unpack; Brotli and Zstandard are not
}
UNUSED = (
    *("httperror.HttpErrorMiddleware", "referer.RefererMiddleware", "urllength.UrlLengthMiddleware"),
    *("depth.DepthMiddleware", "metacopy.MetaCopyDetectionMiddleware", "start.StartSpiderMiddleware"),
)

REPLACED = (
    "offsite.OffsiteMiddleware",
    "robotstxt.RobotsTxtMiddleware",
    "httpcompression.HttpCompressionMiddleware",
    "httpauth.HttpAuthMiddleware",
    "stats.DownloaderStats",
    "downloadtimeout.DownloadTimeoutMiddleware",
)
"""Middlewares of Scrapy that ours stand for."""


class LiveFetcher:
    """Brings pages from the network, politely and safely; every response goes to the recorder first."""

    def __init__(
        self, config: Config, agent: str, reader: ResponseReader, renderer: Callable[[], Renderer] | None = None
    ) -> None:
        self._config, self._agent, self._reader, self._renderer = config, agent, reader, renderer

    def run(self, lanes: list[Lane]) -> list[str]:
        """Crawl until all handlers are satisfied, somebody interrupts, or something breaks; how each crawl ended."""
        loop, names = _reactor()
        names.forget()
        names.allow_private = self._config.allow_private
        names.proxy = proxy_place(self._config.proxy) if self._config.proxy else None
        return loop.run_until_complete(self._crawl(loop, names, lanes))

    def read(self, ref: Ref) -> Page:
        """A response read again from the archive."""
        return self._reader.response(ref)[1]

    async def _crawl(self, loop: asyncio.AbstractEventLoop, names: Names, lanes: list[Lane]) -> list[str]:
        settings = make_settings(self._config, self._agent)
        settings.setdict(
            {
                "BLOGFOREVER_NAMES": names,
                "BLOGFOREVER_CERTIFICATES": Certificates(self._config.insecure),
                "BLOGFOREVER_READER": self._reader,
                "CONCURRENT_REQUESTS": max(16, 4 * len(lanes)),
            }
        )
        runner = AsyncCrawlerRunner(settings)
        crawler = runner.create_crawler(BlogSpider)

        def stop() -> None:
            loop.call_soon_threadsafe(lambda: asyncio.ensure_future(crawler.stop_async()))

        sizes = {"media": self._config.max_media_size}
        renderer = self._renderer() if self._renderer else None
        try:
            with Interrupt(stop) as interrupt:
                # Shielded: cancelling the wait would return while the crawl goes on.
                await asyncio.shield(runner.crawl(crawler, lanes=lanes, sizes=sizes, read=self.read, renderer=renderer))
        finally:
            if renderer:
                await renderer.close()
        spider = crawler.spider
        if isinstance(spider, BlogSpider) and spider.crash:
            raise spider.crash
        return ["interrupted" if interrupt.asked else "lost" if lane.lost else "finished" for lane in lanes]


def proxy_place(proxy: str) -> tuple[str, int]:
    """Host and port of a proxy; as Scrapy has it, http where no scheme is given."""
    try:
        parts = urlsplit(add_http_if_no_scheme(proxy))
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host:
        raise UsageError(f"--proxy {proxy!r} is not the address of a proxy.")
    return host.lower(), port or USUAL_PORTS[parts.scheme]


def make_settings(config: Config, agent: str) -> Settings:
    """Our options in Scrapy's words."""
    return Settings(
        {
            "USER_AGENT": agent,
            "BLOGFOREVER_POLICIES": Policies(config.policy),
            "BLOGFOREVER_PROXY": config.proxy,
            "BLOGFOREVER_COOKIES": config.cookies,
            "DEFAULT_REQUEST_HEADERS": ACCEPTED,
            "DOWNLOAD_DELAY": config.delay,
            "CONCURRENT_REQUESTS_PER_DOMAIN": max(1, config.concurrency),
            "AUTOTHROTTLE_ENABLED": config.delay > 0,
            "AUTOTHROTTLE_START_DELAY": config.delay,
            "AUTOTHROTTLE_TARGET_CONCURRENCY": float(max(1, config.concurrency)),
            "DOWNLOAD_TIMEOUT": config.timeout,
            "DOWNLOAD_MAXSIZE": config.max_size,
            "DOWNLOAD_WARNSIZE": 0,
            "DOWNLOAD_FAIL_ON_DATALOSS": False,
            "DOWNLOAD_HANDLERS": {
                **dict.fromkeys(("http", "https"), f"{HERE}.limits.BoundedHandler"),
                **dict.fromkeys(("data", "file", "ftp", "s3")),
            },
            "RETRY_TIMES": config.retries,
            "ROBOTSTXT_OBEY": False,
            "REDIRECT_ENABLED": False,
            "METAREFRESH_ENABLED": False,
            "HTTPPROXY_ENABLED": bool(config.proxy),
            "TELNETCONSOLE_ENABLED": False,
            "LOGSTATS_INTERVAL": 0,
            "CONCURRENT_ITEMS": 1,
            "LOG_ENABLED": False,
            # What Scrapy counts, checks and adds for other spiders costs time at every page; nobody reads it here.
            "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
            "WARN_ON_GENERATOR_RETURN_VALUE": False,
            "SPIDER_MIDDLEWARES": dict.fromkeys(f"scrapy.spidermiddlewares.{name}" for name in UNUSED),
            "EXTENSIONS": {
                "scrapy.extensions.corestats.CoreStats": None,
                "scrapy.extensions.logcount.LogCount": None,
                "scrapy.extensions.throttle.AutoThrottle": None,
                f"{HERE}.budget.Throttle": 0,
                f"{HERE}.limits.BodyLimits": 0,
            },
            "DOWNLOADER_MIDDLEWARES": {
                f"{HERE}.middlewares.Resumed": 10,
                f"{HERE}.middlewares.AddressGuard": 20,
                f"{HERE}.access.Access": 30,
                f"{HERE}.budget.ServiceBudget": 40,
                **dict.fromkeys(f"scrapy.downloadermiddlewares.{name}" for name in REPLACED),
                f"{HERE}.robots.Robots": 100,
                f"{HERE}.patience.Patience": 560,
                f"{HERE}.limits.Unpack": 590,
                f"{HERE}.middlewares.Recording": 790,
                f"{HERE}.hanging.Hanging": 795,
            },
        }
    )


@cache
def _reactor() -> tuple[asyncio.AbstractEventLoop, Names]:
    """One event loop with Twisted on it, for every crawl of this process."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)  # type: ignore[no-untyped-call]  # Twisted has not typed it
    from twisted.internet import reactor as installed  # noqa: PLC0415  exists only now

    reactor: Any = installed
    names = Names()
    reactor.installNameResolver(GuardedResolver(names))
    # Name look-ups run in threads; they must not keep the process alive when everything else is done.
    reactor.getThreadPool().threadFactory = partial(Thread, daemon=True)
    reactor.startRunning(installSignalHandlers=False)
    return loop, names
