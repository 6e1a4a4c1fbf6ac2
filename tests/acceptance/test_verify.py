"""Verify finds and lists everything that is wrong, whatever cannot be looked at; what is left is restored."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from blogforever.cli import run
from server.savedblog import BASE, saved
from server.smallarchive import BLOG, address, make_archive


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "archive")


def verified(archive: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["verify", "--archive", str(archive), *words])
    return code, capsys.readouterr().out


def in_database(archive: Path, statement: str) -> None:
    with closing(sqlite3.connect(archive / "archive.db")) as database:
        database.execute(statement)
        database.commit()


def hurt_warc(archive: Path) -> None:
    path = next((archive / "warc" / BLOG).glob("*.warc.gz"))
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize("table", ["posts_search", "captures", "followed", "versions", "posts"])
def test_a_table_that_is_gone_is_damage(archive: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    in_database(archive, f"DROP TABLE {table}")
    code, told = verified(archive, capsys)
    assert code == 4
    assert f"The database lacks its table {table}" in told


def test_a_database_that_cannot_be_read_hides_no_damage_of_files(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (archive / "archive.db").write_bytes(b"no database " * 1000)
    hurt_warc(archive)
    code, told = verified(archive, capsys)
    assert code == 4
    assert "The archive's database is damaged: file is not a database" in told
    assert "ends in the middle of a record" in told
    assert "has changed since it was written" in told


def test_every_damage_is_listed_at_once(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_database(archive, "UPDATE posts SET record = '{' WHERE id = 'p0'")
    in_database(archive, "DROP TABLE checks")
    hurt_warc(archive)
    (archive / "warc" / BLOG / "manifest-sha256.txt").write_bytes("für später\n".encode("latin-1"))
    code, told = verified(archive, capsys)
    assert code == 4
    for sentence in ("record of the post p0", "its table checks", "middle of a record", "none of a list of digests"):
        assert sentence in told


def test_a_journal_that_is_no_text_hides_no_damage_of_files(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (archive / "journal").mkdir(exist_ok=True)
    (archive / "journal" / f"{BLOG}.jsonl").write_bytes(b"\xff\xfe")
    hurt_warc(archive)
    code, told = verified(archive, capsys)
    assert code == 4
    assert "no text in UTF-8" in told
    assert "put the file of a backup in its place" in told
    assert "ends in the middle of a record" in told


def test_a_report_is_kept_where_it_is_asked_for(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hurt_warc(archive)
    _, told = verified(archive, capsys)
    assert not (archive / "logs").exists()
    code, kept = verified(archive, capsys, "--keep")
    assert code == 4
    (report,) = (archive / "logs").iterdir()
    assert f"Kept in {report}." in kept
    assert report.read_text() == told


def test_what_is_left_is_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = tmp_path / "archive"
    source = saved(tmp_path / "blog.warc.gz")
    assert run(["crawl", BASE, "--replay", str(source), "--archive", str(archive)]) == 0
    (archive / "archive.db").write_bytes(b"no database " * 1000)
    assert run(["list", "--archive", str(archive)]) == 4
    assert run(["restore", "--archive", str(archive)]) == 2
    assert "move its archive.db away" in capsys.readouterr().err
    (archive / "archive.db").unlink()
    assert run(["restore", "--archive", str(archive)]) == 0
    code, told = verified(archive, capsys)
    assert (code, "all sound" in told) == (0, True)


def test_files_of_several_blogs_and_machines_have_names_of_their_own(tmp_path: Path) -> None:
    archive = make_archive(tmp_path / "archive")
    (path,) = (archive / "warc" / BLOG).glob("*.warc.gz")
    blog, moment, number, machine = path.name.removesuffix(".warc.gz").split("-")
    assert (blog, len(moment), number) == (BLOG, len("20260101000000"), "0000")
    assert machine


def test_a_table_below_the_search_index_that_is_gone_is_told(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_database(archive, "DROP TABLE posts_search_idx")
    assert run(["reextract", "--archive", str(archive)]) == 4
    assert "The archive's database is damaged" in capsys.readouterr().err


def test_a_record_whose_type_is_no_word_is_told(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Where something is hidden, every record is read before it is given out.
    assert run(["suppress", address(1), "--reason", "asked", "--archive", str(archive)]) == 0
    in_database(archive, """UPDATE blogs SET record = '{"type": {"a": 1}}'""")
    assert run(["export", "--archive", str(archive)]) == 4
    assert "A record of the archive is damaged" in capsys.readouterr().err


def test_a_file_whose_name_is_no_text_is_told(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plans = archive / "journal/unfinished"
    plans.mkdir(parents=True, exist_ok=True)
    Path(os.fsdecode(os.fsencode(plans) + b"/\xff\xfe.json")).write_bytes(b"{}")
    code, told = verified(archive, capsys, "--keep")
    assert code == 4
    assert "unfinished/??.json" in told
