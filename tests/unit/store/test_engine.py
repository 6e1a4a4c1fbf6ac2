"""Jobs and workers on PostgreSQL, as several machines see them at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from blogforever.storage.work import PERSON, SCHEDULE, JobFilter, JobRow, NewJob, WorkerRow
from blogforever.store.database import open_database, write_transaction
from blogforever.store.engine import Carrier
from blogforever.store.engineworkers import this_machine
from blogforever.store.lock import worker_lock
from blogforever.store.sqlstore import SqlStore
from server.postgres import emptied_database, postgres

pytestmark = pytest.mark.postgres

NOW, SOON = "2026-11-16T08:00:00+00:00", "2026-11-16T08:01:00+00:00"
LONG_AGO = "now() - INTERVAL '1 year'"
ROW = WorkerRow("w", 7, NOW, SOON, 100, 3, "host", "1.0", 4, "update,render")


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = emptied_database()
    yield made
    made.dispose()


@pytest.fixture
def store(engine: Engine, tmp_path: Path) -> SqlStore:
    return SqlStore(engine, tmp_path)


@contextmanager
def another_machine(folder: Path) -> Iterator[SqlStore]:
    folder.mkdir()
    made = SqlStore(open_database(postgres()), folder)
    yield made
    made.close()


def put(store: SqlStore, *blogs: str, priority: int = SCHEDULE) -> list[JobRow]:
    return [store.jobs.put(NewJob("update", blog, priority), NOW) for blog in blogs]


def taken(store: SqlStore, most: int, worker: str = "w") -> list[str]:
    return [job.blog for job in store.jobs.take(worker, {"update": most}, NOW)]


def count(engine: Engine, table: str, where: str = "true") -> int:
    with engine.connect() as connection:
        return int(connection.scalar(text(f"SELECT count(*) FROM {table} WHERE {where}")) or 0)


def register(engine: Engine, name: str, silence: str, machine: str = "another") -> None:
    """A worker of another machine that gave its last sign of life a year ago."""
    with engine.begin() as connection:
        new = f"INSERT INTO procrastinate_workers (last_heartbeat) VALUES ({LONG_AGO}) RETURNING id"
        number = connection.scalar(text(new))
        row = f"INSERT INTO engine_workers SELECT {number}, '{name}', '{machine}', {silence}"
        connection.execute(text(row))


# ------------------------------------------------------------------ what the engine carries


def test_the_engine_carries_what_is_due_with_its_blog_as_the_lock_and_nothing_that_ended(
    store: SqlStore, engine: Engine
) -> None:
    put(store, "a", "b", "c")
    assert count(engine, "procrastinate_jobs") == 0
    (job,) = store.jobs.take("w", {"update": 1}, NOW)
    doing = "status = 'doing' AND queue_name = 'update' AND lock = 'a'"
    assert (count(engine, "procrastinate_jobs"), count(engine, "procrastinate_jobs", doing)) == (3, 1)
    assert store.jobs.done(job.id, "w", "", NOW)
    assert taken(store, 5) == ["b", "c"]
    for row in store.jobs.newest(JobFilter(state="running"), 9):
        store.jobs.give_back(row.id, "w", NOW) if row.blog == "b" else store.jobs.fail(row.id, "w", "no", NOW)
    assert count(engine, "procrastinate_jobs") == count(engine, "procrastinate_events") == 0


def test_what_a_person_wants_goes_before_what_the_engine_was_given_earlier(store: SqlStore) -> None:
    put(store, *"abc")
    assert taken(store, 1) == ["a"]
    put(store, "c", priority=PERSON)
    put(store, "z", priority=PERSON)
    assert taken(store, 9) == ["c", "z", "b"]


def test_what_is_cancelled_or_forgotten_is_not_carried(store: SqlStore, engine: Engine) -> None:
    first, *_ = put(store, *"abcd")
    assert taken(store, 1, "other") == ["a"]
    (_, b, _, _) = sorted(store.jobs.newest(JobFilter(), 9), key=lambda job: job.id)
    assert store.jobs.cancel(b.id, NOW)
    store.jobs.cancel_of({"c"}, NOW)
    assert count(engine, "procrastinate_jobs", "status = 'todo'") == 1
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM jobs WHERE blog = 'd'"))
    put(store, "e")
    assert taken(store, 9) == ["e"]
    assert count(engine, "procrastinate_jobs", "status = 'todo'") == 0
    assert store.jobs.done(first.id, "other", "", NOW)


def test_who_takes_waits_neither_for_who_takes_nor_for_who_writes(
    store: SqlStore, engine: Engine, tmp_path: Path
) -> None:
    put(store, *"abc")
    assert taken(store, 1) == ["a"]
    with another_machine(tmp_path / "other") as other:
        with engine.connect() as connection, connection.begin():
            assert Carrier(connection).fetch("update", None, 1)
            assert taken(other, 1, "other") == ["c"]
            connection.rollback()
        with write_transaction(engine):
            assert taken(other, 1, "other") == ["b"]


# ------------------------------------------------------------------ who lives


def test_who_gave_no_sign_of_life_for_too_long_is_dead_and_loses_his_jobs(store: SqlStore, engine: Engine) -> None:
    register(engine, "silent", "0.0")
    register(engine, "patient", "1e9")
    put(store, "a", "b")
    assert (taken(store, 1, "silent"), taken(store, 1, "patient")) == (["a"], ["b"])
    assert store.jobs.holders() - store.workers.alive() == {"silent"}
    assert [job.blog for job in store.jobs.take_over({"silent"}, NOW)] == ["a"]
    assert store.workers.alive() == {"patient"}
    assert count(engine, "engine_workers") == count(engine, "procrastinate_workers") == 1
    assert taken(store, 9) == ["a"]


def test_nobody_is_dead_because_the_server_was_down(store: SqlStore, engine: Engine) -> None:
    since_start = "extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())"
    register(engine, "one", f"{since_start} + 1000")
    register(engine, "two", f"{since_start} / 2")
    assert store.workers.alive() == {"one"}


def test_a_death_that_this_machine_knows_of_is_told_at_once(store: SqlStore, engine: Engine, tmp_path: Path) -> None:
    register(engine, "mine", "1e9", this_machine())
    register(engine, "theirs", "1e9")
    for lock in [worker_lock(tmp_path, name) for name in ("mine", "theirs")]:
        lock.release()
    assert store.workers.alive() == {"theirs"}


def test_signs_of_life_come_while_it_lives_and_who_was_given_up_is_told_so(store: SqlStore, engine: Engine) -> None:
    with store.workers.join("w", silence=0.03):
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE procrastinate_workers SET last_heartbeat = {LONG_AGO}"))
        while count(engine, "procrastinate_workers", "last_heartbeat > now() - INTERVAL '1 day'") == 0:
            pass
        assert store.workers.tell(ROW)
        assert store.workers.told() == [ROW]
        store.jobs.take_over({"w"}, NOW)
        assert not store.workers.tell(ROW)
    assert count(engine, "engine_workers") == 0


def test_the_dead_without_jobs_are_forgotten_when_somebody_joins(store: SqlStore, engine: Engine) -> None:
    register(engine, "idle", "0.0")
    register(engine, "busy", "0.0")
    put(store, "a")
    taken(store, 1, "busy")
    with store.workers.join("new"):
        assert count(engine, "engine_workers", "name <> 'idle'") == count(engine, "engine_workers") == 2
