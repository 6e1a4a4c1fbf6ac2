"""A Renderer with real browsers: a few contexts at a time, one for each page, always given back.

The browser has no network: every request of a page is handed to `serve`, which answers from where
the crawl gets its pages (guarded, limited, recorded), and what slips past ends at a proxy that is
not there. A browser that crashes or hangs is replaced, and the page drawn once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Playwright,
    ViewportSize,
    async_playwright,
)

from blogforever.logs import logger
from blogforever.model import Failure, Page
from blogforever.protocols import Drawing, Serve

from .chromium import launch
from .limits import BrowserLimits
from .processes import kill, memory, process_ids
from .visit import NotDrawn, VisitedPage

# A page that brings a second browser down is at fault itself.
TRIES = 2
# Seconds that a browser may take to close something; then its processes are ended.
GIVEN_BACK = 5.0
# Seconds between two looks at the memory of a browser.
WATCHED = 1.0
VIEWPORT = ViewportSize(width=1280, height=1600)
MOZILLA = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
log = logger("render")


class Crashed(Exception):
    """The browser is gone, or no longer answers."""


@dataclass(slots=True)
class _Running:
    """One browser and how much it was used."""

    browser: Browser
    pages: int = 0
    open: int = 0
    spent: bool = False


class BrowserPool:
    """Draws pages in contexts of one browser, which is started when the first page comes."""

    def __init__(self, limits: BrowserLimits, agent: str = "") -> None:
        self._limits, self._agent = limits, agent
        self._places = asyncio.Semaphore(limits.contexts)
        self._starting, self._retrying = asyncio.Lock(), asyncio.Lock()
        self._playwright: Playwright | None = None
        self._running: _Running | None = None

    async def draw(self, page: Page, serve: Serve) -> Drawing | Failure:
        """The page with its scripts run, or why there is none.

        Never raises for what a page does.
        """
        try:
            async with self._places:
                return await self._tried(page, serve)
        except Crashed:
            pass  # by this page, or by one beside it
        try:
            async with self._alone():
                return await self._tried(page, serve)
        except Crashed as error:
            return Failure(page.url, "browser", f"the browser failed {TRIES} times: {error}")

    async def _tried(self, page: Page, serve: Serve) -> Drawing | Failure:
        try:
            return await self._draw(page, serve)
        except NotDrawn as error:
            return Failure(page.url, error.reason, str(error))
        except (Crashed, Error, OSError) as error:
            trouble = str(error).partition("\n")[0][:200]
            log.info("the browser failed on %s: %s", page.url, trouble)
            raise Crashed(trouble) from error

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """All places at once: a page that may have brought its browser down takes no other with it."""
        async with self._retrying:
            for _ in range(self._limits.contexts):
                await self._places.acquire()
            try:
                yield
            finally:
                for _ in range(self._limits.contexts):
                    self._places.release()

    async def close(self) -> None:
        """Stop the browser and what drives it."""
        running, self._running = self._running, None
        if running:
            await self._stop(running)
        playwright, self._playwright = self._playwright, None
        if playwright:
            with suppress(Error, OSError, TimeoutError):
                await asyncio.wait_for(playwright.stop(), GIVEN_BACK)

    async def _draw(self, page: Page, serve: Serve) -> Drawing:
        async with self._context() as (running, context):
            visit = VisitedPage(context, page, serve, self._limits)
            watch = asyncio.ensure_future(self._watch(running, visit))
            try:
                async with asyncio.timeout(self._limits.seconds):
                    drawing = await visit.draw()
            except TimeoutError:
                raise NotDrawn("timeout", f"not drawn within {self._limits.seconds:g} seconds") from None
            finally:
                watch.cancel()
            return drawing

    @asynccontextmanager
    async def _context(self) -> AsyncIterator[tuple[_Running, BrowserContext]]:
        """A fresh context.

        Given back whatever happens, and the browser with it where it is worn out or gone.
        """
        running = await self._browser()
        running.open += 1
        context: BrowserContext | None = None
        try:
            context = await asyncio.wait_for(self._new_context(running.browser), GIVEN_BACK)
            yield running, context
        except (TimeoutError, Error, OSError, Crashed) as error:
            running.spent = True
            raise Crashed(str(error) or type(error).__name__) from error
        finally:
            running.open -= 1
            if context is not None and not await self._gave_back(context):
                running.spent = True
            if running.spent:
                await self._retire(running)

    async def _new_context(self, browser: Browser) -> BrowserContext:
        shown = f"{MOZILLA} Chrome/{browser.version} Safari/537.36"
        return await browser.new_context(
            user_agent=f"{shown} {self._agent}".strip(),
            viewport=VIEWPORT,
            service_workers="block",
            accept_downloads=False,
            timezone_id="UTC",
        )

    async def _gave_back(self, context: BrowserContext) -> bool:
        try:
            await asyncio.wait_for(context.close(), GIVEN_BACK)
        except (TimeoutError, Error, OSError):
            return False
        return True

    async def _browser(self) -> _Running:
        """The browser of the moment; one that has drawn many pages makes room for a fresh one."""
        async with self._starting:
            running = self._running
            if running and (running.spent or not running.browser.is_connected() or self._worn(running)):
                self._running = None
                running.spent = True
                await self._retire(running)
                running = None
            if running is None:
                running = self._running = await self._start()
            running.pages += 1
            return running

    def _worn(self, running: _Running) -> bool:
        return running.pages >= self._limits.pages

    async def _start(self) -> _Running:
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        return _Running(await launch(self._playwright))

    async def _retire(self, running: _Running) -> None:
        """Stop a browser nobody uses any more.

        One that others still draw with is stopped by the last of them.
        """
        if self._running is running:
            self._running = None
        if running.open == 0:
            await self._stop(running)

    async def _stop(self, running: _Running) -> None:
        pids = await process_ids(running.browser)
        with suppress(Error, OSError, TimeoutError):
            await asyncio.wait_for(running.browser.close(), GIVEN_BACK)
        kill(pids)

    async def _watch(self, running: _Running, visit: VisitedPage) -> None:
        """End the page when the browser takes more memory than it may."""
        while True:
            await asyncio.sleep(WATCHED)
            pids = await process_ids(running.browser)
            if memory(pids) > self._limits.memory:
                running.spent = True
                visit.stop(NotDrawn("too large", f"the browser took more than {self._limits.memory:,} bytes of memory"))
                return
