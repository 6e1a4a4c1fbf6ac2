"""What a response lets us ask next time: ETag and Last-Modified, and for how long Cache-Control says it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from blogforever.dates.header import header_moment
from blogforever.protocols import Condition, Exchange, Ref

# A server's promise that nothing will change is believed for so long.
LONGEST = timedelta(days=7)
MAX_AGE = re.compile(r"(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
NEVER = re.compile(r"\bno-(?:store|cache)\b", re.IGNORECASE)
PAGES = ("html", "xml", "json", "text/plain")
FOUND, NOT_MODIFIED = 200, 304


def condition_of(exchange: Exchange, ref: Ref) -> Condition | None:
    """The condition for the next request, for pages, feeds
    and sitemaps that came whole; files are asked for once.
    """
    headers = _lower(exchange.response_headers)
    if exchange.status == NOT_MODIFIED and exchange.earlier:
        ref, headers = exchange.earlier, _asked_with(exchange) | headers
    elif not _came_whole(exchange) or not _is_page(headers):
        return None
    until = _until(exchange, headers.get("cache-control", ""))
    etag, modified = headers.get("etag") or None, headers.get("last-modified") or None
    if exchange.status == FOUND and _may_hold_for_two(headers):
        etag = modified = None
    if not (etag or modified or until):
        return None
    return Condition(ref, exchange.captured, etag, modified, until)


def _lower(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}


def _asked_with(exchange: Exchange) -> dict[str, str]:
    """What an earlier response said of itself: a server that says that nothing changed need not
    repeat it.
    """
    sent = _lower(exchange.request_headers)
    return {
        "etag": sent.get("if-none-match", ""),
        "last-modified": sent.get("if-modified-since", ""),
    }


def _may_hold_for_two(headers: Mapping[str, str]) -> bool:
    """Whether a page that changed once more would be said not to have changed: it came in the very second of its last
    change, and nothing tells two changes of a second apart. A tag made of that second, as nginx has it, does not.
    """
    changed, came = header_moment(headers.get("last-modified", "")), header_moment(headers.get("date", ""))
    if changed is None or came is None or came > changed:
        return False
    second, tag = int(changed.timestamp()), headers.get("etag", "").lower()
    return not tag or f"{second:x}" in tag or f"{second}" in tag


def _came_whole(exchange: Exchange) -> bool:
    return exchange.status == FOUND and not exchange.truncated


def _is_page(headers: Mapping[str, str]) -> bool:
    return any(kind in headers.get("content-type", "text/html").lower() for kind in PAGES)


def _until(exchange: Exchange, control: str) -> datetime | None:
    """Until when the server says that nothing changes; None where it does not."""
    promise = None if NEVER.search(control) else MAX_AGE.search(control)
    seconds = int(promise[1]) if promise else 0
    return exchange.captured + min(timedelta(seconds=seconds), LONGEST) if seconds else None
