"""Which of the sitemaps that sitemaps name are read: each once, not too many or too deep, while they bring news."""

from __future__ import annotations

from collections.abc import Iterable

from .sources import DOUBT_AFTER, GIVE_UP_AFTER

MAX_SITEMAPS = 500
# Levels of sitemaps that lead to one another. The standard knows two, and one that names itself has
# no last one.
MAX_NESTED = 4


class SitemapWalk:
    """What was asked for, how deep it lay, and how many in a row named no page that was not known."""

    def __init__(self, bounds: list[str]) -> None:
        self._bounds = bounds
        self._asked: set[str] = set()
        self._levels: dict[str, int] = {}
        self._barren = 0

    def __contains__(self, url: object) -> bool:
        return url in self._asked

    def new(self, urls: Iterable[str]) -> list[str]:
        """Those of these addresses that nobody has asked for, as many as may be."""
        new = [url for url in dict.fromkeys(urls) if url not in self._asked]
        room = MAX_SITEMAPS - len(self._asked)
        if len(new) > room:
            self._bounds.append(f"there are more than {MAX_SITEMAPS} sitemaps")
        self._asked.update(new[:room])
        return new[:room]

    def promised(self, urls: Iterable[str]) -> list[str]:
        """The sitemaps to ask for of those that robots.txt names: they should be there, as those
        that a sitemap names.
        """
        named = list(urls)
        self._levels |= dict.fromkeys(named, 0)
        return self.new(named)

    def known(self, urls: Iterable[str]) -> None:
        """Sitemaps that an earlier crawl has read: what they name may be new, what that names is
        too deep.
        """
        self._levels |= dict.fromkeys(urls, MAX_NESTED - 2)
        self._asked.update(self._levels)

    def was_named(self, url: str) -> bool:
        """Whether another sitemap names this one."""
        return url in self._levels

    def named(self, urls: list[str], by: str) -> list[str]:
        """The sitemaps to ask for of those that this one names."""
        level = self._levels.get(by, 0) + 1
        if urls and level >= MAX_NESTED:
            self._bounds.append(f"sitemaps that lead to one another were read {MAX_NESTED} levels deep only")
            return []
        self._levels |= dict.fromkeys(urls, level)
        new = [] if self.given_up else self.new(urls)
        if self.given_up and urls:
            self.leave(len(urls))
        return new

    def note(self, brought: bool) -> None:
        """A sitemap came, or did not: did it bring a page that was not known?"""
        self._barren = 0 if brought else self._barren + 1

    @property
    def doubtful(self) -> bool:
        """Whether so many in a row brought nothing that others should be tried."""
        return self._barren == DOUBT_AFTER

    @property
    def given_up(self) -> bool:
        """Whether so many in a row brought nothing that no more should be."""
        return self._barren >= GIVE_UP_AFTER

    def leave(self, number: int) -> None:
        """Say that so many were not read."""
        self._bounds.append(f"{GIVE_UP_AFTER} sitemaps in a row named nothing new, so {number:,} more were not read")
