"""Addresses that were erased before and are known by their digests alone: where a document has them again."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from urllib.parse import unquote, urljoin

# An address, written out, in JSON, or inside another address; or what follows a sign that begins
# one in mark-up.
_ADDRESS = re.compile(
    r"https?(?::|%3[Aa])(?:\\?/|%2[Ff]){2}[^\s\"'<>()]{1,800}|(?<=[\"'=<])\\?/(?![\\/])[^\s\"'<>()]{1,800}",
)
# With one of these it ends, once it is read.
_END = re.compile(r"[\s\"'<>(){}\\^`|]")
# What nobody writes at the end of an address, but behind it.
_BEHIND = ".,;:!?"


def returned_addresses(text: str, base: str, is_named: Callable[[str], bool]) -> set[str]:
    """The addresses in a document of this address that `is_named` knows."""
    found: set[str] = set()
    for raw in {match[0] for match in _ADDRESS.finditer(text)}:
        read = html.unescape(raw.replace("\\/", "/"))
        for written in {read, unquote(read)}:
            address = _END.split(written, maxsplit=1)[0].rstrip(_BEHIND)
            full = _joined(base, address)
            found.update(one for one in {full, full.partition("#")[0]} if one and is_named(one))
    return found


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return ""
