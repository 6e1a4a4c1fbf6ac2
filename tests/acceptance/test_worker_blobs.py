"""`blogforever worker --blobs`: machines with folders of their own, a bucket, a real PostgreSQL."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from blogforever.archive.opening import open_shared
from blogforever.cli import run
from blogforever.service.asking import ask_to_reread
from blogforever.service.exports import ExportWish, ask_for_export, fetched_export, put_exports_away
from blogforever.service.scheduling import enqueue_due
from blogforever.storage.following import FollowedQuery
from blogforever.storage.work import JobRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.members import OPEN
from blogforever.store.mirror import WARC
from server import family, talkblog
from server.blogserver import serve_answers
from server.objectstore import client, door, new_bucket, use_store
from server.postgres import bare_database
from server.service import COMMAND, PATIENCE, follow, until
from server.talkblog import POSTS, path

pytestmark = [pytest.mark.postgres, pytest.mark.long]
# Bytes: more than the heads of a request, and less than any WARC file.
CUT = 3000


class Fleet:
    """Machines that share a database and a bucket, and nothing else."""

    def __init__(self, place: Path, database: str, bucket: str) -> None:
        self.place, self.database, self.blobs = place, database, f"s3://{bucket}/kept"

    @contextmanager
    def machine(self, name: str, *flags: str) -> Iterator[subprocess.Popen[str]]:
        """One of them at work: a process group of its own, until the block ends."""
        command = [str(COMMAND), "worker", "--archive", str(self.place / name), "--database", self.database]
        command += ["--blobs", self.blobs, "--allow-private", "--delay", "0.05", "--render", "never"]
        with subprocess.Popen(
            [*command, "--silence", "3", *flags], stdout=subprocess.PIPE, text=True, process_group=0
        ) as process:
            try:
                assert process.stdout
                assert process.stdout.readline().startswith("Working for postgresql://")
                yield process
            finally:
                if process.poll() is None:
                    process.terminate()
                    process.wait(PATIENCE)

    def open(self, name: str, writing: bool = False) -> ArchiveFolder:
        return open_shared(self.database, self.blobs, self.place / name, writing)

    def command(self, name: str, *arguments: str) -> None:
        where = ("--archive", str(self.place / name), "--database", self.database, "--blobs", self.blobs)
        assert run([*arguments, *where]) == 0


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fleet]:
    use_store(monkeypatch)
    with bare_database("worker_blobs") as url:
        yield Fleet(tmp_path, url.render_as_string(), new_bucket())


def is_done(archive: ArchiveFolder, job: JobRow) -> bool:
    row = archive.store.jobs.find(job.id)
    assert row
    assert row.state != "failed", row.error
    return row.state == "done"


def posts(archive: ArchiveFolder) -> list[str]:
    return sorted(post.url for blog in archive.library.blogs() for post in archive.library.posts(blog.id))


def warcs_in(folder: Path) -> list[Path]:
    return list((folder / "warc").rglob(f"*{WARC}*"))


def kept(fleet: Fleet) -> list[str]:
    """The names of all WARC files in the bucket."""
    bucket = fleet.blobs.split("/")[2]
    names = [one["Key"] for one in client().list_objects_v2(Bucket=bucket).get("Contents", ())]
    return [name.rpartition("/")[2] for name in names if name.endswith(WARC)]


def harvested(fleet: Fleet, portal: ArchiveFolder, base: str) -> None:
    """Have a blog followed, and wait until somebody has harvested it."""
    follow(fleet.place / "portal", base)
    enqueue_due(portal.store)
    until(lambda: set(portal.store.followed.counts()) == {"following"})


def test_what_one_machine_harvests_another_goes_on_with_reads_again_erases_verifies_and_exports(fleet: Fleet) -> None:
    with serve_answers(talkblog.answers("")) as site, fleet.open("portal", writing=True) as portal:
        with fleet.machine("one", "--queue", "harvest", "--delay", "0.3") as machine:
            follow(fleet.place / "portal", site.base)
            enqueue_due(portal.store)
            until(lambda: len(site.asked) > POSTS)
            family.kill(machine.pid)
            machine.wait()
        # What was open there is on no other machine; it reaches the store when this one comes back.
        begun = {one.name.removesuffix(OPEN) for one in warcs_in(fleet.place / "one")}
        assert begun
        with fleet.machine("one", "--queue", "render"), fleet.machine("two", "--queue", "harvest"):
            until(lambda: set(portal.store.followed.counts()) == {"following"})
            until(lambda: begun <= {*kept(fleet)})
        assert len(posts(portal)) == POSTS
        assert warcs_in(fleet.place / "portal") == []
        (blog,) = portal.store.followed.page(FollowedQuery()).items
        with fleet.machine("two", "--queue", "reread", "--queue", "export"):
            jobs = [
                ask_to_reread(portal.store, blog, "somebody"),
                ask_for_export(portal, ExportWish("wacz", blog.id), "somebody"),
            ]
            until(lambda: all(is_done(portal, job) for job in jobs))
        wacz = fetched_export(portal, jobs[1].id)
        assert wacz
        assert not (fleet.place / "two/exports" / wacz.name).exists()
        with zipfile.ZipFile(wacz) as box:
            assert box.testzip() is None
            assert any(name.endswith(WARC) for name in box.namelist())
        fleet.command("two", "suppress", site.base + path(3), "--erase", "--reason", "asked")
        fleet.command("three", "verify")
        assert site.base + path(3) not in posts(portal)
        assert put_exports_away(portal) == 0


def test_an_upload_that_is_cut_or_killed_in_the_middle_loses_nothing(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        door() as entry,
        serve_answers(talkblog.answers("")) as site,
        fleet.open("portal", writing=True) as portal,
    ):
        use_store(monkeypatch, entry.port)
        entry.cutting = CUT
        with fleet.machine("one"):
            harvested(fleet, portal, site.base)
        assert entry.cuts
        assert kept(fleet) == []
        assert portal.mirror
        assert {row.machine.rpartition(":")[2] for row in portal.mirror.list.waiting()} == {str(fleet.place / "one")}
        assert all(row.error for row in portal.mirror.list.waiting() if row.name.endswith(WARC))
        entry.cutting, entry.holding = None, CUT
        with fleet.machine("one") as machine:
            until(lambda: entry.held > 0)
            family.kill(machine.pid)
            machine.wait()
        here = warcs_in(fleet.place / "one")
        assert here
        assert kept(fleet) == []
        entry.holding = None
        with fleet.machine("one"):
            until(lambda: not portal.mirror or not portal.mirror.list.waiting())
    use_store(monkeypatch)
    assert sorted(kept(fleet)) == sorted(one.name for one in here)
    with fleet.open("two") as other:
        assert len(posts(other)) == POSTS
    fleet.command("two", "verify")
