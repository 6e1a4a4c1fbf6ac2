"""An archive of the sample blog as the service leaves it: harvested once for all processes of a run."""

from __future__ import annotations

import asyncio
import fcntl
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher

from blogforever.archive.following import Follower
from blogforever.config import Config
from blogforever.service import people
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.counting import count_news
from blogforever.service.desk import desk_of
from blogforever.service.people import add_user
from blogforever.service.scheduling import enqueue_due
from blogforever.service.working import handlers_of, limits_of
from blogforever.source.reading import given_as_addresses
from blogforever.storage.people import ROLES
from blogforever.store.folder import ArchiveFolder
from blogforever.work.worker import Worker

SAMPLE = Path(__file__).parents[2] / "sample"
UNDER_WAY = ("waiting", "running")
PASSWORD = "the long shelf"


def hash_cheaply() -> None:
    """Let passwords cost nothing: that argon2 is slow is its business, not that of a test."""
    people.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def sample_archive(shared: Path) -> Path:
    """The archive in a folder that all processes of a run share; whoever comes first makes it."""
    folder = shared / "sample-archive"
    with (shared / "sample-archive.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = shared / "sample-archive.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            with served_sample(shared / "sample-site") as url:
                harvest(unfinished, [f"{url}/"])
            unfinished.rename(folder)
    return folder


@contextmanager
def served_sample(site: Path) -> Iterator[str]:
    """The sample blog on loopback."""
    sys.path.insert(0, str(SAMPLE))
    try:
        from serve import served  # noqa: PLC0415  a script beside others
    finally:
        sys.path.remove(str(SAMPLE))
    with served(site) as url:
        yield url


def harvest(folder: Path, urls: Sequence[str], **options: Any) -> None:
    """Follow blogs, and carry out their first harvests as a worker does; a person of each role is there, too."""

    def add(archive: ArchiveFolder) -> None:
        for role in () if archive.store.users.all() else reversed(ROLES):
            add_user(archive.store, role, role, PASSWORD)
        add_sources(desk_of(archive, "admin"), AddRequest(given_as_addresses(urls), list="Favourites"))

    carry_out(folder, add, **options)


def carry_out(folder: Path, ask: Callable[[ArchiveFolder], None], **options: Any) -> None:
    """Ask the service for something, and work as a worker does until nothing is left to do."""
    config = Config(archive=folder, allow_private=True, delay=0.0, retries=0, render="never", **options)

    async def looks() -> None:
        async with Follower(config) as follower:
            store = follower.archive.store
            ask(follower.archive)
            enqueue_due(store)
            worker = Worker("sample", store, handlers_of(follower, config), limits_of(follower.archive, config))
            working = asyncio.create_task(worker.run())
            while any(state in UNDER_WAY for _, state in store.jobs.counts()):
                await asyncio.sleep(0.1)
            worker.drain()
            await working
            while count_news(store):
                pass

    # A thread of its own: a browser started before leaves this one an event loop that is running.
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(asyncio.run, looks()).result()
