"""What pages load while a browser draws them, fetched as everything else is: guarded, limited,
recorded.

A drawn page counts as one page for politeness; what it loads comes without delays, as for any
visitor, a few at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from blogforever.errors import BlogForeverError
from blogforever.logs import logger
from blogforever.protocols import REDIRECTS, Lane, Served, Wanted
from blogforever.urls import is_http

DRAWING = "drawing"
"""Where a request says for which page it is made."""
# A visitor would not wait longer for one file, and the browser that draws the page has a limit of
# its own.
PATIENCE = 20.0
# No script or picture that a page needs to be drawn is larger; video is not waited for.
SIZE = 16 * 1024 * 1024
# As many redirects as browsers follow within reason; a ring has no end.
HOPS = 8
SHARED = frozenset({"script", "stylesheet"})
"""What the pages of a blog have in common."""
# All that is held in memory for further pages, of all blogs together.
ROOM = 48 * 1024 * 1024
GOOD = 200
SEE_OTHER = 303
MADE_GET = frozenset({301, 302})
"""After these, browsers ask with GET though something was posted."""
log = logger("fetch")


class Subrequests:
    """Answers browsers out of the crawl's own downloader; scripts and styles of a blog's pages are
    fetched once.

    For each blog: what one may see with the operator's log-in is nothing for the scripts of
    another.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._shared: OrderedDict[tuple[Lane, str], Served] = OrderedDict()
        self._held = 0

    def of(self, lane: Lane, page: str) -> PageLoads:
        """What answers for one page."""
        return PageLoads(self, lane, page)

    def shared(self, lane: Lane, url: str) -> Served | None:
        """What was fetched for another page of this blog already."""
        return self._shared.get((lane, url))

    def share(self, lane: Lane, url: str, served: Served) -> None:
        """Keep something for other pages of this blog, as long as there is room."""
        self._shared[lane, url] = served
        self._held += len(served.body)
        while self._held > ROOM:
            self._held -= len(self._shared.popitem(last=False)[1].body)

    async def download(self, request: Request) -> Response:
        """One response."""
        assert self._crawler.engine
        return await self._crawler.engine.download_async(request)


class PageLoads:
    """Answers what one page loads while it is drawn.

    `trouble` is of our own and ends the crawl of its blog.
    """

    def __init__(self, subrequests: Subrequests, lane: Lane, page: str) -> None:
        self._subrequests, self._lane, self._page = subrequests, lane, page
        self.trouble: BlogForeverError | None = None

    async def __call__(self, wanted: Wanted) -> Served | None:
        """What comes for a request of the page, as `Serve` has it."""
        may_share = wanted.method == "GET" and wanted.kind in SHARED
        if may_share and (known := self._subrequests.shared(self._lane, wanted.url)):
            return known
        served = await self._fetch(wanted)
        if may_share and served and served.status == GOOD:
            self._subrequests.share(self._lane, wanted.url, served)
        return served

    async def _fetch(self, wanted: Wanted) -> Served | None:
        for _ in range(HOPS):
            response = await self._download(_request(wanted, self._lane, self._page))
            if response is None:
                return None
            target = _target(response)
            if not target:
                return Served(response.url, response.status, _headers(response), response.body)
            wanted = _redirected(wanted, response.status, target)
        return None

    async def _download(self, request: Request) -> Response | None:
        """One response.

        What cannot be had is a failed request to the browser, our own trouble is remembered.
        """
        try:
            return await self._subrequests.download(request)
        except BlogForeverError as error:
            self.trouble = self.trouble or error
        except Exception as error:
            log.debug("%s was not loaded for a drawing: %s", request.url, error)
        return None


def _redirected(wanted: Wanted, status: int, target: str) -> Wanted:
    """The same at another address; as browsers have it, what was posted is only asked for there."""
    posted_elsewhere = wanted.method == "POST" and status in MADE_GET
    if status == SEE_OTHER or posted_elsewhere:
        return replace(wanted, url=target, method="GET", body=b"")
    return replace(wanted, url=target)


def _request(wanted: Wanted, lane: Lane, page: str) -> Request:
    meta: dict[str, Any] = {
        "lane": lane,
        DRAWING: page,
        "handle_httpstatus_all": True,
        "dont_retry": True,
        "download_timeout": PATIENCE,
        "download_maxsize": SIZE,
        "fresh": wanted.method != "GET",
    }
    return Request(
        wanted.url,
        NO_CALLBACK,
        method=wanted.method,
        headers=dict(wanted.headers),
        body=wanted.body,
        meta=meta,
        dont_filter=True,
    )


def _target(response: Response) -> str | None:
    place = response.headers.get("Location")
    if response.status not in REDIRECTS or not place:
        return None
    target = urljoin(response.url, place.decode("latin-1"))
    return target if is_http(target) else None


def _headers(response: Response) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.decode("latin-1").lower(), b", ".join(values).decode("latin-1"))
        for name, values in response.headers.items()
    )
