from __future__ import annotations

import gzip
import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect
from sqlalchemy import text as sql

from blogforever.errors import ArchiveError, ArchiveLocked
from blogforever.model import Failure
from blogforever.records import PostRecord, json_line
from blogforever.store.briefly import briefly
from blogforever.store.database import MIGRATIONS, migrate, open_database
from blogforever.store.folder import ArchiveFolder
from blogforever.store.schema import HEAD, metadata
from blogforever.store.sqlstore import SqlStore
from server.somerecords import some_post

TRIGGERS = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"


def post(number: int, **more: Any) -> PostRecord:
    base = {"id": f"id{number}", "blog": "b", "url": f"u{number}", "title": "t", "published": "2013"}
    return some_post(**base | {"text": "words"} | more)


@pytest.fixture
def records(tmp_path: Path) -> SqlStore:
    return SqlStore(open_database(tmp_path / "archive.db"))


def exported(records: SqlStore, run: int | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in records.export(run)]


def test_a_version_rises_only_when_the_content_changes(records: SqlStore) -> None:
    for text in ("words", "words", "other words", "other words"):
        run, _ = records.runs.open("b")
        records.posts.keep(run, post(1, text=text))
        records.runs.close(run, "finished")
    assert [(r["version"], r["text"]) for r in exported(records)] == [(2, "other words")]
    records.close()


def test_a_run_exports_its_own_posts_and_failures(records: SqlStore) -> None:
    first, _ = records.runs.open("b")
    records.posts.keep(first, post(1))
    records.runs.close(first, "finished")
    second, _ = records.runs.open("b")
    records.posts.keep(second, post(2))
    records.runs.add_failure(second, "b", Failure("u9", "timeout", "slow"))
    records.runs.close(second, "finished")
    assert [r.get("url") for r in exported(records, second)] == ["u2", "u9"]
    assert len(exported(records)) == 3
    records.close()


def test_an_interrupted_run_goes_on(records: SqlStore) -> None:
    run, since = records.runs.open("b")
    assert since is None
    records.runs.close(run, "interrupted")
    again, since = records.runs.open("b")
    assert again == run
    assert since
    records.runs.close(again, "finished")
    assert records.runs.open("b")[0] != run
    records.close()


def test_lone_surrogates_do_not_break_the_record(records: SqlStore) -> None:
    run, _ = records.runs.open("b")
    records.posts.keep(run, post(1, text="a\ud800b"))
    assert exported(records)[0]["text"] == "a?b"
    records.close()


def test_a_record_is_one_line_for_every_reader(records: SqlStore) -> None:
    run, _ = records.runs.open("b")
    records.posts.keep(run, post(1, text="a\u2028b\x85c\nd"))
    (line,) = "\n".join(records.export()).splitlines()
    assert json.loads(line)["text"] == "a\u2028b\x85c\nd"
    records.close()


def test_a_new_archive_is_marked_as_what_the_last_migration_leads_to() -> None:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/migrated.db")
    with engine.begin() as connection:
        migrate(connection)
        found = inspect(connection)
        for table in metadata.sorted_tables:
            columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table.name)}
            assert columns == {c.name: (str(c.type), c.nullable) for c in table.columns}
            assert {i["name"] for i in found.get_indexes(table.name)} == {i.name for i in table.indexes}
        kept = connection.execute(sql(TRIGGERS)).all()
    engine.dispose()
    fresh = open_database(tmp_path / "fresh.db")
    with fresh.connect() as connection:
        assert connection.execute(sql(TRIGGERS)).all() == kept
    fresh.dispose()
    assert kept


def test_what_failed_in_earlier_crawls_is_marked_when_the_column_comes(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/old.db")
    values = "200, '2024', 'f', 0, 'r', 'd'"
    with engine.begin() as connection:
        config = AlembicConfig()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        connection.execute(sql("INSERT INTO runs (id, blog, started) VALUES (1, 'b', '2024'), (2, 'b', '2025')"))
        names = "(run, url, status, captured, file, offset, record_id, digest)"
        for run, url in ((1, "cut"), (1, "whole"), (2, "cut")):
            connection.execute(sql(f"INSERT INTO captures {names} VALUES ({run}, '{url}', {values})"))
        connection.execute(
            sql("INSERT INTO failures (run, blog, url, reason, detail) VALUES (1, 'b', 'cut', 'too large', '')")
        )
        command.upgrade(config, "0005")
        found = connection.execute(sql("SELECT run, url, failed FROM captures ORDER BY id")).all()
    assert [tuple(row) for row in found] == [(1, "cut", "too large"), (1, "whole", None), (2, "cut", None)]
    engine.dispose()


def test_keys_that_are_too_long_for_an_index_are_shortened_when_the_tables_change(tmp_path: Path) -> None:
    engine, long = create_engine(f"sqlite:///{tmp_path}/old.db"), "https://b.example/" + "long/" * 200
    with engine.begin() as connection:
        config = AlembicConfig()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0029")
        for url in (long, "https://b.example/"):
            connection.execute(sql("INSERT INTO addresses VALUES ('p', :url, 'b', :url)"), {"url": url})
            watched = "INSERT INTO watched (blog, url, kind, last_found, total) VALUES ('b', :url, 'posts', 0, 7)"
            connection.execute(sql(watched), {"url": url})
        command.upgrade(config, "0030")
        keys = connection.execute(sql("SELECT url, key FROM addresses ORDER BY length(url)")).all()
        watched_urls = connection.execute(sql("SELECT url, whole, total FROM watched ORDER BY length(url)")).all()
    short = "https://b.example/"
    assert [tuple(row) for row in keys] == [(short, short), (briefly(long), briefly(long))]
    assert [tuple(row) for row in watched_urls] == [(short, None, 7), (briefly(long), long, 7)]
    engine.dispose()


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "archive.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(ArchiveError):
        open_database(tmp_path / "archive.db")


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True), pytest.raises(ArchiveLocked):
        ArchiveFolder(tmp_path, writing=True, wait=False)
    ArchiveFolder(tmp_path, writing=True, wait=False).close()


