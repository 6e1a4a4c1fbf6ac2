"""Whose turn it is to ask a service, over all processes of one archive: delay and concurrency hold
for them together.

Within one process Scrapy's slots see to that. Between machines a database does (`serverturns`),
between processes of one machine a file: in it stands, for each budget, when it was last asked and
until when it asked for a pause, on the clock that all processes of a machine share and nobody can
set. A request under way is a lock on one byte of the file, which the system lets go when its
process ends, however it ends.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import random
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Protocol

from blogforever.logs import logger
from blogforever.storage.turns import KnownRobots

from .services import service_names

# A cell for each budget, in the order of their digests. Two that share one wait for each other,
# which costs a moment
# and hurts nobody: of 20,000 services one in fifty has such a neighbour. The file has holes where
# nothing was asked.
CELLS = 1 << 20
CELL = struct.Struct("<dd")
# Before the cells: since when the machine runs, because its clock begins anew with it.
HEAD = 64
SIZE = HEAD + CELLS * CELL.size
# Behind all bytes of the file, where nothing is ever written, lie those that are only locked.
CELL_LOCKS = 1 << 40
PLACES = 1 << 41
PLACES_EACH = 64
"""Requests of one budget under way at once, at most."""
# Seconds between two tries where all places are taken; by lot, so that no process is always the
# second.
TRY_AGAIN = (0.005, 0.03)
# Seconds more than the delay between two starts: a request is on the wire a moment after its start
# was noted, and one
# that needs a new connection later than the next, which has one. Without this they came nearer than
# the delay.
ON_THE_WIRE = 0.05
FILE_MODE = 0o644
BOOT = Path("/proc/sys/kernel/random/boot_id")
log = logger("fetch")


class TurnLost(Exception):
    """A turn may be somebody else's by now; what was asked in it is asked again in the next one."""


class ServiceTurns(Protocol):
    """Who may ask a budget now, and what all who ask have to know of each other."""

    def turn(self, key: str, delay: float, at_once: int) -> AbstractAsyncContextManager[None]:
        """Entered when a request may be sent: so many seconds after the last one, so many at
        once.
        """

    def pause(self, key: str, seconds: float) -> None:
        """Nothing is asked of this budget for so long."""

    async def agreed(self, host: str, key: str) -> str:
        """The budget that all draw on for a host; `key` where nobody else has settled it."""

    async def robots(self, origin: str) -> KnownRobots | None:
        """What another machine was told by a host's robots.txt."""

    async def keep_robots(self, origin: str, known: KnownRobots) -> None:
        """Let other machines know it."""


class OneMachine:
    """What needs no settling where all processes see the same names, and ask once a day at most."""

    async def agreed(self, host: str, key: str) -> str:
        """Everybody here finds the same."""
        return key

    async def robots(self, origin: str) -> KnownRobots | None:
        """Each process asks for itself."""
        return None

    async def keep_robots(self, origin: str, known: KnownRobots) -> None:
        """Nobody else needs it."""


class OwnTurns(OneMachine):
    """Where no other process asks: the slots of the downloader are enough."""

    def turn(self, key: str, delay: float, at_once: int) -> AbstractAsyncContextManager[None]:
        """At once."""
        return nullcontext()

    def pause(self, key: str, seconds: float) -> None:
        """The downloader pauses by itself."""


