"""One page in one browser context: loaded, at rest, opened up, written down."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import cache, partial
from importlib.resources import files
from time import monotonic
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Page as Tab

from blogforever.model import Page
from blogforever.protocols import Drawing, Serve
from blogforever.urls import is_http, route_of

from .answering import READING, Answering
from .behaviours import BehaviourLimits as Behaviour
from .behaviours import behave
from .capture import final_dom, screenshot
from .limits import BrowserLimits
from .wandering import wander

# Seconds between two looks at a page that loads.
POLL = 0.1
# A page that never comes to rest must leave most of its time for what is done on it.
RESTING = 1 / 3
# The part of the time that is left when a page has come to rest in which it may be looked around
# in.
PATIENT = 0.6
ELEMENTS = """() => document.readyState === 'loading'
    ? Math.random() * 1e9 : document.getElementsByTagName('*').length"""
VISITED = "() => window.__visited ? window.__visited() : []"
Result = TypeVar("Result")


class NotDrawn(Exception):
    """The page cannot be drawn, and trying again would not help."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class VisitedPage:
    """A page while it is drawn."""

    def __init__(
        self,
        context: BrowserContext,
        page: Page,
        serve: Serve,
        limits: BrowserLimits,
    ) -> None:
        self._context, self._page, self._limits = context, page, limits
        self._answering = Answering(page, serve, limits)
        self._stopped: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def draw(self) -> Drawing:
        """Load it, wait for rest, write it down."""
        await self._answering.attach(self._context)
        await self._context.add_init_script(before_scripts())
        tab = await self._context.new_page()
        self._answering.main = tab.main_frame
        self._context.on("page", _close)
        tab.on("dialog", _dismiss)
        tab.on("crash", lambda _tab: self.stop(NotDrawn("browser", "the page brought its process down")))
        return await self._unless_stopped(self._draw(tab))

    def stop(self, why: Exception) -> None:
        """End the drawing for this reason."""
        if not self._stopped.done():
            self._stopped.set_exception(why)

    async def _unless_stopped(self, work: Coroutine[Any, Any, Result]) -> Result:
        task: asyncio.Future[Any] = asyncio.ensure_future(work)
        try:
            await asyncio.wait([task, self._stopped], return_when=asyncio.FIRST_COMPLETED)
            if self._stopped.done():
                self._stopped.result()
            result: Result = await task
            return result
        finally:
            task.cancel()
            self._stopped.cancel()

    async def _draw(self, tab: Tab) -> Drawing:
        end = monotonic() + self._limits.seconds
        # Not until the document is read: a script that wants to lead away meanwhile would make that
        # wait vain.
        await tab.goto(self._page.url, wait_until="commit", timeout=self._limits.seconds * 1000)
        await self._rest(tab)
        route = route_of(self._page.url)
        shown = await final_dom(tab) if route else ""
        done = await behave(tab, Behaviour(seconds=(end - monotonic()) * PATIENT))
        # Where a click has led to a neighbour, its text must not stand under this address.
        strayed = bool(route) and route_of(tab.url) != route
        html = shown if strayed else await final_dom(tab)
        picture = await screenshot(tab) if self._limits.pictures else None
        self._answering.methods = READING
        await wander(tab, partial(self._led_to, tab), end)
        return Drawing(html, tuple(await self._led_to(tab)), tuple(done), picture or None)

    async def _led_to(self, tab: Tab) -> list[str]:
        """Where scripts have taken the page so far, or wanted to."""
        urls = dict.fromkeys([*self._answering.exits, *map(str, await tab.evaluate(VISITED))])
        return [url for url in urls if is_http(url) and url != self._page.url]

    async def _rest(self, tab: Tab) -> None:
        """Wait until nothing loads and the page has stopped growing.

        Told by looks that the page itself answers, not by a clock: on a busy machine a page is late
        to ask for what it shows, and as late to answer. One that never rests is taken as it is.
        """
        end = monotonic() + self._limits.seconds * RESTING
        seen, still = (-1, 0), 0
        for _ in range(_looks(self._limits.settle)):
            if still >= _looks(self._limits.quiet) or monotonic() >= end:
                return
            await asyncio.sleep(POLL)
            found = (int(await tab.evaluate(ELEMENTS)), self._answering.answered)
            is_still = found == seen and not self._answering.under_way
            still = still + 1 if is_still else 0
            seen = found


def _looks(seconds: float) -> int:
    """How many looks at a page take so long where nothing holds them up."""
    return max(round(seconds / POLL), 1)


@cache
def before_scripts() -> str:
    """What runs in every frame before any script of the page does."""
    return (files(__package__) / "data/quiet.js").read_text(encoding="utf-8")


async def _close(tab: Tab) -> None:
    await tab.close()


async def _dismiss(dialog: Dialog) -> None:
    await dialog.dismiss()
