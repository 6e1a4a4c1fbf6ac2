"""What came back over the network, as an Answer for the handler: a page, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable

from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from blogforever.discover.blocked import diagnose
from blogforever.errors import LONGEST, ArchiveError
from blogforever.model import Failure, Page
from blogforever.protocols import OF_ROBOTS, PAGE_ROLES, Answer, Ask, Ref
from blogforever.urls import route_of

from .hanging import Silent
from .limits import BrokenBody, CutOff, TooLarge, TooSlow
from .middlewares import PrivateAddress, TimeIsUp
from .robots import RobotsInTrouble, RobotsRefused, Unreachable

NOTHING_NEW = 304
REASONS: tuple[tuple[type[Exception], str], ...] = (
    (PrivateAddress, "private"),
    (RobotsRefused, "blocked by robots"),
    (TimeIsUp, "time limit"),
    (TooLarge, "too large"),
    (TooSlow, "timeout"),
    (Silent, "timeout"),
    (CutOff, "cut off"),
    (BrokenBody, "broken"),
)
"""Our own refusals and limits, in the words of a failure."""
NAMED_REASONS = {
    "HeadTooLong": "endless headers",
    "DownloadTimeoutError": "timeout",
    "CannotResolveHostError": "no such host",
    "DownloadCancelledError": "too large",
    "ResponseDataLossError": "cut off",
}
"""Scrapy's errors by their names: they may be wrapped in others, of which only the text tells."""


def answer_of(ask: Ask, response: Response, read: Callable[[Ref], Page]) -> Answer:
    """A response for the handler; a page that only stands before the page is none."""
    meta, status = response.meta, response.status
    earlier = meta.get("earlier")
    if status == NOTHING_NEW and earlier:
        return _nothing_new(ask, response, earlier, read)
    headers = {
        name.decode("latin-1").lower(): values[-1].decode("latin-1")
        for name, values in dict.items(response.headers)
        if values
    }
    captured = meta.get("captured") or meta.get("fetched")
    page = Page(_address(ask, response), response.body, headers, captured)
    blocked = diagnose(page, status) if ask.role in PAGE_ROLES else None
    if blocked:
        return Answer(ask, status, ref=meta.get("ref"), failure=blocked)
    return Answer(ask, status, page, headers.get("location"), meta.get("ref"))


def failed(ask: Ask, error: Exception) -> Answer:
    """No response came; why."""
    return Answer(ask, 0, failure=Failure(ask.url, reason_of(error), str(error)[:LONGEST]))


def reason_of(error: Exception) -> str:
    """One word or two for why a page could not be had."""
    if isinstance(error, RobotsInTrouble):
        return f"{OF_ROBOTS}{error.trouble}"
    for kind, reason in REASONS:
        if isinstance(error, kind):
            return reason
    text = f"{type(error).__name__}: {error}"
    for name, reason in NAMED_REASONS.items():
        if name in text:
            return reason
    is_refusal = isinstance(error, IgnoreRequest) and not isinstance(error, Unreachable)
    return "refused" if is_refusal else "connection"


def _nothing_new(ask: Ask, response: Response, earlier: Ref, read: Callable[[Ref], Page]) -> Answer:
    """The server says that an earlier response still holds: it is read again."""
    try:
        kept = read(earlier)
    except ArchiveError as error:
        return Answer(ask, response.status, failure=Failure(ask.url, "broken", str(error)))
    page = Page(response.url, kept.content, kept.headers, response.meta.get("fetched"))
    return Answer(ask, 200, page, ref=earlier, unchanged=True)


def _address(ask: Ask, response: Response) -> str:
    """The address of the page.

    A route after # names a page of its own, though no server is told.
    """
    route = route_of(ask.url)
    return f"{response.url}#{route}" if route else response.url
