"""Between fetcher and browser: an answer becomes a drawn one, and what the browser drew is written to the WARC."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from blogforever import clock
from blogforever.discover.pagefacts import looks_like_html
from blogforever.errors import BlogForeverError, in_one_line
from blogforever.logs import logger
from blogforever.model import Failure, Page
from blogforever.protocols import (
    Answer,
    Drawing,
    Drawn,
    Exchange,
    Recorder,
    Renderer,
    ResponseReader,
    Serve,
)

DOM = "urn:dom:"
PICTURE = "urn:fullPage:"
UNDRAWN = "drawing it failed"
"""The reason of the failure where the renderer itself raised."""
GOOD = 200
log = logger("fetch")
HTML = (("Content-Type", "text/html; charset=utf-8"),)
WEBP = (("Content-Type", "image/webp"),)


def can_be_drawn(answer: Answer) -> bool:
    """Whether there is a page that a browser can make something of."""
    wanted = answer.ask.draw and answer.status == GOOD
    return wanted and answer.page is not None and looks_like_html(answer.page)


async def drawn_answer(answer: Answer, renderer: Renderer, serve: Serve, record: Recorder | None) -> Answer:
    """The answer with what the browser made of its page.

    Where it made nothing of it, the reason stands beside it.
    """
    assert answer.page is not None
    page = replace(answer.page, url=answer.ask.url)
    try:
        result = await renderer.draw(page, serve)
    except BlogForeverError:
        raise
    except Exception as error:
        # It may be somebody else's renderer, and one page must not end a crawl.
        log.info("%s could not be drawn", page.url, exc_info=error)
        result = Failure(page.url, UNDRAWN, in_one_line(error))
    if isinstance(result, Failure):
        return replace(answer, failure=result)
    return replace(answer, drawn=keep(page.url, result, record))


def drawn_before(answer: Answer, reader: ResponseReader | None) -> Answer | None:
    """The answer with what a browser drew of its page before, where that is kept."""
    if reader is None or not can_be_drawn(answer):
        return None
    ref = reader.find(place(DOM, answer.ask.url))
    if ref is None:
        return None
    page = replace(reader.response(ref)[1], url=answer.ask.url)
    return replace(answer, drawn=Drawn(page, ref))


def keep(url: str, drawing: Drawing, record: Recorder | None) -> Drawn:
    """Write a drawing to the WARC: the final DOM, and the picture where there is one."""
    captured = clock.now()
    content = drawing.html.encode("utf-8", "replace")
    ref = picture = None
    if record:
        ref = record(resource(DOM, url, HTML, content, captured))
    if record and drawing.picture:
        picture = record(resource(PICTURE, url, WEBP, drawing.picture, captured))
    page = Page(url, content, {"content-type": HTML[0][1]}, captured)
    return Drawn(page, ref, drawing.links, drawing.done, picture)


def resource(prefix: str, url: str, headers: tuple[tuple[str, str], ...], body: bytes, captured: datetime) -> Exchange:
    """Something we made of a page, under a name of its own, so that replay shows the page and not
    this.
    """
    name = place(prefix, url)
    return Exchange(name, "", (), GOOD, "", headers, body, captured, via=url, kind="resource")


def screenshot_name(url: str) -> str:
    """The name of the record that holds the picture of a page."""
    return place(PICTURE, url)


def place(prefix: str, url: str) -> str:
    """The name under which something made of a page is kept.

    What stands after # may be all that names the page.
    """
    return prefix + url.replace("#", "%23")
