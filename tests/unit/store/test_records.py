from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect

from blogforever.errors import ArchiveError, ArchiveLocked
from blogforever.model import Failure
from blogforever.store.database import migrate, open_database
from blogforever.store.folder import ArchiveFolder
from blogforever.store.records import Records
from blogforever.store.schema import metadata


def post(number: int, **more: Any) -> dict[str, Any]:
    base = {"type": "post", "id": f"id{number}", "blog": "b", "url": f"u{number}", "title": "t", "published": "2013"}
    return base | {"text": "words"} | more


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(open_database(tmp_path / "archive.db"))


def exported(records: Records, run: int | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in records.export(run)]


def test_a_version_rises_only_when_the_content_changes(records: Records) -> None:
    for text in ("words", "words", "other words", "other words"):
        run, _ = records.open_run("b")
        records.save_post(run, post(1, text=text))
        records.close_run(run, "finished")
    assert [(r["version"], r["text"]) for r in exported(records)] == [(2, "other words")]
    records.close()


def test_a_run_exports_its_own_posts_and_failures(records: Records) -> None:
    first, _ = records.open_run("b")
    records.save_post(first, post(1))
    records.close_run(first, "finished")
    second, _ = records.open_run("b")
    records.save_post(second, post(2))
    records.add_failure(second, "b", Failure("u9", "timeout", "slow"))
    records.close_run(second, "finished")
    assert [r.get("url") for r in exported(records, second)] == ["u2", "u9"]
    assert len(exported(records)) == 3
    records.close()


def test_an_interrupted_run_goes_on(records: Records) -> None:
    run, since = records.open_run("b")
    assert since is None
    records.close_run(run, "interrupted")
    again, since = records.open_run("b")
    assert again == run
    assert since
    records.close_run(again, "finished")
    assert records.open_run("b")[0] != run
    records.close()


def test_lone_surrogates_do_not_break_the_record(records: Records) -> None:
    run, _ = records.open_run("b")
    records.save_post(run, post(1, text="a\ud800b"))
    assert exported(records)[0]["text"] == "a?b"
    records.close()


def test_a_record_is_one_line_for_every_reader(records: Records) -> None:
    run, _ = records.open_run("b")
    records.save_post(run, post(1, text="a\u2028b\x85c\nd"))
    (line,) = "\n".join(records.export()).splitlines()
    assert json.loads(line)["text"] == "a\u2028b\x85c\nd"
    records.close()


def test_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/migrated.db")
    with engine.begin() as connection:
        migrate(connection)
        found = inspect(connection)
        for table in metadata.sorted_tables:
            columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table.name)}
            assert columns == {c.name: (str(c.type), c.nullable) for c in table.columns}
            assert {i["name"] for i in found.get_indexes(table.name)} == {i.name for i in table.indexes}
    engine.dispose()


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "archive.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(ArchiveError):
        open_database(tmp_path / "archive.db")


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True), pytest.raises(ArchiveLocked):
        ArchiveFolder(tmp_path, writing=True)
    ArchiveFolder(tmp_path, writing=True).close()


def test_reading_needs_an_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no archive"):
        ArchiveFolder(tmp_path / "none", writing=False)
