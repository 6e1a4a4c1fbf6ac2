"""An archive on a medium that cannot be written, of another owner, or on a full disk: the system itself refuses."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from blogforever.store.unfinished import Plan, Unfinished
from server.powerless import Answer, answers, give_rights, take_rights, without_rights, without_room
from server.smallarchive import BLOG, OF_SERVICE, READING, address, make_archive, state_of

COMMANDS = [*READING, *OF_SERVICE]
# What these write goes to the disk that is full.
FILES = ("site", "wacz")
FINISH = "blogforever suppress --finish"
# Empty files that SQLite has while somebody reads.
OF_READERS = ("archive.db-wal", "archive.db-shm", ".lock")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """An archive in which an erasure was cut off; the index of its WARC files is lost."""
    folder = make_archive(tmp_path / "archive")
    Unfinished(folder / "journal/unfinished").begin(Plan(BLOG, "renew", "2026-01-01"))
    shutil.rmtree(folder / "indexes")
    (tmp_path / "out").mkdir()
    yield folder
    give_rights(folder)


def typed(archive: Path, command: list[str]) -> list[str]:
    return [*(one.format(out=archive.parent / "out") for one in command), "--archive", str(archive)]


def told(archive: Path, commands: list[list[str]], limit: object) -> dict[str, Answer]:
    assert callable(limit)
    found = answers([typed(archive, one) for one in commands], limit)
    return dict(zip(map(" ".join, commands), found, strict=True))


def test_every_command_that_reads_does_so_where_nothing_can_be_written(archive: Path) -> None:
    before = state_of(archive)
    take_rights(archive)
    said = told(archive, [*COMMANDS, ["note", address(1), "seen"]], without_rights)
    refused = said.pop(f"note {address(1)} seen")
    assert refused.code == 4
    assert "cannot be written: Permission denied" in refused.said
    assert {command: answer.said for command, answer in said.items() if answer.code} == {}
    assert [command for command, answer in said.items() if FINISH not in answer.said] == []
    assert state_of(archive) == before


def test_a_command_that_reads_does_so_on_a_full_disk(archive: Path) -> None:
    before = state_of(archive)
    said = told(archive, [*COMMANDS, ["note", address(1), "seen"]], without_room)
    failed = {command: answer for command, answer in said.items() if answer.code}
    assert {answer.code for answer in failed.values()} == {4}
    assert {command.split()[2] for command in failed if command.startswith("export")} == set(FILES)
    assert {command for command in failed if not command.startswith("export")} == {f"note {address(1)} seen"}
    assert not [answer for answer in said.values() if "Traceback" in answer.said]
    after = {name: state for name, state in state_of(archive).items() if name not in OF_READERS}
    assert after == {name: state for name, state in before.items() if name not in OF_READERS}
