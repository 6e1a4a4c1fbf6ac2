"""Who may write what: blogs one by one, the archive alone, and nobody waits for somebody who waits for him."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from blogforever.errors import ArchiveError, ArchiveLocked
from blogforever.store.inside import owner_of
from blogforever.store.lock import ArchiveLocks, crawled_now, is_held_alone, service_lock, written_now

HOLD = """
import sys
from pathlib import Path
from blogforever.store.lock import ArchiveLocks
locks = ArchiveLocks(Path(sys.argv[1]), alone=False)
locks.tell_crawled(["one"])
print("held", flush=True)
sys.stdin.read()
"""


class OnWaiting(logging.Handler):
    """Does something as soon as somebody says that he waits."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._act = act

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        self._act()


@contextmanager
def on_waiting(act: Callable[[], None]) -> Iterator[OnWaiting]:
    handler, store = OnWaiting(act), logging.getLogger("blogforever.store")
    store.addHandler(handler)
    try:
        yield handler
    finally:
        store.removeHandler(handler)


def shared(folder: Path) -> ArchiveLocks:
    return ArchiveLocks(folder, wait=False, alone=False)


def test_two_commands_write_two_blogs(tmp_path: Path) -> None:
    one, two = shared(tmp_path), shared(tmp_path)
    assert not one.hold(["one"])
    assert not two.hold(["two"])
    assert one.has("one")
    assert not one.has("two")
    assert written_now(tmp_path) == {"one", "two"}
    one.release()
    assert written_now(tmp_path) == {"two"}
    two.release()


def test_one_blog_is_written_by_one_command(tmp_path: Path) -> None:
    one, two = shared(tmp_path), shared(tmp_path)
    one.hold(["b"])
    with pytest.raises(ArchiveLocked, match="the blog b"):
        two.hold(["a", "b"])
    assert not two.hold_if_free("b")
    one.release()
    assert two.hold_if_free("b")
    two.release()


def test_who_has_the_archive_alone_keeps_all_others_out(tmp_path: Path) -> None:
    locks = ArchiveLocks(tmp_path)
    assert locks.has("any")
    assert is_held_alone(tmp_path)
    with pytest.raises(ArchiveLocked, match="the archive"):
        shared(tmp_path)
    locks.share()
    other = shared(tmp_path)
    assert not is_held_alone(tmp_path)
    with pytest.raises(ArchiveLocked):
        ArchiveLocks(tmp_path, wait=False)
    other.release()
    locks.release()


def test_who_comes_second_says_what_he_waits_for_and_waits(tmp_path: Path) -> None:
    first, second = shared(tmp_path), ArchiveLocks(tmp_path, alone=False)
    first.hold(["b"])
    with on_waiting(first.release) as told:
        assert second.hold(["b"])
    assert second.has("b")
    assert len(told.lines) == 1
    assert "the blog b" in told.lines[0]
    assert "waiting" in told.lines[0]
    second.release()


def test_who_needs_all_waits_for_everyone_and_holds_nothing_meanwhile(tmp_path: Path) -> None:
    first, second = shared(tmp_path), ArchiveLocks(tmp_path, alone=False)
    first.hold(["a"])
    second.hold(["b"])

    def go_on() -> None:
        first.hold(["a", "b"])
        first.release()

    with on_waiting(go_on) as told:
        second.hold_all()
    assert len(told.lines) == 1
    assert second.has("a")
    second.release()


def test_a_lock_that_was_waited_for_keeps_the_third_one_out(tmp_path: Path) -> None:
    """The file that was waited for was removed by who had it: only the one that is there now counts."""
    first, second = shared(tmp_path), ArchiveLocks(tmp_path, alone=False)
    first.hold(["b"])
    with on_waiting(first.release):
        second.hold(["b"])
    third = shared(tmp_path)
    assert not third.hold_if_free("b")
    second.release()
    third.release()


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    locks = shared(tmp_path)
    locks.tell_crawled(["a", "b"])
    locks.release()
    assert not list((tmp_path / ".locks").iterdir())


def test_blogs_in_any_order_never_wait_for_each_other(tmp_path: Path) -> None:
    taken: list[list[str]] = []

    def take(blogs: list[str]) -> None:
        for _ in range(25):
            locks = ArchiveLocks(tmp_path, alone=False)
            locks.hold(blogs[:1])
            locks.hold(blogs)
            taken.append(blogs)
            locks.release()

    threads = [Thread(target=take, args=(blogs,), daemon=True) for blogs in (["a", "b"], ["b", "a"], ["b", "c", "a"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(taken) == 75


def test_what_comes_to_blogs_that_are_held_may_have_let_others_in(tmp_path: Path) -> None:
    locks = shared(tmp_path)
    assert not locks.hold(["b"])
    assert not locks.hold(["b"])
    assert locks.hold(["a"])
    assert locks.has("a")
    assert locks.has("b")
    locks.release()


def test_readers_know_what_is_crawled(tmp_path: Path) -> None:
    assert crawled_now(tmp_path) == frozenset()
    locks = shared(tmp_path)
    locks.hold(["read", "crawled"])
    locks.tell_crawled(["crawled"])
    assert crawled_now(tmp_path) == {"crawled"}
    assert written_now(tmp_path) == {"read", "crawled"}
    locks.release()
    assert crawled_now(tmp_path) == frozenset()


def test_a_process_that_is_killed_leaves_nothing_locked(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        locks = shared(tmp_path)
        assert not locks.hold_if_free("one")
        assert crawled_now(tmp_path) == {"one"}
        process.kill()
    assert crawled_now(tmp_path) == frozenset()
    assert locks.hold_if_free("one")
    # The word that the crawl left is not true of who has the blog now.
    assert crawled_now(tmp_path) == frozenset()
    locks.release()
    ArchiveLocks(tmp_path, wait=False).release()


@pytest.mark.parametrize("link", [".lock", ".locks", ".locks/b"])
def test_a_lock_that_is_a_link_is_refused(tmp_path: Path, link: str) -> None:
    archive, elsewhere = tmp_path / "archive", tmp_path / "elsewhere"
    (archive / link).parent.mkdir(parents=True)
    elsewhere.mkdir()
    (archive / link).symlink_to(elsewhere)
    with pytest.raises(ArchiveError, match="symbolic link"):
        shared(archive)
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize(
    ("place", "owner"),
    [
        ("warc/some.blog/2020.warc.gz.open", "some.blog"),
        ("warc/some.blog/part/2020.warc.gz", "some.blog"),
        ("indexes/some.blog.cdxj", "some.blog"),
        ("indexes/some.blog.part", "some.blog"),
        ("rules/some.blog.json", "some.blog"),
        ("rules/some.blog.json.part", "some.blog"),
        ("journal/unfinished/some.blog.json.part", "some.blog"),
        ("journal/_archive.jsonl", None),
        ("all.jsonl", None),
        ("copy/warc/some.blog", None),
    ],
)
def test_a_file_belongs_to_a_blog_or_to_none(place: str, owner: str | None) -> None:
    assert owner_of(Path(place)) == owner


def test_who_needs_an_archive_alone_does_not_wait_for_a_service(tmp_path: Path) -> None:
    shared = ArchiveLocks(tmp_path, alone=False)
    with service_lock(tmp_path), pytest.raises(ArchiveLocked, match=r"A service is running .* end it first"):
        ArchiveLocks(tmp_path, wait=True)
    shared.release()
