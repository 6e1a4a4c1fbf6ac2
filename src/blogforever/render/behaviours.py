"""What a patient visitor does on a page: hide banners, scroll, unfold, click for more comments
until there are no more.

What is clicked is decided inside the page (data/behave.js) by known controls and by the words on
them, never a link that leads away, a form's button, a log-in, a vote or a share. How long and how
often is decided here.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from blogforever.knowledge import own_folders

from .hosted import framed, load_hosted, read_data

if TYPE_CHECKING:
    from playwright.async_api import Frame, JSHandle, Page, Request

# Seconds between two looks at a page that changes.
PAUSE = 0.1
# Pages with more frames have advertisements in them; each is asked at every step.
MOST_FRAMES = 8
# Pixels; in a smaller frame nobody reads comments.
SMALLEST_FRAME = (200, 60)
# These stay open for as long as the page does, or are waited for by nobody.
STREAMS = frozenset({"websocket", "eventsource", "ping", "media"})


@dataclass(frozen=True, slots=True)
class BehaviourLimits:
    """How much is done on one page."""

    seconds: float = 60.0
    clicks: int = 150
    scrolls: int = 60
    patience: float = 8.0
    """Seconds to wait for one thing: a comment system to draw, a click to bring something."""
    quiet: float = 0.3
    """Seconds without change after which a page has settled."""
    in_vain: float = 1.0
    """Seconds after which a click that loads and shows nothing was in vain."""


async def behave(page: Page, limits: BehaviourLimits | None = None) -> list[str]:
    """Do on a drawn page that has come to rest what shows more of it; says what was done, and which
    limit was reached.

    Whoever answers the page's requests keeps its scripts from leading it away.
    """
    visitor = _Visitor(page, limits or BehaviourLimits())
    async with visitor.traffic:
        try:
            async with asyncio.timeout(visitor.limits.seconds):
                await visitor.visit()
        except TimeoutError:
            visitor.done["stopped at the time limit"] += 1
    return [text if count == 1 else f"{text} ({count} times)" for text, count in visitor.done.items()]


class _Visitor:
    """One visit of one page."""

    def __init__(self, page: Page, limits: BehaviourLimits) -> None:
        self.page, self.limits = page, limits
        self.traffic = _Traffic(page)
        self.done: Counter[str] = Counter()
        self._tools: dict[Frame, JSHandle] = {}
        self._clicks = 0
        self._restless = False

    async def visit(self) -> None:
        main = self.page.main_frame
        await self._hide()
        await self._scroll(main)
        await self._wait_for_systems()
        await self._hide()
        while await self._round():
            pass
        await self._ask(main, "t => t.up()")

    # ------------------------------------------------------------------ steps

    async def _hide(self) -> None:
        if hidden := await self._ask(self.page.main_frame, "t => t.hide()"):
            self.done["hid a banner"] += hidden

    async def _scroll(self, frame: Frame) -> None:
        """Down to the end, and on where the end moves away."""
        for n in range(self.limits.scrolls):
            height = await self._ask(frame, "t => t.down()")
            await asyncio.sleep(PAUSE)
            if height and await self._is_end(frame, height):
                self.done[f"scrolled {n + 1} screens"] += 1
                return
        self.done["stopped at the scroll limit"] += 1

    async def _is_end(self, frame: Frame, height: int) -> bool:
        await self._settle(frame)
        return int(await self._ask(frame, "t => t.height()")) <= height

    async def _wait_for_systems(self) -> None:
        """Until the comment systems that have a place on the page have drawn something there."""
        systems = [system for system in load_hosted() if system.container and system.ready]
        there = await self._seen([system.container for system in systems])
        for system in (system for system, seen in zip(systems, there, strict=True) if seen):
            drawn = await self._wait_for(system.ready)
            self.done[f"comments of {system.name}" + ("" if drawn else " did not come")] += 1
        if any(there):
            await self._settle(self.page.main_frame)

    async def _seen(self, selectors: list[str]) -> list[bool]:
        """Which of these selectors find something, in any frame."""
        found = [False] * len(selectors)
        for frame in await self._frames():
            here = await self._ask(frame, "(t, selectors) => selectors.map(t.seen)", selectors)
            found = [any(pair) for pair in zip(found, here or found, strict=True)]
        return found

    async def _round(self) -> bool:
        """Unfold and click in every frame until nothing more comes; whether anything came."""
        came = False
        for frame in await self._frames():
            if folded := await self._ask(frame, "t => t.unfold()"):
                self.done["unfolded"] += folded
            while clicked := await self._click(frame):
                came |= await self._clicked(frame, clicked)
        if self._clicks >= self.limits.clicks:
            self.done["stopped at the click limit"] += 1
            return False
        return came

    async def _click(self, frame: Frame) -> dict[str, Any] | None:
        """Click what shows more; what was clicked, where there was anything and it was not enough."""
        if self._clicks >= self.limits.clicks:
            return None
        clicked: dict[str, Any] | None = await self._ask(frame, "t => t.click()")
        return clicked

    async def _clicked(self, frame: Frame, clicked: dict[str, Any]) -> bool:
        self._clicks += 1
        self.done[f"clicked “{clicked['label']}”"] += 1
        grew = await self._settle(frame, clicked["before"])
        await self._ask(frame, "(t, grew) => t.clicked(grew)", grew)
        return grew

    # ------------------------------------------------------------------ waiting

    async def _settle(self, frame: Frame, before: int | None = None) -> bool:
        """Wait until a frame neither loads nor changes; whether it shows more text than before.

        How long it has been still is told by looks that it answered: what holds it up holds them
        up, too.
        """
        mark, start = self.traffic.mark(), monotonic()
        size, looks, still = await self._size(frame), 0, 0
        while True:
            await asyncio.sleep(PAUSE)
            found, looks = await self._size(frame), looks + 1
            still = still + 1 if found == size else 0
            size = found
            grew = before is not None and size > before
            late = monotonic() - start > self._longest(before)
            calm = still * PAUSE >= self.limits.quiet and not self.traffic.pending(mark)
            nothing_awaited = grew or before is None or looks * PAUSE >= self.limits.in_vain
            if late or (calm and nothing_awaited):
                self._restless |= late
                return grew

    def _longest(self, before: int | None) -> float:
        """How long to wait; a page that never came to rest is not waited for again, but for a
        click.
        """
        is_known = self._restless and before is None
        return self.limits.in_vain if is_known else self.limits.patience

    async def _wait_for(self, css: str) -> bool:
        end = monotonic() + self.limits.patience
        while not (seen := (await self._seen([css]))[0]) and monotonic() < end:
            await asyncio.sleep(PAUSE)
        return seen

    async def _size(self, frame: Frame) -> int:
        return int(await self._ask(frame, "t => t.size()") or 0)

    # ------------------------------------------------------------------ frames

    async def _frames(self) -> list[Frame]:
        """The page's own frame, and those below it that a visitor sees."""
        found = [self.page.main_frame]
        for frame in self.page.frames[1:]:
            if len(found) > MOST_FRAMES:
                break
            if frame.is_detached() or not (framed(frame.url) or await self._is_large(frame)):
                continue
            found.append(frame)
        return found

    async def _is_large(self, frame: Frame) -> bool:
        from playwright.async_api import Error  # noqa: PLC0415  heavy

        try:
            box = await (await frame.frame_element()).bounding_box()
        except Error:
            return False
        width, height = SMALLEST_FRAME
        return box is not None and box["width"] >= width and box["height"] >= height

    async def _ask(self, frame: Frame, expression: str, argument: Any = None) -> Any:
        """Run something inside a frame; a frame below the page's own may go away at any time."""
        from playwright.async_api import Error  # noqa: PLC0415  heavy

        try:
            if frame not in self._tools:
                self._tools[frame] = await frame.evaluate_handle(_script(), _data(own_folders()))
            return await self._tools[frame].evaluate(expression, argument)
        except Error:
            self._tools.pop(frame, None)
            if frame is self.page.main_frame:
                raise
            return None


