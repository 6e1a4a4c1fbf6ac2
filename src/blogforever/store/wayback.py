"""Addresses of web archives (`/web/20100101000000id_/http://…`): captures of the original address
at that time.

What such an archive writes into a page (its toolbar, its scripts, its own address before every
link) is taken out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_ADDRESS = re.compile(
    r"https?://[^/?#]+/(?:[\w.-]+/)?(\d{14})(?:[a-z]{2}_)?/(https?:/{1,2}[^/].*)", re.IGNORECASE | re.DOTALL
)
_PREFIX = re.compile(rb"(?:https?:)?(?://web\.archive\.org)?/web/\d{14}(?:[a-z]{2}_)?/(?=https?:/)", re.IGNORECASE)
_INSERTED = (
    re.compile(
        rb"<!-- BEGIN WAYBACK TOOLBAR INSERT -->(?:(?!<!-- BEGIN).)*?<!-- END WAYBACK TOOLBAR INSERT -->", re.DOTALL
    ),
    re.compile(
        rb"(?<=<head>)\s*<script[^>]*archive\.org(?:(?!<head>).)*?<!-- End Wayback Rewrite JS Include -->",
        re.DOTALL | re.IGNORECASE,
    ),
    re.compile(rb"<!--\s+FILE ARCHIVED ON (?:(?!<!--).)*?-->", re.DOTALL),
    re.compile(rb"<!--\s+playback timings(?:(?!<!--).)*?-->", re.DOTALL),
)


def original(url: str) -> tuple[str, str] | None:
    """The address and the moment (WARC-Date) that an address of a web archive stands for."""
    match = _ADDRESS.fullmatch(url) if "/http" in url[8:].lower() else None
    moment = _moment(match[1]) if match else None
    return (re.sub(r"^(https?:)/{1,2}", r"\1//", match[2], flags=re.IGNORECASE), moment) if match and moment else None


def unwrapped(content: bytes) -> bytes:
    """A page as it was before a web archive wrote into it."""
    for pattern in _INSERTED:
        content = pattern.sub(b"", content)
    return _PREFIX.sub(b"", content)


def unwrapped_link(url: str) -> str:
    """A link as it was before a web archive wrote its own address before it."""
    found = original(url)
    if found:
        return found[0]
    return _PREFIX.sub(b"", url.encode(errors="replace")).decode(errors="replace")


def _moment(stamp: str) -> str | None:
    try:
        return datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None
