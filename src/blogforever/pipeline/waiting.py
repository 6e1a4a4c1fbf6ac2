"""Pages that wait to be fetched, in the order of what they promise; groups that lead nowhere are closed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Literal

from blogforever.learn.linkyield import Group, LinkYield, is_numbered
from blogforever.protocols import Ask

Order = Literal["knn", "bfs"]
BARREN = 100
"""Pages of one numbered family in a row without anything new, after which the family is a trap."""
TOP_PRIORITY = 7
LOOK_BACK = 1000
LEAST_SHARE = 0.01


class Waiting:
    """The queue of everything that is not known to be a post."""

    def __init__(self, order: Order = "knn") -> None:
        self.order = order
        self.traps: dict[str, int] = {}
        self.left = 0
        self.tired = False
        self._yield = LinkYield()
        self._queues: dict[Group, deque[tuple[int, Ask]]] = {}
        self._line: deque[Ask] = deque()
        self._number = count()
        self._barren: Counter[Group] = Counter()
        self._closed: set[Group] = set()
        self._fruits: deque[bool] = deque(maxlen=LOOK_BACK)

    def __len__(self) -> int:
        return len(self._line) + sum(map(len, self._queues.values()))

    def add(self, asks: Iterable[Ask]) -> None:
        """Pages to be fetched some time."""
        for ask in asks:
            family = _family(self._yield.group(ask.url))
            if self.tired or family in self._closed:
                self.left += 1
            elif self.order == "bfs":
                self._line.append(ask)
            else:
                queue = self._queues.setdefault(self._yield.group(ask.url), deque())
                queue.append((next(self._number), ask))

    def take(self, number: int) -> list[Ask]:
        """The next pages: of the group that promises most the one met first, or simply those met first."""
        taken: list[Ask] = []
        while len(taken) < number and self._line:
            taken.append(self._line.popleft())
        while len(taken) < number and self._queues:
            best = max(self._queues, key=lambda group: (self._yield.estimate(group), -self._queues[group][0][0]))
            # What promises more overtakes what is already asked for.
            promise = min(TOP_PRIORITY, round(2 * self._yield.estimate(best)))
            taken.append(replace(self._queues[best].popleft()[1], priority=promise))
            if not self._queues[best]:
                del self._queues[best]
        return taken

    def learn(self, url: str, links: int, fruitful: bool) -> None:
        """A page was fetched: how many new post links it gave, and whether it was worth it."""
        self._yield.observe(url, links)
        group = self._yield.group(url)
        family = _family(group)
        self._barren[family] = 0 if fruitful else self._barren[family] + 1
        if self._barren[family] == BARREN and is_numbered(group):
            self._close(family, url)
        self._fruits.append(fruitful)
        if len(self._fruits) == LOOK_BACK and sum(self._fruits) < LOOK_BACK * LEAST_SHARE:
            self.tired = True
            self.left += len(self)
            self._queues.clear()
            self._line.clear()

    def _close(self, family: Group, url: str) -> None:
        """The rest of a trap is left."""
        self._closed.add(family)
        before = len(self)
        for group in [group for group in self._queues if _family(group) == family]:
            del self._queues[group]
        self._line = deque(ask for ask in self._line if _family(self._yield.group(ask.url)) != family)
        self.traps[url] = before - len(self)
        self.left += before - len(self)


def _family(group: Group) -> Group:
    """Groups that differ only in their query or in the length of their numbers are one family."""
    path = tuple("D" if token in ("N", "Y") else token for token in group if not token.startswith("?"))
    return (*path, "?") if len(path) < len(group) else path
