"""Delay and concurrency for a service, whatever names it has: which budget a request draws on, and how it shrinks."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.core.downloader import Downloader
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from tldextract import TLDExtract

from .guard import Names
from .policy import Policies
from .services import HOSTS, budget_of, service_of
from .turns import ServiceTurns

SLOT = "download_slot"
"""Where a request says which budget it draws on; Scrapy reads it there."""
# Whatever a site asks for, or however slow it is: with longer delays no crawl would ever end.
SLOWEST = 60.0
SERVICE = "service_budget"
"""Where a request that draws on its host's own budget says which one of its service it draws on,
too.
"""
SETTLED = "policy:"
"""How budgets begin that a person has settled."""
LEAST = "least"
"""Where a budget says what its host asks for: it is never asked faster, however good its answers
are.
"""
EASIER = 0.8
"""A budget that was slowed down because its service was busy is eased by each good answer."""
AT_ONCE = 4
"""Requests to one service for pages that are being drawn."""
GOOD = 200
# With the list that comes with the library: nothing is fetched for it.
SPLIT_DOMAIN = TLDExtract(cache_dir=None, suffix_list_urls=())


class ServiceBudget:
    """Gives each request the budget of its service, or of the address its host has."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._names: Names = crawler.settings["BLOGFOREVER_NAMES"]
        self._policies: Policies = crawler.settings["BLOGFOREVER_POLICIES"]
        self._turns: ServiceTurns = crawler.settings["BLOGFOREVER_TURNS"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ServiceBudget:
        """As Scrapy makes it."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Name the budget before the request is queued."""
        host = urlsplit(request.url).hostname or ""
        policy = self._policies.of(request.url)
        if policy and (policy.delay is not None or policy.concurrency):
            key = f"{SETTLED}{policy.blog}"
            self._settle(key, delay=policy.delay, concurrency=policy.concurrency)
        else:
            key = await self._shared_budget(host, is_proxied=bool(request.meta.get("proxy")))
        if request.meta.get("drawing"):
            key = f"drawing:{key}"
            self._settle(key, delay=0, concurrency=AT_ONCE)
        request.meta[SLOT] = key
        place = urlsplit(request.url).netloc
        if own_budget(place) in slots(self._crawler).per_slot_settings and not request.meta.get("drawing"):
            set_apart(self._crawler, request.meta, place)

    async def _shared_budget(self, host: str, *, is_proxied: bool) -> str:
        """With all hosts of one address. Behind a proxy nobody here sees addresses: there all names
        below one domain may be one machine, and are asked as if they were.
        """
        if is_proxied:
            key = budget_of(host, domain=domain_of(host))
        else:
            addresses = await self._names.addresses(host)
            key = budget_of(host, min(addresses) if addresses else None)
        return key if service_of(host) else await self._turns.agreed(host, key)

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
        if response.status == GOOD:
            asked = self._relaxed(key)
        wanted = latency / self._at_once
        delay = max(wanted, (slot.delay + wanted) / 2)
        delay = min(max(self._least, delay), SLOWEST)
        # Errors come quickly: they are no reason to ask faster.
        if response.status == GOOD or delay > slot.delay:
            slot.delay = delay
        slot.delay = max(slot.delay, asked or 0.0)

    def _relaxed(self, key: str) -> float | None:
        """What a budget is held to after a good answer: less than after a busy one, never less than
        was asked for.
        """
        own = slots(self.crawler).per_slot_settings.get(key)
        if own is None or "delay" not in own or key.startswith(SETTLED):
            return own.get("delay") if own else None
        own["delay"] = max(self._least, own.get(LEAST, 0.0), own["delay"] * EASIER)
        return float(own["delay"])


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


@lru_cache(maxsize=HOSTS)
def domain_of(host: str) -> str | None:
    """The name that somebody registered, with everything below it; None where the host has none."""
    return SPLIT_DOMAIN(host).top_domain_under_public_suffix or None


def own_budget(host: str) -> str:
    """The budget that a host has for itself, where it is set apart."""
    return f"host:{host}"


def set_apart(crawler: Crawler, meta: dict[str, Any], host: str, delay: float = 0.0) -> None:
    """Let a host be asked one request at a time, as slowly as it asks for, and the other hosts of
    its service as usual.

    What it is asked counts for its service as well.
    """
    key = meta.get(SLOT)
    if not key or key.startswith(SETTLED):
        return
    own = own_budget(host)
    if key != own:
        meta[SERVICE], meta[SLOT] = key, own
    downloader = slots(crawler)
    usual = crawler.settings.getfloat("DOWNLOAD_DELAY")
    asked = downloader.per_slot_settings.setdefault(own, {"concurrency": 1, "delay": usual, LEAST: usual})
    asked[LEAST] = max(asked[LEAST], min(delay, SLOWEST))
    asked["delay"] = max(asked["delay"], asked[LEAST])
    if slot := downloader.slots.get(own):
        slot.delay = max(slot.delay, asked["delay"])


def slow_down(crawler: Crawler, meta: dict[str, Any], delay: float) -> None:
    """From now on at least this many seconds between two requests of this budget, until good
    answers come.
    """
    key = meta.get(SLOT)
    if not key or key.startswith(SETTLED):
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