class SharedTurns(OneMachine):
    """Shared with all processes that have the same file open; used in one thread, that of the
    network.

    One of a process for a file: closing any handle of a file would let all its locks go. See
    `turns_in`.
    """

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
        with self._locked(0):
            self._prepare()
        self._mine: dict[str, set[int]] = {}

    def _prepare(self) -> None:
        """Make the file, or empty it where the machine was started since."""
        boot = _boot()
        if os.pread(self._handle, HEAD, 0).rstrip(b"\0") == boot:
            return
        os.truncate(self._handle, 0)
        os.truncate(self._handle, SIZE)
        os.pwrite(self._handle, boot.ljust(HEAD, b"\0"), 0)

    @asynccontextmanager
    async def turn(self, key: str, delay: float, at_once: int) -> AsyncIterator[None]:
        """Entered when a request may be sent, over all processes."""
        place = await self._begin(key, delay, min(at_once, PLACES_EACH))
        try:
            yield
        finally:
            if at_once == 1:
                self._note_end(key)
            self._give_back(key, place)

    def _note_end(self, key: str) -> None:
        """Where one comes after the other, the delay counts from the last one's end: when it
        reached its server nobody here knows, and on a busy machine that may be long after its
        start.
        """
        cell = _cell(key)
        with self._locked(cell):
            self._write(cell, monotonic(), self._read(cell)[1])

    def pause(self, key: str, seconds: float) -> None:
        """Nothing is asked of this budget for so long, by any process."""
        cell = _cell(key)
        with self._locked(cell):
            started, until = self._read(cell)
            self._write(cell, started, max(until, monotonic() + seconds))

    def noted(self, key: str) -> tuple[float, float]:
        """When a budget was last asked, and until when nobody asks it; 0 where never."""
        return self._read(_cell(key))

    async def _begin(self, key: str, delay: float, at_once: int) -> int:
        """Wait for the time first and take a place then: who
        holds a place meanwhile would keep it from others.
        """
        cell = _cell(key)
        while True:
            if (left := self._left(cell, delay)) > 0:
                await asyncio.sleep(left)
                continue
            place = self._take(key, at_once)
            if place is not None and self._started(cell, delay):
                return place
            if place is not None:
                self._give_back(key, place)
            await asyncio.sleep(random.uniform(*TRY_AGAIN))  # noqa: S311  a lot, no secret

    def _left(self, cell: int, delay: float) -> float:
        started, until = self._read(cell)
        apart = delay + ON_THE_WIRE if delay else 0.0
        return max(started + apart, until) - monotonic()

    def _started(self, cell: int, delay: float) -> bool:
        """Note that a request starts, if it still may: another process may have been quicker."""
        with self._locked(cell):
            may_start = self._left(cell, delay) <= 0
            if may_start:
                self._write(cell, monotonic(), self._read(cell)[1])
        return may_start

    def _take(self, key: str, at_once: int) -> int | None:
        """A place among those that may be under way at once; None where all are taken."""
        mine = self._mine.setdefault(key, set())
        for place in range(at_once):
            if place not in mine and self._lock(_place(key, place)):
                mine.add(place)
                return place
        return None

    def _give_back(self, key: str, place: int) -> None:
        fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, _place(key, place))
        mine = self._mine.get(key, set())
        mine.discard(place)
        if not mine:
            self._mine.pop(key, None)

    def _lock(self, place: int) -> bool:
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            return False
        return True

    @contextmanager
    def _locked(self, cell: int) -> Iterator[None]:
        """Alone with one cell, for a moment."""
        fcntl.lockf(self._handle, fcntl.LOCK_EX, 1, CELL_LOCKS + cell)
        try:
            yield
        finally:
            fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, CELL_LOCKS + cell)

    def _read(self, cell: int) -> tuple[float, float]:
        """When it was last asked, and until when nobody asks it."""
        started, until = CELL.unpack(os.pread(self._handle, CELL.size, HEAD + cell * CELL.size))
        return started, until

    def _write(self, cell: int, started: float, until: float) -> None:
        # Not through memory that is mapped: there a full disk ends the process. What is not written
        # costs politeness
        # between processes only, and on a full disk nothing is fetched for long.
        with suppress(OSError):
            os.pwrite(self._handle, CELL.pack(started, until), HEAD + cell * CELL.size)


@dataclass(frozen=True, slots=True)
class AskedService:
    """A service with many names that was asked: how many seconds ago, and for how many it rests."""

    service: str
    asked: float
    rests: float


def asked_services(path: Path) -> list[AskedService]:
    """The known services that any process with this file asked since the machine runs; by name."""
    turns = turns_in(path) if path.is_file() else OwnTurns()
    if not isinstance(turns, SharedTurns):
        return []
    now = monotonic()
    told = ((name, *turns.noted(f"service:{name}")) for name in service_names())
    return [AskedService(name, now - asked, max(0.0, until - now)) for name, asked, until in told if asked]


@cache
def turns_in(path: Path) -> ServiceTurns:
    """The turns that the file at a path tells of; those
    of this process alone where it cannot be written.
    """
    try:
        return SharedTurns(path)
    except OSError as error:
        log.info("delays hold for this process alone, because %s cannot be used: %s", path, error)
        return OwnTurns()


def _digest(key: str) -> int:
    return int.from_bytes(blake2b(key.encode(), digest_size=6).digest(), "big")


def _cell(key: str) -> int:
    return _digest(key) % CELLS


def _place(key: str, number: int) -> int:
    return PLACES + _digest(key) * PLACES_EACH + number


def _boot() -> bytes:
    """Another word after each start of the machine; where the system tells none, always the
    same.
    """
    try:
        return BOOT.read_bytes().strip()[:HEAD]
    except OSError:
        return b"-"
