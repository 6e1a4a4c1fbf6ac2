"""The outbox of machines with folders of their own: who serves has every file, nobody else has any."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from blogforever.archive.opening import open_shared
from blogforever.archive.outboxfiles import OUTBOX, outbox_path, put_away
from blogforever.archive.outboxmissing import leave_outbox
from blogforever.archive.suppressing import Meant, suppress
from blogforever.records import PostRecord
from blogforever.service.outbox import add_account, file_to_fetch
from blogforever.service.outboxfeed import OutboxFeeder
from blogforever.storage.outbox import OutboxFile
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import service_lock
from server.ftp import SECRET
from server.postgres import bare_database
from server.samplearchive import hash_cheaply
from server.writtenarchive import BLOG, blog_named, small_post

pytestmark = pytest.mark.postgres

WORDS = "the vermilion gondolier drowned his ukulele beneath seven marzipan chandeliers"
GONE = small_post("lamplit", WORDS, title="Zanzibarness")
COMMENT = {"id": "c1", "text": "A word that nobody needs", "author": {"name": "Cy"}}
QUOTING = small_post("quoting", f"Read on: {WORDS}", html=f"<p>Read on: <i>{WORDS}</i></p>", comments=(COMMENT,))
PLAIN = small_post("plain", "Bread and butter")


@dataclass(slots=True)
class Machines:
    """Those that share a database and a store of bytes, and nothing else."""

    place: Path
    database: str

    def open(self, name: str) -> ArchiveFolder:
        return open_shared(self.database, f"file://{self.place}/kept", self.place / name, writing=True)

    def files(self, name: str) -> dict[str, bytes]:
        """What lies in the outbox of one of them."""
        folder = self.place / name / OUTBOX
        return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}

    def suppress(self, name: str, meant: Meant, erase: bool) -> None:
        self.open(name).close()
        suppress(self.place / name, meant, "asked", erase=erase)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    hash_cheaply()
    (tmp_path / "kept").mkdir()
    with bare_database("outbox_machines") as url:
        yield Machines(tmp_path, url.render_as_string())


def keep(archive: ArchiveFolder, *posts: PostRecord) -> None:
    run, _ = archive.store.runs.open(BLOG)
    archive.store.blogs.keep(blog_named())
    for post in posts:
        archive.store.posts.keep(run, post)
    archive.store.runs.close(run, "finished")


def fill(feeder: OutboxFeeder) -> list[OutboxFile]:
    """What waits for ann when everything is done."""
    while feeder.look():
        pass
    return feeder.archive.store.outbox.waiting_for("ann", 0, 100)


def assert_complete(machines: Machines, archive: ArchiveFolder, files: list[OutboxFile]) -> None:
    """Whatever waits can be fetched here, and is what its row says; nothing else lies here."""
    for file in files:
        found = file_to_fetch(archive, file.number, "ann")
        assert found
        assert hashlib.sha256(found[1].read_bytes()).hexdigest() == file.digest
    assert set(machines.files(archive.folder.name)) == {file.place for file in files}


@pytest.fixture
def portal(machines: Machines) -> Iterator[ArchiveFolder]:
    """The machine that serves three posts to ann."""
    with machines.open("portal") as archive, service_lock(archive.folder):
        add_account(archive, "ann", SECRET)
        keep(archive, GONE, QUOTING, PLAIN)
        yield archive


def test_what_one_machine_erases_is_in_no_file_of_any_and_who_serves_has_the_new_ones(
    machines: Machines, portal: ArchiveFolder
) -> None:
    feeder = OutboxFeeder(portal)
    before = fill(feeder)
    assert len(before) == 3
    machines.suppress("other", Meant(GONE.url), erase=True)
    assert machines.files("other") == {}, "nobody would take away here what is erased later"
    waiting = fill(feeder)
    assert_complete(machines, portal, waiting)
    assert {file.post: file.kind for file in waiting} == {GONE.id: "tombstone", QUOTING.id: "post", PLAIN.id: "post"}
    assert next(file for file in before if file.post == PLAIN.id) in waiting
    assert not [name for name, said in machines.files("portal").items() if b"gondolier" in said or b"Zanz" in said]


def test_what_was_told_to_be_gone_is_told_again(machines: Machines, portal: ArchiveFolder) -> None:
    feeder = OutboxFeeder(portal)
    fill(feeder)
    machines.suppress("other", Meant("c1", "comment", BLOG), erase=True)
    fill(feeder)
    machines.suppress("other", Meant(GONE.url), erase=True)
    (quoting,) = (file for file in fill(feeder) if file.post == QUOTING.id)
    said = outbox_path(portal.folder, quoting).read_bytes()
    assert b"c1" in said
    assert b"nobody needs" not in said
    assert b"gondolier" not in said


def test_a_machine_that_serves_from_now_on_has_what_waits_and_the_other_keeps_nothing(
    machines: Machines, portal: ArchiveFolder
) -> None:
    waiting = fill(OutboxFeeder(portal))
    with machines.open("next") as archive, service_lock(archive.folder):
        feeder = OutboxFeeder(archive)
        assert fill(feeder) == waiting, "no file is sent twice"
        assert_complete(machines, archive, waiting)
        put_away(archive, waiting[:1], "taken")
        assert len(machines.files("portal")) == 3
        feeder = OutboxFeeder(portal)
        assert fill(feeder) == waiting[1:]
        assert_complete(machines, portal, waiting[1:])
    leave_outbox(machines.place / "portal")
    assert len(machines.files("portal")) == 2, "it serves"
    leave_outbox(machines.place / "next")
    assert machines.files("next") == {}
