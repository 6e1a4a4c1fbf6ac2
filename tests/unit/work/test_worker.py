"""A worker: many jobs at once, each on its own, until it is drained."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version
from typing import Any

import pytest

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.logs import JsonLines, logger
from blogforever.storage.tables import Store
from blogforever.storage.work import (
    JOB_KINDS,
    MOST_TRIES,
    PERSON,
    JobFilter,
    JobKind,
    JobRow,
    JobState,
    NewJob,
    PausedPart,
)
from blogforever.testing import MemoryStore
from blogforever.work import worker as module
from blogforever.work.caring import KEPT, forget_old_jobs, take_over_orphans
from blogforever.work.ending import JobEnds
from blogforever.work.handling import Carried
from blogforever.work.limits import keep_to_cores, memory_used
from blogforever.work.retrying import MOST_FAILURES
from blogforever.work.worker import Worker, WorkerLimits

pytestmark = pytest.mark.anyio
log = logger("test")
NOW = datetime(2026, 11, 16, 8, tzinfo=UTC)


@dataclass
class Handler:
    """Does what a test says, and remembers what it was asked."""

    act: Callable[[JobRow], Awaitable[Carried]]
    begun: list[str] = field(default_factory=list)
    at_once: int = 0
    most: int = 0
    given_up: list[tuple[str, str]] = field(default_factory=list)

    async def carry_out(self, job: JobRow) -> Carried:
        self.begun.append(job.blog)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            return await self.act(job)
        finally:
            self.at_once -= 1

    def give_up(self, job: JobRow, error: str) -> None:
        self.given_up.append((job.blog, error))


async def succeed(job: JobRow) -> Carried:
    return Carried(f'{{"blog": "{job.blog}"}}')


async def last_forever(_job: JobRow) -> Carried:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE", 0.005)
    monkeypatch.setattr(module, "BRISK", 0.0)
    monkeypatch.setattr(module, "HOUSEKEEPING", 0.0)


@contextmanager
def racing() -> Iterator[None]:
    """A clock by which everything that is due later is due soon."""
    asked = iter(range(10**9))
    with clock.handed_in(lambda: NOW + timedelta(minutes=next(asked))):
        yield


@asynccontextmanager
async def at_work(
    store: Store,
    handler: Handler,
    slots: dict[JobKind, int] | None = None,
    no_room: Callable[[], str] = lambda: "",
) -> AsyncIterator[None]:
    limits = WorkerLimits(slots or {"update": 5}, no_room=no_room)
    worker = Worker("w", store, {"update": handler, "harvest": handler}, limits)
    running = asyncio.create_task(worker.run())
    yield
    worker.drain()
    await running


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.002)


def put(store: Store, *blogs: str, kind: JobKind = "update") -> list[int]:
    return [store.jobs.put(NewJob(kind, blog), clock.stamp()).id for blog in blogs]


def states(store: Store) -> dict[str, JobState]:
    return {job.blog: job.state for job in store.jobs.newest(JobFilter(), 99)}


def all_ended(store: Store) -> bool:
    return not {"waiting", "running"} & set(states(store).values())


async def test_every_line_about_a_job_names_it_and_its_blog(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(_job: JobRow) -> Carried:
        log.warning("on the way")
        raise ArchiveError("no")

    caplog.handler.setFormatter(JsonLines())
    with racing():
        (number,) = put(store, "b")
        async with at_work(store, Handler(fail)):
            await until(lambda: all_ended(store))
    told = [json.loads(line) for line in caplog.text.splitlines()]
    assert {"on the way", f"job {number} (update b) failed: no"} <= {line["text"] for line in told}
    assert {(line["job"], line["blog"], line["kind"]) for line in told} == {(number, "b", "update")}


async def test_jobs_are_done_each_with_its_result_and_what_is_written_with_it(store: Store) -> None:
    written: list[str] = []

    async def act(job: JobRow) -> Carried:
        return Carried('"well"', lambda: written.append(job.blog))

    put(store, "a", "b", "c")
    async with at_work(store, Handler(act)):
        await until(lambda: all_ended(store))
    assert [job.result for job in store.jobs.newest(JobFilter(state="done"), 9)] == ['"well"'] * 3
    assert sorted(written) == ["a", "b", "c"]
    assert store.workers.alive() == frozenset()


async def test_what_was_done_in_vain_has_failed_at_once_with_all_that_is_written(store: Store) -> None:
    written: list[str] = []

    async def act(job: JobRow) -> Carried:
        return Carried('"in vain"', lambda: written.append(job.blog), failed="Nobody answers.")

    handler = Handler(act)
    put(store, "a")
    async with at_work(store, handler):
        await until(lambda: all_ended(store))
    [row] = store.jobs.newest(JobFilter(state="failed"), 9)
    assert (row.result, row.error, row.attempts) == ('"in vain"', "Nobody answers.", 1)
    assert (written, handler.given_up) == (["a"], [])


async def test_no_more_run_at_once_than_there_are_slots_and_other_kinds_have_their_own(store: Store) -> None:
    updates, harvests = Handler(last_forever), Handler(last_forever)
    put(store, *"abcdef")
    put(store, *"uvwxyz", kind="harvest")
    limits = WorkerLimits({"update": 4, "harvest": 1})
    worker = Worker("w", store, {"update": updates, "harvest": harvests}, limits)
    running = asyncio.create_task(worker.run())
    await until(lambda: updates.at_once == 4 and harvests.at_once == 1)
    for _ in range(5):
        await asyncio.sleep(0.005)
    assert (updates.most, harvests.most) == (4, 1)
    worker.drain()
    await running


async def test_a_fault_fails_its_job_only_and_it_is_tried_again_until_it_is_given_up(store: Store) -> None:
    async def act(job: JobRow) -> Carried:
        if job.blog == "bad":
            raise ZeroDivisionError("by nought")
        return await succeed(job)

    handler = Handler(act)
    with racing():
        put(store, "bad", "good")
        async with at_work(store, handler):
            await until(lambda: all_ended(store))
    assert states(store) == {"bad": "failed", "good": "done"}
    assert handler.begun.count("bad") == MOST_FAILURES
    assert handler.given_up == [("bad", "ZeroDivisionError: by nought")]


async def test_a_job_may_be_taken_again_before_the_worker_is_told_that_its_failure_is_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_job: JobRow) -> Carried:
        raise ArchiveError("no")

    written, loop = type(store.jobs).fail, asyncio.get_running_loop()

    def write_slowly(*call: Any) -> bool:
        # So long that the worker has asked for more when this is written, and has other things to
        # do when it could be told.
        time.sleep(4 * module.IDLE)
        was_its = written(*call)
        loop.call_soon_threadsafe(time.sleep, 4 * module.IDLE)
        return was_its

    monkeypatch.setattr(type(store.jobs), "fail", write_slowly)
    handler = Handler(fail)
    with racing():
        put(store, "b")
        async with at_work(store, handler):
            await until(lambda: all_ended(store))
    assert states(store) == {"b": "failed"}
    assert handler.begun == ["b"] * MOST_FAILURES


async def test_a_worker_that_cannot_ask_the_queue_gives_back_what_is_under_way_and_ends(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = Handler(last_forever)
    put(store, "a", "b")
    worker = Worker("w", store, {"update": handler}, WorkerLimits({"update": 5}))
    running = asyncio.create_task(worker.run())
    await until(lambda: handler.at_once == 2)

    def refuse(*_call: Any) -> list[JobRow]:
        raise ArchiveError("the server is gone")

    monkeypatch.setattr(type(store.jobs), "take", refuse)
    with pytest.raises(ArchiveError, match="the server is gone"):
        await running
    assert handler.at_once == 0
    assert states(store) == {"a": "waiting", "b": "waiting"}


@pytest.mark.parametrize("fault", [RuntimeError("no thread"), asyncio.CancelledError()])
async def test_who_waits_for_an_end_is_told_when_nothing_can_be_written_any_more(
    store: Store, fault: BaseException
) -> None:
    async def aside(_work: Callable[[], list[Exception | None]]) -> list[Exception | None]:
        await asyncio.sleep(0)
        raise fault

    ends = JobEnds(store, aside)
    with pytest.raises(type(fault)):
        await ends.write(lambda: None)


async def test_what_could_not_be_done_now_is_tried_later_and_has_not_failed(store: Store) -> None:
    async def act(_job: JobRow) -> Carried:
        return Carried(postponed=60.0) if handler.begun == ["a"] else Carried("{}")

    handler = Handler(act)
    with racing():
        (number,) = put(store, "a")
        async with at_work(store, handler):
            await until(lambda: all_ended(store))
    row = store.jobs.find(number)
    assert row
    assert (row.state, row.attempts, handler.begun) == ("done", 1, ["a", "a"])


async def test_who_is_drained_gives_back_what_is_under_way(store: Store) -> None:
    handler = Handler(last_forever)
    put(store, "a", "b")
    async with at_work(store, handler):
        await until(lambda: handler.at_once == 2)
    assert states(store) == {"a": "waiting", "b": "waiting"}
    assert [job.attempts for job in store.jobs.newest(JobFilter(), 9)] == [0, 0]
    assert handler.given_up == []


async def test_a_job_that_somebody_cancels_is_stopped_and_the_others_go_on(store: Store) -> None:
    handler = Handler(last_forever)
    first, _ = put(store, "a", "b")
    async with at_work(store, handler):
        await until(lambda: handler.at_once == 2)
        store.jobs.cancel(first, clock.stamp())
        await until(lambda: states(store)["a"] == "cancelled")
        assert (handler.at_once, states(store)["b"]) == (1, "running")
    assert handler.given_up == [("a", "It was cancelled.")]


async def test_a_part_that_is_paused_takes_nothing_until_it_is_resumed(store: Store) -> None:
    handler = Handler(succeed)
    store.parts.pause(PausedPart("update", clock.stamp(), "ann"))
    put(store, "u")
    put(store, "h", kind="harvest")
    async with at_work(store, handler, {"update": 1, "harvest": 1}):
        await until(lambda: states(store)["h"] == "done")
        assert states(store)["u"] == "waiting"
        store.parts.resume("update")
        await until(lambda: states(store)["u"] == "done")
        store.parts.pause(PausedPart("workers", clock.stamp(), "ann"))
        await until(lambda: not handler.at_once)


async def test_nothing_is_taken_where_there_is_no_room(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    reasons = ["The disk is full."]
    handler = Handler(succeed)
    put(store, "a")
    async with at_work(store, handler, no_room=lambda: reasons[0]):
        await until(lambda: "The disk is full." in caplog.text)
        for _ in range(5):
            await asyncio.sleep(0.005)
        assert states(store) == {"a": "waiting"}
        reasons[0] = ""
        await until(lambda: states(store)["a"] == "done")
    assert caplog.text.count("The disk is full.") == 1


async def test_a_worker_that_has_grown_too_large_ends_its_jobs_and_then_itself(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = asyncio.Event()

    async def act(job: JobRow) -> Carried:
        await finish.wait()
        return await succeed(job)

    handler, used = Handler(act), [10]
    monkeypatch.setattr(module, "memory_used", lambda: used[0])
    worker = Worker("w", store, {"update": handler}, WorkerLimits({"update": 1}, memory=100))
    running = asyncio.create_task(worker.run())
    put(store, "a", "b")
    await until(lambda: handler.at_once == 1)
    used[0] = 101
    await until(lambda: worker._replaced)
    finish.set()
    assert await running
    assert states(store) == {"a": "done", "b": "waiting"}


async def test_what_does_not_end_in_a_worker_that_is_replaced_goes_on_elsewhere(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE", 0.01)
    handler = Handler(last_forever)
    put(store, "a")
    worker = Worker("w", store, {"update": handler}, WorkerLimits({"update": 1}, memory=1))
    worker._cared = float("inf")
    running = asyncio.create_task(worker.run())
    await until(lambda: handler.at_once == 1)
    worker._cared = 0.0
    assert await running
    assert states(store) == {"a": "waiting"}


async def test_an_end_that_cannot_be_written_costs_no_other_job_anything(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ArchiveError("The disk is full.")

    async def act(job: JobRow) -> Carried:
        return Carried("{}", fail) if job.blog == "bad" else Carried("{}")

    put(store, "bad", "good")
    async with at_work(store, Handler(act)):
        await until(lambda: states(store)["good"] == "done" and "could not be written" in caplog.text)
    assert states(store)["bad"] == "running"
    assert take_over_orphans(store, {}) == 1
    assert states(store)["bad"] == "waiting"


@pytest.mark.parametrize("failures", [1, 99])
async def test_an_end_is_written_later_or_the_worker_is_replaced(
    store: Store, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))
    tries: list[int] = []

    def fail_at_first() -> None:
        tries.append(1)
        if len(tries) <= failures:
            raise ArchiveError("The server is away.")

    async def act(_job: JobRow) -> Carried:
        return Carried("{}", fail_at_first)

    put(store, "a")
    worker = Worker("w", store, {"update": Handler(act)}, WorkerLimits({"update": 1}))
    running = asyncio.create_task(worker.run())
    if failures == 1:
        await until(lambda: states(store) == {"a": "done"})
        worker.drain()
    assert await running is (failures == 99)
    assert (states(store)["a"], len(tries)) == (("done", 2) if failures == 1 else ("running", 3))


async def test_a_living_worker_takes_over_what_a_dead_one_left(store: Store) -> None:
    put(store, "a")
    store.jobs.take("dead", {"update": 1}, clock.stamp())
    handler = Handler(succeed)
    async with at_work(store, handler):
        await until(lambda: states(store)["a"] == "done")
    assert handler.given_up == []


def test_what_kills_every_worker_is_given_up(store: Store) -> None:
    handler = Handler(succeed)
    put(store, "a")
    for number in range(MOST_TRIES):
        store.jobs.take(f"w{number}", {"update": 1}, clock.stamp())
        take_over_orphans(store, {"update": handler})
    assert states(store) == {"a": "failed"}
    assert [blog for blog, _ in handler.given_up] == ["a"]


def test_only_jobs_that_ended_long_ago_are_forgotten(store: Store) -> None:
    with clock.handed_in(lambda: NOW):
        (number,) = put(store, "a")
        store.jobs.cancel(number, clock.stamp())
        assert forget_old_jobs(store) == 0
    with clock.handed_in(lambda: NOW + timedelta(seconds=KEPT + 1)):
        assert forget_old_jobs(store) == 1


async def test_a_person_goes_before_all_others(store: Store) -> None:
    handler = Handler(succeed)
    put(store, *"abcdef")
    store.jobs.put(NewJob("update", "urgent", PERSON), clock.stamp())
    async with at_work(store, handler, {"update": 1}):
        await until(lambda: all_ended(store))
    assert handler.begun[0] == "urgent"


def test_a_process_uses_some_memory() -> None:
    assert 1 << 20 < memory_used() < 1 << 40


def test_a_service_keeps_to_the_cores_it_may_use() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        assert keep_to_cores(0) == len(allowed)
        assert keep_to_cores(1) == 1
        assert keep_to_cores(99) == 1
    finally:
        os.sched_setaffinity(0, allowed)


# ------------------------------------------------------------------ one of several machines


async def test_no_more_are_under_way_than_all_kinds_may_have_together_and_each_kind_has_its_turn(store: Store) -> None:
    put(store, *(f"u{number}" for number in range(6)))
    put(store, *(f"h{number}" for number in range(6)), kind="harvest")
    ending = asyncio.Event()

    async def until_told(_job: JobRow) -> Carried:
        await ending.wait()
        return Carried()

    handler = Handler(until_told)
    limits = WorkerLimits({"update": 5, "harvest": 5}, together=3)
    worker = Worker("w", store, {"update": handler, "harvest": handler}, limits)
    running = asyncio.create_task(worker.run())
    await until(lambda: handler.at_once == 3)
    ending.set()
    await until(lambda: all_ended(store))
    worker.drain()
    await running
    assert handler.most == 3
    assert sorted(handler.begun) == sorted(
        [f"u{number}" for number in range(6)] + [f"h{number}" for number in range(6)]
    )


async def test_a_worker_tells_where_it_is_and_what_it_takes(store: Store) -> None:
    assert WorkerLimits(dict.fromkeys(JOB_KINDS, 1)).queues == ""
    limits = WorkerLimits({"render": 1, "harvest": 1}, together=4)
    worker = Worker("w", store, {}, limits)
    running = asyncio.create_task(worker.run())
    await until(lambda: bool(store.workers.rows()))
    (row,) = store.workers.rows()
    assert (row.host, row.version) == (socket.gethostname(), version("blogforever"))
    assert (row.slots, row.queues) == (4, "harvest,render")
    worker.drain()
    await running


async def test_a_worker_that_others_took_for_dead_ends_and_ends_no_job(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (number,) = put(store, "a")
    handler = Handler(last_forever)
    worker = Worker("w", store, {"update": handler}, WorkerLimits({"update": 1}))
    running = asyncio.create_task(worker.run())
    await until(lambda: handler.at_once == 1)
    monkeypatch.setattr(type(store.workers), "tell", lambda _self, _row: False)
    with store.workers.join("another"):
        store.jobs.take_over({"w"}, clock.stamp())
        (again,) = store.jobs.take("another", {"update": 1}, clock.stamp())
        await running
    assert (handler.at_once, handler.given_up) == (0, [])
    assert store.jobs.find(number) == again


# ------------------------------------------------------------------ ends that are written together


async def test_ends_that_come_together_are_written_together_and_one_that_cannot_be_harms_no_other(store: Store) -> None:
    numbers = put(store, "a", "b", "c")
    store.jobs.take("w", {"update": 3}, clock.stamp())
    transactions: list[list[int]] = []
    ending: list[int] = []

    def end(number: int) -> None:
        if number == numbers[1]:
            raise ArchiveError("no")
        store.jobs.done(number, "w", "", clock.stamp())
        ending.append(number)

    async def aside(work: Callable[[], list[Exception | None]]) -> list[Exception | None]:
        ending.clear()
        try:
            return await asyncio.to_thread(work)
        finally:
            transactions.append([*ending])

    ends = JobEnds(store, aside)
    outcomes = await asyncio.gather(*(ends.write(partial(end, number)) for number in numbers), return_exceptions=True)
    await ends.finished()
    assert [str(outcome) for outcome in outcomes] == ["None", "no", "None"]
    # The first try was given up as a whole, then each was alone.
    assert transactions == [[numbers[0], numbers[0], numbers[2]]]
    assert states(store) == {"a": "done", "b": "running", "c": "done"}
