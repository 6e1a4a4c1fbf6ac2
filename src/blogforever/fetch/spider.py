"""One thin spider: asks, hands each answer to the PageHandler, follows what it returns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from blogforever.errors import BlogForeverError
from blogforever.model import Failure, Page
from blogforever.protocols import Answer, Ask, PageHandler

from .middlewares import PrivateAddress

REASONS = (
    (PrivateAddress, "private"),
    ("Forbidden by robots.txt", "robots"),
    ("DownloadTimeoutError", "timeout"),
    ("CannotResolveHostError", "no such host"),
    ("DownloadCancelledError", "too large"),
    ("exceeded", "too large"),
)


class BlogSpider(Spider):
    """Knows nothing about blogs; the handler does."""

    name = "blogforever"

    def __init__(self, handler: PageHandler, **named: Any) -> None:
        super().__init__(**named)
        self.handler = handler
        self.crash: BaseException | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **named: Any) -> BlogSpider:
        """As Scrapy makes it, with the idle signal wired."""
        spider = super().from_crawler(crawler, *args, **named)
        crawler.signals.connect(spider.idle, signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """The handler's first requests."""
        for request in self.requests(self.handler.start()):
            yield request

    def requests(self, asks: Any) -> Iterator[Request]:
        """Each Ask as a Scrapy request; the handler, not Scrapy, knows what was asked before."""
        for ask in asks:
            try:
                yield self.request(ask)
            except ValueError:
                self.logger.info("no request can be made of %s", ask.url)

    def request(self, ask: Ask) -> Request:
        """One request; statuses and redirects are the handler's business."""
        meta: dict[str, Any] = {"ask": ask, "handle_httpstatus_all": True}
        if ask.role == "robots":
            meta["dont_obey_robotstxt"] = True
        return Request(ask.url, self.answered, errback=self.failed, priority=ask.priority, dont_filter=True, meta=meta)

    def answered(self, response: Response) -> Iterator[Request]:
        """A response came."""
        meta = response.meta
        headers = {k.decode("latin-1").lower(): v[-1].decode("latin-1") for k, v in response.headers.items() if v}
        page = Page(response.url, response.body, headers, meta.get("captured") or meta.get("fetched"))
        yield from self.follow(Answer(meta["ask"], response.status, page, headers.get("location"), meta.get("ref")))

    def failed(self, failure: TwistedFailure) -> Iterator[Request]:
        """No response came; what is our own trouble ends the crawl, the rest is recorded."""
        error = failure.value
        if isinstance(error, BlogForeverError) or error is None:
            self.stop(error or RuntimeError("a failure without a cause"))
            return
        ask = failure.request.meta["ask"]  # type: ignore[attr-defined]  # Scrapy puts the request there
        yield from self.follow(Answer(ask, 0, failure=Failure(ask.url, reason_of(error), str(error)[:300])))

    def follow(self, answer: Answer) -> Iterator[Request]:
        """Hand over the answer and ask what the handler wants next."""
        try:
            asks = list(self.handler.handle(answer))
        except Exception as error:
            self.stop(error)
            return
        yield from self.requests(asks)

    def idle(self) -> None:
        """Everything is answered: a next step, or the end."""
        if self.crash:
            return
        try:
            asks = list(self.handler.idle())
        except Exception as error:
            self.stop(error)
            return
        engine = self.crawler.engine
        for request in self.requests(asks):
            if engine:
                engine.crawl(request)
        if asks:
            raise DontCloseSpider

    def stop(self, error: BaseException) -> None:
        """Remember what went wrong and close."""
        self.crash = self.crash or error
        engine = self.crawler.engine
        if engine:
            self._closing = asyncio.ensure_future(engine.close_spider_async(reason="crash"))


def reason_of(error: BaseException) -> str:
    """One word or two for why a page could not be had."""
    text = f"{type(error).__name__}: {error}"
    for sign, reason in REASONS:
        if isinstance(error, sign) if isinstance(sign, type) else sign in text:
            return reason
    return "refused" if isinstance(error, IgnoreRequest) else "connection"
