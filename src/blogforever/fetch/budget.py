"""Delay and concurrency for a service, whatever names it has: which budget a request draws on, and how it shrinks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.utils.asyncio import call_later

from .guard import Names
from .policy import Policies
from .services import budget_of

SLOT = "download_slot"
SLOWEST = 60.0
AT_ONCE = 4
"""Requests to one service for pages that are being drawn."""


class ServiceBudget:
    """Gives each request the budget of its service, or of the address its host has."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._names: Names = crawler.settings["BLOGFOREVER_NAMES"]
        self._policies: Policies = crawler.settings["BLOGFOREVER_POLICIES"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ServiceBudget:
        """As Scrapy makes it."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Name the budget before the request is queued."""
        host = urlsplit(request.url).hostname or ""
        addresses = () if request.meta.get("proxy") else await self._names.addresses(host)
        policy = self._policies.of(request.url)
        if policy and (policy.delay is not None or policy.concurrency):
            key = f"policy:{policy.blog}"
            own = {"delay": policy.delay, "concurrency": policy.concurrency}
            settings = {name: value for name, value in own.items() if value is not None}
            slots(self._crawler).per_slot_settings.setdefault(key, settings)
        else:
            key = budget_of(host, min(addresses) if addresses else None)
        if request.meta.get("drawing"):
            key = f"drawing:{key}"
            slots(self._crawler).per_slot_settings.setdefault(key, {"delay": 0, "concurrency": AT_ONCE})
        request.meta[SLOT] = key


class Throttle(AutoThrottle):
    """Scrapy's AutoThrottle, never faster than what a site's Crawl-delay or a policy asks for."""

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        key = request.meta.get(SLOT)
        asked = slots(self.crawler).per_slot_settings.get(key, {}).get("delay") if key else None
        if asked == 0:
            return
        super()._response_downloaded(response, request, spider)
        slot = slots(self.crawler).slots.get(key)
        if slot is not None and asked:
            slot.delay = max(slot.delay, asked)


def slow_down(crawler: Crawler, meta: dict[str, Any], delay: float) -> None:
    """From now on at least this many seconds between two requests of this budget."""
    key = meta.get(SLOT)
    if not key or key.startswith("policy:"):
        return
    downloader = slots(crawler)
    settings = downloader.per_slot_settings.setdefault(key, {})
    settings["delay"] = max(settings.get("delay", downloader._delay), min(delay, SLOWEST))
    settings["jitter"] = 0.0  # what a site asks for is the least, not the mean
    slot = downloader.slots.get(key)
    if slot is not None:
        slot.delay, slot.jitter = max(slot.delay, settings["delay"]), 0.0


def pause(crawler: Crawler, key: str | None, seconds: float) -> None:
    """Nothing more is asked of this budget until so many seconds are over."""
    downloader = slots(crawler)
    slot = downloader.slots.get(key) if key else None
    if slot is None:
        return
    if slot.latercall:
        slot.latercall.cancel()
    slot.latercall = call_later(seconds, downloader._latercall, slot)


def slots(crawler: Crawler) -> Any:
    """The downloader, which keeps a slot for each budget."""
    assert crawler.engine
    return crawler.engine.downloader
