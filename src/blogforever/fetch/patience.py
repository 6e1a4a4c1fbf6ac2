"""What is asked again, and when: Retry-After, cookie walls, storms of errors, a network that is gone."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.http import Response

from blogforever import clock
from blogforever.dates.header import header_moment
from blogforever.protocols import REDIRECTS

from .budget import SLOT, Pauses, set_apart, slots, slow_down

TOO_MANY = 429
UNAVAILABLE = 503
SERVER_ERRORS = 500
# Who asks for more is asked for this page by the next crawl; this one has others to go on with.
LONGEST_WAIT = 300.0
# Where a busy site does not say how long; each time more.
USUAL_WAIT = 5.0
# The same where the operator wants no delays at all: his own server, or a test.
SHORT_WAIT = 0.5
# A busy site is not only left alone for a while, but asked less often from then on.
SLOWER = 1.5
# A page is asked for so often while its site is busy.
BUSY_TRIES = 4
NO_LIMIT = 1000
# So many errors in a row are no accident of single pages.
STORM = 12
LONGEST_NUMBER = 9
"""Digits of a Retry-After that are read; no site means more seconds than that."""


def seconds_to_wait(value: str | None, now: datetime | None = None) -> float | None:
    """What a Retry-After asks for, in seconds, never more than LONGEST_WAIT.

    None where it makes no sense.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:LONGEST_NUMBER]), LONGEST_WAIT)
    moment = header_moment(text)
    if moment is None:
        return None
    try:
        wait = (moment - (now or clock.now())).total_seconds()
    except OverflowError:
        return LONGEST_WAIT
    return min(max(wait, 0.0), LONGEST_WAIT)


class Patience:
    """Waits where a site asks us to, and stops asking again where nothing but errors comes."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._tries = min(BUSY_TRIES, crawler.settings.getint("RETRY_TIMES") + 2)
        pauses = crawler.get_extension(Pauses)
        assert pauses
        self._pauses = pauses
        self._bad: dict[str, int] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Patience:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response | Request:
        """A busy site is left alone for as long as it asks.

        A cookie wall is walked through once.
        """
        if request.meta.get("captured") or request.meta.get("drawing"):
            return response
        if again := _through_cookie_wall(request, response):
            return again
        self._count(request, response.status >= SERVER_ERRORS)
        asked = _header(response, "Retry-After")
        says_when = response.status == UNAVAILABLE and asked is not None
        if response.status != TOO_MANY and not says_when:
            return response
        if says_when:
            # A host that is down says nothing of the others of its service; too many requests are
            # those of all of them.
            set_apart(self._crawler, request.meta, urlsplit(request.url).netloc)
        return self._busy(request, seconds_to_wait(asked)) or response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Count what did not even answer."""
        self._count(request, True)

    def _busy(self, request: Request, wait: float | None) -> Request | None:
        tries = request.meta.get("busy_tries", 0) + 1
        key = request.meta.get(SLOT, "")
        slot = slots(self._crawler).slots.get(key)
        has_delay = slot is None or slot.delay > 0
        if wait is None:
            wait = USUAL_WAIT * tries if has_delay else SHORT_WAIT
        self._pauses.begin(key, wait)
        usual = self._crawler.settings.getfloat("DOWNLOAD_DELAY")
        if delay := slot.delay if slot else usual:
            slow_down(self._crawler, request.meta, delay * SLOWER)
        request.meta["dont_retry"] = True
        return self._again(request, tries) if tries <= self._tries else None

    def _again(self, request: Request, tries: int) -> Request | None:
        spider = self._crawler.spider
        assert spider
        # How often it is asked again is decided here, not by Scrapy's own limit.
        again = get_retry_request(request, spider=spider, reason="busy", max_retry_times=NO_LIMIT)
        if again is not None:
            again.meta["busy_tries"] = tries
        return again

    def _count(self, request: Request, bad: bool) -> None:
        """In a storm each page is asked for once only."""
        key = request.meta.get(SLOT, "")
        self._bad[key] = self._bad.get(key, 0) + 1 if bad else 0
        if self._bad[key] > STORM:
            request.meta["dont_retry"] = True


def _through_cookie_wall(request: Request, response: Response) -> Request | None:
    """A redirect to the very same address with a cookie to bring along."""
    if response.status not in REDIRECTS or not response.headers.get("Set-Cookie"):
        return None
    place = urljoin(request.url, _header(response, "Location") or "")
    if place != request.url or request.meta.get("walled"):
        return None
    again: Request = request.replace(dont_filter=True)
    again.meta["walled"] = True
    for name in ("ref", "fetched"):
        again.meta.pop(name, None)
    return again


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value is not None else None
