"""What the operator has settled with single sources: whose robots.txt does not bind us, how fast we may go."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from blogforever.config import Policy

PORTS = {"http": ":80", "https": ":443"}
"""Where nothing else is said, a scheme is spoken at this port."""


class Policies:
    """The policy for an address: the one with the longest matching name, else the default."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        named = [(*_read(policy.blog), policy) for policy in policies]
        self._policies = sorted(named, key=lambda one: (-len(one[1]), -len(one[0])))

    def of(self, url: str) -> Policy | None:
        """The policy that names this address's host, or a name above it with `*.`.

        With a scheme, its usual port.
        """
        parts = urlsplit(url)
        host, place = parts.hostname or "", parts.netloc.lower()
        for scheme, name, policy in self._policies:
            names = (place, place.removesuffix(PORTS.get(scheme, ""))) if scheme else (place, host)
            below = name.startswith("*.") and f".{names[1]}".endswith(name[1:])
            if scheme in ("", parts.scheme) and (name in names or below):
                return policy
        return None


def _read(blog: str) -> tuple[str, str]:
    """Scheme, where one is given, and name."""
    scheme, _, name = blog.lower().rstrip("/").rpartition("://")
    return scheme, name
