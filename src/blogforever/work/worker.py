"""A worker: takes jobs from the queue, runs many at once, and ends each on its own."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from time import monotonic
from typing import Any, TypeVar

from blogforever import clock
from blogforever.errors import BlogForeverError, in_one_line
from blogforever.logs import about, logger
from blogforever.storage.tables import Store
from blogforever.storage.work import JOB_KINDS, SILENCE, JobKind, JobRow, WorkerRow

from .caring import take_over_orphans
from .counting import count_job
from .ending import JobEnds
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
# Seconds before each further try to write how a job ended: a server that is started anew is back by
# then.
PAUSES = (1.0, 4.0, 15.0)
# The part of the service that all workers together are.
WORKERS = "workers"
Result = TypeVar("Result")
log = logger("work")


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What a worker may use: jobs of each kind at a time, and of all together (0: any), bytes of
    memory (0: any); why it must take nothing now. `silence` is how many seconds without a sign of
    life others bear with it.
    """

    slots: Mapping[JobKind, int]
    memory: int = 0
    no_room: Callable[[], str] = lambda: ""
    together: int = 0
    silence: float = SILENCE

    @property
    def queues(self) -> str:
        """The kinds it takes, where these are not all."""
        return "" if set(self.slots) == set(JOB_KINDS) else ",".join(kind for kind in JOB_KINDS if kind in self.slots)


