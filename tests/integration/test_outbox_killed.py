"""Whoever fills the outbox may be killed at any step: each post is there once, and no file is half."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from blogforever.archive.opening import open_archive
from blogforever.archive.outboxfiles import OUTBOX, outbox_path
from blogforever.service.outbox import add_account
from blogforever.service.outboxfeed import OutboxFeeder
from server.ftp import SECRET
from server.samplearchive import hash_cheaply
from server.writtenarchive import BLOG, small_post, write_archive

POSTS = 60
KILLS = int(os.environ.get("KILLS", "5"))


def fill_and_die(folder: Path, steps: int) -> int:
    """Fill the outbox in a process that is killed before so many files are opened or removed, or transactions end; how
    it ended.
    """
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = [steps]

    def step(*_: object) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(name: str, words: tuple[object, ...]) -> None:
        if name in ("open", "os.remove") and OUTBOX in str(words[0]):
            step()

    with open_archive(folder, writing=True) as archive:
        event.listen(Engine, "commit", step)
        sys.addaudithook(watch)
        feeder = OutboxFeeder(archive)
        while feeder.look():
            pass
    os._exit(0)


def test_who_fills_the_outbox_may_be_killed_at_any_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hash_cheaply()
    folder = write_archive(tmp_path / "archive", small_post("old"))
    with open_archive(folder, writing=True) as archive:
        add_account(archive, "ann", SECRET)
        run, _ = archive.store.runs.open(BLOG)
        for number in range(POSTS):
            archive.store.posts.keep(run, small_post(f"p{number}", "word " * number))
    monkeypatch.setattr("blogforever.archive.outbox.AT_ONCE", 7)
    chance = random.Random(KILLS)
    for _ in range(KILLS):
        assert fill_and_die(folder, chance.randrange(2, POSTS // 2)) == -signal.SIGKILL
    with open_archive(folder, writing=True) as archive:
        feeder = OutboxFeeder(archive)
        while feeder.look():
            pass
        files = archive.store.outbox.waiting_for("ann", 0, 10 * POSTS)
        assert len(files) == len({file.post for file in files}) == POSTS
        for file in files:
            assert hashlib.sha256(outbox_path(folder, file).read_bytes()).hexdigest() == file.digest
        assert len(list((folder / OUTBOX).iterdir())) == POSTS
