"""What a response lets us ask next time: ETag and Last-Modified, and for how long Cache-Control says it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from blogforever.protocols import Condition, Exchange, Ref

LONGEST = timedelta(days=7)
"""A server's promise that nothing will change is believed for so long."""
MAX_AGE = re.compile(r"(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
NEVER = re.compile(r"\bno-(?:store|cache)\b", re.IGNORECASE)
PAGES = ("html", "xml", "json", "text/plain")
NOT_MODIFIED = 304


def condition_of(exchange: Exchange, ref: Ref) -> Condition | None:
    """The condition for the next request, for pages, feeds and sitemaps that came whole; files are asked for once."""
    headers = {name.lower(): value for name, value in exchange.response_headers}
    if exchange.status == NOT_MODIFIED and exchange.earlier:
        ref = exchange.earlier
        sent = {name.lower(): value for name, value in exchange.request_headers}
        headers = {"etag": sent.get("if-none-match", ""), "last-modified": sent.get("if-modified-since", "")} | headers
    elif exchange.status != 200 or exchange.truncated or not _is_page(headers):
        return None
    until = _until(exchange, headers.get("cache-control", ""))
    etag, modified = headers.get("etag") or None, headers.get("last-modified") or None
    return Condition(ref, exchange.captured, etag, modified, until) if etag or modified or until else None


def _is_page(headers: Mapping[str, str]) -> bool:
    return any(kind in headers.get("content-type", "text/html").lower() for kind in PAGES)


def _until(exchange: Exchange, control: str) -> datetime | None:
    found = None if NEVER.search(control) else MAX_AGE.search(control)
    return exchange.captured + min(timedelta(seconds=int(found[1])), LONGEST) if found and int(found[1]) else None
