"""robots.txt by RFC 9309: unreachable forbids everything for a while, absent allows, redirects are followed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

from protego import Protego
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from blogforever import clock
from blogforever.errors import BlogForeverError
from blogforever.logs import logger
from blogforever.protocols import REDIRECTS
from blogforever.storage.turns import KnownRobots

from .budget import set_apart
from .limits import TooLarge
from .middlewares import PrivateAddress, TimeIsUp
from .policy import Policies
from .turns import ServiceTurns

NAME = "blogforever"
"""The name by which a robots.txt may speak of us."""
# RFC 9309 asks for 500 KiB at least; what comes after need not be read.
READ = 512_000
# RFC 9309: at least five redirects are followed.
HOPS = 5
# Every page of the host waits for it, and most hosts answer at once.
PATIENCE = 20.0
# A blog of a thousand posts takes eight hours at this pace; longer delays are meant for others.
LONGEST_DELAY = 30.0
# RFC 9309: it should not be kept for more than a day. That is a matter of manners, as delays are:
# the monotonic clock counts.
VALID = 24 * 3600.0
# A host that is in trouble now may be back soon. Who asks again is a look that the schedule has
# planned: its clock counts.
TRIED_AGAIN = timedelta(minutes=10)
FIRST = 1000
"""The priority of what everything else waits for."""
GATEWAY_ERRORS = frozenset({502, 504})
"""What a proxy answers for a host that does not: bad gateway, and no answer in time."""
# By these a proxy says that an error is its own (RFC 9209, and Squid's, which answers 503 for
# unknown names).
PROXY_HEADERS = ("Proxy-Status", "X-Squid-Error")
# The lines we obey, with the misspellings that are taken for them.
_OBEYED = re.compile(r"\s*+(?:user[- ]?agent|allow|di[as]{2,3}l{1,2}[oa]w|crawl[- ]delay)(?=[:\s])", re.IGNORECASE)
log = logger("fetch")


class RobotsRefused(IgnoreRequest):
    """robots.txt forbids the page."""


class RobotsInTrouble(IgnoreRequest):
    """The host answers, but has no robots.txt to give for now, which forbids everything."""

    def __init__(self, trouble: str) -> None:
        super().__init__(f"robots.txt could not be read ({trouble}), so everything is forbidden for now")
        self.trouble = trouble


class Unreachable(IgnoreRequest):
    """Nobody answers where the host's robots.txt should be: no page of it can be had, either."""


@dataclass(slots=True)
class Ruling:
    """What one host's robots.txt says.

    `trouble` is the answer of a host that could not give it, `unreachable` why there was no answer.
    """

    rules: Any = None
    said: str | None = None
    """The lines of it that are obeyed, where there was any answer that others may rely on."""
    trouble: str = ""
    unreachable: str = ""
    until: float = 0.0
    """Until when it is believed, on the monotonic clock."""
    again: datetime | None = None
    """When it is asked for again, because it could not be had; on the clock of the schedule."""
    response: Response | None = None
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def is_outdated(self) -> bool:
        """Whether it must be asked for again."""
        return clock.now() >= self.again if self.again else monotonic() > self.until

    def refusal(self, url: str) -> IgnoreRequest | None:
        """Why this address may not be fetched, or cannot be; None where it may."""
        if self.unreachable:
            return Unreachable(self.unreachable)
        if self.trouble:
            return RobotsInTrouble(self.trouble)
        if self.rules is not None and not self.rules.can_fetch(url, NAME):
            return RobotsRefused("forbidden by robots.txt")
        return None

    def enforce(self, url: str) -> None:
        """Raise where this address may not be fetched, or cannot be."""
        if why := self.refusal(url):
            raise why


