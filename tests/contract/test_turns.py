"""Delay and concurrency of a service hold over all processes, on one machine by a file and on many by PostgreSQL.

What counts is what a server sees: the log of its requests, on the clock that all processes here share.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

import pytest
from sqlalchemy import URL

from server.blogserver import Answers, Reply, serve_answers
from server.postgres import emptied_database, postgres, restart
from server.turntaking import LONG, Asked, Asking, begun, let_go, most_at_once, place_of, told, turns_at

# A request is under way for so long that others would be seen beside it.
LASTING = 0.02
# Seconds after which a process that was killed has lost its turns, in these tests; others may be held up for longer.
SILENCE, HELD_UP = 3.0, 15.0


def in_database(_folder: Path) -> URL:
    emptied_database().dispose()
    return postgres()


PLACES: dict[str, Callable[[Path], Path | URL]] = {"file": lambda folder: folder / "turns", "postgres": in_database}


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | URL:
    return PLACES[request.param](tmp_path)


class RequestLog:
    """What a server saw: each request from when it came to when its answer was ready."""

    def __init__(self) -> None:
        self.rows: list[Asked] = []
        self.told: list[Asked] = []
        self._lock = Lock()

    def answers(self, _base: str) -> Answers:
        return self._answered

    def _answered(self, path: str) -> Reply:
        began = monotonic()
        sleep(LASTING)
        with self._lock:
            self.rows.append(Asked(path.removeprefix("/"), began, monotonic()))
        return Reply(b"here")


@contextmanager
def logged(place: Path | URL, processes: int, **asking: object) -> Iterator[RequestLog]:
    """So many processes ask a server at once; its log, when all are done, and what they say themselves."""
    log = RequestLog()
    with serve_answers(log.answers) as site:
        wanted = Asking(server=site.base, silence=HELD_UP, **asking)  # type: ignore[arg-type]  # of any kind
        running = begun(place, *[wanted] * processes)
        with let_go(*running):
            yield log
            log.told = [row for process in running for row in told(process)]


@pytest.mark.parametrize("processes", [2, 4])
def test_processes_together_have_no_more_under_way_than_allowed(place: Path | URL, processes: int) -> None:
    with logged(place, processes, keys="service:a host:b", times=6, at_once=2) as log:
        pass
    for key in ("service:a", "host:b"):
        rows = [row for row in log.rows if row.key == key]
        assert len(rows) == processes * 6
        assert most_at_once(rows) <= 2


@pytest.mark.parametrize("processes", [2, 4])
def test_one_after_the_other_they_come_no_sooner_than_the_delay_after_the_last(
    place: Path | URL, processes: int
) -> None:
    with logged(place, processes, keys="host:slow", times=3, delay=0.1) as log:
        pass
    assert len(log.rows) == processes * 3
    rows = sorted(log.rows, key=lambda row: row.began)
    assert all(after.began - before.ended >= 0.1 for before, after in pairwise(rows))


@pytest.mark.parametrize("processes", [2, 4])
def test_the_delay_of_a_service_that_may_be_asked_at_once_holds_for_all_together(
    place: Path | URL, processes: int
) -> None:
    delay, times = 0.03, 6
    with logged(place, processes, keys="service:a", times=times, delay=delay, at_once=4) as log:
        pass
    # When it reaches a busy server nobody knows beforehand: where several may be under way, starts count.
    starts = sorted(row.began for row in log.told)
    assert len(log.rows) == len(starts) == processes * times
    assert starts[-1] - starts[0] >= (len(starts) - 1) * delay
    assert most_at_once(log.rows) <= 4


def test_they_take_turns(place: Path | URL) -> None:
    running = begun(place, *[Asking("service:a", 12, delay=0.03, at_once=4)] * 2)
    with let_go(*running):
        spans = [told(process) for process in running]
    rows = sorted((row.began, number) for number, asked in enumerate(spans) for row in asked)
    owners = [number for _began, number in rows]
    assert len(owners) == 24
    assert owners != sorted(owners)


def test_a_process_that_is_killed_leaves_no_place_taken_for_long(place: Path | URL) -> None:
    lasting = Asking("service:a", 1, lasting=LONG, silence=SILENCE)
    holder, other = begun(place, lasting, Asking("service:a", 1, silence=SILENCE))
    with let_go(holder):
        # It has its place when nobody else gets one any more.
        asyncio.run(_until_taken(place))
        with let_go(other):
            holder.kill()
            holder.wait(LONG)
            assert [row.key for row in told(other)] == ["service:a"]


async def _until_taken(place: Path | URL) -> None:
    turns = turns_at(place_of(place))

    async def take() -> None:
        async with turns.turn("service:a", 0.0, 1):
            pass

    try:
        while True:
            await asyncio.wait_for(take(), 0.5)
            # Who asks again at once, without a delay, may be the only one who is ever heard.
            await asyncio.sleep(0.1)
    except TimeoutError:
        pass
    if close := getattr(turns, "close", None):
        close()


def test_a_pause_that_one_process_was_asked_for_holds_for_the_others(place: Path | URL) -> None:
    first, until = turns_at(place_of(place)), monotonic() + 1.0
    first.pause("service:a", 1.0)
    if close := getattr(first, "close", None):
        # What it was asked for is told before it ends.
        close()

    async def take(key: str) -> float:
        turns = turns_at(place_of(place))
        async with turns.turn(key, 0.0, 1):
            taken = monotonic()
        if close := getattr(turns, "close", None):
            close()
        return taken

    assert asyncio.run(take("service:b")) > 0
    assert asyncio.run(take("service:a")) >= until


@pytest.mark.parametrize("crash", [False, True])
def test_a_server_that_is_started_anew_breaks_no_budget_and_loses_no_request(tmp_path: Path, crash: bool) -> None:
    place = in_database(tmp_path)
    with logged(place, 4, keys="host:slow service:a", times=4, delay=0.1, at_once=1) as log:
        while len(log.rows) < 4:
            sleep(LASTING)
        restart(crash)
    for key in ("host:slow", "service:a"):
        rows = sorted((row for row in log.rows if row.key == key), key=lambda row: row.began)
        # One that was cut off with its turn is asked again.
        assert len(rows) >= 16
        assert all(after.began - before.ended >= 0.1 for before, after in pairwise(rows))
