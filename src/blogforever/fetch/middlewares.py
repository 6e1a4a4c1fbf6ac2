"""What stands between the spider and the network: guard, resumed responses, the WARC, Crawl-delay."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.http.headers import Headers
from scrapy.responsetypes import responsetypes
from scrapy.robotstxt import RobotParser

from blogforever.protocols import Exchange

LONGEST_DELAY = 30.0


class PrivateAddress(IgnoreRequest):
    """The host is on a private or loopback address."""


class Guard:
    """Stops a request to a host whose addresses the resolver refused, so that it is not tried again."""

    def __init__(self, crawler: Crawler) -> None:
        self._refused: set[str] = crawler.settings["BLOGFOREVER_REFUSED"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Guard:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Refuse what was refused before."""
        if (urlsplit(request.url).hostname or "").lower() in self._refused:
            raise PrivateAddress("private or loopback address")


class Resumed:
    """Answers from the WARC what an interrupted run already fetched."""

    def __init__(self, crawler: Crawler) -> None:
        self._reader = crawler.settings["BLOGFOREVER_RESUMED"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Resumed:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> Response | None:
        """The kept response, if it was a good one."""
        ref = self._reader.find(request.url) if self._reader else None
        if ref is None:
            return None
        status, page = self._reader.response(ref)
        if status == 0 or status >= 500 or status in (403, 408, 429):
            return None
        request.meta["ref"], request.meta["captured"] = ref, page.captured
        headers = {k: v for k, v in page.headers.items() if k not in ("content-encoding", "transfer-encoding")}
        kind = responsetypes.from_args(headers=Headers(headers), url=request.url, body=page.content)
        return kind(request.url, status=status, headers=headers, body=page.content)


class Recording:
    """Writes each exchange to the WARC while the body is still as it came: before it is unpacked or looked at."""

    def __init__(self, crawler: Crawler) -> None:
        self._record = crawler.settings["BLOGFOREVER_RECORDER"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recording:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Record and pass on."""
        if "ref" in request.meta and request.meta.get("captured"):
            return response
        captured = datetime.now(UTC)
        ask = request.meta.get("ask")
        request.meta["ref"] = self._record(
            Exchange(
                url=request.url,
                method=request.method,
                request_headers=_pairs(request.headers),
                status=response.status,
                reason="",
                response_headers=_pairs(response.headers),
                body=response.body,
                captured=captured,
                ip=str(response.ip_address) if response.ip_address else None,
                via=ask.via if ask else None,
            )
        )
        request.meta["fetched"] = captured
        return response


class Robots(RobotsTxtMiddleware):
    """Scrapy's robots.txt middleware (Protego), and the site's Crawl-delay with it."""

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        """Obey, and slow down to what the site asks for."""
        super().process_request_2(rp, request)
        rules = getattr(rp, "rp", None)
        asked = rules.crawl_delay(self._robotstxt_useragent or self._default_useragent) if rules else None
        if asked:
            _slow_down(self.crawler, min(float(asked), LONGEST_DELAY))


def _slow_down(crawler: Crawler, delay: float) -> None:
    extensions: tuple[Any, ...] = crawler.extensions.middlewares if crawler.extensions else ()
    for extension in extensions:
        if isinstance(extension, AutoThrottle):
            extension.mindelay = max(extension.mindelay, delay)
    if crawler.engine:
        for slot in crawler.engine.downloader.slots.values():
            slot.delay = max(slot.delay, delay)


def _pairs(headers: Headers) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values
    )
