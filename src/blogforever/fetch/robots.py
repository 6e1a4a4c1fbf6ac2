"""robots.txt by RFC 9309: unreachable forbids everything for a while, absent allows, redirects are followed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

from protego import Protego
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from blogforever.errors import BlogForeverError
from blogforever.logs import logger
from blogforever.protocols import REDIRECTS

from .budget import slow_down
from .limits import TooLarge
from .middlewares import PrivateAddress, TimeIsUp
from .policy import Policies

NAME = "blogforever"
READ = 512_000
HOPS = 5
PATIENCE = 20.0
LONGEST_DELAY = 30.0
VALID = 24 * 3600.0
TRIED_AGAIN = 600.0
FIRST = 1000
NOBODY = ("CannotResolveHostError", "ConnectionRefused", "SSL", "TunnelError")
"""Nobody is there to have a robots.txt; the last is a proxy's word for it."""
log = logger("fetch")


class RobotsRefused(IgnoreRequest):
    """robots.txt forbids the page, or cannot be read, which forbids it too."""


class Unreachable(IgnoreRequest):
    """There is no host of this name, or nobody there speaks this scheme: no page of it can be had, either."""


@dataclass(slots=True)
class Ruling:
    """What one host's robots.txt says; `trouble` is why it could not be read, `unreachable` why nothing can be."""

    rules: Any = None
    trouble: str = ""
    unreachable: str = ""
    until: float = 0.0
    response: Response | None = None
    meta: dict[str, Any] = field(default_factory=dict)

    def refusal(self, url: str) -> str | None:
        """Why this address may not be fetched; None where it may."""
        if self.trouble:
            return f"robots.txt could not be read ({self.trouble}), so everything is forbidden for now"
        if self.rules is not None and not self.rules.can_fetch(url, NAME):
            return "forbidden by robots.txt"
        return None


class Robots:
    """Asks each host for its robots.txt once, and obeys it for pages; what a page loads is governed by an option."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._policies: Policies = crawler.settings["BLOGFOREVER_POLICIES"]
        self._rulings: dict[str, asyncio.Future[Ruling]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Robots:
        """As Scrapy makes it."""
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """Obey, and slow down to what the site asks for."""
        meta = request.meta
        if meta.get("is_robots") or meta.get("drawing"):
            return None
        ruling = await self._ruling(request)
        delay = ruling.rules.crawl_delay(NAME) if ruling.rules is not None else None
        if delay:
            slow_down(self._crawler, meta, min(float(delay), LONGEST_DELAY))
        ask = meta.get("ask")
        if ask is not None and ask.role == "robots" and _is_robots(request.url) and ruling.response is not None:
            meta.update(ruling.meta)
            answer: Response = ruling.response.replace(request=request)
            return answer
        policy = self._policies.of(request.url)
        if meta.get("free_of_robots") or (policy and policy.robots == "ignore"):
            return None
        if ruling.unreachable:
            raise Unreachable(ruling.unreachable)
        if why := ruling.refusal(request.url):
            raise RobotsRefused(why)
        return None

    async def _ruling(self, request: Request) -> Ruling:
        parts = urlsplit(request.url)
        host = f"{parts.scheme}://{parts.netloc}"
        ruling = self._rulings.get(host)
        if ruling is None or _is_outdated(ruling):
            # A task of its own: whose request was the first may be given up while others wait for the same file.
            ruling = self._rulings[host] = asyncio.ensure_future(self._fetch(f"{host}/robots.txt", request))
        return await asyncio.shield(ruling)

    async def _fetch(self, url: str, cause: Request) -> Ruling:
        for _ in range(HOPS + 1):
            request = _request(url, cause, min(PATIENCE, self._crawler.settings.getfloat("DOWNLOAD_TIMEOUT")))
            try:
                assert self._crawler.engine
                response = await self._crawler.engine.download_async(request)
            except (PrivateAddress, TimeIsUp, TooLarge):
                # Refused by our own guard, which the page will meet too; or far too long to be one.
                return Ruling(until=monotonic() + TRIED_AGAIN)
            except BlogForeverError:
                # Our own trouble says nothing of the host.
                raise
            except Exception as error:
                log.info("%s cannot be had: %s", url, error)
                said = f"{type(error).__name__}: {error}"
                nobody = said if any(sign in said for sign in NOBODY) else ""
                return Ruling(trouble=type(error).__name__, unreachable=nobody, until=monotonic() + TRIED_AGAIN)
            place = response.headers.get("Location")
            if response.status not in REDIRECTS or not place:
                return _read(response, request.meta)
            url = urljoin(url, place.decode("latin-1"))
            if urlsplit(url).scheme not in ("http", "https"):
                break
        return Ruling(until=monotonic() + VALID)


def _is_outdated(ruling: asyncio.Future[Ruling]) -> bool:
    if not ruling.done():
        return False
    failed = ruling.cancelled() or ruling.exception() is not None
    return failed or monotonic() > ruling.result().until


def _request(url: str, cause: Request, timeout: float) -> Request:
    meta: dict[str, Any] = {"is_robots": True, "max_retry_times": 1, "download_timeout": timeout}
    meta["lane"] = cause.meta["lane"]
    return Request(url, NO_CALLBACK, priority=FIRST, meta=meta, dont_filter=True)


def _read(response: Response, meta: dict[str, Any]) -> Ruling:
    """4xx allows everything, 5xx forbids it; a text is read as far as the RFC asks."""
    kept = {"ref": meta.get("ref"), "captured": meta.get("captured") or meta.get("fetched")}
    if response.status >= 500 or response.status == 429:
        return Ruling(trouble=f"status {response.status}", until=monotonic() + TRIED_AGAIN)
    if not 200 <= response.status < 300:
        return Ruling(until=monotonic() + VALID, response=response, meta=kept)
    text = response.body[:READ].decode("utf-8", "replace").lstrip("\ufeff")
    return Ruling(_parse(text), until=monotonic() + VALID, response=response, meta=kept)


def _parse(text: str) -> Any:
    try:
        return Protego.parse(text)
    except ValueError:
        return None


def _is_robots(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path == "/robots.txt" and not parts.query