class _Traffic:
    """Requests of a page that are not answered yet, by the order they were made in."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._under_way: dict[Request, int] = {}
        self._count = 0

    async def __aenter__(self) -> None:
        for event, heard in self._listeners():
            self._page.on(event, heard)

    async def __aexit__(self, *_: object) -> None:
        for event, heard in self._listeners():
            self._page.remove_listener(event, heard)

    def _listeners(self) -> Iterator[tuple[Any, Callable[[Request], None]]]:
        yield "request", self._begun
        yield "requestfinished", self._ended
        yield "requestfailed", self._ended

    def _begun(self, request: Request) -> None:
        self._count += 1
        if request.resource_type not in STREAMS:
            self._under_way[request] = self._count

    def _ended(self, request: Request) -> None:
        self._under_way.pop(request, None)

    def mark(self) -> int:
        """A point in time to ask for what began after it."""
        return self._count

    def pending(self, mark: int) -> bool:
        """Whether something asked for since is still under way."""
        return any(number > mark for number in self._under_way.values())


@cache
def _script() -> str:
    return (files("blogforever.render") / "data" / "behave.js").read_text("utf-8")


@cache
def _data(_folders: tuple[Path, ...]) -> dict[str, Any]:
    controls = [css for system in load_hosted() for css in system.more]
    return {"words": read_data("words.toml"), "consent": read_data("consent.toml"), "controls": controls}