@dataclass(slots=True, eq=False)
class _JobUnderWay:
    """One try of a job, from its taking to the writing of its end. It is the try that is kept, not
    the number of the job: the thread of the queue may have taken a job again that failed a moment
    ago before the loop is told that the failure is written.
    """

    job: JobRow
    unwanted: bool = False
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class Worker:
    """Carries jobs out until it is told to `drain`, has grown too large, or others took it for
    dead.
    """

    name: str
    store: Store
    handlers: Mapping[JobKind, JobHandler]
    limits: WorkerLimits
    _running: set[_JobUnderWay] = field(default_factory=set)
    _draining: bool = False
    _replaced: bool = False
    _rounds: int = 0
    _refused: str = ""
    _paused: frozenset[str] = frozenset()
    _cared: float = -HOUSEKEEPING
    _started: str = field(default_factory=clock.stamp)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    # The queue is asked in one thread beside the event loop: another process may keep the database
    # for a while.
    _beside: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "queue"))
    _ends: JobEnds = field(init=False)

    def __post_init__(self) -> None:
        self._ends = JobEnds(self.store, self._aside)

    async def run(self) -> bool:
        """Work; whether it ended so that another one should take its place: it had grown too large,
        or could not write how a job ended.
        """
        with self.store.workers.join(self.name, self.limits.silence):
            try:
                while not (self._draining or self._replaced):
                    await self._once()
                await self._end()
            except BaseException:
                # The queue cannot be asked: what is under way is given back, where that can be
                # written.
                await self._stop_all()
                raise
            finally:
                self._beside.shutdown(wait=False)
        return self._replaced

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
            self._begin(_JobUnderWay(job))
        self._stop_unwanted()
        await self._sleep()

    def _begin(self, running: _JobUnderWay) -> None:
        self._running.add(running)
        running.task = asyncio.create_task(self._carry(running), name=f"job {running.job.id}")

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
        if self._draining or self._replaced or self._refused or WORKERS in self._paused:
            return []
        free, left = self._free(), self.limits.together - len(self._running)
        if not self.limits.together or left >= sum(free.values()):
            return self.store.jobs.take(self.name, free, clock.stamp())
        return self._take_some(free, left)

    def _take_some(self, free: Mapping[JobKind, int], left: int) -> list[JobRow]:
        """No more than so many of all kinds; each kind comes first in its turn."""
        self._rounds += 1
        first = self._rounds % len(free) if free else 0
        taken: list[JobRow] = []
        for kind in [*free][first:] + [*free][:first]:
            most = min(free[kind], left - len(taken))
            taken += self.store.jobs.take(self.name, {kind: most}, clock.stamp())
        return taken

    def _free(self) -> dict[JobKind, int]:
        """How many more jobs of each kind may be under way."""
        used = Counter(running.job.kind for running in list(self._running))
        slots = {kind: most - used[kind] for kind, most in self.limits.slots.items()}
        return {kind: free for kind, free in slots.items() if free > 0 and kind not in self._paused}

    def _care(self) -> None:
        """What concerns the worker as a whole, now and then."""
        memory = memory_used()
        if not self.store.workers.tell(self._row(memory)):
            log.warning("worker %s was taken for dead, and is replaced", self.name)
            self._draining = True
        self._paused = frozenset(part.part for part in self.store.parts.paused())
        take_over_orphans(self.store, self.handlers)
        unwanted = set(self.store.jobs.unwanted(self.name))
        for running in list(self._running):
            running.unwanted |= running.job.id in unwanted
        self._note_refusal(self.limits.no_room())
        if self.limits.memory and memory > self.limits.memory:
            log.warning("worker %s uses %d MiB and is replaced", self.name, memory >> 20)
            self._replaced = True

    def _row(self, memory: int) -> WorkerRow:
        """What others are told of this worker."""
        return WorkerRow(
            self.name,
            os.getpid(),
            self._started,
            clock.stamp(),
            memory,
            len(self._running),
            host=socket.gethostname(),
            version=version("blogforever"),
            slots=self.limits.together,
            queues=self.limits.queues,
        )

    def _note_refusal(self, reason: str) -> None:
        """Say once why nothing is taken, not every second."""
        if reason and reason != self._refused:
            log.warning("worker %s takes no jobs: %s", self.name, reason)
        self._refused = reason

    def _stop_unwanted(self) -> None:
        for running in self._running:
            if running.unwanted and running.task and not running.task.cancelling():
                running.task.cancel()

    async def _end(self) -> None:
        """Until nothing is under way; jobs that cannot wait for that go on elsewhere, later."""
        tasks = [running.task for running in self._running if running.task]
        ended = asyncio.gather(*tasks, return_exceptions=True)
        drained = asyncio.create_task(self._drained())
        either: list[asyncio.Future[Any]] = [ended, drained]
        await asyncio.wait(either, timeout=GRACE, return_when=asyncio.FIRST_COMPLETED)
        drained.cancel()
        await self._stop_all()

    async def _stop_all(self) -> None:
        tasks = [running.task for running in self._running if running.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._ends.finished()

    async def _drained(self) -> None:
        while not self._draining:
            self._woken.clear()
            await self._woken.wait()

    async def _carry(self, running: _JobUnderWay) -> None:
        """One job from beginning to end; whatever is logged meanwhile says that it is about this
        job.
        """
        with about(job=running.job.id, kind=running.job.kind, blog=running.job.blog):
            await self._carry_out(running)

    async def _carry_out(self, running: _JobUnderWay) -> None:
        """The same; whatever happens to it is its own."""
        job = running.job
        log.info("job %d: %s %s", job.id, job.kind, job.blog)
        try:
            end = partial(self._done, job, await self.handlers[job.kind].carry_out(job))
        except asyncio.CancelledError:
            end = partial(self._stopped, job, running.unwanted)
        except BlogForeverError as error:
            log.error("job %d (%s %s) failed: %s", job.id, job.kind, job.blog, error)
            end = partial(self._failed, job, str(error))
        except Exception as error:  # one job's fault costs no other job anything
            log.error("job %d (%s %s) was ended by a fault of blogforever", job.id, job.kind, job.blog, exc_info=error)
            end = partial(self._failed, job, in_one_line(error))
        try:
            if not await self._written(job, end):
                # It stays under way until this worker ends, and is then taken over by another.
                self._replaced = True
        finally:
            self._running.remove(running)
            self._woken.set()

    async def _written(self, job: JobRow, end: Callable[[], None]) -> bool:
        """Whether the end of a job could be written, if not at once."""
        for pause in (*PAUSES, None):
            try:
                await self._ends.write(end)
                return True
            except BlogForeverError as error:
                log.error("the end of job %d could not be written: %s", job.id, error)
            if pause is not None:
                await asyncio.sleep(pause)
        return False

    def _done(self, job: JobRow, carried: Carried) -> None:
        now = clock.stamp()
        if carried.postponed is not None:
            self.store.jobs.give_back(job.id, self.name, now, moment_after(carried.postponed))
            return
        with self.store.transaction():
            if self._ended(job, carried, now):
                carried.write()
                # Counted as carried out: counted failures of jobs are faults of ours, and looks count by themselves.
                count_job(self.store, job, "done")

    def _ended(self, job: JobRow, carried: Carried, now: str) -> bool:
        if carried.failed:
            return self.store.jobs.fail(job.id, self.name, carried.failed, now, result=carried.result)
        return self.store.jobs.done(job.id, self.name, carried.result, now)

    def _failed(self, job: JobRow, error: str) -> None:
        again = next_try(job.attempts)
        with self.store.transaction():
            if self.store.jobs.fail(job.id, self.name, error, clock.stamp(), again) and again is None:
                self.handlers[job.kind].give_up(job, error)
                count_job(self.store, job, "failed")

    def _stopped(self, job: JobRow, unwanted: bool) -> None:
        if not unwanted:
            self.store.jobs.give_back(job.id, self.name, clock.stamp())
            return
        with self.store.transaction():
            if self.store.jobs.stopped(job.id, self.name, clock.stamp()):
                self.handlers[job.kind].give_up(job, "It was cancelled.")
                count_job(self.store, job, "cancelled")

    async def _aside(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._beside, copy_context().run, work)
