"""A ping server as they were (../shared/lab/pingstream.py): its stream, its file; dropped, garbled and flooded."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.request import urlopen
from xmlrpc.client import ServerProxy

import pytest

from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.desk import desk_of
from blogforever.service.listening import PingListener
from blogforever.service.pinged import PingReceiver
from blogforever.service.pings import ServerWish, add_server, change_server
from blogforever.service.pingstats import ServerFigures, ping_statistics
from blogforever.source.reading import given_as_addresses
from blogforever.storage.pings import ServerKind
from blogforever.storage.work import JobFilter
from blogforever.store.folder import ArchiveFolder
from server.ftp import free_port

pytestmark = pytest.mark.anyio
LAB = Path(__file__).resolve().parents[3] / "shared/lab/pingstream.py"
BLOGS = [f"http://blog-{number}.example/" for number in range(40)]
FLOOD = 20_000
# Seconds for what takes a few: a busy machine takes longer.
PATIENCE = 60.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class PingServerOfOld:
    """The lab's server."""

    port: int

    def ping(self, *blogs: str) -> None:
        with ServerProxy(f"http://127.0.0.1:{self.port}/") as calls:
            for blog in blogs:
                calls.weblogUpdates.ping("A blog", blog)

    def get(self, path: str) -> str:
        with urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())


@pytest.fixture
def old(tmp_path: Path) -> Iterator[PingServerOfOld]:
    port = free_port()
    data = str(tmp_path / "stream")
    subprocess.run([sys.executable, LAB, "start", data, str(port)], check=True, stdout=subprocess.DEVNULL)
    try:
        yield PingServerOfOld(port)
    finally:
        subprocess.run([sys.executable, LAB, "stop", data], check=True, stdout=subprocess.DEVNULL)


@dataclass
class Listening:
    """An archive whose blogs are followed, and who listens to the server."""

    archive: ArchiveFolder

    def looked_at(self) -> set[str]:
        return {f"http://{job.blog}/" for job in self.archive.store.jobs.newest(JobFilter(), 1000)}

    def heard(self, server: str) -> ServerFigures:
        told = {one.name: one.figures for one in ping_statistics(self.archive.store).servers}
        return told.get(server, ServerFigures())

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not await asyncio.to_thread(holds):
                await asyncio.sleep(0.05)


@asynccontextmanager
async def listening(folder: Path, old: PingServerOfOld, *kinds: ServerKind) -> AsyncIterator[Listening]:
    places = {"stream": f"127.0.0.1:{old.port + 1}", "changes": f"http://127.0.0.1:{old.port}/shortChanges.xml"}
    with open_archive(folder, writing=True) as archive:
        desk = desk_of(archive)
        add_sources(desk, AddRequest(given_as_addresses(BLOGS), "command"))
        for blog in archive.store.followed.some([one.removeprefix("http://").rstrip("/") for one in BLOGS]):
            archive.store.followed.change(blog.id, lambda one: replace(one, blog=one.id, state="following"))
        for kind in kinds:
            wish = ServerWish(kind, kind, places[kind], is_limited=True, every=30)
            change_server(desk, add_server(desk, wish).id, is_on=True)
        draining = asyncio.Event()
        config = Config(archive=folder, allow_private=True)
        running = asyncio.create_task(PingListener(archive, config, PingReceiver(archive.store)).run(draining))
        try:
            yield Listening(archive)
        finally:
            draining.set()
            await running


async def connected(here: Listening, old: PingServerOfOld, probe: str) -> None:
    """Until the stream is heard: it has no memory, so it is pinged until a ping comes through."""

    def is_heard() -> bool:
        old.ping(probe)
        return probe in here.looked_at()

    await here.until(is_heard)


async def test_a_stream_that_is_dropped_garbled_and_flooded_loses_nothing_that_it_sent(
    tmp_path: Path, old: PingServerOfOld
) -> None:
    async with listening(tmp_path / "a", old, "stream") as here:
        await connected(here, old, BLOGS[0])
        await asyncio.to_thread(old.ping, *BLOGS[1:10])
        await here.until(lambda: here.looked_at() >= {*BLOGS[:10]})
        old.get("garbage")
        await asyncio.to_thread(old.ping, *BLOGS[10:20])
        await here.until(lambda: here.looked_at() >= {*BLOGS[:20]})
        assert here.heard("stream").malformed == 1
        assert old.get("drop").strip() == "dropped 1"
        await connected(here, old, BLOGS[20])
        before = here.heard("stream").received
        await asyncio.to_thread(old.get, f"flood?n={FLOOD}")
        await asyncio.to_thread(old.ping, *BLOGS[21:])
        await here.until(lambda: here.looked_at() == {*BLOGS})
        figures = here.heard("stream")
    assert figures.received - before >= FLOOD + len(BLOGS[21:]), "each of the flood is counted"
    assert figures.known >= len(BLOGS)
    assert len(here.looked_at()) == len(BLOGS), "strangers of the flood led to nothing"


async def test_what_a_stream_sent_while_nobody_was_connected_is_in_its_file(
    tmp_path: Path, old: PingServerOfOld
) -> None:
    old.ping(*BLOGS[:5])
    async with listening(tmp_path / "a", old, "stream", "changes") as here:
        await here.until(lambda: here.looked_at() == {*BLOGS[:5]})
        assert here.heard("changes").known == 5
        await connected(here, old, BLOGS[5])
        assert here.heard("stream").known >= 1
