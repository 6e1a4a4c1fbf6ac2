"""An Ask as a request of Scrapy's: where it goes, with which headers and limits, out of whose budget."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

from blogforever.protocols import Ask, Lane

from .budget import SLOT
from .services import service_of

FREE_OF_ROBOTS = frozenset({"robots", "requisite", "media"})
"""robots.txt is about pages; what belongs to a page comes with it."""
# A page that is known to be good is asked for again to see whether anything still comes: that need
# not take long.
PATIENCE = 20.0
FIRST = 1000
"""The priority of what everything else waits for."""


def request_of(lane: Lane, ask: Ask, largest: int | None) -> Request:
    """One request; statuses and redirects are the handler's business. ValueError where this is no
    address.

    `largest` is the size of a body where its role has a limit of its own.
    """
    meta: dict[str, Any] = {"ask": ask, "lane": lane}
    if ask.role in FREE_OF_ROBOTS:
        meta["free_of_robots"] = True
    if largest is not None:
        meta["download_maxsize"] = largest
    if service := service_of(urlsplit(ask.url).hostname or ""):
        meta[SLOT] = f"service:{service}"
    headers: dict[str, str] = {}
    if ask.via and _may_be_told(ask.via, ask.url):
        headers["Referer"] = ask.via
    if not ask.draw and not ask.body:
        headers |= _conditions(lane, ask, meta)
    if ask.body:
        headers["Content-Type"] = "application/json"
        meta["fresh"] = True
    return Request(
        ask.url,
        NO_CALLBACK,
        method="POST" if ask.body else "GET",
        body=ask.body,
        headers=headers or None,
        priority=ask.priority,
        dont_filter=True,
        meta=meta,
    )


def look_again(lane: Lane, url: str) -> Request:
    """The request that tells whether a page which once came still comes."""
    meta = {
        "lane": lane,
        "free_of_robots": True,
        "dont_retry": True,
        "download_timeout": PATIENCE,
        "fresh": True,
    }
    return Request(url, NO_CALLBACK, meta=meta, dont_filter=True, priority=FIRST)


def _conditions(lane: Lane, ask: Ask, meta: dict[str, Any]) -> dict[str, str]:
    """What asks the server whether an earlier response still holds.

    Its place is noted for the answer.
    """
    earlier = lane.earlier(ask.url)
    if earlier is None:
        return {}
    meta["earlier"] = earlier.ref
    conditions = {"If-None-Match": earlier.etag, "If-Modified-Since": earlier.modified}
    return {name: value for name, value in conditions.items() if value}


def _may_be_told(via: str, url: str) -> bool:
    """Whether a server may know where its address was found: as browsers have it, not what was read
    in private.
    """
    return via.isascii() and (url.startswith("https:") or not via.startswith("https:"))
