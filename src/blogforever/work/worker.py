"""A worker: takes jobs from the queue, runs many at once, and ends each on its own."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from blogforever import clock
from blogforever.errors import BlogForeverError, in_one_line
from blogforever.logs import logger
from blogforever.storage.tables import Store
from blogforever.storage.work import JobKind, JobRow, WorkerRow

from .caring import take_over_orphans
from .handling import Carried, JobHandler
from .limits import memory_used
from .retrying import moment_after, next_try

# Seconds between two looks into the queue where nothing happens, and between two where something
# ended.
IDLE, BRISK = 0.5, 0.05
# Seconds between two looks at what concerns the worker as a whole: what is paused, unwanted,
# orphaned.
HOUSEKEEPING = 1.0
# Seconds that jobs have to end by themselves in a worker that is to be replaced; then they are
# stopped, and go on
# in its successor.
GRACE = 60.0
# The part of the service that all workers together are.
WORKERS = "workers"
Result = TypeVar("Result")
log = logger("work")


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What a worker may use: jobs of each kind at a time,
    bytes of memory (0: any); why it must take nothing now.
    """

    slots: Mapping[JobKind, int]
    memory: int = 0
    no_room: Callable[[], str] = lambda: ""


@dataclass(slots=True)
class _JobUnderWay:
    """A job under way."""

    job: JobRow
    task: asyncio.Task[None]
    unwanted: bool = False


@dataclass(slots=True)
class Worker:
    """Carries jobs out until it is told to `drain`, or has grown too large."""

    name: str
    store: Store
    handlers: Mapping[JobKind, JobHandler]
    limits: WorkerLimits
    _running: dict[int, _JobUnderWay] = field(default_factory=dict)
    _draining: bool = False
    _too_large: bool = False
    _refused: str = ""
    _paused: frozenset[str] = frozenset()
    _cared: float = -HOUSEKEEPING
    _started: str = field(default_factory=clock.stamp)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    # The queue is asked in one thread beside the event loop: another process may keep the database
    # for a while.
    _beside: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "queue"))

    async def run(self) -> bool:
        """Work; whether it ended because it had grown too
        large, so that another one should take its place.
        """
        with self.store.workers.join(self.name):
            try:
                while not (self._draining or self._too_large):
                    await self._once()
                await self._end()
            finally:
                self._beside.shutdown(wait=False)
        return self._too_large

    def drain(self) -> None:
        """Take nothing more, stop what is under way in good
        order, and end; from the thread of the event loop.
        """
        self._draining = True
        self._woken.set()

    async def _once(self) -> None:
        """Take what there is to take, then wait until something happens."""
        self._woken.clear()
        for job in await self._aside(self._take):
            task = asyncio.create_task(self._carry(job), name=f"job {job.id}")
            self._running[job.id] = _JobUnderWay(job, task)
        self._stop_unwanted()
        await self._sleep()

    async def _sleep(self) -> None:
        try:
            await asyncio.wait_for(self._woken.wait(), IDLE)
            # What ends together is answered together.
            await asyncio.sleep(0 if self._draining else BRISK)
        except TimeoutError:
            pass

    def _take(self) -> list[JobRow]:
        """The jobs to begin with now; in the thread beside the loop."""
        if monotonic() - self._cared >= HOUSEKEEPING:
            self._cared = monotonic()
            self._care()
        if self._draining or self._too_large or self._refused or WORKERS in self._paused:
            return []
        return self.store.jobs.take(self.name, self._free(), clock.stamp())

    def _free(self) -> dict[JobKind, int]:
        """How many more jobs of each kind may be under way."""
        used = Counter(running.job.kind for running in list(self._running.values()))
        slots = {kind: most - used[kind] for kind, most in self.limits.slots.items()}
        return {kind: free for kind, free in slots.items() if free > 0 and kind not in self._paused}

    def _care(self) -> None:
        """What concerns the worker as a whole, now and then."""
        memory, now = memory_used(), clock.stamp()
        self.store.workers.tell(WorkerRow(self.name, os.getpid(), self._started, now, memory, len(self._running)))
        self._paused = frozenset(part.part for part in self.store.parts.paused())
        take_over_orphans(self.store, self.handlers)
        for job in self.store.jobs.unwanted(self.name):
            if job in self._running:
                self._running[job].unwanted = True
        self._note_refusal(self.limits.no_room())
        if self.limits.memory and memory > self.limits.memory:
            log.warning("worker %s uses %d MiB and is replaced", self.name, memory >> 20)
            self._too_large = True

    def _note_refusal(self, reason: str) -> None:
        """Say once why nothing is taken, not every second."""
        if reason and reason != self._refused:
            log.warning("worker %s takes no jobs: %s", self.name, reason)
        self._refused = reason

    def _stop_unwanted(self) -> None:
        for running in self._running.values():
            if running.unwanted and not running.task.cancelling():
                running.task.cancel()

    async def _end(self) -> None:
        """Until nothing is under way; jobs that cannot wait for that go on elsewhere, later."""
        tasks = [running.task for running in self._running.values()]
        ended = asyncio.gather(*tasks, return_exceptions=True)
        drained = asyncio.create_task(self._drained())
        either: list[asyncio.Future[Any]] = [ended, drained]
        await asyncio.wait(either, timeout=GRACE, return_when=asyncio.FIRST_COMPLETED)
        drained.cancel()
        for task in tasks:
            task.cancel()
        await ended

    async def _drained(self) -> None:
        while not self._draining:
            self._woken.clear()
            await self._woken.wait()

    async def _carry(self, job: JobRow) -> None:
        """One job from beginning to end; whatever happens to it is its own."""
        log.info("job %d: %s %s", job.id, job.kind, job.blog)
        try:
            end = partial(self._done, job, await self.handlers[job.kind].carry_out(job))
        except asyncio.CancelledError:
            end = partial(self._stopped, job, self._running[job.id].unwanted)
        except BlogForeverError as error:
            log.error("job %d (%s %s) failed: %s", job.id, job.kind, job.blog, error)
            end = partial(self._failed, job, str(error))
        except Exception as error:  # one job's fault costs no other job anything
            log.error("job %d (%s %s) was ended by a fault of blogforever", job.id, job.kind, job.blog, exc_info=error)
            end = partial(self._failed, job, in_one_line(error))
        try:
            await self._aside(end)
        except BlogForeverError as error:
            # It stays under way until this worker ends, and is then taken over by another.
            log.error("the end of job %d could not be written: %s", job.id, error)
        finally:
            del self._running[job.id]
            self._woken.set()

    def _done(self, job: JobRow, carried: Carried) -> None:
        now = clock.stamp()
        if carried.postponed is not None:
            self.store.jobs.give_back(job.id, self.name, now, moment_after(carried.postponed))
            return
        with self.store.transaction():
            if self.store.jobs.done(job.id, self.name, carried.result, now):
                carried.write()

    def _failed(self, job: JobRow, error: str) -> None:
        again = next_try(job.attempts)
        with self.store.transaction():
            if self.store.jobs.fail(job.id, self.name, error, clock.stamp(), again) and again is None:
                self.handlers[job.kind].give_up(job, error)

    def _stopped(self, job: JobRow, unwanted: bool) -> None:
        if not unwanted:
            self.store.jobs.give_back(job.id, self.name, clock.stamp())
            return
        with self.store.transaction():
            if self.store.jobs.stopped(job.id, self.name, clock.stamp()):
                self.handlers[job.kind].give_up(job, "It was cancelled.")

    async def _aside(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._beside, work)
