"""The one clock of schedule, captures, retention and states; `BLOGFOREVER_CLOCK` hands in another
than the system's.

Delays, time-outs and leases are not asked here: they stay on the monotonic clock.
"""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from time import monotonic
from urllib.parse import urlsplit

from .errors import UsageError

VARIABLE = "BLOGFOREVER_CLOCK"
"""Names the address of a clock that can be sped up and paused, so that tests play days in
minutes.
"""
READ_AGAIN = 1.0
"""Seconds from one reading of that clock to the
next: its speed may be changed, and it may be paused.
"""
PATIENCE = 10.0
"""Seconds that clock may take to answer: who plays a whole web may be busy."""
LARGEST = 65_536
"""Bytes of its answer that are read."""

Clock = Callable[[], datetime]
"""Gives this moment, with its zone."""


def now() -> datetime:
    """This moment, in UTC."""
    return _clocks[-1]()


def today() -> date:
    """This day, in UTC."""
    return now().date()


def stamp(timespec: str = "seconds") -> str:
    """This moment as records and tables write it."""
    return now().isoformat(timespec=timespec)


@contextmanager
def handed_in(clock: Clock) -> Iterator[None]:
    """Let everybody ask this clock for a while."""
    _clocks.append(clock)
    try:
        yield
    finally:
        _clocks.remove(clock)


def system() -> datetime:
    """What the machine says."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What a clock that is played said, and when on the monotonic clock it was asked."""

    virtual: float
    speed: float
    read: float

    def at(self, moment: float) -> float:
        """Where that clock stands at a moment of the monotonic one."""
        return self.virtual + (moment - self.read) * self.speed


class PlayedClock:
    """A clock that somebody else speeds up and pauses.

    It is read once when it is made, and from then on, while somebody has it, by a thread of its own:
    asking for the time never waits. It never goes back, also where a pause is noticed late.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._reading = read(address)
        self._latest = self._reading.virtual
        threading.Thread(target=_follow, args=(weakref.ref(self),), name="clock", daemon=True).start()

    def __call__(self) -> datetime:
        """This moment there."""
        self._latest = max(self._latest, self._reading.at(monotonic()))
        return datetime.fromtimestamp(self._latest, UTC)

    def read_again(self) -> None:
        """Ask it where it stands now."""
        # It may be restarted; meanwhile the time runs on as it last did.
        with suppress(UsageError):
            self._reading = read(self._address)


def _follow(known: weakref.ref[PlayedClock]) -> None:
    between = threading.Event()
    while not between.wait(READ_AGAIN) and _is_read_again(known):
        pass


def _is_read_again(known: weakref.ref[PlayedClock]) -> bool:
    """Whether somebody has the clock still. What is at its address later may be something else."""
    played = known()
    if played is not None:
        played.read_again()
    return played is not None


def read(address: str) -> ClockReading:
    """What the clock at this address says now."""
    # Only tests need it, and it takes longer to load than the rest of the core.
    from urllib.request import ProxyHandler, build_opener  # noqa: PLC0415

    if urlsplit(address).scheme not in ("http", "https"):
        raise UsageError(f"{VARIABLE} must be the http address of a clock, not {address!r}.")
    try:
        # Never through the proxy that the blogs are asked through.
        with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
            said = json.loads(answer.read(LARGEST))
        return ClockReading(float(said["virtual"]), 0.0 if said.get("paused") else float(said["speed"]), monotonic())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise UsageError(f"The clock of {VARIABLE} cannot be read at {address}: {why}.") from error


def _first_asked() -> datetime:
    """Decide at the first question which clock it is, so that who imports us has no part in it."""
    address = os.environ.get(VARIABLE, "")
    _clocks[0] = PlayedClock(address) if address else system
    return _clocks[0]()


_clocks: list[Clock] = [_first_asked]
"""The clock of this process, and those handed in meanwhile; the last one counts."""
