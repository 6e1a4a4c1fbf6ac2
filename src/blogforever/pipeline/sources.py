"""Addresses that look like posts, by who names them: taken by turns, and left where a source names
what is not there.

A source is a page with links, or all sitemaps, or the feed with its older pages. When many of its
addresses in a row led nowhere, the next ones are taken from all over it; when that does not help
either, the rest is left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeVar

from blogforever.protocols import Ask

# Addresses in a row that led nowhere, after which the next ones are taken from all over the source.
DOUBT_AFTER = 50
# Addresses in a row that led nowhere, the last half of them from all over the source, after which
# it is left.
GIVE_UP_AFTER = 100

Item = TypeVar("Item")


class Ledger:
    """How many addresses of each source have led nowhere since the last one that was worth it."""

    def __init__(self) -> None:
        self.closed: set[str] = set()
        self._misses: dict[str, int] = {}

    def came(self, source: str) -> None:
        """An address of this source led somewhere."""
        self._misses[source] = 0

    def doubts(self, source: str) -> bool:
        """Whether so many in a row led nowhere that the next ones are to be taken from all over the
        source.
        """
        return self._misses.get(source, 0) >= DOUBT_AFTER

    def failed(self, source: str) -> int:
        """An address of this source led nowhere; how many that makes in a row."""
        self._misses[source] = self._misses.get(source, 0) + 1
        if self._misses[source] >= GIVE_UP_AFTER:
            self.closed.add(source)
        return self._misses[source]


class Turns:
    """A queue for each source.

    Each source has its turn, so that a long one keeps nobody waiting.
    """

    def __init__(self) -> None:
        self._queues: dict[str, deque[Ask]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def add(self, source: str, asks: Iterable[Ask]) -> None:
        """What this source names."""
        if found := list(asks):
            self._queues.setdefault(source, deque()).extend(found)

    def take(self, number: int) -> list[Ask]:
        """The next addresses, one of each source after the other."""
        taken: list[Ask] = []
        while len(taken) < number and self._queues:
            source = next(iter(self._queues))
            queue = self._queues.pop(source)
            taken.append(queue.popleft())
            if queue:
                self._queues[source] = queue
        return taken

    def spread(self, source: str) -> None:
        """Take the next addresses of this source from all over it."""
        if source in self._queues:
            self._queues[source] = deque(spread(self._queues[source]))

    def drop(self, source: str) -> list[Ask]:
        """Forget what is left of this source."""
        return list(self._queues.pop(source, ()))

    def drop_all(self) -> int:
        """Forget everything; how much that was."""
        left = len(self)
        self._queues.clear()
        return left


def spread(items: Iterable[Item]) -> list[Item]:
    """The same items in an order whose every beginning is spread evenly over all of them."""
    found: Sequence[Item] = list(items)
    digits = len(found).bit_length()
    places = sorted(range(len(found)), key=lambda place: f"{place:0{digits}b}"[::-1])
    return [found[place] for place in places]
