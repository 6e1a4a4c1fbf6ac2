"""Turns over all machines that share a database: a thread of its own tells what happened and asks
what may.

One exchange at a time is under way; what comes up meanwhile goes with the next. So a request waits
for one short round trip, however many there are, and no transaction is open while anything is
waited for. Where the database cannot be reached nothing new is asked; and a request whose turn may
be somebody else's by now is cut off.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import random
import socket
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from threading import Condition, Event, Thread
from time import monotonic
from typing import TypeVar
from uuid import uuid4

from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.storage.turns import LASTING, BudgetNews, KnownRobots, TurnAnswer, TurnTable, TurnWish

from .aside import in_thread
from .turns import BOOT, ON_THE_WIRE, PLACES_EACH, TurnLost

Result = TypeVar("Result")
# Seconds between two words to the server, where nothing else is to be told: three may be lost.
RENEWED = LASTING / 4
# A request is cut off so many seconds before its turn may be another's: it takes a moment to end.
CUT_BEFORE = LASTING / 15
# Seconds that the end of a request waits for company on its way: the next request is often at hand.
LINGERS = 0.05
# Seconds between two tries where all places are taken, at first and at most; by lot, so that no
# machine is always the second.
TRY_AGAIN, LONGEST_TRY, LATER = 0.05, 1.0, 1.5
# Seconds that who had the last turn lets others go first: they have to hear that it is over.
GIVES_WAY = 0.03
# Seconds between two tries to reach a server that is gone.
GONE_FOR = 0.5
# Budgets in one exchange: it is to take some milliseconds.
MOST_BUDGETS = 200
# Seconds between two calls to forget what was long ago.
TIDIED = 3600.0
# Seconds between two looks whether a turn is still ours: somebody may have told us meanwhile that
# it is not.
LOOKS = 1.0
# Hosts whose budgets are remembered.
MANY_HOSTS = 5000
# Seconds that a process which ends waits until it has given back what it has.
LAST_WORD = 5.0
PROCESSES = Path("/proc/self/ns/pid")
"""What the system calls all processes that can be seen from here."""
log = logger("fetch")


@dataclass(eq=False, slots=True)
class Lease:
    """One request: waiting for its turn, or under way."""

    key: str
    number: int
    apart: float
    at_once: int
    granted: Future[None] = field(default_factory=Future)
    asker: str = ""
    """Under which name it was granted."""
    is_told: bool = False
    tries: int = 0


@dataclass(slots=True)
class Untold:
    """What is to be told of one budget, with moments on our own clock."""

    started: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    asked: float | None = None
    rests: float | None = None
    since: float = field(default_factory=monotonic)

    def note(self, asked: float | None) -> None:
        """Last asked then."""
        if asked is not None:
            self.asked = asked if self.asked is None else max(self.asked, asked)

    def add(self, more: Untold) -> None:
        """What could not be told is told with the rest."""
        self.started, self.ended = more.started + self.started, more.ended + self.ended
        self.note(more.asked)
        if more.rests is not None:
            self.rests = more.rests if self.rests is None else max(self.rests, more.rests)
        self.since = min(self.since, more.since)

    def news(self, key: str, wish: TurnWish | None, now: float) -> BudgetNews:
        """The same as the server hears it: how long ago, how much longer."""
        asked = None if self.asked is None else max(0.0, now - self.asked)
        rests = None if self.rests is None else max(0.0, self.rests - now)
        return BudgetNews(key, tuple(self.started), tuple(self.ended), asked, rests, wish)


class TurnClerk:
    """Speaks with the table for all requests of this process; from any thread."""

    def __init__(self, table: TurnTable) -> None:
        self._table = table
        self._name = f"{socket.gethostname()}/{os.getpid()}{_machine()}"
        self._asker, self._heard = uuid4().hex, monotonic()
        self._awake = Condition()
        self._numbers = 0
        self._waiting: dict[str, deque[Lease]] = {}
        self._due: dict[str, float] = {}
        self._beginning: dict[str, Lease] = {}
        self._untold: dict[str, Untold] = {}
        self._held = 0
        self._urgent = self._is_deaf = False
        self._ending, self._tidied = Event(), monotonic()
        self._thread = Thread(target=self._run, name="blogforever-turns", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def wish(self, key: str, apart: float, at_once: int) -> Lease:
        """A request that wants to begin; `granted` says when it may."""
        with self._awake:
            self._numbers += 1
            lease = Lease(key, self._numbers, apart, at_once)
            self._waiting.setdefault(key, deque()).append(lease)
            self._awake.notify()
        return lease

    def start(self, lease: Lease) -> bool:
        """The request begins now; False where its turn came too late, and is lost."""
        with self._awake:
            if self._beginning.get(lease.key) is lease:
                del self._beginning[lease.key]
            if self.good_until(lease) <= monotonic():
                return False
            untold = self._untold.setdefault(lease.key, Untold())
            untold.started.append(lease.number)
            untold.note(monotonic())
            self._due[lease.key] = monotonic() + lease.apart + GIVES_WAY
            self._awake.notify()
        return True

    def end(self, lease: Lease, asked: float | None = None) -> None:
        """It is over, or not wanted any more; `asked` where that is when its budget was last used."""
        with self._awake:
            waiting = self._waiting.get(lease.key, deque())
            if lease in waiting:
                waiting.remove(lease)
                if not waiting:
                    del self._waiting[lease.key]
            if self._beginning.get(lease.key) is lease:
                del self._beginning[lease.key]
            if lease.asker:
                self._held -= 1
            if lease.is_told:
                untold = self._untold.setdefault(lease.key, Untold())
                untold.ended.append(lease.number)
                untold.note(asked)
            self._awake.notify()

    def rest(self, key: str, seconds: float) -> None:
        """Nobody asks this budget for so long."""
        with self._awake:
            untold = self._untold.setdefault(key, Untold())
            untold.rests = max(untold.rests or 0.0, monotonic() + seconds)
            self._urgent = True
            self._awake.notify()

    def good_until(self, lease: Lease) -> float:
        """Until when a lease is ours for certain, unless we are heard again."""
        return self._heard + LASTING - CUT_BEFORE if lease.asker == self._asker else 0.0

    def close(self) -> None:
        """Tell the last news and give everything back; a server that is gone finds out by itself."""
        with self._awake:
            self._ending.set()
            self._awake.notify()
        self._thread.join(LAST_WORD)
        atexit.unregister(self.close)

    def _run(self) -> None:
        with suppress(ArchiveError):
            self._bury()
        while not self._ending.is_set():
            self._wait()
            if not self._ending.is_set():
                self._tell()
        with suppress(ArchiveError):
            self._exchange(*self._gathered())
            self._table.leave(self._asker)

    def _bury(self) -> None:
        """Say which processes of this machine are dead: nobody needs to wait for a word of theirs."""
        machine = _machine()
        for asker, name in self._table.askers() if machine else ():
            said = name.removesuffix(machine)
            if said != name and _is_dead(said.rpartition("/")[2]):
                self._table.bury(asker)

    def _wait(self) -> None:
        """Until something is to be told or asked."""
        with self._awake:
            while not self._ending.is_set():
                left = self._next() - monotonic()
                if left <= 0:
                    return
                self._awake.wait(left)

    def _next(self) -> float:
        """When the next exchange is due."""
        if self._urgent:
            return 0.0
        moments = [self._heard + RENEWED] if self._held else [monotonic() + LASTING]
        moments += [untold.since + LINGERS for untold in self._untold.values()]
        moments += [self._due.get(key, 0.0) for key in self._waiting if key not in self._beginning]
        return min(moments)

    def _tell(self) -> None:
        told, wishes = self._gathered()
        try:
            is_heard = self._exchange(told, wishes)
        except ArchiveError as error:
            if not self._is_deaf:
                log.warning("nothing is asked until the database answers: %s", error)
            self._is_deaf, is_heard = True, False
        if not is_heard:
            with self._awake:
                for key, untold in told.items():
                    self._untold.setdefault(key, Untold()).add(untold)
                self._urgent = True
            self._ending.wait(GONE_FOR)
        elif monotonic() >= self._tidied + TIDIED:
            self._tidied = monotonic()
            with suppress(ArchiveError):
                self._table.tidy()

    def _gathered(self) -> tuple[dict[str, Untold], list[Lease]]:
        """What is told now, and the wishes: the first of each budget whose time has come."""
        with self._awake:
            now = monotonic()
            if now >= self._heard + LASTING:
                self._lose()
            self._urgent = False
            told = {key: self._untold.pop(key) for key in list(self._untold)[:MOST_BUDGETS]}
            ready = (key for key in self._waiting if key not in self._beginning and self._due.get(key, 0.0) <= now)
            wishes = [self._waiting[key][0] for key in list(ready)[:MOST_BUDGETS]]
            for lease in wishes:
                lease.is_told = True
        return told, wishes

    def _lose(self) -> None:
        """We were silent for too long: what we had may be others'. From now on we are somebody else."""
        self._asker, self._heard = uuid4().hex, monotonic()
        self._beginning.clear()

    def _exchange(self, told: dict[str, Untold], wishes: list[Lease]) -> bool:
        """Whether we were heard."""
        by_key = {lease.key: lease for lease in wishes}
        asker, now = self._asker, monotonic()
        news = [
            told.get(key, Untold()).news(key, _wish_of(by_key.get(key)), now) for key in dict.fromkeys([*told, *by_key])
        ]
        answers = self._table.exchange(asker, self._name, news)
        with self._awake:
            if answers is None:
                self._lose()
                return False
            # The server counts from when it heard us, which was later.
            self._heard, self._is_deaf = now, False
            for key, lease in by_key.items():
                self._settle(lease, answers[key], asker)
            for key in [key for key, due in self._due.items() if key not in self._waiting and due < now]:
                del self._due[key]
        return True

    def _settle(self, lease: Lease, answer: TurnAnswer, asker: str) -> None:
        is_wanted = lease in self._waiting.get(lease.key, ())
        if not is_wanted:
            # It was given up meanwhile, and that is still to be told.
            return
        if not answer.granted:
            lease.tries += 1
            self._due[lease.key] = monotonic() + (answer.wait or _by_lot(lease.tries))
            return
        lease.asker = asker
        self._held += 1
        self._beginning[lease.key] = lease
        self._waiting[lease.key].popleft()
        if not self._waiting[lease.key]:
            del self._waiting[lease.key]
        # Who waited may be about to give up, and says so in a moment.
        if lease.granted.set_running_or_notify_cancel():
            lease.granted.set_result(None)


