"""What is never loaded while a page is drawn: kinds of files, trackers and advertisers; the knowledge is data."""

from __future__ import annotations

import tomllib
from base64 import b64decode
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from blogforever.urls import host_of

# One transparent point: a picture that fails would be taken out of the page by the page's own
# scripts.
EMPTY_PICTURE = b64decode("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")


@dataclass(frozen=True, slots=True)
class Blocked:
    """The kinds of requests and the hosts that are refused."""

    kinds: frozenset[str]
    hosts: frozenset[str]

    def refuses(self, url: str, kind: str) -> bool:
        """Whether this is not to be loaded."""
        return kind in self.kinds or self.refuses_host(host_of(url))

    def refuses_host(self, host: str) -> bool:
        """Whether the host, or one it stands below, is in the list."""
        labels = host.split(".")
        return any(".".join(labels[start:]) in self.hosts for start in range(len(labels)))


@cache
def blocked() -> Blocked:
    """The packaged list."""
    table = tomllib.loads((files(__package__) / "data/blocked.toml").read_text(encoding="utf-8"))
    return Blocked(frozenset(table["kinds"]), frozenset([*table["trackers"], *table["advertisers"]]))
