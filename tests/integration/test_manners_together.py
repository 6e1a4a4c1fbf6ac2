"""Two commands that crawl at the same time into one archive are one visitor to a service."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from time import sleep

import pytest

from blogforever.store.blobplace import settle_blobs
from blogforever.store.place import settle
from server.blogserver import Answers, Reply, serve_answers
from server.postgres import emptied_database, postgres
from server.wpblog import Blog, answer

pytestmark = pytest.mark.long

BLOG = Blog(posts=8, in_feed=8)
# A request is under way for so long that others would be seen beside it.
LASTING = 0.02
FLAGS = ("--allow-private", "--delay", "0", "--render", "never", "--retries", "0")


class Visitors:
    """Counts how many requests are under way, at all servers together."""

    def __init__(self) -> None:
        self._lock, self._now = Lock(), 0
        self.most = self.total = 0

    def answers(self, base: str) -> Answers:
        return lambda path: self._answered(lambda: answer(BLOG, base, path))

    def _answered(self, reply: Callable[[], Reply | None]) -> Reply | None:
        with self._lock:
            self._now, self.total = self._now + 1, self.total + 1
            self.most = max(self.most, self._now)
        try:
            sleep(LASTING)
            return reply()
        finally:
            with self._lock:
                self._now -= 1


@pytest.mark.parametrize(("allowed", "on_server"), [(1, False), (2, False), (1, True)])
def test_the_concurrency_of_a_service_holds_over_two_processes(tmp_path: Path, allowed: int, on_server: bool) -> None:
    visitors = Visitors()
    archives = [tmp_path / "a"] * 2
    if on_server:
        # Two machines: each has a folder of its own, and records and bytes of both are where all reach them.
        emptied_database().dispose()
        archives = [tmp_path / "a", tmp_path / "b"]
        for folder in archives:
            settle(folder, postgres())
            settle_blobs(folder, (tmp_path / "bytes").as_uri())
    with ExitStack() as stack:
        sites = [stack.enter_context(serve_answers(visitors.answers)) for _ in range(2)]
        crawl = [sys.executable, "-m", "blogforever", "crawl", "--concurrency", str(allowed), *FLAGS]
        wanted = [[site.base, "--archive", str(folder)] for site, folder in zip(sites, archives, strict=True)]
        running = [subprocess.Popen([*crawl, *more], stdout=subprocess.PIPE) for more in wanted]
        said = [process.communicate()[0].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    assert visitors.total > 2 * BLOG.posts
    assert visitors.most <= allowed
