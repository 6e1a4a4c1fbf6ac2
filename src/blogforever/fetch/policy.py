"""What the operator has settled with single sources: whose robots.txt does not bind us, how fast we may go."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from blogforever.config import Policy


class Policies:
    """The policy for an address: the one with the longest matching name, else the default."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        self._policies = sorted(policies, key=lambda policy: -len(policy.blog))

    def of(self, url: str) -> Policy | None:
        """The policy that names this address's host, or a name above it with `*.`."""
        parts = urlsplit(url)
        host, place = parts.hostname or "", parts.netloc.lower()
        for policy in self._policies:
            name = policy.blog.lower()
            if name in (host, place) or (name.startswith("*.") and f".{host}".endswith(name[1:])):
                return policy
        return None