class Robots:
    """Asks each host for its robots.txt once, and obeys it for pages.

    What a page loads is governed by an option.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._policies: Policies = crawler.settings["BLOGFOREVER_POLICIES"]
        self._turns: ServiceTurns = crawler.settings["BLOGFOREVER_TURNS"]
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
            host = urlsplit(request.url).netloc
            set_apart(self._crawler, meta, host, min(float(delay), LONGEST_DELAY))
        if ruling.response is not None and _asks_for_robots(request):
            # It is here already.
            meta.update(ruling.meta)
            answer: Response = ruling.response.replace(request=request)
            return answer
        if not self._is_free(request):
            ruling.enforce(request.url)
        return None

    def _is_free(self, request: Request) -> bool:
        """Whether robots.txt does not bind us here."""
        policy = self._policies.of(request.url)
        is_ignored = policy is not None and policy.robots == "ignore"
        return is_ignored or bool(request.meta.get("free_of_robots"))

    async def _ruling(self, request: Request) -> Ruling:
        parts = urlsplit(request.url)
        host = f"{parts.scheme}://{parts.netloc}"
        ruling = self._rulings.get(host)
        if ruling is None or _is_outdated(ruling):
            # A task of its own: whose request was the first may be given up while others wait for
            # the same file.
            ruling = self._rulings[host] = asyncio.ensure_future(self._learn(host, request))
        return await asyncio.shield(ruling)

    async def _learn(self, host: str, cause: Request) -> Ruling:
        """What another machine was told, or what we are; then others need not ask."""
        known = await self._turns.robots(host)
        if known and not (ruling := _believed(known)).is_outdated:
            return ruling
        ruling = await self._fetch(f"{host}/robots.txt", cause)
        if ruling.said is not None:
            again = ruling.again.isoformat() if ruling.again else None
            left = max(0.0, ruling.until - monotonic()) if again is None else VALID
            await self._turns.keep_robots(host, KnownRobots(ruling.said, ruling.trouble, again, left))
        return ruling

    async def _fetch(self, url: str, cause: Request) -> Ruling:
        patience = min(PATIENCE, self._crawler.settings.getfloat("DOWNLOAD_TIMEOUT"))
        for _ in range(HOPS + 1):
            request = _request(url, cause, patience)
            try:
                assert self._crawler.engine
                response = await self._crawler.engine.download_async(request)
            except (PrivateAddress, TimeIsUp, TooLarge):
                # Refused by our own guard, which the page will meet too; or far too long to be one.
                return Ruling(again=clock.now() + TRIED_AGAIN)
            except BlogForeverError:
                # Our own trouble says nothing of the host.
                raise
            except Exception as error:
                log.info("%s cannot be had: %s", url, error)
                return _not_had(error)
            place = response.headers.get("Location")
            if response.status not in REDIRECTS or not place:
                return _read(response, request.meta)
            url = urljoin(url, place.decode("latin-1"))
            if urlsplit(url).scheme not in ("http", "https"):
                break
        return Ruling(until=monotonic() + VALID)


def _not_had(error: Exception) -> Ruling:
    """Everything is forbidden for a while, for the reason for which a page could not be had, either."""
    return Ruling(unreachable=f"{type(error).__name__}: {error}", again=clock.now() + TRIED_AGAIN)


def _is_outdated(ruling: asyncio.Future[Ruling]) -> bool:
    if not ruling.done():
        return False
    failed = ruling.cancelled() or ruling.exception() is not None
    return failed or ruling.result().is_outdated


def _request(url: str, cause: Request, timeout: float) -> Request:
    meta: dict[str, Any] = {"is_robots": True, "max_retry_times": 1, "download_timeout": timeout}
    meta["lane"] = cause.meta["lane"]
    return Request(url, NO_CALLBACK, priority=FIRST, meta=meta, dont_filter=True)


def _read(response: Response, meta: dict[str, Any]) -> Ruling:
    """4xx allows everything, 5xx forbids it; a text is read as far as the RFC asks."""
    kept = {"ref": meta.get("ref"), "captured": meta.get("captured") or meta.get("fetched")}
    if meta.get("proxy") and _is_word_of_proxy(response):
        said = f"the proxy answered {response.status}"
        return Ruling(unreachable=said, again=clock.now() + TRIED_AGAIN)
    if response.status >= 500 or response.status == 429:
        return Ruling(said="", trouble=f"status {response.status}", again=clock.now() + TRIED_AGAIN)
    if not 200 <= response.status < 300:
        return Ruling(said="", until=monotonic() + VALID, response=response, meta=kept)
    said = _obeyed(response.body[:READ].decode("utf-8", "replace").lstrip("\ufeff"))
    return Ruling(_parse(said), said, until=monotonic() + VALID, response=response, meta=kept)


def _believed(known: KnownRobots) -> Ruling:
    """What another machine was told, as if it had been us."""
    again = datetime.fromisoformat(known.again) if known.again else None
    rules = _parse(known.said) if known.said else None
    return Ruling(rules, known.said, known.trouble, until=monotonic() + known.left, again=again)


def _is_word_of_proxy(response: Response) -> bool:
    """Whether a proxy says that it could not reach the host: the answer is none of the host's."""
    if response.status in GATEWAY_ERRORS:
        return True
    return response.status >= 500 and any(name in response.headers for name in PROXY_HEADERS)


def _obeyed(text: str) -> str:
    """Its lines that mean something to us; RFC 9309: a line that says anything else does not part
    two User-agent lines from each other.
    """
    return "\n".join(line for line in text.splitlines() if _OBEYED.match(line))


def _parse(text: str) -> Any:
    """Its groups."""
    try:
        return Protego.parse(_obeyed(text))
    except ValueError:
        return None


def _asks_for_robots(request: Request) -> bool:
    ask, parts = request.meta.get("ask"), urlsplit(request.url)
    is_wanted = ask is not None and ask.role == "robots"
    return is_wanted and parts.path == "/robots.txt" and not parts.query
