"""The numbers that the database keeps: made with the tables, made true again, read without the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import Connection, Engine, create_engine, text

from blogforever.storage.following import FollowedBlog
from blogforever.storage.work import NewJob
from blogforever.store.database import DRIVER, MIGRATIONS, open_database, write_transaction
from blogforever.store.jobs import LONGEST_DUE
from blogforever.store.purging import wipe
from blogforever.store.sqlstore import SqlStore
from blogforever.store.tallies import ONE_OF, TALLIES, miscounted
from server.databases import POSTGRES, RECORDS, SQLITE
from server.postgres import bare_database, emptied_database, postgres

NOW = "2026-11-16T08:00:00+00:00"
JOBS = "INSERT INTO jobs (kind, blog, priority, state, due, attempts, created, asked_by, input, cancel) VALUES "
FOLLOWED = (
    "INSERT INTO followed (id, url, title, title_key, state, reason, platform, created, last_look, last_found, total,"
    " next_look, next_reason, paused, lists, tags, notes, metadata, policy, failures_in_a_row, pings) VALUES "
)
EMPTY = "'[]', '[]', '', '{}', '{}'"
SECONDS = 20
"""That nobody needs who is not kept waiting."""


@pytest.fixture(params=RECORDS)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An archive as it was before numbers were kept, with some rows."""
    if request.param != POSTGRES:
        yield filled(create_engine(f"sqlite:///{tmp_path}/archive.db"))
        return
    with bare_database("older") as url:
        engine = filled(create_engine(url.set(drivername=DRIVER)))
        yield engine
        engine.dispose()


def filled(engine: Engine) -> Engine:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0032")
        for blog, state in (("a", "waiting"), ("b", "waiting"), ("c", "done")):
            connection.execute(text(f"{JOBS} ('update', '{blog}', 2, '{state}', '{NOW}', 0, '', '', '', 0)"))
            values = f"'{blog}', 'u', '', '', 'dead', 'slow', '', '', '', 0, 0, '', '', 0, {EMPTY}, 0, 0"
            connection.execute(text(f"{FOLLOWED} ({values})"))
            for kind in ("list", "tag"):
                connection.execute(text(f"INSERT INTO labels VALUES ('{kind}', 'books', '{blog}')"))
        command.upgrade(config, "head")
    return engine


def numbers(engine: Engine, what: str) -> dict[tuple[str, str], int]:
    with engine.connect() as connection:
        rows = connection.execute(text(TALLIES), {"what": what})
        return {(row.kind, row.state): row.number for row in rows}


def test_an_archive_that_is_brought_up_to_date_is_counted_once_and_then_kept(older: Engine) -> None:
    assert numbers(older, "jobs") == {("update", "waiting"): 2, ("update", "done"): 1}
    assert numbers(older, "followed") == {("", "dead"): 3}
    assert numbers(older, "reasons") == {("dead", "slow"): 3}
    assert numbers(older, "listed") == {("", "books"): 3}
    with older.begin() as connection:
        connection.execute(text("UPDATE jobs SET state = 'failed', kind = 'reread' WHERE blog = 'a'"))
        connection.execute(text("DELETE FROM followed WHERE id = 'a'"))
    assert numbers(older, "jobs") == {("update", "waiting"): 1, ("update", "done"): 1, ("reread", "failed"): 1}
    assert numbers(older, "followed") == {("", "dead"): 2}
    assert numbers(older, "reasons") == {("dead", "slow"): 2}


@pytest.mark.parametrize("version", ["0034", "0032"])
def test_the_way_back_leaves_what_was_there(older: Engine, version: str) -> None:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    with older.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, version)
        connection.execute(text("DELETE FROM jobs"))
        connection.execute(text("DELETE FROM followed"))


def make_store(where: str, folder: Path) -> tuple[SqlStore, Engine]:
    engine = emptied_database() if where == POSTGRES else open_database(folder / "archive.db")
    return SqlStore(engine, folder), engine


@pytest.mark.parametrize("where", RECORDS)
def test_numbers_that_somebody_changed_are_noticed_and_made_true_again(where: str, tmp_path: Path) -> None:
    store, engine = make_store(where, tmp_path)
    store.jobs.put(NewJob("update", "a"), NOW)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO tallies VALUES ('jobs', 'update', 'done', 7)"))
        assert miscounted(connection) == ["jobs"]
    store.recount()
    store.recount()
    assert store.jobs.counts() == {("update", "waiting"): 1}
    with engine.connect() as connection:
        assert miscounted(connection) == []
    store.close()


