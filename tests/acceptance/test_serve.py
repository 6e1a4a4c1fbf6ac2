"""`blogforever serve` as a process: it harvests what is followed, survives the death of any process, and ends well."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from blogforever.archive.checking import verify
from blogforever.storage.work import JobFilter
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, serve
from server.commands import done_here
from server.service import PATIENCE, Service, follow, serving, until

pytestmark = pytest.mark.long


def is_followed(service: Service, url: str) -> bool:
    return service.blog(url).state == "following"


def posts(archive: Path) -> list[str]:
    with ArchiveFolder(archive, writing=False) as folder:
        return [post.url for blog in folder.library.blogs() for post in folder.library.posts(blog.id)]


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, str]]:
    """A service that has harvested the one blog it follows, and goes on."""
    with serve() as site, serving(tmp_path_factory.mktemp("harvested") / "a") as service:
        assert service.get("/health") == (200, {"status": "ok"})
        follow(service.archive, site.base)
        until(lambda: is_followed(service, site.base))
        yield service, site.base


def test_it_harvests_what_is_followed(harvested: tuple[Service, str]) -> None:
    service, url = harvested
    blog = service.blog(url)
    assert blog.last_look
    assert blog.next_look
    assert blog.next_look > blog.last_look
    assert service.get("/ready") == (200, {"status": "ready"})
    assert len(posts(service.archive)) == len(set(posts(service.archive))) == POSTS


def test_one_service_is_enough_for_an_archive(harvested: tuple[Service, str], tmp_path: Path) -> None:
    second = done_here("serve", "--archive", str(harvested[0].archive), "--port", "0", cwd=tmp_path)
    assert second.returncode == 4
    assert "Another service is running" in second.stderr


def test_a_backup_beside_a_running_service_is_whole(harvested: tuple[Service, str], tmp_path: Path) -> None:
    archive = harvested[0].archive
    done = done_here("backup", str(tmp_path / "b"), "--archive", str(archive), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done_here("restore", str(tmp_path / "b"), "--archive", str(tmp_path / "again"), cwd=tmp_path).returncode == 0
    assert sorted(posts(tmp_path / "again")) == sorted(posts(archive))


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_that_is_killed_is_replaced_and_all_end_with_0_when_they_are_told_to(tmp_path: Path) -> None:
    with serve() as site, serving(tmp_path / "a", "--delay", "0.2") as service:
        follow(service.archive, site.base)
        until(lambda: len(site.asked) > 4)
        (worker,) = service.workers()
        os.kill(worker, signal.SIGKILL)
        until(lambda: is_followed(service, site.base))
        workers = service.workers()
        assert worker not in workers
        assert service.end() == 0
    until(lambda: not any(lives(pid) for pid in workers))
    assert len(posts(service.archive)) == len(set(posts(service.archive))) == POSTS
    assert verify(service.archive).problems == 0


def test_workers_end_when_the_service_is_killed_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with serve() as site:
        with serving(tmp_path / "a", "--delay", "0.2") as service:
            follow(service.archive, site.base)
            until(lambda: len(site.asked) > 4)
            workers = service.workers()
            assert service.end(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: not any(lives(pid) for pid in workers))
        with serving(tmp_path / "a") as service:
            until(lambda: is_followed(service, site.base))
            assert service.end(signal.SIGINT) == 0
    assert len(posts(service.archive)) == len(set(posts(service.archive))) == POSTS


def test_ctrl_c_in_a_terminal_is_heard_once_and_gives_back_what_is_under_way(tmp_path: Path) -> None:
    with serve() as site, serving(tmp_path / "a", "--delay", "1") as service:
        follow(service.archive, site.base)
        until(lambda: len(site.asked) > 4)
        os.killpg(service.process.pid, signal.SIGINT)
        assert service.process.wait(PATIENCE) == 0
    with ArchiveFolder(service.archive, writing=False) as folder:
        (job,) = folder.store.jobs.newest(JobFilter(), 9)
    assert (job.state, job.attempts, job.worker) == ("waiting", 0, None)


def test_the_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with serve() as site, serving(tmp_path / "a", "--delay", "5") as service:
        follow(service.archive, site.base)
        until(lambda: len(site.asked) > 1)
        workers = service.workers()
        service.process.terminate()
        service.end()
        until(lambda: not any(lives(pid) for pid in workers))


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (["--host", "0.0.0.0"], 2, "everybody could use the service"),
        (["--host", "256.1.1.1"], 2, "everybody could use the service"),
        (["--port", "70000"], 2, "cannot listen"),
        (["--workers", "many"], 2, "workers cannot be 'many'"),
        (["--stages", "x"], 2, "No such option"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(tmp_path: Path, flags: list[str], code: int, said: str) -> None:
    done = done_here("serve", "--archive", str(tmp_path / "a"), *flags, cwd=tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
