"""How long something may still take, out of how it went so far, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

HOUR = 3600
# Below one and a half of a unit, the smaller one says more.
MINUTES_FROM, HOURS_FROM = 90, 1.5 * HOUR
# Seconds before which nothing is guessed: the first answers tell nothing of the others.
EARLIEST = 3.0


def seconds_left(active: Sequence[Mapping[str, Any]], done: int, total: int, elapsed: float) -> float | None:
    """How long crawls may still take: as long as the longest of those under way, and as those that
    have not begun, if they are like those that are done. None where nothing can be told yet.
    """
    if elapsed < EARLIEST:
        return None
    waits = [max(one["waiting"], one["announced"] - one["posts"]) / one["rate"] for one in active if one["rate"]]
    if done and total > done + len(active):
        waits.append(elapsed / done * (total - done - len(active)))
    return max(waits, default=None)


def left_words(seconds: float | None) -> str:
    """What is said of the time that is left; nothing where it is not known."""
    return "" if seconds is None else f", about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """A length of time for people: 40 seconds, 12 minutes, 1.8 hours."""
    if seconds < MINUTES_FROM:
        return _counted(round(seconds), "second")
    if seconds < HOURS_FROM:
        return _counted(round(seconds / 60), "minute")
    return f"{seconds / HOUR:.1f} hours"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
