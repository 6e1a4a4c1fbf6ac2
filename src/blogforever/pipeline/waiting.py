"""Pages that wait to be fetched: posts first, then in the order of what they promise; what leads nowhere is closed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Literal

from blogforever.learn.linkyield import Group, LinkYield, is_numbered, kind_of_word
from blogforever.learn.urlpattern import shape
from blogforever.protocols import Ask

from .sources import DOUBT_AFTER, Ledger, Turns, spread

Order = Literal["knn", "bfs"]
BARREN = 100
"""Pages of one numbered family in a row without anything new, after which the family is a trap."""
TOP_PRIORITY = 7
LOOK_BACK = 1000
LEAST_SHARE = 0.01


class Waiting:
    """Everything that is to be asked for.

    Where a miss costs nothing, no source of addresses is ever closed.
    """

    def __init__(self, order: Order = "knn", misses_cost: bool = True) -> None:
        self.order, self._misses_cost = order, misses_cost
        self.traps: dict[str, int] = {}
        self.left = 0
        self.tired = False
        self.cut: dict[str, list[str]] = {}
        """Sources that were closed, with the addresses of theirs that are not asked for."""
        self._announced, self._linked = Turns(), Turns()
        self._ledger = Ledger()
        self._yield = LinkYield()
        self._queues: dict[Group, deque[tuple[int, Ask]]] = {}
        self._line: deque[Ask] = deque()
        self._number = count()
        self._barren: Counter[Group] = Counter()
        self._closed: set[Group] = set()
        self._fruits: deque[bool] = deque(maxlen=LOOK_BACK)

    def __len__(self) -> int:
        return len(self._line) + sum(map(len, self._queues.values()))

    def posts(self) -> int:
        """Addresses that are announced, or look like posts, and are not asked for yet."""
        return len(self._announced) + len(self._linked)

    def add(self, asks: Iterable[Ask]) -> None:
        """Pages to be fetched some time."""
        for ask in asks:
            in_trap = family_of(ask.url) in self._closed
            if self.tired or in_trap or ask.via in self._ledger.closed:
                self.left += 1
            elif self.order == "bfs":
                self._line.append(ask)
            else:
                queue = self._queues.setdefault(self._yield.group(ask.url), deque())
                queue.append((next(self._number), ask))

    def add_posts(self, source: str, asks: Iterable[Ask], announced: bool = False) -> None:
        """What looks like posts, by who names it.

        What is announced comes before what is only linked to.
        """
        found = list(asks)
        if source in self._ledger.closed or (self.tired and not announced):
            self._leave(source, found)
        elif self.order == "bfs" and not announced:
            self._line.extend(found)
        else:
            turns = self._announced if announced else self._linked
            turns.add(source, found)
            if self._ledger.doubts(source):
                turns.spread(source)

    def take(self, number: int) -> list[Ask]:
        """The next pages: posts, then of the group that promises most the one met first, or simply
        those met first.
        """
        taken = self._announced.take(number)
        taken += self._linked.take(number - len(taken))
        while len(taken) < number and self._line:
            taken.append(self._line.popleft())
        while len(taken) < number and self._queues:
            taken.append(self._most_promising())
        return taken

    def _most_promising(self) -> Ask:
        """The next page of the group that promises most.

        Of two that promise the same, the one met first.
        """
        best = max(self._queues, key=self._promise)
        # What promises more overtakes what is already asked for.
        priority = min(TOP_PRIORITY, round(2 * self._yield.estimate(best)))
        _number, ask = self._queues[best].popleft()
        if not self._queues[best]:
            del self._queues[best]
        return replace(ask, priority=priority)

    def _promise(self, group: Group) -> tuple[float, int]:
        met_first = self._queues[group][0][0]
        return self._yield.estimate(group), -met_first

    # ------------------------------------------------------------------ what they were worth

    def came(self, source: str, named_on: str | None) -> None:
        """An address that this source names was worth it.

        Of a post, so was the page that names it.
        """
        self._ledger.came(source)
        if named_on:
            self._barren[family_of(named_on)] = 0

    def failed(self, source: str, dead: str | None, named_on: str | None) -> None:
        """An address that this source names led nowhere: `dead` is one of no post, `named_on` the
        list of a post.
        """
        if not self._misses_cost:
            return
        self._note_fruit(False)
        if self._ledger.failed(source) == DOUBT_AFTER:
            self._spread(source)
        if source in self._ledger.closed:
            self._leave(source, self._drop(source))
        if dead:
            self._yield.observe(dead, 0)
        if blamed := dead or named_on:
            self._note_barren(blamed)

    def is_closed(self, source: str) -> bool:
        """Whether nothing more is asked for of what this source names."""
        return source in self._ledger.closed

    def learn(self, url: str, links: int, fruitful: bool | None) -> None:
        """A page was fetched: how many new post links it gave, was it worth it? None: that is to be
        seen.
        """
        self._yield.observe(url, links)
        if fruitful is None:
            return
        self._note_fruit(fruitful)
        if fruitful:
            self._barren[family_of(url)] = 0
        else:
            self._note_barren(url)

    def _note_barren(self, url: str) -> None:
        """One more page of a family that gave nothing."""
        family = family_of(url)
        self._barren[family] += 1
        if self._barren[family] == DOUBT_AFTER:
            self._spread_family(family)
        if self._barren[family] == BARREN and is_numbered(family):
            self._close(family, url)

    def _note_fruit(self, fruitful: bool) -> None:
        self._fruits.append(fruitful)
        if self.tired or len(self._fruits) < LOOK_BACK:
            return
        if sum(self._fruits) < LOOK_BACK * LEAST_SHARE:
            self.tired = True
            self.left += len(self) + self._linked.drop_all()
            self._queues.clear()
            self._line.clear()

    def _spread(self, source: str) -> None:
        """Take what is left of a source from all over it."""
        self._announced.spread(source)
        self._linked.spread(source)
        for group, queue in self._queues.items():
            if any(ask.via == source for _, ask in queue):
                self._queues[group] = deque(spread(queue))

    def _spread_family(self, family: Group) -> None:
        for group, queue in self._queues.items():
            if any(family_of(ask.url) == family for _, ask in queue):
                self._queues[group] = deque(spread(queue))

    def _drop(self, source: str) -> list[Ask]:
        """Take out what a source names and nobody has asked for."""
        dropped = [*self._announced.drop(source), *self._linked.drop(source)]
        return dropped + self._take_out(lambda ask: ask.via == source)

    def _take_out(self, unwanted: Callable[[Ask], bool]) -> list[Ask]:
        """Take these out of the pages that wait."""
        out = [ask for ask in self._line if unwanted(ask)]
        self._line = deque(ask for ask in self._line if not unwanted(ask))
        for group, queue in list(self._queues.items()):
            out += [ask for _, ask in queue if unwanted(ask)]
            self._queues[group] = deque(pair for pair in queue if not unwanted(pair[1]))
            if not self._queues[group]:
                del self._queues[group]
        return out

    def _leave(self, source: str, asks: list[Ask]) -> None:
        self.left += len(asks)
        if source in self._ledger.closed:
            self.cut.setdefault(source, []).extend(ask.url for ask in asks)

    def _close(self, family: Group, url: str) -> None:
        """The rest of a trap is left."""
        self._closed.add(family)
        self.traps[url] = len(self._take_out(lambda ask: family_of(ask.url) == family))
        self.left += self.traps[url]


def family_of(url: str) -> Group:
    """Addresses in the same folders that differ in numbers, in their last word or in their query
    are one family.
    """
    tokens = shape(url)
    path = ["D" if token in ("N", "Y") else token for token in tokens if not token.startswith("?")]
    if path and path[-1].startswith("W"):
        path[-1] = kind_of_word(path[-1])
    has_query = len(path) < len(tokens)
    return (*path, "?") if has_query else tuple(path)
