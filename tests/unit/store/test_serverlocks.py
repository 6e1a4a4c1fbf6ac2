"""Two machines share a server: each has a folder of its own, and still only one of them writes a blog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from blogforever.errors import ArchiveError, ArchiveLocked
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import ArchiveLocks
from blogforever.store.place import settle
from blogforever.store.serverlocks import ServerLocks
from server.postgres import cut_off, emptied_database, postgres

pytestmark = pytest.mark.postgres

BLOG = "b.example"


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = emptied_database()
    yield made
    made.dispose()


def machine(folder: Path, alone: bool = False) -> ArchiveLocks:
    folder.mkdir(exist_ok=True)
    return ArchiveLocks(folder, wait=False, alone=alone, server=ServerLocks(postgres()))


def test_a_blog_that_one_machine_writes_is_busy_on_another(tmp_path: Path, engine: Engine) -> None:
    one, other = machine(tmp_path / "one"), machine(tmp_path / "other")
    assert one.hold_if_free(BLOG)
    assert not other.hold_if_free(BLOG)
    assert other.hold_if_free("c.example")
    with pytest.raises(ArchiveLocked, match="Another command is writing the blog"):
        other.hold([BLOG])
    one.let_go([BLOG])
    assert other.hold_if_free(BLOG)
    for locks in (one, other):
        locks.release()
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")) == 0


def test_who_wants_the_archive_alone_waits_for_other_machines(tmp_path: Path, engine: Engine) -> None:
    one = machine(tmp_path / "one")
    with pytest.raises(ArchiveLocked, match="is writing the archive"):
        machine(tmp_path / "other", alone=True)
    one.release()
    other = machine(tmp_path / "other", alone=True)
    with pytest.raises(ArchiveLocked):
        machine(tmp_path / "one")
    other.share()
    machine(tmp_path / "one").release()
    other.release()


def test_what_a_machine_held_that_was_cut_off_is_free_and_it_is_told(tmp_path: Path, engine: Engine) -> None:
    one, other = machine(tmp_path / "one"), machine(tmp_path / "other")
    assert one.hold_if_free(BLOG)
    cut_off()
    assert other.hold_if_free(BLOG), "the server has let it go"
    with pytest.raises(ArchiveError, match="was lost, and another command writes the blog"):
        one.hold_if_free("c.example")
    for locks in (one, other):
        locks.release()


def test_a_server_that_was_started_anew_is_asked_again_for_what_is_held(tmp_path: Path, engine: Engine) -> None:
    one = machine(tmp_path / "one")
    assert one.hold_if_free(BLOG)
    cut_off()
    assert one.hold_if_free("c.example")
    other = machine(tmp_path / "other")
    assert not other.hold_if_free(BLOG)
    for locks in (one, other):
        locks.release()


def test_an_archive_on_a_server_is_written_by_two_machines(tmp_path: Path, engine: Engine) -> None:
    for name in ("one", "other"):
        settle(tmp_path / name, postgres())
    with (
        ArchiveFolder(tmp_path / "one", writing=True, alone=False, wait=False) as one,
        ArchiveFolder(tmp_path / "other", writing=True, alone=False, wait=False) as other,
    ):
        assert one.take(BLOG)
        assert not other.take(BLOG)
        one.give_back(BLOG)
        assert other.take(BLOG)
        run, _ = other.store.runs.open(BLOG)
        assert one.store.runs.last(BLOG) == run
