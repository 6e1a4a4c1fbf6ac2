"""What a stranger left in a folder decides nothing: neither which code runs, nor where passwords go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blogforever.cli import run
from server.smallarchive import make_archive

CODE = '[stages]\nextract = "planted:extract"\n'
SOMEBODY = 65534


def give_away(path: Path, patch: pytest.MonkeyPatch) -> None:
    """Let a file belong to another user than the one who runs this; only root can give files away."""
    mine = os.geteuid()
    if mine == 0:
        os.chown(path, SOMEBODY, -1)
    else:
        patch.setattr(os, "geteuid", lambda: mine + 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module that tells when it is loaded, where Python looks for modules."""
    place = tmp_path / "here"
    place.mkdir()
    (place / "planted.py").write_text("raise SystemExit('planted code has run')\n")
    (place / "blogforever.toml").write_text(CODE)
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delenv("BLOGFOREVER_CONFIG", raising=False)
    return place


@pytest.mark.parametrize("part", ["blogforever.toml", "."])
def test_a_configuration_of_somebody_else_is_not_read(
    folder: Path, part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_archive(folder.parent / "archive")
    give_away(folder / part, monkeypatch)
    assert run(["reextract", "--archive", str(folder.parent / "archive")]) == 0
    told = capsys.readouterr().err
    assert "blogforever.toml belongs to somebody else and is not read" in told
    assert "BLOGFOREVER_CONFIG=blogforever.toml reads it" in told


def test_a_configuration_that_came_with_an_archive_is_not_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_archive(folder)
    assert run(["reextract", "--archive", "."]) == 0
    assert "blogforever.toml lies in an archive and is not read" in capsys.readouterr().err


def test_it_is_read_where_somebody_asks_for_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(folder / "blogforever.toml", monkeypatch)
    make_archive(folder.parent / "archive")
    monkeypatch.setenv("BLOGFOREVER_CONFIG", "blogforever.toml")
    with pytest.raises(SystemExit, match="planted code has run"):
        run(["reextract", "--archive", str(folder.parent / "archive")])


def test_a_configuration_that_is_asked_for_and_not_there_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BLOGFOREVER_CONFIG", "other.toml")
    assert run(["list", "--archive", str(folder)]) == 2
    assert "BLOGFOREVER_CONFIG names other.toml, which is no file" in capsys.readouterr().err


def test_a_strangers_archive_leads_to_no_database_until_somebody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "archive.url").write_text("postgresql://me@127.0.0.1:1/theirs\n")
    give_away(archive / "archive.url", monkeypatch)
    monkeypatch.setenv("PGPASSWORD", "sesame")
    assert run(["list", "--archive", str(archive)]) == 4
    told = capsys.readouterr().err
    assert "archive.url belongs to somebody else and leads to postgresql://me@127.0.0.1:1/theirs" in told
    assert run(["list", "--archive", str(archive), "--database", "postgresql://me@127.0.0.1:1/theirs"]) == 4
    assert "cannot be read: connection" in capsys.readouterr().err
