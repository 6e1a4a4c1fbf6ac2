"""Who reads an archive changes not a byte of it, and can read it where nothing can be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from blogforever.errors import ArchiveError
from blogforever.store import folder as archive_folder
from blogforever.store.database import MIGRATIONS, read_database
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import ArchiveLocks
from server.blogserver import serve
from server.smallarchive import BLOG, READING, address, make_archive, post, state_of

POSTS = 3


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive whose search index and index of WARC files are as far behind as a crash may leave them."""
    folder = make_archive(tmp_path / "archive", POSTS)
    shutil.rmtree(folder / "indexes")
    return folder


def freeze(archive: Path, patch: pytest.MonkeyPatch) -> None:
    """As on a disk that cannot be written, or in the folder of somebody else; root is never refused by the system."""
    allowed = os.access

    def asked(path: Path, mode: int) -> bool:
        return allowed(path, mode) and not (mode == os.W_OK and Path(path).is_relative_to(archive))

    def refused(path: Path, *_how: bool) -> ArchiveLocks:
        raise ArchiveError(f"The archive folder {path} cannot be written: Read-only file system.")

    patch.setattr(os, "access", asked)
    patch.setattr(archive_folder, "ArchiveLocks", refused)


@contextmanager
def held(archive: Path) -> Iterator[None]:
    """As while another command writes all of it."""
    locks = ArchiveLocks(archive)
    try:
        yield
    finally:
        locks.release()


def call(archive: Path, arguments: list[str]) -> int:
    out = archive.parent / "out"
    out.mkdir(exist_ok=True)
    return run([*(one.format(out=out) for one in arguments), "--archive", str(archive)])


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_not_a_byte_is_changed_while_another_command_writes(archive: Path, arguments: list[str]) -> None:
    with held(archive):
        before = state_of(archive)
        assert call(archive, arguments) == 0
        assert state_of(archive) == before


@pytest.mark.parametrize("arguments", [one for one in READING if one[0] != "search"], ids=" ".join)
def test_not_a_byte_is_changed_where_nobody_writes(archive: Path, arguments: list[str]) -> None:
    before = state_of(archive)
    assert call(archive, arguments) == 0
    assert state_of(archive) == before


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_an_archive_that_cannot_be_written_can_be_read(
    archive: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(archive, monkeypatch)
    before = state_of(archive)
    assert call(archive, arguments) == 0
    assert state_of(archive) == before


def test_reading_where_nothing_can_be_written_needs_no_further_file(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(archive, monkeypatch)
    engine = read_database(archive / "archive.db")
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM posts")) == POSTS
        assert sorted(path.name for path in archive.glob("archive.db*")) == ["archive.db"]
    engine.dispose()


def test_a_reader_cannot_write_even_by_mistake(archive: Path) -> None:
    with (
        ArchiveFolder(archive, writing=False) as opened,
        opened.engine.connect() as connection,
        pytest.raises(OperationalError, match="readonly"),
    ):
        connection.execute(text("DELETE FROM posts"))


def test_a_reader_sees_what_a_writer_has_written_meanwhile(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ArchiveFolder(archive, writing=True) as opened:
        number, _ = opened.store.runs.open(BLOG)
        opened.store.posts.keep(number, post(POSTS))
        opened.store.flush()
        assert call(archive, ["list", BLOG]) == 0
        assert address(POSTS) in capsys.readouterr().out


def test_search_looks_where_it_can_and_says_where_it_cannot(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held(archive):
        assert call(archive, ["search", "lantern"]) == 0
    told = capsys.readouterr().out
    assert "Nothing was found." in told
    assert f"{POSTS} posts are not indexed yet" in told
    assert call(archive, ["search", "lantern"]) == 0
    told = capsys.readouterr().out
    assert f"{POSTS} posts." in told
    assert "not indexed" not in told
    with ArchiveFolder(archive, writing=True) as opened:
        number, _ = opened.store.runs.open(BLOG)
        opened.store.posts.keep(number, post(POSTS))
        opened.store.runs.close(number, "finished")
        assert call(archive, ["search", "lantern"]) == 0
    told = capsys.readouterr().out
    assert f"{POSTS} posts." in told
    assert "1 post is not indexed yet" in told


def test_what_a_crawl_brought_is_indexed_when_it_ends(tmp_path: Path) -> None:
    with serve() as site:
        for _ in range(2):
            crawl_blog(site.base, Config(archive=tmp_path, allow_private=True, delay=0.0))
            with ArchiveFolder(tmp_path, writing=False) as opened:
                assert opened.search.waiting() == 0


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """An archive of an earlier version."""
    folder = make_archive(tmp_path / "archive")
    engine = create_engine(f"sqlite:///{folder}/archive.db")
    with engine.begin() as connection:
        config = AlembicConfig(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.downgrade(config, "0003")
    engine.dispose()
    return folder


def version_of(folder: Path) -> str:
    database = sqlite3.connect(f"file:{folder}/archive.db?mode=ro&immutable=1", uri=True)
    found = str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])
    database.close()
    return found


def test_an_archive_of_an_earlier_version_is_brought_up_to_date_under_the_lock(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with held(earlier):
        before = state_of(earlier)
        assert call(earlier, ["list"]) == 4
        assert state_of(earlier) == before
    told = capsys.readouterr().err
    assert "earlier version" in told
    assert told.count("\n") == 1
    assert version_of(earlier) == "0003"
    assert call(earlier, ["list"]) == 0
    assert version_of(earlier) > "0003"
    assert "Lanterns" in capsys.readouterr().out


def test_an_archive_of_an_earlier_version_that_cannot_be_written_is_left_alone(
    earlier: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(earlier, monkeypatch)
    before = state_of(earlier)
    assert call(earlier, ["list"]) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert state_of(earlier) == before


def test_an_archive_of_a_later_version_is_one_sentence(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = sqlite3.connect(archive / "archive.db")
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.commit()
    database.close()
    for arguments in (["list"], ["reextract"]):
        assert call(archive, arguments) == 4
        told = capsys.readouterr().err
        assert "later version" in told
        assert told.count("\n") == 1