@pytest.mark.parametrize("where", RECORDS)
def test_no_row_is_read_that_is_counted_and_one_that_is_due_longest(where: str, tmp_path: Path) -> None:
    store, engine = make_store(where, tmp_path)
    explain = "EXPLAIN " if where == POSTGRES else "EXPLAIN QUERY PLAN "
    with engine.begin() as connection:
        if where == POSTGRES:
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        counting = str(connection.execute(text(explain + TALLIES), {"what": "jobs"}).all())
        due = str(connection.execute(text(explain + LONGEST_DUE)).all())
    assert "jobs_" not in counting
    assert "tallies" in counting
    assert "jobs_by_due" in due
    store.close()


@pytest.mark.parametrize("where", RECORDS)
def test_of_a_reason_that_no_blog_has_any_more_nothing_is_left(where: str, tmp_path: Path) -> None:
    store, engine = make_store(where, tmp_path)
    blog = FollowedBlog("a.org", "https://a.org/", NOW, lists=("secret list",), state="dead", reason="a secret")
    store.followed.add([blog])
    store.followed.change(blog.id, lambda blog: replace(blog, reason="erased", lists=()))
    assert [(one.reason, one.number) for one in store.followed.reasons(("dead",), 9)] == [("erased", 1)]
    assert store.followed.listed() == {}
    wipe(engine)
    with engine.connect() as connection:
        rows = str(connection.execute(text("SELECT * FROM tallies")).all())
    assert "secret" not in rows
    assert "erased" in rows
    store.close()


@pytest.mark.parametrize("where", RECORDS)
def test_reasons_and_lists_are_told_without_reading_the_blogs(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, engine = make_store(where, tmp_path)
    asked: list[tuple[str, dict[str, object]]] = []

    def find_all(query: str, **values: object) -> list[object]:
        asked.append((query, values))
        return []

    monkeypatch.setattr(store.rows, "find_all", find_all)
    store.followed.reasons(("dead", "failing"), 9)
    store.followed.listed()
    with engine.connect() as connection:
        plans = [plan_of(connection, query, values) for query, values in asked]
    assert len(plans) == 2
    assert not [plan for plan in plans if re.search(r"(Seq Scan on|SCAN) (followed|labels)", plan)]
    store.close()


def plan_of(connection: Connection, query: str, values: dict[str, object]) -> str:
    """How the database goes about a query, where it would rather not read whole tables."""
    if connection.dialect.name == SQLITE:
        return str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values).all())
    connection.execute(text("SET enable_seqscan = off"))
    return str(connection.exec_driver_sql(f"EXPLAIN {query}", values).all())


@pytest.mark.postgres
def test_on_a_server_the_rows_of_a_number_stay_few(tmp_path: Path) -> None:
    store, engine = make_store(POSTGRES, tmp_path)
    for _ in range(12 * ONE_OF):
        job = store.jobs.put(NewJob("update", "a"), NOW)
        store.jobs.cancel(job.id, NOW)
    with engine.connect() as connection:
        rows = connection.scalar(text("SELECT count(*) FROM tallies WHERE what = 'jobs'")) or 0
    assert rows < 24 * ONE_OF
    assert store.jobs.counts() == {("update", "cancelled"): 12 * ONE_OF}
    store.close()


@pytest.mark.postgres
def test_on_a_server_who_writes_for_long_keeps_nobody_from_taking(tmp_path: Path) -> None:
    store, engine = make_store(POSTGRES, tmp_path)
    other = SqlStore(open_database(postgres()), tmp_path)
    for blog in "ab":
        store.jobs.put(NewJob("update", blog), NOW)
    taken = [*store.jobs.take("w", {"update": 1}, NOW)]
    with write_transaction(engine) as connection:
        for number in range(2 * ONE_OF):
            values = f"('update', 'x{number}', 2, 'waiting', '{NOW}', 0, '', '', '', 0)"
            connection.execute(text(JOBS + values))
            connection.execute(text(f"UPDATE jobs SET state = 'done' WHERE blog = 'x{number}'"))
        taking = Thread(target=lambda: taken.extend(other.jobs.take("v", {"update": 1}, NOW)), daemon=True)
        taking.start()
        taking.join(SECONDS)
        assert not taking.is_alive()
    assert [job.blog for job in taken] == ["a", "b"]
    assert store.jobs.counts() == {("update", "running"): 2, ("update", "done"): 2 * ONE_OF}
    engine.dispose()
    other.close()
    store.close()
