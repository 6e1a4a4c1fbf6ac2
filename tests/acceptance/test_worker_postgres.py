"""`blogforever worker`: machines that come, are drained, die, or have another version, while others go on."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from blogforever.archive.checking import verify
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import LOCKS
from blogforever.store.lock import WORKERS
from blogforever.store.place import settle
from server.blogserver import POSTS, serve
from server.postgres import emptied_database, postgres
from server.service import COMMAND, PATIENCE, follow, serving, until

pytestmark = [pytest.mark.postgres, pytest.mark.long]


def address() -> str:
    return postgres().render_as_string()


@contextmanager
def machine(archive: Path, *flags: str) -> Iterator[subprocess.Popen[str]]:
    """One more machine: a process group of its own, which works until the block ends."""
    command = [str(COMMAND), "worker", "--archive", str(archive), "--database", address()]
    command += ["--allow-private", "--delay", "0.2", "--render", "never", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0) as process:
        try:
            assert process.stdout
            assert process.stdout.readline().startswith("Working for postgresql://")
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(PATIENCE)


def refused(*flags: str) -> tuple[int, str]:
    ended = subprocess.run([str(COMMAND), "worker", *flags], capture_output=True, text=True, check=False)
    return ended.returncode, ended.stderr


def workers(archive: Path) -> dict[str, int]:
    """The workers that live, and what process each is."""
    with ArchiveFolder(archive, writing=False) as folder:
        return {row.name: row.pid for row in folder.store.workers.rows()}


def holders(archive: Path) -> frozenset[str]:
    with ArchiveFolder(archive, writing=False) as folder:
        return folder.store.jobs.holders()


def test_what_a_machine_that_is_gone_had_under_way_goes_on_elsewhere(tmp_path: Path) -> None:
    emptied_database().dispose()
    archive = tmp_path / "a"
    settle(archive, postgres())
    with serve() as site, serving(archive, "--workers", "0"), machine(archive, "--silence", "3") as first:
        follow(archive, site.base)
        until(lambda: len(site.asked) > 4)
        (name,) = holders(archive)
        # Who starts workers again must not, and must not tell this one to end.
        first.send_signal(signal.SIGSTOP)
        os.kill(workers(archive)[name], signal.SIGKILL)
        first.kill()
        # As on another machine, whose lock files say nothing here: its silence does.
        (archive / LOCKS / WORKERS / name).unlink()
        first.wait()
        asked = len(site.asked)
        with machine(archive, "--silence", "3", "--queue", "harvest", "--slots", "2") as second:
            until(lambda: len(site.asked) > asked)
            with machine(archive, "--silence", "3") as third:
                until(lambda: len(workers(archive)) == 2)
                second.terminate()
                assert second.wait(PATIENCE) == 0
                with ArchiveFolder(archive, writing=False) as folder:
                    until(lambda: set(folder.store.followed.counts()) == {"following"})
                third.terminate()
                assert third.wait(PATIENCE) == 0
    with ArchiveFolder(archive, writing=False) as folder:
        posts = [post.url for blog in folder.library.blogs() for post in folder.library.posts(blog.id)]
    assert len(posts) == len(set(posts)) == POSTS
    assert verify(archive).problems == 0


def test_a_worker_without_a_shared_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    code, said = refused("--archive", str(tmp_path / "a"))
    assert (code, said.count("\n")) == (2, 1)
    assert "needs a database that machines share" in said
    assert not (tmp_path / "a").exists()
    code, said = refused("--archive", str(tmp_path / "a"), "--database", "sqlite:///archive.db")
    assert code == 2
    assert "is no database of PostgreSQL" in said


@pytest.mark.parametrize("version", ["0001", "9999"])
def test_a_worker_of_another_version_is_refused_in_one_sentence(tmp_path: Path, version: str) -> None:
    engine = emptied_database()
    with engine.begin() as connection:
        head = connection.scalar(text("SELECT version_num FROM alembic_version"))
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": version})
    try:
        code, said = refused("--archive", str(tmp_path / "a"), "--database", address())
    finally:
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": head})
        engine.dispose()
    assert (code, said.count("\n")) == (4, 1)
    assert f"another version of blogforever ({version};" in said


def test_a_queue_that_is_none_is_refused(tmp_path: Path) -> None:
    emptied_database().dispose()
    code, said = refused("--archive", str(tmp_path / "a"), "--database", address(), "--queue", "nonsense")
    assert code == 2
    assert "harvest, update, render, analyse, export, reread" in said
