"""A typed address to a URL, and a URL to the short name its blog has in the archive."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import urlsplit

from blogforever.errors import UsageError

SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.I)


def read_address(typed: str) -> str:
    """The http(s) URL a person meant; without a scheme https is taken."""
    text = typed.strip()
    if not SCHEME.match(text):
        text = f"https://{text.lstrip('/')}"
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
        text.encode()  # what the shell could not decode is no address
    except ValueError:
        host = None
    if not host or parts.scheme.lower() not in ("http", "https") or re.search(r"\s", host):
        raise UsageError(f"{typed!r} is not the address of a blog.")
    if "@" in parts.netloc:
        raise UsageError(f"The name and password for {host} belong in a [[policy]] of blogforever.toml, not here.")
    return text if parts.path else f"{text.partition('?')[0].partition('#')[0]}/" + _rest(text)


def _rest(text: str) -> str:
    mark = min((i for i in (text.find("?"), text.find("#")) if i >= 0), default=len(text))
    return text[mark:]


def blog_name(url: str) -> str:
    """A folder name for a blog: readable, safe on every disk, the same for http and https."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    whole = host + parts.path.rstrip("/") + (f":{parts.port}" if parts.port else "")
    name = re.sub(r"[^a-z0-9.-]+", "-", whole.lower()).strip("-.")
    if name == whole and len(name) <= 100:
        return name
    return f"{name[:80].strip('-.')}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
