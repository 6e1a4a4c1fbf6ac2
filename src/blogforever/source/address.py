"""A typed address to a URL, and a URL to the short name its blog has in the archive."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import SplitResult, urlsplit

from blogforever.errors import UsageError
from blogforever.urls import host_of

SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.I)
USUAL_PORTS = {"http": 80, "https": 443}
# What no reader sees and no address has: copied from pages that may be broken there.
UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
# Characters of a folder's name that every disk takes;
# of a longer one so much is kept before its digest.
LONGEST_NAME, KEPT_NAME = 100, 80
# Hexadecimal digits of a digest that tell the blogs of one archive apart.
DIGEST_DIGITS = 8


def read_address(typed: str) -> str:
    """The http(s) URL a person meant; without a scheme https is taken. Scheme and host are in lower case, without a dot
    at the end and the usual port, as every server and everybody else writes them: a pasted HTTP://SOME.BLOG.:80 is the
    blog that others call some.blog.
    """
    text = UNSEEN.sub("", typed).strip()
    if not SCHEME.match(text):
        text = f"https://{text.lstrip('/')}"
    parts = _split(text)
    if parts is None or not _is_web(parts):
        raise UsageError(f"{typed!r} is not the address of a blog.")
    if "@" in parts.netloc:
        raise UsageError(
            f"The name and password for {parts.hostname} belong in a [[policy]] of blogforever.toml, not here."
        )
    small = parts._replace(scheme=parts.scheme.lower(), netloc=_plain_netloc(parts)).geturl()
    return small if parts.path else _with_slash(small)


def _split(text: str) -> SplitResult | None:
    """The parts of an address; None where it has none."""
    try:
        parts = urlsplit(text)
        # A port that is no number is told only when it is asked for.
        _ = parts.port
        # What the shell could not decode is no address.
        text.encode()
    except ValueError:
        return None
    return parts


def _is_web(parts: SplitResult) -> bool:
    """Whether an address names a host that may be asked over http or https."""
    host = (parts.hostname or "").rstrip(".")
    has_host = host != "" and not re.search(r"\s", host)
    return has_host and parts.scheme.lower() in ("http", "https")


def _plain_netloc(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    name = f"[{host}]" if ":" in host else host
    is_usual = parts.port in (None, USUAL_PORTS[parts.scheme.lower()])
    return name if is_usual else f"{name}:{parts.port}"


def _with_slash(text: str) -> str:
    """The address with the path of a home page, before its query and its mark."""
    address = re.split(r"[?#]", text, maxsplit=1)[0]
    return f"{address}/{text[len(address) :]}"


def blog_name(url: str) -> str:
    """A folder name for a blog: readable, safe on every disk, the same for http and https."""
    parts = urlsplit(url)
    host = host_of(url).strip("[]").removeprefix("www.")
    port = f":{parts.port}" if parts.port else ""
    whole = host + parts.path.rstrip("/") + port
    name = re.sub(r"[^a-z0-9.-]+", "-", whole.lower()).strip("-.")
    if name == whole and len(name) <= LONGEST_NAME:
        return name
    # Two blogs must not share a folder because their
    # names differ only in what a folder's may not have.
    digest = hashlib.sha256(whole.encode()).hexdigest()[:DIGEST_DIGITS]
    return f"{name[:KEPT_NAME].strip('-.')}-{digest}"
