"""Delay and concurrency for a service, whatever names it has: which budget a request draws on, and how it shrinks."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.core.downloader import Downloader
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from .guard import Names
from .policy import Policies
from .services import budget_of
from .turns import ServiceTurns

SLOT = "download_slot"
"""Where a request says which budget it draws on; Scrapy reads it there."""
# Whatever a site asks for, or however slow it is: with longer delays no crawl would ever end.
SLOWEST = 60.0
SERVICE = "service_budget"
"""Where a request that draws on its host's own budget says which one of its service it draws on, too."""
AT_ONCE = 4
"""Requests to one service for pages that are being drawn."""
GOOD = 200


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
            self._settle(key, delay=policy.delay, concurrency=policy.concurrency)
        else:
            key = budget_of(host, min(addresses) if addresses else None)
        if request.meta.get("drawing"):
            key = f"drawing:{key}"
            self._settle(key, delay=0, concurrency=AT_ONCE)
        request.meta[SLOT] = key

    def _settle(self, key: str, **own: float | None) -> None:
        """What a budget has of its own; the rest is as for all."""
        known = slots(self._crawler).per_slot_settings
        if key not in known:
            known[key] = {name: value for name, value in own.items() if value is not None}


class Throttle:
    """The slower a service answers, the slower it is asked; never faster than its Crawl-delay or a
    policy says.

    Scrapy's AutoThrottle cannot be told of a least delay for one service.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._least = crawler.settings.getfloat("DOWNLOAD_DELAY")
        if not self._least:
            # Scrapy leaves such an extension out; without a delay nothing is throttled.
            raise NotConfigured
        self._at_once = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        crawler.signals.connect(self.adjust, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Throttle:
        """As Scrapy makes it."""
        return cls(crawler)

    def adjust(self, response: Response, request: Request) -> None:
        """After each response: half the way towards a delay at which as many requests as may be are
        under way.
        """
        downloader = slots(self.crawler)
        key = request.meta.get(SLOT, "")
        slot, latency = downloader.slots.get(key), request.meta.get("download_latency")
        asked = downloader.per_slot_settings.get(key, {}).get("delay")
        if slot is None or latency is None or asked == 0:
            return
        wanted = latency / self._at_once
        delay = max(wanted, (slot.delay + wanted) / 2)
        delay = min(max(self._least, delay), SLOWEST)
        # Errors come quickly: they are no reason to ask faster.
        if response.status == GOOD or delay > slot.delay:
            slot.delay = delay
        slot.delay = max(slot.delay, asked or 0.0)


class Pauses:
    """Until when nothing is asked of a budget, because its service said so."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._turns: ServiceTurns = crawler.settings["BLOGFOREVER_TURNS"]
        self._until: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Pauses:
        """As Scrapy makes it."""
        return cls(crawler)

    def begin(self, key: str, seconds: float) -> None:
        """Nothing more is asked of this budget until so many seconds are over."""
        self._until[key] = max(self._until.get(key, 0.0), monotonic() + seconds)
        self._turns.pause(key, seconds)

    async def wait(self, request: Request) -> None:
        """Until a request may be sent.

        Those that waited go one after the other, with the budget's delay between.
        """
        key = request.meta.get(SLOT, "")
        if key not in self._until:
            return
        while (left := self._until.get(key, 0.0) - monotonic()) > 0:
            await asyncio.sleep(left)
        slot = slots(self._crawler).slots.get(key)
        if slot is not None and slot.delay:
            self._until[key] = monotonic() + slot.delay
        else:
            self._until.pop(key, None)


def set_apart(crawler: Crawler, meta: dict[str, Any], host: str, delay: float) -> None:
    """Let a host be asked this slowly, one request at a time, and the other hosts of its service as usual.

    What it is asked counts for its service as well.
    """
    key = meta.get(SLOT)
    if not key or key.startswith("policy:"):
        return
    own = f"host:{host}"
    meta[SERVICE], meta[SLOT] = key, own
    downloader = slots(crawler)
    usual = crawler.settings.getfloat("DOWNLOAD_DELAY")
    asked = downloader.per_slot_settings.setdefault(own, {"concurrency": 1, "delay": usual})
    asked["delay"] = max(asked["delay"], min(delay, SLOWEST))
    if slot := downloader.slots.get(own):
        slot.delay = max(slot.delay, asked["delay"])


def slow_down(crawler: Crawler, meta: dict[str, Any], delay: float) -> None:
    """From now on at least this many seconds between two requests of this budget."""
    key = meta.get(SLOT)
    if not key or key.startswith("policy:"):
        return
    downloader = slots(crawler)
    settings = downloader.per_slot_settings.setdefault(key, {})
    usual = crawler.settings.getfloat("DOWNLOAD_DELAY")
    settings["delay"] = max(settings.get("delay", usual), min(delay, SLOWEST))
    slot = downloader.slots.get(key)
    if slot is not None:
        slot.delay = max(slot.delay, settings["delay"])


def slots(crawler: Crawler) -> Downloader:
    """The downloader, which keeps a slot for each budget."""
    assert crawler.engine
    return crawler.engine.downloader
