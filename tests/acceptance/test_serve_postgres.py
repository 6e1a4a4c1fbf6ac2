"""`blogforever serve` with its records on a server: a worker is killed, and every connection is cut, in the middle."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from blogforever.archive.checking import verify
from blogforever.store.folder import ArchiveFolder
from blogforever.store.place import settle
from server.blogserver import POSTS, serve
from server.postgres import cut_off, emptied_database, postgres
from server.service import follow, serving, until

pytestmark = [pytest.mark.postgres, pytest.mark.long]


def test_it_harvests_whatever_is_killed_or_cut_meanwhile(tmp_path: Path) -> None:
    emptied_database().dispose()
    settle(tmp_path / "a", postgres())
    with serve() as site, serving(tmp_path / "a", "--delay", "0.2") as service:
        follow(service.archive, site.base)
        until(lambda: len(site.asked) > 4)
        (worker,) = service.workers()
        os.kill(worker, signal.SIGKILL)
        until(lambda: len(site.asked) > 8)
        cut_off()
        until(lambda: service.blog(site.base).state == "following")
        assert service.end() == 0
    with ArchiveFolder(service.archive, writing=False) as archive:
        posts = [post.url for blog in archive.library.blogs() for post in archive.library.posts(blog.id)]
        assert archive.search.find("story")
    assert len(posts) == len(set(posts)) == POSTS
    assert verify(service.archive).problems == 0
