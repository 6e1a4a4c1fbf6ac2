"""Hosts that speak only http: where https did not answer, the same address without it may."""

from __future__ import annotations

from blogforever.protocols import OF_ROBOTS

SAFE, PLAIN = "https:", "http:"
# With failures that begin so, http would answer no better than https did.
NO_USE_IN_HTTP = ("private", "blocked by robots", "no such host", OF_ROBOTS)


def plain_instead(url: str, reason: str) -> str:
    """The address without https, which failed for this reason; empty where that would not help."""
    may_help = url.startswith(SAFE) and bool(reason) and not reason.startswith(NO_USE_IN_HTTP)
    return f"{PLAIN}{url.removeprefix(SAFE)}" if may_help else ""
