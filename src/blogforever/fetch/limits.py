"""Bounds on what a server may send: headers, bytes, time, and what comes out when it is unpacked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from time import monotonic
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import DownloadTimeoutError, IgnoreRequest, StopDownload
from scrapy.http import Response
from scrapy.utils.asyncio import call_later

from blogforever.logs import logger

from .access import drop_credentials
from .budget import SERVICE, SLOT, Pauses, slots
from .certificates import CERTIFICATE, CERTIFICATE_FOUND, Certificates, Connections
from .inside_scrapy import HandlerWith, was_unanswered
from .turns import ServiceTurns, TurnLost

log = logger("fetch")
Download = Callable[[Request], Awaitable[Response]]
MARGIN = 0.8
"""We end a body that drags on before Scrapy would: it throws away what came."""
# Seconds between two looks at the clock: a loop that comes much later was not free to read in
# between.
TICK = 0.25
# So often a download is begun again that our own stalls have cut; then it is a time-out like any
# other.
STALLS = 3


class TooLarge(IgnoreRequest):
    """The body has more bytes than one page may have."""


class TooSlow(IgnoreRequest):
    """The body took longer than one page may take."""


class CutOff(IgnoreRequest):
    """The connection ended before the body did."""


class BrokenBody(IgnoreRequest):
    """The body cannot be unpacked."""


class Attention:
    """The time in which our event loop was free to read: while it is busy with other work, servers
    wait for us.
    """

    def __init__(self, clock: Callable[[], float] = monotonic, later: Callable[..., Any] = call_later) -> None:
        self._clock, self._later = clock, later
        self._spent, self._last = 0.0, clock()
        self._next: Any = None

    def begin(self) -> None:
        """Look at the clock from now on, until `end`."""
        self._spent, self._last = self.now(), self._clock()
        self._next = self._later(TICK, self.begin)

    def end(self) -> None:
        """Look no more."""
        if self._next is not None:
            self._next.cancel()

    def now(self) -> float:
        """Seconds of attention so far.

        Of each time between two looks not more than it should have been.
        """
        return self._spent + min(self._clock() - self._last, 2 * TICK)


class PatientHandler(HandlerWith):
    """Keeps the pauses that sites ask for, and takes no time-out for one that is our own fault."""

    def __init__(self, crawler: Crawler, connections: Connections) -> None:
        super().__init__(crawler, connections)
        limits, pauses = crawler.get_extension(BodyLimits), crawler.get_extension(Pauses)
        assert limits
        assert pauses
        self._limits, self._pauses = limits, pauses
        self._turns: ServiceTurns = crawler.settings["BLOGFOREVER_TURNS"]
        self._slots = partial(slots, crawler)
        self._usual_delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._usual_share = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")

    async def download_request(self, request: Request) -> Response:
        """One download, when it is its turn among those of all processes; a second one where nobody
        answered.
        """
        try:
            return await self._in_turn(request, super().download_request)
        except Exception as error:
            if not was_unanswered(error):
                raise
        return await self._in_turn(request, self.download_afresh)

    async def _in_turn(self, request: Request, download: Download) -> Response:
        while True:
            try:
                return await self._in_one_turn(request, download)
            except TurnLost as lost:
                log.info("%s is asked for again: %s", request.url, lost)

    async def _in_one_turn(self, request: Request, download: Download) -> Response:
        await self._pauses.wait(request)
        key = request.meta.get(SLOT, "")
        slot = self._slots().slots.get(key)
        if slot is None:
            return await self._download(request, download)
        async with self._turns.turn(key, slot.delay, slot.concurrency), self._turn_of_service(request):
            return await self._download(request, download)

    def _turn_of_service(self, request: Request) -> AbstractAsyncContextManager[None]:
        """The turn of the service, where its host draws on a budget of its own."""
        key = request.meta.get(SERVICE)
        if not key:
            return nullcontext()
        slot = self._slots().slots.get(key)
        delay = slot.delay if slot else self._usual_delay
        return self._turns.turn(key, delay, slot.concurrency if slot else self._usual_share)

    async def _download(self, request: Request, download: Download) -> Response:
        """Scrapy's own time runs from here, by the clock on the wall."""
        for _ in range(STALLS):
            self._limits.begin(request)
            try:
                return await download(request)
            except DownloadTimeoutError:
                if self._limits.is_over(request):
                    raise
        self._limits.begin(request)
        return await download(request)


class BoundedHandler(PatientHandler):
    """Looks at certificates; where one is not valid, the page is fetched without what is the
    operator's own.

    The two kinds of connections are kept apart, so that nothing secret is ever sent over one that
    was not looked at.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._certificates: Certificates = crawler.settings["BLOGFOREVER_CERTIFICATES"]
        super().__init__(crawler, Connections(self._certificates))
        self._trusting = PatientHandler(crawler, Connections())

    async def download_request(self, request: Request) -> Response:
        """One download, over a connection that may be trusted where there is one."""
        for name in (CERTIFICATE, CERTIFICATE_FOUND):
            request.meta.pop(name, None)
        if self._certificates.problem(request.url) is None:
            try:
                return await super().download_request(request)
            except Exception:
                if self._certificates.problem(request.url) is None:
                    raise
        return await self._download_anyway(request)

    async def _download_anyway(self, request: Request) -> Response:
        if self._certificates.distrusts(request.url):
            drop_credentials(request)
        request.meta[CERTIFICATE] = self._certificates.problem(request.url)
        request.meta[CERTIFICATE_FOUND] = self._certificates.found(request.url)
        return await self._trusting.download_request(request)

    async def close(self) -> None:
        """Close the connections of both kinds."""
        await self._trusting.close()
        await super().close()


class BodyLimits:
    """Stops a body that grows or drags on; what came of it goes to the WARC with a flag."""

    def __init__(self, crawler: Crawler) -> None:
        self._size = crawler.settings.getint("DOWNLOAD_MAXSIZE")
        self._seconds = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._attention = Attention()
        crawler.signals.connect(self._attention.begin, signals.spider_opened)
        crawler.signals.connect(self._attention.end, signals.spider_closed)
        crawler.signals.connect(self.headers, signals.headers_received)
        crawler.signals.connect(self.bytes, signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BodyLimits:
        """As Scrapy makes it."""
        return cls(crawler)

    def begin(self, request: Request) -> None:
        """A request is sent."""
        request.meta["begun"] = self._attention.now()

    def is_over(self, request: Request) -> bool:
        """Whether a server had its time while we were listening."""
        allowed = request.meta.get("download_timeout", self._seconds)
        return self._attention.now() - float(request.meta["begun"]) > MARGIN * float(allowed)

    def headers(self, request: Request, spider: Spider) -> None:
        """The body begins."""
        request.meta["received"] = 0

    def bytes(self, data: bytes, request: Request, spider: Spider) -> None:
        """More of the body."""
        meta = request.meta
        meta["received"] += len(data)
        if self._size and meta["received"] >= meta.get("download_maxsize", self._size):
            meta["truncated"] = "length"
        elif self.is_over(request):
            meta["truncated"] = "time"
        else:
            return
        raise StopDownload(fail=False)


class Unpack(HttpCompressionMiddleware):
    """Scrapy's decompression; a body that only claims to be packed is taken as it is."""

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Unpack within the limit of size."""
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            raise TooLarge(str(error)) from error
        except Exception as error:
            if response.body.lstrip()[:1] != b"<":
                raise BrokenBody(f"the body cannot be unpacked: {type(error).__name__}") from error
            headers = response.headers.copy()
            del headers["Content-Encoding"]
            plain: Response = response.replace(headers=headers)
            return plain
