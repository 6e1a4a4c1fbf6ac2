"""Folders for a while: gone with who made them, and where that one was killed, with the next who comes by."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from blogforever.store.spare import MARK, PREFIX, SpareFolder, clear_left

HOLDER = """
import sys
from pathlib import Path
from blogforever.store.spare import SpareFolder

with SpareFolder("held-") as here, SpareFolder("scouted-"):
    (here / "copy").write_text("words that may be erased by now")
    (here / "deeper").mkdir()
    print("there", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(place: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has two such folders, until it is told to end, or killed."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        env=os.environ | {"TMPDIR": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "there\n"
        yield process


def folders(place: Path) -> list[Path]:
    return sorted(place.glob(f"{PREFIX}*"))


def test_what_a_killed_process_left_goes_and_what_a_living_one_has_stays(tmp_path: Path) -> None:
    with holder(tmp_path) as living:
        held = folders(tmp_path)
        with holder(tmp_path) as killed:
            assert len(folders(tmp_path)) == 4
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        assert len(folders(tmp_path)) == 4
        assert clear_left(tmp_path) == 2
        assert folders(tmp_path) == held
        assert any((path / "kept/copy").is_file() for path in held)
        assert clear_left(tmp_path) == 0
        living.communicate("")
    assert folders(tmp_path) == []


def test_who_needs_one_takes_away_what_was_left_there(tmp_path: Path) -> None:
    with holder(tmp_path) as killed:
        killed.kill()
        killed.wait()
    with holder(tmp_path) as next_one:
        assert len(folders(tmp_path)) == 2
        next_one.communicate("")


def test_what_is_not_ours_by_its_mark_stays(tmp_path: Path) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / MARK).touch()
    (others / "precious").touch()
    (tmp_path / f"{PREFIX}link").symlink_to(others)
    (tmp_path / f"{PREFIX}file").touch()
    (tmp_path / f"{PREFIX}unmarked").mkdir()
    linked = tmp_path / f"{PREFIX}linked"
    linked.mkdir()
    (linked / MARK).symlink_to(others / MARK)
    strange = tmp_path / f"{PREFIX}strange"
    (strange / MARK).mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    assert clear_left(tmp_path) == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_what_somebody_else_owns_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / f"{PREFIX}a"
    folder.mkdir()
    (folder / MARK).touch()
    somebody = os.getuid() + 1
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: somebody)
        assert clear_left(tmp_path) == 0
    assert folders(tmp_path) == [folder]
    assert clear_left(tmp_path) == 1


def test_a_folder_of_ours_with_a_mark_of_somebody_else_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / f"{PREFIX}b"
    folder.mkdir()
    (folder / MARK).touch()
    monkeypatch.setattr(os, "fstat", lambda _handle: os.stat_result((stat.S_IFREG, 0, 0, 1, os.getuid() + 1, *[0] * 5)))
    assert clear_left(tmp_path) == 0
    assert folders(tmp_path) == [folder]


def test_it_goes_when_it_is_left_or_nobody_has_it(tmp_path: Path) -> None:
    with SpareFolder(beside=tmp_path) as here:
        (here / "file").touch()
        assert list(here.iterdir()) == [here / "file"], "nothing else lies there"
    assert folders(tmp_path) == []
    folder = SpareFolder("name-", tmp_path)
    assert [path.name.startswith(f"{PREFIX}name-") for path in folders(tmp_path)] == [True]
    folder.remove()
    folder.remove()
    assert folders(tmp_path) == []
    folder = SpareFolder(beside=tmp_path)
    del folder
    assert folders(tmp_path) == []
