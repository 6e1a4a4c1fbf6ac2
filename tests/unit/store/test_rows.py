"""Rows of several writers: transactions are short, and what one of them does wrong is his own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Table, func, insert, select, update

from blogforever.errors import ArchiveError
from blogforever.model import Failure
from blogforever.records import BlogRecord, PostRecord
from blogforever.store import schema
from blogforever.store.database import open_database
from blogforever.store.records import Records
from blogforever.store.search import SearchIndex

RUNS, BLOGS = schema.runs, schema.blogs


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


@pytest.fixture
def records(path: Path) -> Iterator[Records]:
    rows = Records(open_database(path))
    yield rows
    rows.close()


def blog(name: str) -> BlogRecord:
    return BlogRecord(id=name, url=f"https://{name}/")


def post(number: int, name: str = "b") -> PostRecord:
    return PostRecord(
        id=f"{name}{number}",
        blog=name,
        url=f"https://{name}/{number}",
        title=f"t{number}",
        text=f"words {number}",
    )


def can_write(path: Path) -> bool:
    """Whether another process would get the write lock at once."""
    other = sqlite3.connect(path, timeout=0)
    try:
        other.execute("BEGIN IMMEDIATE")
        other.rollback()
    except sqlite3.OperationalError:
        return False
    finally:
        other.close()
    return True


def count(records: Records, table: Table) -> int:
    return int(records.first(select(func.count()).select_from(table))[0])


def test_nothing_that_is_written_keeps_another_process_waiting(records: Records, path: Path) -> None:
    run, _ = records.open_run("b")
    assert can_write(path)
    records.save_post(run, post(1))
    records.add_candidate(run, "u", post(2))
    assert can_write(path)
    records.save_post(run, replace(post(1), text="edited"), "content")
    assert can_write(path)
    records.revise_post(replace(post(1), version=2, title="otherwise"), None, "2020-01-01")
    records.forget_failures(run)
    assert can_write(path)
    for _row in records.rows(select(schema.posts)):
        assert can_write(path)
    with records.transaction():
        records.execute(update(RUNS).values(ending="finished"))
        assert not can_write(path)
    assert can_write(path)


def test_two_writers_of_one_database_lose_nothing(records: Records, path: Path) -> None:
    other = Records(open_database(path))

    def write(rows: Records, name: str) -> int:
        run, _ = rows.open_run(name)
        for number in range(250):
            rows.save_post(run, post(number, name))
            rows.add_failure(run, name, Failure(f"https://{name}/{number}", "broken"))
        rows.close_run(run, "finished")
        return run

    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(write, (records, other), ("one", "two")))
    other.close()
    assert len(set(runs)) == 2
    assert count(records, schema.posts) == 500
    assert count(records, schema.failures) == 500


def test_threads_of_one_process_write_the_same_rows(records: Records) -> None:
    run, _ = records.open_run("b")

    def write(first: int) -> None:
        for number in range(first, first + 100):
            records.save_post(run, post(number))
            with records.transaction():
                records.save_blog(blog(f"b{number}"))
                records.execute(insert(RUNS).values(blog=f"b{number}", started="now"))

    with ThreadPoolExecutor() as pool:
        list(pool.map(write, (0, 100, 200, 300)))
    records.flush()
    assert count(records, schema.posts) == 400
    assert count(records, BLOGS) == 400
    assert count(records, RUNS) == 401


def test_two_indexes_of_words_never_take_the_same_number(records: Records, path: Path) -> None:
    for name in ("one", "two"):
        run, _ = records.open_run(name)
        for number in range(100):
            records.save_post(run, post(number, name))
    records.flush()
    engines = {name: open_database(path) for name in ("one", "two")}
    indexes = [SearchIndex(engine, holds=name.__eq__) for name, engine in engines.items()]
    with ThreadPoolExecutor() as pool:
        assert list(pool.map(SearchIndex.update, indexes)) == [100, 100]
    assert indexes[0].waiting() == 0
    assert len(indexes[0].find("words", limit=500)) == 200
    for engine in engines.values():
        engine.dispose()


def test_only_the_words_of_blogs_that_are_held_are_indexed(records: Records, path: Path) -> None:
    for name in ("one", "two"):
        run, _ = records.open_run(name)
        records.save_post(run, post(1, name))
    records.flush()
    engine = open_database(path)
    index = SearchIndex(engine, holds="one".__eq__)
    assert index.blogs_waiting() == ["one", "two"]
    assert index.update() == 1
    assert index.blogs_waiting() == ["two"]
    engine.dispose()


def test_a_statement_that_fails_leaves_what_waits_for_others(records: Records) -> None:
    records.save_blog(blog("one"))
    with pytest.raises(ArchiveError):
        records.execute(insert(RUNS).values(id=None, blog=None, started=None))
    records.save_blog(blog("two"))
    records.flush()
    assert count(records, BLOGS) == 2


def test_a_row_that_cannot_be_written_keeps_no_other_out(records: Records) -> None:
    records.save_blog(blog("one"))
    records.add_failure(77, "no such run", Failure("u", "broken"))
    with pytest.raises(ArchiveError, match="database failed"):
        records.flush()
    assert count(records, BLOGS) == 1
    assert not records.waits("failures")
    run, _ = records.open_run("b")
    records.add_failure(run, "b", Failure("u", "broken"))
    records.flush()
    assert count(records, schema.failures) == 1


def test_a_transaction_is_written_whole_or_not_at_all(records: Records) -> None:
    records.save_blog(blog("before"))

    def write_half() -> None:
        with records.transaction():
            records.save_blog(blog("inside"))
            records.execute(insert(RUNS).values(blog="inside", started="now"))
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_half()
    records.flush()
    assert [row[0] for row in records.all(select(BLOGS.c.id))] == ["before"]
    assert count(records, RUNS) == 0


def test_what_is_executed_is_read_in_its_transaction(records: Records) -> None:
    with records.transaction():
        records.execute(insert(RUNS).values(blog="b", started="now"))
        assert count(records, RUNS) == 1
        assert [row.blog for row in records.rows(select(RUNS))] == ["b"]


def test_who_is_still_at_work_when_the_database_is_closed_writes_nothing_more(path: Path) -> None:
    records = Records(open_database(path))
    run, _ = records.open_run("b")
    records.close()
    with pytest.raises(ArchiveError, match="closed"):
        records.close_run(run, "finished")
    records.save_blog(blog("b"))
    with pytest.raises(ArchiveError, match="closed"):
        records.flush()
