"""Hosts that lead on to another one while the blog is looked at: what was read before names posts where they were."""

from __future__ import annotations

from urllib.parse import urlsplit

from blogforever.urls import same_site, site_root


class HostMoves:
    """The hosts whose addresses led to the same place on another host."""

    def __init__(self) -> None:
        self._led: set[tuple[str, str]] = set()

    def led(self, old: str, new: str) -> None:
        """An address led to this one."""
        if not same_site(old, new) and _place(old) == _place(new):
            self._led.add((site_root(old), site_root(new)))

    def has_led(self, old: str, new: str) -> bool:
        """Whether the host of the one address leads to that of the other."""
        return any(same_site(old, left) and same_site(new, reached) for left, reached in self._led)


def _place(url: str) -> tuple[str, str]:
    """Where on its host an address is."""
    parts = urlsplit(url)
    return parts.path, parts.query
