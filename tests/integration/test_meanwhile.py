"""What is known of a blog can be seen while the crawl still runs, and a blog that is done is saved at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blogs
from blogforever.archive.jobs import CrawlProgress
from blogforever.archive.listing import CrawlStanding, list_blogs
from blogforever.cli import run
from blogforever.config import Config
from blogforever.store import rows
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, serve, serve_answers, slug
from server.heldblog import held


def settings(archive: Path) -> Config:
    return Config(archive=archive, allow_private=True, delay=0.0, timeout=60.0, render="never")


def test_a_crawl_that_goes_on_is_listed_by_another_command(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(rows, "SECONDS", -1.0)
    go_on, told = Event(), list[str]()

    def watch(standing: CrawlProgress) -> None:
        if standing.posts >= POSTS - 1 and not go_on.is_set():
            command = [sys.executable, "-m", "blogforever", "list", "--archive", str(tmp_path / "a")]
            told.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            go_on.set()

    with serve_answers(held(go_on, slug(3))) as site:
        (report,) = crawl_blogs([site.base], settings(tmp_path / "a"), watch)
    assert report.posts == POSTS
    assert report.blog in told[0]
    assert "harvesting: " in told[0]
    assert "0 posts read" not in told[0]
    assert [blog.standing for blog in list_blogs(tmp_path / "a")] == [None]


def standing(archive: Path) -> CrawlStanding:
    (blog,) = list_blogs(archive)
    assert blog.standing
    return blog.standing


def test_a_crawl_that_was_cut_off_is_listed_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        archive.store.runs.open("some.blog")
        archive.tell_crawled(["some.blog"])
        assert standing(tmp_path / "a").now
    assert not standing(tmp_path / "a").now
    assert run(["list", "--archive", str(tmp_path / "a")]) == 0
    assert "the last crawl was interrupted: 0 posts read so far, 0 responses kept" in capsys.readouterr().out


def test_a_blog_that_is_done_is_saved_before_the_slowest_is(tmp_path: Path) -> None:
    begun, go_on, over, seen = Event(), Event(), Event(), list[int]()

    def look() -> None:
        """Let the slow one go on as soon as the other is in the archive."""
        while not over.wait(0.05) and not go_on.is_set():
            if begun.is_set():
                with ArchiveFolder(tmp_path / "a", writing=False) as archive:
                    seen[:] = [blog.kept for blog in archive.library.blogs() if blog.url]
            if POSTS in seen:
                go_on.set()

    looking = Thread(target=look)
    with serve() as quick, serve_answers(held(go_on, slug(5))) as slow:
        looking.start()
        try:
            reports = crawl_blogs([quick.base, slow.base], settings(tmp_path / "a"), lambda _standing: begun.set())
        finally:
            over.set()
            looking.join()
    assert seen == [POSTS]
    assert [report.posts for report in reports] == [POSTS, POSTS]
