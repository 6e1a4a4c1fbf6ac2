"""What stands between the spider and the network: guard, resumed responses, the WARC."""

from __future__ import annotations

from datetime import datetime
from time import monotonic
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.headers import Headers
from scrapy.responsetypes import responsetypes

from blogforever import clock
from blogforever.model import Page
from blogforever.protocols import Ask, Exchange, Lane, Ref, ResponseReader, why_cut

from .access import OWN, SECRET
from .certificates import CERTIFICATE, CERTIFICATE_FOUND
from .guard import Names
from .limits import CutOff, TooLarge, TooSlow

SERVER_ERRORS = 500
# What such an answer says may hold for that moment only: refused, too slow, too many.
FOR_NOW = frozenset({403, 408, 429})
OF_THE_WIRE = frozenset({"content-encoding", "transfer-encoding"})
"""Headers that say how a body was sent; a kept one is read as it was meant."""


class PrivateAddress(IgnoreRequest):
    """The host is on a private or loopback address."""


class TimeIsUp(IgnoreRequest):
    """The crawl's own limit of time was reached before this was asked."""


class AddressGuard:
    """Stops a request to a host that has private addresses only, or after the crawl has ended."""

    def __init__(self, crawler: Crawler) -> None:
        self._names: Names = crawler.settings["BLOGFOREVER_NAMES"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> AddressGuard:
        """As Scrapy makes it."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Refuse before anything is asked.

        Connections are refused once more where they are made.
        """
        lane: Lane | None = request.meta.get("lane")
        if lane and lane.deadline is not None and monotonic() > lane.deadline:
            raise TimeIsUp("the crawl was over")
        host = urlsplit(request.url).hostname or ""
        # A proxy would connect to whatever we name: what can be known of it here is asked first.
        await self._names.addresses(host)
        if self._names.refused(host):
            raise PrivateAddress("private or loopback address")


class Resumed:
    """Answers from the WARC what is there already: fetched before an interruption, or asked for
    from there.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._reader: ResponseReader = crawler.settings["BLOGFOREVER_READER"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Resumed:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> Response | None:
        """The kept response, if it was a good one."""
        ask: Ask | None = request.meta.get("ask")
        if ask and ask.kept:
            status, page = self._reader.response(ask.kept)
            return self._answer(request, ask.kept, status, page)
        lane: Lane | None = request.meta.get("lane")
        if lane is None or lane.resumed is None or request.meta.get("fresh"):
            return None
        ref = lane.resumed.find(request.url, exact=True)
        if ref is None:
            return None
        status, page = lane.resumed.response(ref)
        is_whole = "warc-truncated" not in page.headers
        return self._answer(request, ref, status, page) if is_whole and _is_good(status) else None

    def _answer(self, request: Request, ref: Ref, status: int, page: Page) -> Response:
        request.meta["ref"], request.meta["captured"] = ref, page.captured
        headers = {name: value for name, value in page.headers.items() if name not in OF_THE_WIRE}
        kind = responsetypes.from_args(headers=Headers(headers), url=request.url, body=page.content)
        return kind(request.url, status=status, headers=headers, body=page.content)


class Recording:
    """Writes each exchange to the WARC while the body is still as it came: before it is unpacked or
    looked at.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recording:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response | Request:
        """Record and pass on; what came only in part is recorded too, but is no page."""
        meta = request.meta
        lane: Lane = meta["lane"]
        if meta.get("captured") or lane.record is None:
            return response
        truncated = meta.pop("truncated", None)
        if truncated is None and "dataloss" in response.flags:
            truncated = "disconnect"
        captured = clock.now()
        if problem := meta.get(CERTIFICATE):
            lane.distrusted.setdefault(urlsplit(request.url).netloc, problem)
        meta["ref"] = lane.record(_exchange(request, response, captured, truncated))
        meta["fetched"] = captured
        return response if truncated is None else self._in_part(request, response, truncated)

    def _in_part(self, request: Request, response: Response, truncated: str) -> Response | Request:
        if truncated == "length":
            raise TooLarge("cut by a limit: the body is larger than --max-size allows")
        if truncated == "time":
            raise TooSlow("cut by a limit: the body did not end within --timeout")
        spider = self._crawler.spider
        again = get_retry_request(request, spider=spider, reason="cut off") if spider else None
        if again is not None and not request.meta.get("dont_retry"):
            return again
        if why_cut(truncated, response.body) is None:
            return response
        raise CutOff("the connection ended before the body did")


def _is_good(status: int) -> bool:
    """Whether asking again would bring nothing better."""
    return status != 0 and status < SERVER_ERRORS and status not in FOR_NOW


def _exchange(request: Request, response: Response, captured: datetime, truncated: str | None) -> Exchange:
    ask = request.meta.get("ask")
    hidden = SECRET | {"cookie"} if request.meta.get(OWN) else SECRET
    found = request.meta.get(CERTIFICATE_FOUND)
    # Through a proxy the address at the other end is the proxy's.
    address = None if request.meta.get("proxy") else response.ip_address
    return Exchange(
        url=request.url.partition("#")[0],
        method=request.method,
        request_headers=tuple(pair for pair in _pairs(request.headers) if pair[0].lower() not in hidden),
        status=response.status,
        reason="",
        response_headers=_pairs(response.headers),
        body=response.body,
        captured=captured,
        ip=str(address) if address else None,
        via=ask.via if ask else request.meta.get("drawing"),
        truncated=truncated,
        request_body=request.body,
        earlier=request.meta.get("earlier"),
        extra={CERTIFICATE: found} if found else {},
    )


def _pairs(headers: Headers) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    # As the dictionary has them: Scrapy's own way looks each name up again, of every request and
    # every response.
    for name, values in dict.items(headers):
        pairs += [(name.decode("latin-1"), value.decode("latin-1")) for value in values]
    return tuple(pairs)
