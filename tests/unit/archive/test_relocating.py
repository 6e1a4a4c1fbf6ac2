"""Records are carried from the folder to a server and back, and nothing of them changes on the way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from blogforever.archive.relocating import relocate, settle_database
from blogforever.cli import run
from blogforever.errors import ArchiveError, UsageError
from blogforever.store import carrying
from blogforever.store.folder import ArchiveFolder
from server.commands import caller, told
from server.postgres import emptied_database, postgres
from server.smallarchive import READING, address, make_archive

pytestmark = pytest.mark.postgres


@pytest.fixture
def server() -> URL:
    emptied_database().dispose()
    return postgres()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "a")


@pytest.fixture(autouse=True)
def no_password() -> Iterator[None]:
    yield
    os.environ.pop("PGPASSWORD", None)


def exported(folder: Path) -> list[str]:
    with ArchiveFolder(folder, writing=False) as archive:
        return list(archive.exported())


def found(folder: Path, words: str = "lantern") -> set[str]:
    with ArchiveFolder(folder, writing=False) as archive:
        return {post.id for post in archive.search.find(words)}


def test_records_go_to_a_server_and_back_and_are_the_same(
    archive: Path, server: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    before = exported(archive)
    call, where = caller("archive", archive, capsys), server.render_as_string()
    done = told(call, "move", "--to", where)
    assert (done["posts"], done["new"]) == (3, where)
    assert not (archive / "archive.db").exists()
    assert (archive / "archive.db.moved").is_file()
    assert exported(archive) == before
    assert found(archive) == {"p0", "p1", "p2"}
    code, out, _ = call("move", "--to", "sqlite")
    assert code == 0
    assert "and all are the same" in out
    assert not (archive / "archive.url").exists()
    assert exported(archive) == before
    assert found(archive) == {"p0", "p1", "p2"}


def test_numbers_go_on_where_they_were(archive: Path, server: URL) -> None:
    with ArchiveFolder(archive, writing=True) as opened:
        last, run_before = opened.store.news.last(), opened.store.runs.last("b.example")
        opened.store.news.forget("9999")
    for place in (server.render_as_string(), "sqlite"):
        relocate(archive, place)
        with ArchiveFolder(archive, writing=True) as opened:
            assert opened.store.news.last() == last
    with ArchiveFolder(archive, writing=True) as opened:
        assert opened.store.runs.open("c")[0] == run_before + 1


def test_what_is_refused_leaves_everything_where_it_was(archive: Path, server: URL) -> None:
    other = make_archive(archive.parent / "other")
    relocate(other, server.render_as_string())
    before = exported(archive)
    with pytest.raises(ArchiveError, match="records already"):
        relocate(archive, server.render_as_string())
    with pytest.raises(UsageError, match=r"in archive\.db already"):
        relocate(archive, "sqlite")
    with pytest.raises(UsageError, match="in a database of PostgreSQL already"):
        relocate(other, server.render_as_string())
    with pytest.raises(UsageError, match="can be read by everybody"):
        relocate(archive, "postgresql://someone:secret@127.0.0.1:1/x")
    with pytest.raises(ArchiveError, match="carries them over"):
        settle_database(archive, server.render_as_string(), is_flag=True)
    assert exported(archive) == before


def test_a_row_that_is_another_is_noticed_and_nothing_is_carried(
    archive: Path, server: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exported(archive)
    lost = text("DELETE FROM addresses")
    monkeypatch.setattr(carrying, "_go_on_counting", lambda _old, new, _table: new.execute(lost))
    with pytest.raises(ArchiveError, match="A row of addresses is another"):
        relocate(archive, server.render_as_string())
    assert exported(archive) == before
    monkeypatch.undo()
    assert relocate(archive, server.render_as_string()).posts == 3


def test_every_command_that_reads_reads_from_a_server(
    tmp_path: Path, server: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    settle_database(tmp_path / "a", server.render_as_string(), is_flag=True)
    archive = make_archive(tmp_path / "a")
    for words in READING:
        said = [word.format(out=tmp_path / "out") for word in words]
        (tmp_path / "out").mkdir(exist_ok=True)
        assert run([*said, "--archive", str(archive)]) == 0, said
    assert address(1) in capsys.readouterr().out
    assert not (archive / "archive.db").exists()


def test_a_password_comes_from_the_environment_and_stays_there(
    tmp_path: Path, server: URL, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settle_database(tmp_path / "a", server.render_as_string(), is_flag=True)
    make_archive(tmp_path / "a")
    given = server.set(password="secret").render_as_string(hide_password=False)
    monkeypatch.setenv("BLOGFOREVER_DATABASE", given)
    assert run(["list", "--archive", str(tmp_path / "a")]) == 0
    assert os.environ["PGPASSWORD"] == "secret"
    assert "secret" not in (tmp_path / "a" / "archive.url").read_text()
    assert run(["list", "--archive", str(tmp_path / "b"), "--database", given]) == 2
    out, err = capsys.readouterr()
    assert "Lanterns" in out
    assert "secret" not in out + err


def test_a_second_folder_for_the_same_records_is_refused(archive: Path, server: URL, tmp_path: Path) -> None:
    relocate(archive, server.render_as_string())
    before = exported(archive)
    settle_database(tmp_path / "b", server.render_as_string(), is_flag=False)
    with pytest.raises(ArchiveError, match=r"pages lie in another folder; .*/b has none of them"):
        ArchiveFolder(tmp_path / "b", writing=True)
    assert exported(tmp_path / "b") == before, "who only reads may look at the records"
    with ArchiveFolder(archive, writing=True, wait=False):
        """The archive's own folder is free, and its records can be written."""
