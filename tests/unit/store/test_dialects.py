"""What both databases are to understand, and what is shown of an address."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from blogforever.errors import ArchiveError, UsageError
from blogforever.store.database import DRIVER, migrate, open_current, open_database, postgres_url, read_database, shown
from blogforever.store.dialects import in_driver_words
from blogforever.store.indexes import folded_words
from blogforever.store.place import place_of, read_address, settle
from blogforever.store.rows import Rows
from server.postgres import bare_database, emptied_database, postgres


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("SELECT :one, ':two', \"a:b\" FROM t", "SELECT %(one)s, ':two', \"a:b\" FROM t"),
        ("VALUES (?, '?')", "VALUES (%s, '?')"),
        ("x LIKE 'a%' AND y % 2 = :z", "x LIKE 'a%%' AND y %% 2 = %(z)s"),
        ("SELECT 'it''s :x', a::text", "SELECT 'it''s :x', a::text"),
    ],
)
def test_a_statement_of_ours_is_rewritten_for_the_driver(ours: str, theirs: str) -> None:
    assert in_driver_words(ours) == theirs


@pytest.mark.parametrize(
    ("words", "folded"),
    [
        (["caf\xe9", "\u0142\xf3d\u017a"], ["cafe", "\u0142odz"]),
        (["snake_case"], ["snake", "case"]),
        (["\u0439\u043e\u0434"], ["\u0439\u043e\u0434"]),
        (["e\u0301"], ["e"]),
        (["\u0e49"], []),
    ],
)
def test_words_are_folded_as_fts5_folds_them(words: list[str], folded: list[str]) -> None:
    assert folded_words(words) == folded


def test_texts_come_in_the_order_of_their_bytes_and_hostile_ones_can_be_written(engine: Engine) -> None:
    rows = Rows(engine)
    for name in ("b", "B", "x\0y", "\xe4", "a_", "a b"):
        rows.write("INSERT INTO lists (name, created, owner, note) VALUES (:name, '', '', '')", name=name)
    kept = [row.name for row in rows.find_all("SELECT name FROM lists ORDER BY name")]
    assert [name.replace("\0", "\ufffd") for name in kept] == ["B", "a b", "a_", "b", "x\ufffdy", "\xe4"]


def test_numbers_of_64_bits_and_sums_of_them_are_whole(engine: Engine) -> None:
    rows, large = Rows(engine), 2**62
    rows.write("INSERT INTO readers (reader, number) VALUES ('a', :number)", number=large)
    rows.write("INSERT INTO readers (reader, number) VALUES ('b', 1)")
    total = rows.find("SELECT sum(number) AS total FROM readers").total
    assert (type(total), total) == (int, large + 1)


def test_a_number_is_never_given_again(engine: Engine) -> None:
    rows = Rows(engine)
    add = "INSERT INTO news (at, blog, post, kind, version, comments) VALUES ('', '', '', '', 1, 0) RETURNING number"
    assert rows.highest("news", "number") == 0
    last = [rows.write(add) for _ in range(3)][-1]
    rows.write("DELETE FROM news")
    assert rows.highest("news", "number") == last == 3
    assert rows.write(add) == 4


@pytest.mark.postgres
def test_a_later_version_and_tables_of_others_are_refused_in_one_sentence() -> None:
    with bare_database("later") as url:
        engine = open_database(url)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        for opened in (open_database, open_current):
            with pytest.raises(ArchiveError, match="later version of blogforever"):
                opened(url)
        with engine.begin() as connection:
            connection.execute(text("DROP TABLE alembic_version"))
        with pytest.raises(ArchiveError, match="no version of blogforever made"):
            open_database(url)
        engine.dispose()


def described(engine: Engine) -> list[tuple[object, ...]]:
    """Columns with all that is said of them, indexes, triggers and functions."""
    said = "table_name, column_name, data_type, collation_name, is_nullable, column_default"
    columns = f"SELECT {said} FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    indexes = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 2"
    triggers = "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
    functions = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = CAST('public' AS regnamespace) ORDER BY 1, 2"
    with engine.connect() as connection:
        return [
            tuple(row) for query in (columns, indexes, triggers, functions) for row in connection.execute(text(query))
        ]


@pytest.mark.postgres
def test_migrations_lead_to_the_same_tables_as_a_fresh_database() -> None:
    fresh = emptied_database()
    with bare_database("migrated") as url:
        engine = create_engine(url.set(drivername=DRIVER))
        with engine.begin() as connection:
            migrate(connection)
        made = described(engine)
        engine.dispose()
    assert [row for row in made if row[0] != "alembic_version"] == [
        row for row in described(fresh) if row[0] != "alembic_version"
    ]
    fresh.dispose()


@pytest.mark.postgres
def test_who_only_reads_can_write_nothing() -> None:
    emptied_database().dispose()
    engine = read_database(postgres())
    with engine.connect() as connection, pytest.raises(SQLAlchemyError, match="read-only"):
        connection.execute(text("DELETE FROM blogs"))
    engine.dispose()


def test_a_server_that_does_not_answer_is_one_sentence_without_the_password() -> None:
    url = postgres_url("postgresql://someone:secret@127.0.0.1:1/blogs?connect_timeout=1")
    with pytest.raises(ArchiveError) as refused:
        open_database(url)
    assert "someone@127.0.0.1:1/blogs" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("address", ["mysql://x/y", "postgresql://host", "no address", "postgresql://h:port/x"])
def test_what_is_no_address_of_postgres_is_wrong_usage(address: str) -> None:
    with pytest.raises(UsageError, match="is no"):
        postgres_url(address)


def test_a_folder_remembers_where_its_records_are_but_no_password(tmp_path: Path) -> None:
    assert place_of(tmp_path) == tmp_path / "archive.db"
    url, password = read_address("postgresql://someone:s%40cret@db.example/blogs")
    assert password == "s@cret"
    settle(tmp_path, url)
    settle(tmp_path, url)
    assert (tmp_path / "archive.url").read_text() == "postgresql://someone@db.example/blogs\n"
    assert shown(place_of(tmp_path)) == "postgresql://someone@db.example/blogs"
    with pytest.raises(ArchiveError, match=r"are in postgresql://someone@db.example/blogs, not in"):
        settle(tmp_path, postgres_url("postgresql://someone@db.example/others"))
