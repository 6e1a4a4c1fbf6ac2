"""Scrapy as a downloader that stays: opened once, it answers for any number of crawls until it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from scrapy import Request, Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from blogforever.errors import BlogForeverError
from blogforever.model import Failure, Page
from blogforever.protocols import Answer, Ask, Lane, Ref, Renderer

from .answers import answer_of, failed
from .asking import look_again, request_of
from .drawing import can_be_drawn, drawn_answer, drawn_before
from .subrequests import Subrequests


class StandingSpider(Spider):
    """Asks nothing by itself: it only keeps Scrapy's engine open, which closes with the spider."""

    name = "blogforever"

    def __init__(self, ready: asyncio.Event, **named: Any) -> None:
        super().__init__(**named)
        self._ready = ready

    async def start(self) -> AsyncIterator[Request]:
        """Say that the engine runs, then wait until Scrapy ends this: as long as it is not over,
        nothing closes.
        """
        self._ready.set()
        await asyncio.Event().wait()
        yield Request("about:blank")  # never reached: it makes this the generator that Scrapy wants


class Downloads:
    """Answers Asks over the network: guarded, polite, recorded by the middlewares of these
    settings.
    """

    def __init__(
        self,
        settings: Settings,
        read: Callable[[Ref], Page],
        sizes: dict[str, int],
        renderer: Renderer | None,
    ) -> None:
        """`sizes` are limits of bodies by role.

        `renderer` belongs to this loop and is closed with the rest.
        """
        self._read, self._sizes, self._renderer = read, sizes, renderer
        self._crawler = Crawler(StandingSpider, settings)
        self._subrequests = Subrequests(self._crawler)
        self._running: asyncio.Future[None] | None = None

    async def open(self) -> None:
        """Until requests can be made."""
        ready = asyncio.Event()
        self._running = asyncio.ensure_future(self._crawler.crawl_async(ready=ready))
        is_ready = asyncio.ensure_future(ready.wait())
        await asyncio.wait({self._running, is_ready}, return_when=asyncio.FIRST_COMPLETED)
        is_ready.cancel()
        if self._running.done():
            # It could not even begin: what is wrong is raised here.
            await self._running

    async def close(self) -> None:
        """Until everything that is under way has ended, and all that was started is given back."""
        try:
            if self._running:
                await self._crawler.stop_async()
                await self._running
        finally:
            if self._renderer:
                await self._renderer.close()

    async def answer(self, lane: Lane, ask: Ask) -> Answer:
        """What comes back for this.

        What cannot be had is the failure of one page, our own trouble is raised.
        """
        try:
            request = request_of(lane, ask, self._sizes.get(ask.role))
        except ValueError:
            return Answer(ask, 0, failure=Failure(ask.url, "no address"))
        try:
            response = await self._engine.download_async(request)
        except BlogForeverError:
            raise
        except Exception as error:  # whatever it is, it concerns this one address
            return failed(ask, error)
        answer = answer_of(ask, response, self._read)
        if self._renderer is None or not can_be_drawn(answer):
            return answer
        earlier = drawn_before(answer, lane.resumed)
        return earlier or await self._drawn(answer, self._renderer, lane)

    async def reachable(self, lane: Lane, url: str) -> bool:
        """Whether a page that once came still comes.

        If not, the network or the site is gone for now.
        """
        try:
            await self._engine.download_async(look_again(lane, url))
        except Exception:  # whatever the download ends with, the page did not come
            return False
        return True

    async def _drawn(self, answer: Answer, renderer: Renderer, lane: Lane) -> Answer:
        assert answer.page is not None
        loaded = self._subrequests.of(lane, answer.page.url.partition("#")[0])
        drawn = await drawn_answer(answer, renderer, loaded, lane.keep_drawn or lane.record)
        if loaded.trouble:
            raise loaded.trouble
        return drawn

    @property
    def _engine(self) -> ExecutionEngine:
        engine = self._crawler.engine
        assert engine
        return engine