def test_what_a_crash_left_open_is_closed_by_who_next_writes_that_blog(tmp_path: Path) -> None:
    left = [tmp_path / f"warc/{blog}/20200101000000-0000.warc.gz.open" for blog in ("one", "two")]
    for path in left:
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress(b"WARC/1.1"))
    with ArchiveFolder(tmp_path, writing=True, alone=False) as archive:
        assert [path.exists() for path in left] == [True, True]
        archive.hold(["two"])
        assert [path.exists() for path in left] == [True, False]
    with ArchiveFolder(tmp_path, writing=True):
        assert [path.exists() for path in left] == [False, False]


def test_reading_needs_an_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no archive"):
        ArchiveFolder(tmp_path / "none", writing=False)


def test_an_edit_keeps_the_version_before_it(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True) as archive:
        for text in ("words", "other words", "third words"):
            run, _ = archive.store.runs.open("b")
            archive.store.posts.keep(run, post(1, text=text), rules=1)
            archive.store.runs.close(run, "finished")
        history = archive.store
        assert [v.number for v in history.versions.of("id1")] == [1, 2, 3]
        texts = [version.text for n in (1, 2, 3) if (version := history.versions.record("id1", n))]
        assert texts == ["words", "other words", "third words"]
        assert history.versions.record("id1", 4) is None


def test_a_changed_record_is_no_version_where_nobody_edited(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True) as archive:
        run, _ = archive.store.runs.open("b")
        archive.store.posts.keep(run, post(1))
        archive.store.posts.keep(run, post(1, text="words and a share button"), "none")
        archive.store.posts.keep(run, post(1, text="wo\xadrds and  a share button"))
        assert [v.number for v in archive.store.versions.of("id1")] == [1]
        assert archive.store.posts.keep(run, post(1, text="edited"), "content") == 2


def test_rules_get_a_number_when_they_change(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True) as archive:
        numbers = [archive.store.blogs.add_revision("b", rules, "learned") for rules in ("one", "one", "two", "one")]
        assert numbers == [1, 1, 2, 3]
        newest, second = archive.store.blogs.revision("b"), archive.store.blogs.revision("b", 2)
        assert (newest and newest.rules, second and second.rules) == ("one", "two")


def test_an_older_archive_gets_its_first_versions(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/archive.db")
    with engine.begin() as connection:
        config = AlembicConfig(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, "0002")
        connection.execute(sql("INSERT INTO runs (id, blog, started) VALUES (1, 'b', '2020-01-01')"))
        record = '{"type":"post","schema":1,"id":"id1","blog":"b","url":"u1","version":3}'
        row = f"('id1', 'b', 'u1', 'd', 3, 1, '{record}')"
        columns = "id, blog, url, digest, version, run, record"
        connection.exec_driver_sql(f"INSERT INTO posts ({columns}) VALUES {row}")
    engine.dispose()
    # Who shares the archive has it alone for as long as the tables change.
    with (
        ArchiveFolder(tmp_path, writing=True, alone=False, wait=False),
        ArchiveFolder(tmp_path, writing=True, alone=False, wait=False) as archive,
    ):
        assert [v.number for v in archive.store.versions.of("id1")] == [3]
        assert archive.store.versions.record("id1", 3) == some_post(id="id1", url="u1", version=3)
        assert archive.store.checks.of_blog("b")["id1"].check.state == "active"


def test_threads_write_side_by_side_and_no_version_is_lost(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        records = archive.store
        runs = {name: records.runs.open(name)[0] for name in ("one.blog", "two.blog")}

        def write(blog: str) -> None:
            for number in range(60):
                record = post(number, id=f"{blog}-p", blog=blog, url=f"http://{blog}/p", text=f"words {number}")
                records.posts.keep(runs[blog], record, "content")
                records.flush()

        threads = [Thread(target=write, args=(blog,)) for blog in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(archive.store.versions.of(f"{blog}-p")) for blog in runs] == [60, 60]


def test_who_is_still_at_work_when_the_archive_is_closed_writes_nothing_more(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        records = archive.store
        run, _since = records.runs.open("one.blog")
    with pytest.raises(ArchiveError, match="closed"):
        records.runs.close(run, "finished")


def test_an_older_archive_finds_its_posts_by_all_their_names(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/archive.db")
    comments = [{"id": "c1", "url": "https://b.example/p/#c1"}, {"id": "c2"}]
    older = post(1, url="https://b.example/p/", aliases=["http://www.b.example/?p=1"], comments=comments)
    with engine.begin() as connection:
        config = AlembicConfig(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, "0005")
        connection.execute(sql("INSERT INTO runs (id, blog, started) VALUES (1, 'b', '2020-01-01')"))
        rows = [("id1", json_line(older)), ("id2", "no record at all")]
        columns = "id, blog, url, digest, version, run, record"
        for name, line in rows:
            values = (name, "b", "u", "d", 1, 1, line)
            connection.exec_driver_sql(f"INSERT INTO posts ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    engine.dispose()
    with ArchiveFolder(tmp_path, writing=True) as archive:
        posts = archive.store.posts
        assert posts.at("http://www.b.example/?p=1") == older
        assert posts.named("https://b.example/p") == [older]
        assert posts.with_comment("c2") == posts.with_comment("https://b.example/p/#c1") == [older]
