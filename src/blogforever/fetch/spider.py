"""One thin spider: asks, hands each answer to the PageHandler of its lane, follows what that returns."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from twisted.python.failure import Failure as TwistedFailure

from blogforever.discover.blocked import diagnose
from blogforever.errors import ArchiveError, BlogForeverError
from blogforever.model import Failure, Page
from blogforever.protocols import Answer, Ask, Lane, Ref, Renderer
from blogforever.urls import route_of

from .budget import SLOT
from .drawing import can_be_drawn, drawn_answer, drawn_before
from .hanging import Silent
from .limits import BrokenBody, CutOff, TooLarge, TooSlow
from .middlewares import PrivateAddress, TimeIsUp
from .robots import RobotsRefused, Unreachable
from .services import service_of
from .subrequests import Subrequests

REASONS: tuple[tuple[type | str, str], ...] = (
    (PrivateAddress, "private"),
    (RobotsRefused, "blocked by robots"),
    (TimeIsUp, "time limit"),
    (TooLarge, "too large"),
    (TooSlow, "timeout"),
    (Silent, "timeout"),
    (CutOff, "cut off"),
    (BrokenBody, "broken"),
    ("HeadTooLong", "endless headers"),
    ("DownloadTimeoutError", "timeout"),
    ("CannotResolveHostError", "no such host"),
    ("DownloadCancelledError", "too large"),
    ("ResponseDataLossError", "cut off"),
    (Unreachable, "connection"),
)
SILENCE = frozenset({"connection", "no such host", "timeout"})
LOST_AFTER, FEW = 15, 3
PATIENCE = 20.0
NOTHING_NEW = 304
FREE_OF_ROBOTS = frozenset({"robots", "requisite", "media"})
PAGES = frozenset({"home", "entry", "page"})


class BlogSpider(Spider):
    """Knows nothing about blogs; the handlers do."""

    name = "blogforever"

    def __init__(
        self,
        lanes: list[Lane],
        sizes: dict[str, int],
        read: Callable[[Ref], Page],
        renderer: Renderer | None = None,
        **named: Any,
    ) -> None:
        super().__init__(**named)
        self.lanes, self._sizes, self._read, self._renderer = lanes, sizes, read, renderer
        self._subrequests: Subrequests | None = None
        self.crash: BaseException | None = None

    async def start(self) -> AsyncIterator[Any]:
        """The handlers' first requests."""
        for lane in self.lanes:
            try:
                for request in self.asked(lane, lane.handler.start()):
                    yield request
            except Exception as error:
                self.stop(error)

    def asked(self, lane: Lane, asks: Iterable[Ask]) -> Iterator[Request]:
        """Each Ask as a Scrapy request, and the handler's next step where nothing is left to wait for."""
        waiting = deque(asks)
        while True:
            while waiting:
                ask = waiting.popleft()
                try:
                    request = self.request(lane, ask)
                except ValueError:
                    waiting += lane.handler.handle(Answer(ask, 0, failure=Failure(ask.url, "no address")))
                    continue
                lane.pending += 1
                yield request
            if lane.pending or lane.lost:
                return
            waiting.extend(lane.handler.idle())
            if not waiting:
                lane.done()
                return

    def request(self, lane: Lane, ask: Ask) -> Request:
        """One request; statuses and redirects are the handler's business."""
        meta: dict[str, Any] = {"ask": ask, "lane": lane}
        if ask.role in FREE_OF_ROBOTS:
            meta["free_of_robots"] = True
        if ask.role in self._sizes:
            meta["download_maxsize"] = self._sizes[ask.role]
        if service := service_of(urlsplit(ask.url).hostname or ""):
            meta[SLOT] = f"service:{service}"
        came = self.to_draw if ask.draw and self._renderer else self.answered
        headers = {"Referer": ask.via} if ask.via and _may_be_told(ask.via, ask.url) else {}
        if not ask.draw and not ask.body and (earlier := lane.earlier(ask.url)):
            meta["earlier"] = earlier.ref
            asked = {"If-None-Match": earlier.etag, "If-Modified-Since": earlier.modified}
            headers |= {name: value for name, value in asked.items() if value}
        if ask.body:
            headers["Content-Type"] = "application/json"
            meta["fresh"] = True
        return Request(
            ask.url,
            came,
            method="POST" if ask.body else "GET",
            body=ask.body,
            headers=headers or None,
            errback=self.failed,
            priority=ask.priority,
            dont_filter=True,
            meta=meta,
        )

    def answered(self, response: Response) -> Iterator[Request]:
        """A response came."""
        yield from self.follow(response.meta["lane"], self.answer(response))

    async def to_draw(self, response: Response) -> AsyncIterator[Request]:
        """A response came that a browser shall draw."""
        answer, lane = self.answer(response), response.meta["lane"]
        if known := drawn_before(answer, lane.resumed):
            answer = known
        elif self._renderer and can_be_drawn(answer) and not self.crash:
            self._subrequests = self._subrequests or Subrequests(self.crawler)
            serve = self._subrequests.of(lane, response.url)
            try:
                answer = await drawn_answer(answer, self._renderer, serve, lane.keep_drawn or lane.record)
            except Exception as error:
                self.stop(error)
            if self._subrequests.trouble:
                self.stop(self._subrequests.trouble)
        for request in self.follow(lane, answer):
            yield request

    def answer(self, response: Response) -> Answer:
        """A response for the handler; a page that only stands before the page is none."""
        meta = response.meta
        ask, lane = meta["ask"], meta["lane"]
        lane.silent = 0
        if response.status == NOTHING_NEW and meta.get("earlier"):
            return self.nothing_new(response)
        headers = {k.decode("latin-1").lower(): v[-1].decode("latin-1") for k, v in response.headers.items() if v}
        mark = route_of(ask.url)
        url = f"{response.url}#{mark}" if mark else response.url
        page = Page(url, response.body, headers, meta.get("captured") or meta.get("fetched"))
        if response.status == 200:
            lane.good = lane.good or response.url
        blocked = diagnose(page, response.status) if ask.role in PAGES else None
        if blocked:
            return Answer(ask, response.status, ref=meta.get("ref"), failure=blocked)
        return Answer(ask, response.status, page, headers.get("location"), meta.get("ref"))

    def nothing_new(self, response: Response) -> Answer:
        """The server says that an earlier response still holds: it is read again."""
        ask, earlier = response.meta["ask"], response.meta["earlier"]
        try:
            kept = self._read(earlier)
        except ArchiveError as error:
            return Answer(ask, response.status, failure=Failure(ask.url, "broken", str(error)))
        page = Page(response.url, kept.content, kept.headers, response.meta.get("fetched"))
        return Answer(ask, 200, page, ref=earlier, unchanged=True)

    async def failed(self, failure: TwistedFailure) -> AsyncIterator[Request]:
        """No response came; what is our own trouble ends the crawl, the rest is recorded."""
        error = failure.value
        if isinstance(error, BlogForeverError) or error is None:
            self.stop(error or RuntimeError("a failure without a cause"))
            return
        meta = failure.request.meta  # type: ignore[attr-defined]  # Scrapy puts the request there
        ask, lane = meta["ask"], meta["lane"]
        reason = reason_of(error)
        lane.silent = lane.silent + 1 if reason in SILENCE else lane.silent
        if lane.silent >= (FEW if lane.pending <= 1 else LOST_AFTER) and lane.good and not lane.lost:
            lane.lost = not await self.reachable(lane)
        for request in self.follow(lane, Answer(ask, 0, failure=Failure(ask.url, reason, str(error)[:300]))):
            yield request

    async def reachable(self, lane: Lane) -> bool:
        """Whether a page that once came still comes; if not, the network or the site is gone for now."""
        lane.silent = 0
        engine = self.crawler.engine
        meta = {"lane": lane, "free_of_robots": True, "dont_retry": True, "download_timeout": PATIENCE, "fresh": True}
        assert engine
        assert lane.good
        try:
            await engine.download_async(Request(lane.good, NO_CALLBACK, meta=meta, dont_filter=True, priority=1000))
        except Exception:  # whatever the download ends with, the page did not come
            return False
        return True

    def follow(self, lane: Lane, answer: Answer) -> Iterator[Request]:
        """Hand over the answer and ask what the handler wants next."""
        lane.pending -= 1
        if self.crash or lane.lost:
            return
        try:
            yield from self.asked(lane, lane.handler.handle(answer))
        except Exception as error:
            self.stop(error)

    def stop(self, error: BaseException) -> None:
        """Remember what went wrong and close."""
        self.crash = self.crash or error
        engine = self.crawler.engine
        if engine:
            self._closing = asyncio.ensure_future(engine.close_spider_async(reason="crash"))


def _may_be_told(via: str, url: str) -> bool:
    """Whether a server may know where its address was found: as browsers have it, not what was read in private."""
    return via.isascii() and (url.startswith("https:") or not via.startswith("https:"))


def reason_of(error: BaseException) -> str:
    """One word or two for why a page could not be had."""
    text = f"{type(error).__name__}: {error}"
    for sign, reason in REASONS:
        if isinstance(error, sign) if isinstance(sign, type) else sign in text:
            return reason
    return "refused" if isinstance(error, IgnoreRequest) else "connection"
