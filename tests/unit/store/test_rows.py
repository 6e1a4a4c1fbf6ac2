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
from blogforever.storage.values import CheckRow
from blogforever.store import schema
from blogforever.store.database import open_database
from blogforever.store.search import SearchIndex
from blogforever.store.sqlstore import SqlStore

RUNS, BLOGS = schema.runs, schema.blogs


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


@pytest.fixture
def records(path: Path) -> Iterator[SqlStore]:
    rows = SqlStore(open_database(path))
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


def count(records: SqlStore, table: Table) -> int:
    return int(records.rows.first(select(func.count()).select_from(table))[0])


def test_nothing_that_is_written_keeps_another_process_waiting(records: SqlStore, path: Path) -> None:
    run, _ = records.runs.open("b")
    assert can_write(path)
    records.posts.keep(run, post(1))
    records.runs.add_candidate(run, "u", post(2))
    assert can_write(path)
    records.posts.keep(run, replace(post(1), text="edited"), "content")
    assert can_write(path)
    records.posts.revise(replace(post(1), version=2, title="otherwise"), None, "2020-01-01")
    records.runs.forget_failures(run)
    assert can_write(path)
    for _row in records.rows.rows(select(schema.posts)):
        assert can_write(path)
    with records.transaction():
        records.rows.execute(update(RUNS).values(ending="finished"))
        assert not can_write(path)
    assert can_write(path)


def test_two_writers_of_one_database_lose_nothing(records: SqlStore, path: Path) -> None:
    other = SqlStore(open_database(path))

    def write(rows: SqlStore, name: str) -> int:
        run, _ = rows.runs.open(name)
        for number in range(250):
            rows.posts.keep(run, post(number, name))
            rows.runs.add_failure(run, name, Failure(f"https://{name}/{number}", "broken"))
        rows.runs.close(run, "finished")
        return run

    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(write, (records, other), ("one", "two")))
    other.close()
    assert len(set(runs)) == 2
    assert count(records, schema.posts) == 500
    assert count(records, schema.failures) == 500


def test_threads_of_one_process_write_the_same_rows(records: SqlStore) -> None:
    run, _ = records.runs.open("b")

    def write(first: int) -> None:
        for number in range(first, first + 100):
            records.posts.keep(run, post(number))
            with records.transaction():
                records.blogs.keep(blog(f"b{number}"))
                records.rows.execute(insert(RUNS).values(blog=f"b{number}", started="now"))

    with ThreadPoolExecutor() as pool:
        list(pool.map(write, (0, 100, 200, 300)))
    records.flush()
    assert count(records, schema.posts) == 400
    assert count(records, BLOGS) == 400
    assert count(records, RUNS) == 401


def test_two_indexes_of_words_never_take_the_same_number(records: SqlStore, path: Path) -> None:
    for name in ("one", "two"):
        run, _ = records.runs.open(name)
        for number in range(100):
            records.posts.keep(run, post(number, name))
    records.flush()
    engines = {name: open_database(path) for name in ("one", "two")}
    indexes = [SearchIndex(engine, holds=name.__eq__) for name, engine in engines.items()]
    with ThreadPoolExecutor() as pool:
        assert list(pool.map(SearchIndex.update, indexes)) == [100, 100]
    assert indexes[0].waiting() == 0
    assert len(indexes[0].find("words", limit=500)) == 200
    for engine in engines.values():
        engine.dispose()


def test_only_the_words_of_blogs_that_are_held_are_indexed(records: SqlStore, path: Path) -> None:
    for name in ("one", "two"):
        run, _ = records.runs.open(name)
        records.posts.keep(run, post(1, name))
    records.flush()
    engine = open_database(path)
    index = SearchIndex(engine, holds="one".__eq__)
    assert index.blogs_waiting() == ["one", "two"]
    assert index.update() == 1
    assert index.blogs_waiting() == ["two"]
    engine.dispose()


def test_a_statement_that_fails_leaves_what_waits_for_others(records: SqlStore) -> None:
    records.blogs.keep(blog("one"))
    with pytest.raises(ArchiveError):
        records.rows.execute(insert(RUNS).values(id=None, blog=None, started=None))
    records.blogs.keep(blog("two"))
    records.flush()
    assert count(records, BLOGS) == 2


def test_a_row_that_cannot_be_written_keeps_no_other_out(records: SqlStore) -> None:
    records.blogs.keep(blog("one"))
    records.runs.add_failure(77, "no such run", Failure("u", "broken"))
    with pytest.raises(ArchiveError, match="database failed"):
        records.flush()
    assert count(records, BLOGS) == 1
    assert not records.rows.waits("failures")
    run, _ = records.runs.open("b")
    records.runs.add_failure(run, "b", Failure("u", "broken"))
    records.flush()
    assert count(records, schema.failures) == 1


def test_a_transaction_is_written_whole_or_not_at_all(records: SqlStore) -> None:
    records.blogs.keep(blog("before"))

    def write_half() -> None:
        with records.transaction():
            records.blogs.keep(blog("inside"))
            records.rows.execute(insert(RUNS).values(blog="inside", started="now"))
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_half()
    records.flush()
    assert [row[0] for row in records.rows.all(select(BLOGS.c.id))] == ["before"]
    assert count(records, RUNS) == 0


def test_what_is_executed_is_read_in_its_transaction(records: SqlStore) -> None:
    with records.transaction():
        records.rows.execute(insert(RUNS).values(blog="b", started="now"))
        assert count(records, RUNS) == 1
        assert [row.blog for row in records.rows.rows(select(RUNS))] == ["b"]


def test_who_is_still_at_work_when_the_database_is_closed_writes_nothing_more(path: Path) -> None:
    records = SqlStore(open_database(path))
    run, _ = records.runs.open("b")
    records.close()
    with pytest.raises(ArchiveError, match="closed"):
        records.runs.close(run, "finished")
    records.blogs.keep(blog("b"))
    with pytest.raises(ArchiveError, match="closed"):
        records.flush()


def test_whoever_looks_sees_a_post_with_all_that_belongs_to_it(records: SqlStore, path: Path) -> None:
    run, _ = records.runs.open("b")
    reader = sqlite3.connect(path)
    tables = ("posts", "versions", "checks", "addresses")
    counts = set()
    for number in range(250):
        record = post(number)
        check = CheckRow(post=record.id, blog="b", state="active", since="2024")
        records.posts.keep(run, record, check=check)
        seen = [reader.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
        assert len(set(seen)) == 1
        counts.add(seen[0])
    assert len(counts) > 1
    reader.close()
