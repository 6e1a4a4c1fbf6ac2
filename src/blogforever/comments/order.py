"""Where comments that a page does not show belong among those it does: by thread and date."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

# Answers to answers that are put in order among each other; it bounds the length of a key.
_DEEPEST = 50
_Key = tuple[int, int, tuple[tuple[str, int], ...]]
"""After which shown comment, how deep in the thread (deepest first), and where among its like."""


class Spot(NamedTuple):
    """What says where a comment belongs."""

    id: str
    parent: str | None
    date: str


class _Waiting(NamedTuple):
    """A comment without a place yet, and its number among those in the order of their dates."""

    number: int
    spot: Spot


def thread_order(shown: Sequence[Spot], others: Sequence[Spot]) -> list[str]:
    """The ids of all comments: the shown ones in their order, the others in their threads."""
    if not others:
        return [spot.id for spot in shown]
    groups = _Groups(shown)
    keys: dict[str, _Key] = {spot.id: (n, -_DEEPEST, ()) for n, spot in enumerate(shown)}
    waiting: dict[str, _Waiting] = {}
    for n, spot in enumerate(sorted(others, key=_dated_first)):
        if spot.id not in keys:
            waiting[spot.id] = _Waiting(n, spot)
    for first in list(waiting.values()):
        # What it answers must have its place before it.
        for each in reversed(_unplaced(first, waiting)):
            keys[each.spot.id] = _key(each, keys, groups)
            del waiting[each.spot.id]
    return sorted(keys, key=lambda name: keys[name])


def _key(each: _Waiting, keys: dict[str, _Key], groups: _Groups) -> _Key:
    """The place of a comment: after what it answers, and there among others by its date."""
    number, spot = each
    own = (spot.date, number)
    above = keys.get(spot.parent or "")
    if above is None or spot.parent in groups.index:
        return groups.before(spot), -groups.depth(spot.parent), (own,)
    after, depth, path = above
    return after, depth, (*path, own)[:_DEEPEST]


def _unplaced(first: _Waiting, waiting: dict[str, _Waiting]) -> list[_Waiting]:
    """A comment and those above it that have no place yet, the topmost last."""
    above: dict[str, _Waiting] = {}
    current: _Waiting | None = first
    while current is not None:
        name = current.spot.id
        if name not in waiting or name in above:
            break  # it was placed with another one, or the thread runs in a circle
        above[name] = current
        current = waiting.get(current.spot.parent or "")
    return list(above.values())


def is_newest_first(dates: Sequence[str]) -> bool:
    """Whether a list runs back in time, by its first and its last date."""
    return len(dates) > 1 and dates[0] > dates[-1]


def _dated_first(spot: Spot) -> tuple[bool, str]:
    return not spot.date, spot.date


class _Groups:
    """The shown comments by what they answer, each group with its dates made to rise."""

    def __init__(self, shown: Sequence[Spot]) -> None:
        self.index = {spot.id: n for n, spot in enumerate(shown)}
        self._above = [spot.parent for spot in shown]
        self._ends = self._thread_ends(shown)
        self._places: defaultdict[str | None, list[int]] = defaultdict(list)
        for n, spot in enumerate(shown):
            self._places[self._group(spot)].append(n)
        tops = [shown[n] for n in self._places[None]]
        self._newest_first = is_newest_first([spot.date for spot in tops if spot.date])
        self._dates = {group: self._rising(group, shown) for group in self._places}

    def _group(self, spot: Spot) -> str | None:
        """The shown comment that one answers; None for all that answer none."""
        return spot.parent if spot.parent in self.index else None

    def _thread_ends(self, shown: Sequence[Spot]) -> list[int]:
        """For each comment the last one of the thread below it."""
        ends = list(range(len(shown)))
        for n in range(len(shown) - 1, -1, -1):
            above = self.index.get(shown[n].parent or "", n)
            ends[above] = max(ends[above], ends[n])
        return ends

    def _rising(self, group: str | None, shown: Sequence[Spot]) -> list[str]:
        """The dates of a group so that they can be searched: none is before the one ahead of it."""
        dates = [shown[n].date for n in self._places[group]]
        if self._runs_backwards(group):
            dates.reverse()
        return list(accumulate(dates, max))

    def _runs_backwards(self, group: str | None) -> bool:
        """Whether the newest comes first; answers stand in the order of time on such pages, too."""
        return group is None and self._newest_first

    def depth(self, parent: str | None) -> int:
        """How deep in the thread an answer to a shown comment stands."""
        depth = 0
        while parent in self.index and depth < _DEEPEST - 1:
            parent = self._above[self.index[parent]]
            depth += 1
        return depth

    def before(self, spot: Spot) -> int:
        """The place of the shown comment after which this one comes; -1 where it comes first."""
        group = self._group(spot)
        places, dates = self._places[group], self._dates.get(group, [])
        if not spot.date:
            after = len(places)
        elif self._runs_backwards(group):
            after = len(dates) - bisect_left(dates, spot.date)
        else:
            after = bisect_right(dates, spot.date)
        if after:
            return self._ends[places[after - 1]]
        return -1 if group is None else self.index[group]
