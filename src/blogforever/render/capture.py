"""What a browser has drawn, as one HTML text and as a picture."""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from .hosted import framed

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

# What is larger is no page that anybody reads, and would fill the memory.
MOST_CHARACTERS = 20_000_000
# Each frame is asked for its text; pages with more have advertisements in them.
MOST_FRAMES = 50
# Bytes of a screenshot; beyond, quality is given up for size, step by step.
LARGEST_PICTURE = 5_000_000
HIGHEST, WIDEST = 16_000, 4_000
"""Pixels of a screenshot; WebP ends at 16,383."""
QUALITIES = (80, 50, 25)
READERS = re.compile(r"""(?:class|id)=["'][^"']*(?:comment|replies|discussion|thread)""", re.IGNORECASE)
# A frame that covers so much of the page is what the page is about.
MOST_OF_IT = 0.5


async def final_dom(page: Page) -> str:
    """The page as it stands, frames and shadow roots serialised in place.

    A frame with comments, or one that fills the page, becomes part of it: `<div
    data-frame="ADDRESS">`, its links made absolute. What other frames show (a film's player, an
    advertisement) is kept unseen, in a `<template data-frame>`.
    """
    below: defaultdict[Frame, list[dict[str, Any]]] = defaultdict(list)
    for frame in reversed(page.frames[1:MOST_FRAMES]):
        parent = frame.parent_frame
        kept = await _kept(page, frame, below.pop(frame, [])) if parent else None
        if parent and kept:
            below[parent].append(kept)
    return await _serialised(page.main_frame, below[page.main_frame], inside=False)


async def _kept(page: Page, frame: Frame, frames: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A frame as its parent's text needs it; None where it has gone or cannot be read."""
    from playwright.async_api import Error  # noqa: PLC0415  heavy

    try:
        element = await frame.frame_element()
        html = await _serialised(frame, frames, inside=True)
        box = await element.bounding_box()
    except Error:
        return None
    shown = framed(frame.url) is not None or READERS.search(html) is not None or _fills(page, box)
    return {"element": element, "url": frame.url, "html": html, "shown": shown}


def _fills(page: Page, box: Any) -> bool:
    window = page.viewport_size
    if not box or not window:
        return False
    return bool(box["width"] * box["height"] > MOST_OF_IT * window["width"] * window["height"])


async def _serialised(frame: Frame, frames: list[dict[str, Any]], *, inside: bool) -> str:
    argument = {"frames": frames, "inside": inside, "limit": MOST_CHARACTERS}
    return str((await frame.evaluate(_script(), argument))["html"])


async def screenshot(page: Page) -> bytes:
    """The whole page as a WebP picture.

    A page that is too high is cut, one that is too heavy loses quality.
    """
    session = await page.context.new_cdp_session(page)
    try:
        metrics = await session.send("Page.getLayoutMetrics")
        size = metrics["cssContentSize"]
        area = {"x": 0, "y": 0, "width": min(size["width"], WIDEST), "height": min(size["height"], HIGHEST), "scale": 1}
        for quality in QUALITIES:
            taken = await session.send(
                "Page.captureScreenshot",
                {"format": "webp", "quality": quality, "clip": area, "captureBeyondViewport": True},
            )
            picture = base64.b64decode(taken["data"])
            if len(picture) <= LARGEST_PICTURE:
                return picture
            area["height"] /= 2
        return b""
    finally:
        await session.detach()


@cache
def _script() -> str:
    return (files("blogforever.render") / "data" / "serialise.js").read_text("utf-8")
