"""How long to wait for a host: all the time a page may take, until some of its addresses have hung.

What hangs is paid out of a budget that all addresses of a host share, so that each further one is
given less time, but always several times what its good answers take. A host that never answered at
all is not asked for ever.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from time import monotonic

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from .budget import SLOT

# The budget of a host, in time-outs: the first hanging address may use a fifth of it, the next a
# fifth of the rest.
SHARES = 5
LEAST = 5.0
"""Seconds that every address is given."""
SLACK = 4.0
"""A page may take so many times what nearly all good answers of its host took."""
NEARLY_ALL = 0.9
RECENT = 50
"""Good answers by which a host is judged."""
NEVER = 5
"""Time-outs after which a host that has never answered is given up."""
OWN = "own_timeout"
EARNED = 20
"""Answers by which a host earns the time of one time-out back."""


class Silent(IgnoreRequest):
    """The host has never answered, and was asked often enough."""


@dataclass(slots=True)
class Host:
    """What is known of one host's answers: seconds that were waited in vain, seconds that good ones
    took.
    """

    usual: float
    hung: float = 0.0
    times: int = 0
    good: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))

    def seconds(self) -> float:
        """How long the next address may take."""
        share = max(SHARES * self.usual - self.hung, 0.0) / SHARES
        return min(self.usual, max(LEAST, SLACK * self._taken(), share))

    def answered(self, seconds: float) -> None:
        """A good answer came after so many seconds."""
        self.good.append(seconds)
        self.hung = max(self.hung - self.usual / EARNED, 0.0)

    def waited(self, seconds: float) -> None:
        """Nothing came, or not all of it, for so many seconds."""
        self.hung += seconds
        self.times += 1

    def is_silent(self) -> bool:
        """Whether nothing but time-outs ever came."""
        return not self.good and self.times >= NEVER

    def _taken(self) -> float:
        return sorted(self.good)[int(NEARLY_ALL * (len(self.good) - 1))] if self.good else 0.0


class Hanging:
    """Gives each request its time, and does not repeat at once what hung: who asked may ask again
    in the end.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._usual = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._hosts: dict[str, Host] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Hanging:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Set the time, unless who asks has set one."""
        meta = request.meta
        host = self._host(request)
        ask = meta.get("ask")
        if host.is_silent() and not meta.get("is_robots"):
            raise Silent("its host has never answered")
        if ask is not None and ask.again:
            meta["download_timeout"] = self._usual
        elif meta.get(OWN) or "download_timeout" not in meta:
            meta[OWN], meta["download_timeout"] = True, host.seconds()

    def process_response(self, request: Request, response: Response) -> Response:
        """How long the answer took; a body that drags on has hung, too."""
        begun = request.meta.get("begun")
        if begun is None or request.meta.get("captured"):
            return response
        host, taken = self._host(request), monotonic() - begun
        if request.meta.get("truncated") == "time":
            host.waited(taken)
        else:
            host.answered(taken)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """What hung counts, and is not repeated now.

        Only robots.txt is, because everything waits for it.
        """
        if "Timeout" in type(exception).__name__:
            self._host(request).waited(monotonic() - request.meta.get("begun", monotonic()))
            if not request.meta.get("is_robots"):
                request.meta["dont_retry"] = True

    def _host(self, request: Request) -> Host:
        return self._hosts.setdefault(request.meta.get(SLOT, ""), Host(self._usual))
