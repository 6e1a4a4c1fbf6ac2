"""Turns that machines take to ask services, as values: what a process tells of its requests, and
what it is told.

The table knows one clock, that of its server; processes tell only how long ago something was, on
their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

LASTING = 30.0
"""Seconds without a word after which a process has lost its turns: one that was killed keeps its
places so long. A job of its may be taken over after a minute; and a server takes seconds to start
anew.
"""


@dataclass(frozen=True, slots=True)
class TurnWish:
    """A request that wants to begin: so many seconds after the last one, so many under way at once."""

    number: int
    apart: float
    at_once: int


@dataclass(frozen=True, slots=True)
class BudgetNews:
    """What one process has to tell of one budget, and what it wants.

    `asked` is how many seconds ago it was last asked, `rests` for how many it wants to be left
    alone.
    """

    key: str
    started: tuple[int, ...] = ()
    ended: tuple[int, ...] = ()
    asked: float | None = None
    rests: float | None = None
    wish: TurnWish | None = None


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """Whether a wish is granted; where it is not, after how many seconds it may be, as far as that
    is known.
    """

    granted: bool
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class KnownRobots:
    """What a host's robots.txt said to somebody: the lines that are obeyed, or why it could not be
    read. It is believed for `left` more seconds, or until `again` on the clock of the schedule.
    """

    said: str | None
    trouble: str = ""
    again: str | None = None
    left: float = 0.0


@dataclass(frozen=True, slots=True)
class BudgetStanding:
    """How a budget stands: asked so many seconds ago, resting for so many, so many requests under
    way.
    """

    key: str
    asked: float
    rests: float
    under_way: int


class TurnTable(Protocol):
    """Where all machines take their turns; ArchiveError where it cannot be reached now."""

    def exchange(self, asker: str, name: str, news: Sequence[BudgetNews]) -> Mapping[str, TurnAnswer] | None:
        """Tell the news of some budgets and hear of the wishes, by budget, in one short
        transaction.

        Who asks is known as one who lives for LASTING seconds more; None where he was silent for
        longer, and has lost everything.
        """

    def leave(self, asker: str) -> None:
        """Give back all that somebody has."""

    def askers(self) -> list[tuple[str, str]]:
        """Who asks, and what he calls himself."""

    def bury(self, asker: str) -> None:
        """Somebody has died just now: what he had is free, and was used until this moment."""

    def agreed(self, host: str, key: str) -> tuple[str, float]:
        """The budget that all draw on for a host, and for how many seconds: that of the first who
        asked for it.
        """

    def robots(self, origin: str) -> KnownRobots | None:
        """What somebody was told by a host, if that is believed still."""

    def keep_robots(self, origin: str, known: KnownRobots) -> None:
        """Let others know it."""

    def tidy(self) -> None:
        """Forget what was long ago."""

    def close(self) -> None:
        """Let go of the connection."""
