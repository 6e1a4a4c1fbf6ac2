"""Several commands write one archive, each in its own process: different blogs at once, the same blog in turn."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from blogforever.archive.listing import list_blogs
from blogforever.cli import run
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import crawled_now
from server.blogserver import POSTS, Site, serve, serve_answers, slug, story
from server.heldblog import PATIENCE, held
from server.smallarchive import BLOG, address, make_archive, words

pytestmark = pytest.mark.long

USUAL = ["--allow-private", "--delay", "0", "--render", "never", "--apart", "--timeout", str(PATIENCE)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "archive"


def crawling(archive: Path, url: str, *more: str) -> list[str]:
    return ["crawl", url, "--archive", str(archive), *USUAL, *more]


def start(arguments: list[str]) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "blogforever", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> str:
    """What a command said, when it has done everything."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def waits(process: subprocess.Popen[str]) -> str:
    """What a command says that it waits for."""
    assert process.stderr
    return next(line for line in process.stderr if "waiting until it has ended" in line)


@contextmanager
def crawled(archive: Path) -> Iterator[tuple[Site, subprocess.Popen[str], Event]]:
    """A blog that is being crawled by another process, until the event is set."""
    asked, go_on = Event(), Event()
    with serve_answers(held(go_on, slug(3), asked)) as site:
        process = start(crawling(archive, site.base))
        try:
            assert asked.wait(PATIENCE)
            yield site, process, go_on
        finally:
            go_on.set()
            process.kill()
            process.communicate()


def kept(archive: Path) -> list[int]:
    """How many posts each blog has that was crawled."""
    with ArchiveFolder(archive, writing=False) as opened:
        return [blog.kept for blog in opened.library.blogs()]


def runs(archive: Path) -> list[str]:
    with ArchiveFolder(archive, writing=False) as opened, opened.engine.connect() as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT ending FROM runs ORDER BY id")]


def is_sound(archive: Path) -> bool:
    return run(["verify", "--archive", str(archive)]) == 0 and not list(archive.rglob("*.open"))


def test_two_blogs_are_crawled_at_once_by_two_commands(archive: Path) -> None:
    with crawled(archive) as (_one, first, go_on), crawled(archive) as (_two, second, go_on_too):
        # Both are in the middle of it now.
        assert len(crawled_now(archive)) == 2
        assert [one.standing.now for one in list_blogs(archive) if one.standing] == [True, True]
        go_on.set()
        assert f"{POSTS} posts kept" in ended(first)
        go_on_too.set()
        assert f"{POSTS} posts kept" in ended(second)
    assert kept(archive) == [POSTS, POSTS]
    assert runs(archive) == ["finished", "finished"]
    assert is_sound(archive)
    assert run(["search", "ferry", "--archive", str(archive)]) == 0


def test_a_second_crawl_of_the_same_blog_waits_and_brings_it_up_to_date(archive: Path) -> None:
    with crawled(archive) as (site, first, go_on):
        second = start(crawling(archive, site.base))
        assert "the blog 127.0.0.1" in waits(second)
        assert second.poll() is None
        go_on.set()
        assert f"{POSTS} posts kept, from" in ended(first)
        assert f"nothing new; {POSTS} posts kept" in ended(second)
    assert runs(archive) == ["finished", "finished"]
    assert is_sound(archive)


def test_who_must_not_wait_is_refused(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with crawled(archive) as (site, _first, _go_on):
        assert run(crawling(archive, site.base, "--no-wait")) == 4
        assert capsys.readouterr().err.count("\n") == 1
        assert run(["backup", str(archive.parent / "copy"), "--archive", str(archive), "--no-wait"]) == 4
        assert capsys.readouterr().err.count("\n") == 1


def test_waiting_can_be_broken_off(archive: Path) -> None:
    with crawled(archive) as (site, first, go_on):
        second = start(crawling(archive, site.base))
        waits(second)
        second.send_signal(signal.SIGINT)
        second.communicate()
        assert second.returncode == 130
        go_on.set()
        ended(first)
    assert runs(archive) == ["finished"]


def test_a_crawl_that_is_killed_keeps_nobody_waiting_and_its_blog_is_gone_on_with(archive: Path) -> None:
    with crawled(archive) as (site, first, go_on):
        first.kill()
        first.communicate()
        assert list(archive.rglob("*.open"))
        # Who writes another blog leaves the file alone that was cut off.
        with serve() as other:
            assert run(crawling(archive, other.base)) == 0
        assert list(archive.rglob("*.open"))
        go_on.set()
        assert run(crawling(archive, site.base, "--no-wait")) == 0
    assert kept(archive) == [POSTS, POSTS]
    assert is_sound(archive)


def test_who_needs_the_whole_archive_waits_for_every_crawl(archive: Path) -> None:
    with crawled(archive) as (_site, first, go_on):
        backup = start(["backup", str(archive.parent / "copy"), "--archive", str(archive)])
        assert "the archive" in waits(backup)
        go_on.set()
        ended(first)
        assert "copied now" in ended(backup)
    assert not list((archive.parent / "copy").rglob("*.open"))


def test_another_blog_is_hidden_noted_read_again_and_erased_while_one_is_crawled(archive: Path) -> None:
    make_archive(archive)
    (archive / "all.jsonl").write_text(words(1))
    where = ["--archive", str(archive), "--no-wait"]
    with crawled(archive) as (site, first, go_on):
        assert run(["note", address(0), "seen", *where]) == 0
        assert run(["suppress", address(0), "--reason", "asked", *where]) == 0
        assert run(["reextract", BLOG, *where]) == 0
        assert run(["suppress", address(1), "--erase", "--reason", "asked", *where]) == 0
        # Nobody knows yet of which blog this is: it must be hidden in all, and one of them is being written.
        assert run(["suppress", site.base + slug(1), "--kind", "url", "--reason", "asked", *where]) == 4
        assert words(1) not in (archive / "all.jsonl").read_text(encoding="utf-8")
        go_on.set()
        assert f"{POSTS} posts kept" in ended(first)
    assert kept(archive) == [POSTS, 1]
    database = b"".join(path.read_bytes() for path in archive.glob("archive.db*"))
    assert words(1).encode() not in database
    assert story(2)[0].encode() in database
    assert is_sound(archive)
