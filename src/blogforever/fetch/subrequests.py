"""What pages load while a browser draws them, fetched as everything else is: guarded, limited, recorded.

A drawn page counts as one page for politeness; what it loads comes without delays, as for any visitor, a few at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from urllib.parse import urljoin

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from blogforever.errors import BlogForeverError
from blogforever.logs import logger
from blogforever.protocols import Lane, Serve, Served, Wanted
from blogforever.urls import is_http

DRAWING = "drawing"
PATIENCE = 20.0
SIZE = 16 * 1024 * 1024
HOPS = 8
REDIRECTS = frozenset({301, 302, 303, 307, 308})
SHARED = frozenset({"script", "stylesheet"})
ROOM = 48 * 1024 * 1024
log = logger("fetch")


class Subrequests:
    """Answers browsers out of the crawl's own downloader; scripts and styles of a blog's pages are fetched once.

    For each blog: what one may see with the operator's log-in is nothing for the scripts of another.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._shared: OrderedDict[tuple[Lane, str], Served] = OrderedDict()
        self._held = 0
        self.trouble: BlogForeverError | None = None

    def of(self, lane: Lane, page: str) -> Serve:
        """The function that answers for one page."""

        async def serve(wanted: Wanted) -> Served | None:
            may_share = wanted.method == "GET" and wanted.kind in SHARED
            if may_share and (known := self._shared.get((lane, wanted.url))):
                return known
            served = await self._fetch(wanted, lane, page)
            if may_share and served and served.status == 200:
                self._share((lane, wanted.url), served)
            return served

        return serve

    async def _fetch(self, wanted: Wanted, lane: Lane, page: str) -> Served | None:
        url, method, body = wanted.url, wanted.method, wanted.body
        for _ in range(HOPS):
            response = await self._download(_request(url, method, body, wanted, lane, page))
            if response is None:
                return None
            target = _target(response)
            if not target:
                return Served(response.url, response.status, _headers(response), response.body)
            if response.status == 303 or (method == "POST" and response.status in (301, 302)):
                method, body = "GET", b""
            url = target
        return None

    async def _download(self, request: Request) -> Response | None:
        """One response; what cannot be had is a failed request to the browser, our own trouble ends the crawl."""
        engine = self._crawler.engine
        assert engine
        try:
            return await engine.download_async(request)
        except BlogForeverError as error:
            self.trouble = self.trouble or error
        except Exception as error:
            log.debug("%s was not loaded for a drawing: %s", request.url, error)
        return None

    def _share(self, place: tuple[Lane, str], served: Served) -> None:
        self._shared[place] = served
        self._held += len(served.body)
        while self._held > ROOM:
            self._held -= len(self._shared.popitem(last=False)[1].body)


def _request(url: str, method: str, body: bytes, wanted: Wanted, lane: Lane, page: str) -> Request:
    meta: dict[str, Any] = {"lane": lane, DRAWING: page, "handle_httpstatus_all": True, "dont_retry": True}
    meta |= {"download_timeout": PATIENCE, "download_maxsize": SIZE, "fresh": method != "GET"}
    return Request(
        url, NO_CALLBACK, method=method, headers=dict(wanted.headers), body=body, meta=meta, dont_filter=True
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
