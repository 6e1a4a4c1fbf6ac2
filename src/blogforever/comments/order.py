"""Where comments that a page does not show belong among those it does: by their thread, and in it by their dates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

_DEEPEST = 50  # answers to answers that are put in order among each other
_Key = tuple[int, int, tuple[tuple[str, int], ...]]
"""After which shown comment, how deep in the thread (the deepest come first), and in which order among its like."""


class Spot(NamedTuple):
    """What says where a comment belongs."""

    id: str
    parent: str | None
    date: str


def thread_order(shown: Sequence[Spot], others: Sequence[Spot]) -> list[str]:
    """The ids of all comments: the shown ones in their order, each other one after what it follows in its thread."""
    if not others:
        return [spot.id for spot in shown]
    groups = _Groups(shown)
    keys: dict[str, _Key] = {spot.id: (n, -_DEEPEST, ()) for n, spot in enumerate(shown)}
    waiting = {spot.id: (n, spot) for n, spot in enumerate(sorted(others, key=_dated_first)) if spot.id not in keys}
    for number, spot in list(waiting.values()):
        for n, each in reversed(_unplaced(number, spot, waiting)):
            above = keys.get(each.parent or "")
            if above is None or each.parent in groups.index:
                keys[each.id] = (groups.before(each), -groups.depth(each.parent), ((each.date, n),))
            else:
                keys[each.id] = (*above[:2], (*above[2], (each.date, n))[:_DEEPEST])
            del waiting[each.id]
    return sorted(keys, key=lambda name: keys[name])


def _unplaced(number: int, spot: Spot, waiting: dict[str, tuple[int, Spot]]) -> list[tuple[int, Spot]]:
    """A comment and those above it that have no place yet, the topmost last."""
    found: dict[str, tuple[int, Spot]] = {}
    current: tuple[int, Spot] | None = (number, spot)
    while current is not None and current[1].id in waiting and current[1].id not in found:
        found[current[1].id] = current
        current = waiting.get(current[1].parent or "")
    return list(found.values())


def _dated_first(spot: Spot) -> tuple[bool, str]:
    return not spot.date, spot.date


class _Groups:
    """The shown comments by what they answer, each group with its dates made to rise."""

    def __init__(self, shown: Sequence[Spot]) -> None:
        self.index = index = {spot.id: n for n, spot in enumerate(shown)}
        self._above = [spot.parent for spot in shown]
        self._ends = list(range(len(shown)))
        for n in range(len(shown) - 1, -1, -1):
            above = index.get(shown[n].parent or "", n)
            self._ends[above] = max(self._ends[above], self._ends[n])
        self._places: defaultdict[str | None, list[int]] = defaultdict(list)
        for n, spot in enumerate(shown):
            self._places[spot.parent if spot.parent in index else None].append(n)
        days = [shown[n].date for n in self._places[None] if shown[n].date]
        self._newest_first = len(days) > 1 and days[0] > days[-1]
        self._dates = {group: self._rising(group, shown) for group in self._places}

    def _rising(self, group: str | None, shown: Sequence[Spot]) -> list[str]:
        dates = [shown[n].date for n in self._places[group]]
        return list(accumulate(reversed(dates) if group is None and self._newest_first else dates, max))

    def depth(self, parent: str | None) -> int:
        """How deep in the thread an answer to a shown comment stands."""
        depth = 0
        while parent in self.index and depth < _DEEPEST - 1:
            parent, depth = self._above[self.index[parent]], depth + 1
        return depth

    def before(self, spot: Spot) -> int:
        """The place of the shown comment after which this one comes; -1 where it comes first."""
        group = spot.parent if spot.parent in self.index else None
        places, dates = self._places[group], self._dates.get(group, [])
        if not spot.date:
            after = len(places)
        elif group is None and self._newest_first:
            after = len(dates) - bisect_left(dates, spot.date)
        else:
            after = bisect_right(dates, spot.date)
        if after:
            return self._ends[places[after - 1]]
        return self.index[group] if group is not None else -1