class ServerTurns:
    """Shared with all processes of all machines that have their records in the same database."""

    def __init__(self, table: TurnTable) -> None:
        self._table, self._clerk = table, TurnClerk(table)
        self._agreed: dict[str, tuple[float, str]] = {}

    @asynccontextmanager
    async def turn(self, key: str, delay: float, at_once: int) -> AsyncIterator[None]:
        """Entered when a request may be sent, over all machines; TurnLost ends it where that may be
        another's turn by now.
        """
        lease = await self._begun(key, delay + ON_THE_WIRE if delay else 0.0, min(at_once, PLACES_EACH))
        try:
            async with self._held(lease):
                yield
        finally:
            # Where one comes after the other, the delay counts from the last one's end.
            self._clerk.end(lease, monotonic() if at_once == 1 else None)

    def pause(self, key: str, seconds: float) -> None:
        """Nothing is asked of this budget for so long, by anybody."""
        self._clerk.rest(key, seconds)

    async def agreed(self, host: str, key: str) -> str:
        """The budget that all machines draw on for a host: names may have other addresses elsewhere."""
        known = self._agreed.get(host)
        if known and monotonic() < known[0]:
            return known[1]
        asked = monotonic()
        agreed, left = await _patiently(partial(self._table.agreed, host, key))
        if len(self._agreed) >= MANY_HOSTS:
            self._agreed.clear()
        self._agreed[host] = (asked + left, agreed)
        return agreed

    async def robots(self, origin: str) -> KnownRobots | None:
        """What another machine was told."""
        return await _patiently(partial(self._table.robots, origin))

    async def keep_robots(self, origin: str, known: KnownRobots) -> None:
        """Let other machines know."""
        await _patiently(partial(self._table.keep_robots, origin, known))

    def close(self) -> None:
        """Give everything back."""
        self._clerk.close()
        self._table.close()

    async def _begun(self, key: str, apart: float, at_once: int) -> Lease:
        """A lease whose request begins now."""
        while True:
            lease = self._clerk.wish(key, apart, at_once)
            try:
                await asyncio.wrap_future(lease.granted)
                if self._clerk.start(lease):
                    return lease
            except BaseException:
                self._clerk.end(lease)
                raise
            self._clerk.end(lease)

    @asynccontextmanager
    async def _held(self, lease: Lease) -> AsyncIterator[None]:
        """As long as a lease is ours: who cannot prolong it stops before others may have it."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as limit:
                watch = loop.create_task(self._watched(lease, limit))
                try:
                    yield
                finally:
                    watch.cancel()
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise TurnLost(f"the turn of {lease.key} could not be kept") from error

    async def _watched(self, lease: Lease, limit: asyncio.Timeout) -> None:
        while (left := self._clerk.good_until(lease) - monotonic()) > 0:
            await asyncio.sleep(min(left, LOOKS))
        limit.reschedule(asyncio.get_running_loop().time())


async def _patiently(question: Callable[[], Result]) -> Result:
    """The server's answer, however long it takes until there is one."""
    while True:
        try:
            return await in_thread(question)
        except ArchiveError as error:
            log.info("nothing is asked for now: %s", error)
            await asyncio.sleep(GONE_FOR)


def _wish_of(lease: Lease | None) -> TurnWish | None:
    return TurnWish(lease.number, lease.apart, lease.at_once) if lease else None


def _by_lot(tries: int) -> float:
    longest = min(TRY_AGAIN * LATER**tries, LONGEST_TRY)
    return random.uniform(TRY_AGAIN / 2, longest)  # noqa: S311  a lot, no secret


@cache
def _machine() -> str:
    """What sets this start of this machine, and the processes that can be seen here, apart from all
    others; nothing where the system does not tell.
    """
    try:
        return f"@{BOOT.read_text().strip()}{PROCESSES.readlink()}"
    except OSError:
        return ""


def _is_dead(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False
