"""Lists whose entries are no links: each is clicked, and where it leads is a link like any other.

Only after the page was written down: what a click shows or spoils no longer matters then. A page
whose first entries lead nowhere is left alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache, partial
from importlib.resources import files
from time import monotonic

from playwright.async_api import JSHandle
from playwright.async_api import Page as Tab

# Entries of one list that are clicked: each takes a second or more.
MOST = 60
BARREN = 2
"""Entries in a row that lead nowhere, after which no more are tried."""
# Seconds to wait for a click to lead somewhere or for the list to come back, and between two looks.
PATIENCE, PAUSE = 1.0, 0.05


async def wander(tab: Tab, led_to: Callable[[], Awaitable[list[str]]], end: float) -> None:
    """Click the entries of a list one by one and go back each time.

    `led_to` tells where the page was led so far.
    """
    entries = await tab.evaluate_handle(_script())
    barren = 0
    for number in range(min(int(await entries.evaluate("e => e.count()")), MOST)):
        if barren >= BARREN or monotonic() >= end:
            return
        before, home = await led_to(), await _address(tab)
        if not await entries.evaluate("(e, n) => e.click(n)", number):
            return
        led = await _until(partial(_more, led_to, before), end)
        barren = 0 if led else barren + 1
        if await _address(tab) != home and not await _back(tab, entries, number, end):
            return


async def _back(tab: Tab, entries: JSHandle, number: int, end: float) -> bool:
    """Back to the list; whether it is there again."""
    await tab.evaluate("() => history.back()")

    async def there() -> bool:
        return bool(await entries.evaluate("(e, n) => e.there(n)", number))

    return await _until(there, end)


async def _more(led_to: Callable[[], Awaitable[list[str]]], known: list[str]) -> bool:
    return len(await led_to()) > len(known)


async def _until(asked: Callable[[], Awaitable[bool]], end: float) -> bool:
    """Whether it comes true within the patience there is: as many looks as fit into it."""
    for _ in range(round(PATIENCE / PAUSE)):
        if await asked():
            return True
        if monotonic() >= end:
            break
        await asyncio.sleep(PAUSE)
    return await asked()


async def _address(tab: Tab) -> str:
    return str(await tab.evaluate("() => location.href"))


@cache
def _script() -> str:
    return (files(__package__) / "data/entries.js").read_text(encoding="utf-8")
