"""Query parameters that change nothing: proved on this blog, by pages that stayed the same while the value changed."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit, urlunsplit

# Pairs of equal pages that prove a parameter inert; one or two may be error pages.
PROOFS = 3
# Addresses that are remembered: they bound the memory of a crawl.
MOST_BASES = 20_000
# Parameters of one address that are watched; more are a form's, not a page's.
MOST_PARAMETERS = 20


class InertQuery:
    """Watches pages with queries, and strips what has proved inert."""

    def __init__(self) -> None:
        self._digests: dict[tuple[str, str], tuple[str, str]] = {}
        self._same: Counter[str] = Counter()
        self._different: set[str] = set()

    def observe(self, url: str, digest: str) -> None:
        """The page at this address has this text."""
        for part in _parts(url):
            name, _, value = part.partition("=")
            base = without(url, name)
            seen = self._digests.get((base, name))
            if seen is None:
                if len(self._digests) < MOST_BASES:
                    self._digests[base, name] = (value, digest)
                continue
            seen_value, seen_digest = seen
            if seen_value == value:
                continue
            if seen_digest == digest:
                self._same[name] += 1
            else:
                self._different.add(name)

    def is_inert(self, name: str) -> bool:
        """Whether several values of it gave the same page, and no two ever gave different ones."""
        return self._same[name] >= PROOFS and name not in self._different

    def strip(self, url: str) -> str:
        """The address without what has proved inert."""
        for part in _parts(url):
            name = part.partition("=")[0]
            if self.is_inert(name):
                url = without(url, name)
        return url


def _parts(url: str) -> list[str]:
    """The parameters of an address as they are written."""
    if "?" not in url:
        return []
    try:
        return [part for part in urlsplit(url).query.split("&") if part][:MOST_PARAMETERS]
    except ValueError:
        return []


def without(url: str, name: str) -> str:
    """The address without one of its parameters."""
    parts = urlsplit(url)
    kept = [part for part in parts.query.split("&") if part.partition("=")[0] != name]
    return urlunsplit(parts._replace(query="&".join(kept)))
