"""Where looks are best placed: few of them, and each soon after the posts that are expected.

A post that waits to be found costs its waiting, a look costs as much as a post that waits for a
share of the blog's own interval. The cheapest row of looks over the next days is found step by step
from its end; its first look is the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate

from .rhythm import Rhythm

LOOK_COSTS = ((timedelta(hours=12), 0.05), (timedelta(hours=36), 0.11), (timedelta.max, 0.06))
"""What a look costs, in intervals of the blog that a post waits, up to which interval.

With posts at any time, 0.12 is a look every half interval and posts that wait a quarter of one;
with posts at known hours there are fewer looks, and less waiting. It is the most where most
requests are, at blogs that post about daily. At a livelier blog what a look waits in a queue is
long beside its interval, and must be made up for; at a rarer one there are few looks to be saved.
"""
STEPS = 96
"""Moments to come that are weighed: enough for some
intervals ahead, and a thousandth of a second to weigh.
"""
LONGEST_GAP = 48
"""Of these, how far apart two looks may be."""
FINEST, COARSEST = timedelta(minutes=10), timedelta(hours=4)
IN_AN_INTERVAL = 20
"""Steps that a blog's interval is cut into, so that a look can be placed well within it."""


def best_moment(rhythm: Rhythm, last: datetime, now: datetime) -> datetime:
    """When to look next, after a look at `last`; never before `now`."""
    interval = rhythm.interval
    step = COARSEST if interval is None else min(max(interval / IN_AN_INTERVAL, FINEST), COARSEST)
    if interval is None:
        return max(last + step * LONGEST_GAP, now)
    hours = step / timedelta(hours=1)
    masses = [rhythm.expected(last + step * (number + 0.5), hours) for number in range(STEPS)]
    cost = next(cost for longest, cost in LOOK_COSTS if interval <= longest)
    earliest = max(int(-(-(now - last) // step)), 1)
    return max(last + step * _first_look(masses, cost * interval / step, min(earliest, LONGEST_GAP)), now)


def _first_look(masses: Sequence[float], price: float, earliest: int) -> int:
    """After how many steps the first look of the cheapest
    row is due; `masses` are the posts expected in each.
    """
    count = len(masses)
    posts = [0.0, *accumulate(masses)]
    moments = [0.0, *accumulate(mass * (number + 0.5) for number, mass in enumerate(masses))]

    def waiting(start: int, end: int) -> float:
        return (posts[end] - posts[start]) * end - (moments[end] - moments[start])

    left = [0.0] * (count + 1)
    for start in range(count - 1, 0, -1):
        ends = range(start + 1, min(start + LONGEST_GAP, count) + 1)
        left[start] = min(waiting(start, end) + price + left[end] for end in ends)
    return min(range(earliest, LONGEST_GAP + 1), key=lambda end: waiting(0, end) + price + left[end])
