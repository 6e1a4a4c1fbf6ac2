"""Starts and stops a live crawl: options to Scrapy settings, one event loop for all crawls of a process."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from threading import Thread
from typing import Any

from scrapy.crawler import AsyncCrawlerRunner
from scrapy.settings import Settings
from twisted.internet import asyncioreactor

from blogforever.config import Config
from blogforever.model import Page
from blogforever.protocols import PageHandler, Recorder, Ref, ResponseReader

from .guard import GuardedResolver
from .interrupt import Interrupt
from .spider import BlogSpider


def user_agent(contact: str, version: str) -> str:
    """Says who we are and whom to ask; an operator who gives no contact is not given one."""
    return f"blogforever/{version} (+{contact})" if contact else f"blogforever/{version} (archiving crawler)"


class LiveFetcher:
    """Brings pages from the network, politely and safely; every response goes to the recorder first."""

    def __init__(
        self, config: Config, agent: str, recorder: Recorder, reader: ResponseReader, resumed: ResponseReader | None
    ) -> None:
        self._config, self._agent, self._recorder = config, agent, recorder
        self._reader, self._resumed = reader, resumed

    def run(self, handler: PageHandler) -> str:
        """Crawl until the handler is satisfied, somebody interrupts, or something breaks."""
        loop, guard = _reactor()
        guard.refused.clear()
        guard.allow_private = self._config.allow_private
        return loop.run_until_complete(self._crawl(loop, guard, handler))

    def read(self, ref: Ref) -> Page:
        """A response read again from the archive."""
        return self._reader.response(ref)[1]

    async def _crawl(self, loop: asyncio.AbstractEventLoop, guard: GuardedResolver, handler: PageHandler) -> str:
        settings = make_settings(self._config, self._agent)
        settings.setdict(
            {
                "BLOGFOREVER_RECORDER": self._recorder,
                "BLOGFOREVER_RESUMED": self._resumed,
                "BLOGFOREVER_REFUSED": guard.refused,
            }
        )
        runner = AsyncCrawlerRunner(settings)
        crawler = runner.create_crawler(BlogSpider)

        def stop() -> None:
            loop.call_soon_threadsafe(lambda: asyncio.ensure_future(crawler.stop_async()))

        with Interrupt(stop) as interrupt:
            # Shielded: cancelling the wait would return while the crawl goes on.
            await asyncio.shield(runner.crawl(crawler, handler=handler))
        spider = crawler.spider
        if isinstance(spider, BlogSpider) and spider.crash:
            raise spider.crash
        return "interrupted" if interrupt.asked else "finished"


def make_settings(config: Config, agent: str) -> Settings:
    """Our options in Scrapy's words."""
    here = "blogforever.fetch.middlewares"
    return Settings(
        {
            "USER_AGENT": agent,
            "ROBOTSTXT_OBEY": True,
            "ROBOTSTXT_USER_AGENT": "blogforever",
            "DOWNLOAD_DELAY": config.delay,
            "CONCURRENT_REQUESTS_PER_DOMAIN": max(1, config.concurrency),
            "AUTOTHROTTLE_ENABLED": config.delay > 0,
            "AUTOTHROTTLE_START_DELAY": config.delay,
            "AUTOTHROTTLE_TARGET_CONCURRENCY": float(max(1, config.concurrency)),
            "DOWNLOAD_TIMEOUT": config.timeout,
            "DOWNLOAD_MAXSIZE": config.max_size,
            "DOWNLOAD_WARNSIZE": 0,
            "RETRY_TIMES": config.retries,
            "REDIRECT_ENABLED": False,
            "METAREFRESH_ENABLED": False,
            "HTTPPROXY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOGSTATS_INTERVAL": 0,
            "CONCURRENT_ITEMS": 1,
            "HTTPERROR_ALLOW_ALL": True,
            "LOG_ENABLED": False,
            "EXTENSIONS": {"scrapy.extensions.corestats.CoreStats": None, "scrapy.extensions.logcount.LogCount": None},
            "DOWNLOADER_MIDDLEWARES": {
                f"{here}.Guard": 10,
                f"{here}.Resumed": 20,
                "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                f"{here}.Robots": 100,
                f"{here}.Recording": 650,
            },
        }
    )


@cache
def _reactor() -> tuple[asyncio.AbstractEventLoop, Any]:
    """One event loop with Twisted on it, for every crawl of this process."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)  # type: ignore[no-untyped-call]  # Twisted has not typed it
    from twisted.internet import reactor as installed  # noqa: PLC0415  exists only now

    reactor: Any = installed
    guard = GuardedResolver(reactor.nameResolver)
    reactor.installNameResolver(guard)
    # Name look-ups run in threads; they must not keep the process alive when everything else is done.
    reactor.getThreadPool().threadFactory = partial(Thread, daemon=True)
    reactor.startRunning(installSignalHandlers=False)
    return loop, guard
