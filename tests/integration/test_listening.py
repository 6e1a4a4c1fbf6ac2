"""Ping servers read live: a file that is polled, a stream that breaks off; what they tell is followed up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive
from blogforever.config import Config, WayOut
from blogforever.errors import UsageError
from blogforever.fetch.connecting import NowhereError, Proxy
from blogforever.fetch.guard import Names
from blogforever.fetch.tailing import read_stream
from blogforever.fetch.ways import WaysOut
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.desk import desk_of
from blogforever.service.listening import PingListener
from blogforever.service.pinged import PingReceiver
from blogforever.service.pings import ServerWish, add_server, change_server
from blogforever.source.reading import given_as_addresses
from blogforever.storage.pings import ServerKind
from blogforever.storage.work import JobFilter
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Answers, Reply, serve_answers
from server.proxy import serve_tunnels
from server.tls import VALID, Authority

pytestmark = pytest.mark.anyio
BLOGS = [f"http://blog-{number}.example/" for number in range(6)]
OPENED = b'<?xml version="1.0"?><weblogUpdates version="1">'


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[ArchiveFolder]:
    with open_archive(tmp_path, writing=True) as opened:
        add_sources(desk_of(opened), AddRequest(given_as_addresses(BLOGS), "command"))
        for number in range(len(BLOGS)):
            name = f"blog-{number}.example"
            opened.store.followed.change(name, lambda one: replace(one, blog=one.id, state="following"))
        yield opened


def row(number: int) -> bytes:
    return b'<weblog name="a" url="%s" service="ping" />\n' % BLOGS[number].encode()


@asynccontextmanager
async def serving(*answers: bytes, asked: list[bytes] | None = None) -> AsyncIterator[int]:
    """Gives each connection the next answer, and the last one to all that come after."""
    left, heard = list(answers), [] if asked is None else asked

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = left.pop(0) if len(left) > 1 else left[0]
        if answer.startswith(b"HTTP"):
            heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answered, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def listened(
    archive: ArchiveFolder, kind: ServerKind, place: str, wanted: int, proxy: str = "", allow_private: bool = True
) -> set[str]:
    """The blogs that are looked at, as soon as there are so many."""
    server = add_server(desk_of(archive), ServerWish("s", kind, place, is_limited=True))
    change_server(desk_of(archive), server.id, is_on=True)
    draining = asyncio.Event()
    config = Config(archive=archive.folder, allow_private=allow_private, proxy=proxy)
    listener = PingListener(archive, config, PingReceiver(archive.store))
    running = asyncio.create_task(listener.run(draining))
    try:
        while len(looked := {job.blog for job in archive.store.jobs.newest(JobFilter(), 100)}) < wanted:
            await asyncio.sleep(0.02)
    finally:
        draining.set()
        await running
    return looked


async def test_a_file_is_read_and_the_blogs_it_names_are_looked_at(archive: ArchiveFolder) -> None:
    body = OPENED + row(0) + b'<weblog name="a & b" url=broken <<\n' + row(1) + b"</weblogUpdates>"
    async with serving(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n" + body) as port:
        looked = await listened(archive, "changes", f"http://127.0.0.1:{port}/changes.xml", 2)
    assert looked == {"blog-0.example", "blog-1.example"}
    counted = {one.label.partition("/")[2]: one.number for one in archive.store.counters.sums("0", "9", 4)}
    assert counted["malformed"] >= 1


async def test_a_stream_that_breaks_off_is_taken_up_again(archive: ArchiveFolder) -> None:
    async with serving(OPENED + row(2) + b"<weblog name=", OPENED + row(3)) as port:
        looked = await listened(archive, "stream", f"127.0.0.1:{port}", 2)
    assert looked == {"blog-2.example", "blog-3.example"}


async def test_a_server_that_answers_otherwise_is_tried_again_and_says_why(archive: ArchiveFolder) -> None:
    good = b"HTTP/1.0 200 OK\r\n\r\n" + OPENED + row(4)
    async with serving(b"HTTP/1.0 503 No\r\n\r\n", good) as port:
        looked = await listened(archive, "changes", f"http://127.0.0.1:{port}/", 1)
    assert looked == {"blog-4.example"}


@pytest.mark.parametrize(
    ("kind", "place", "line"),
    [
        ("changes", "http://ping.example/changes.xml", b"GET http://ping.example/changes.xml HTTP/1.0"),
        ("stream", "ping.example:29999", b"CONNECT ping.example:29999 HTTP/1.1"),
    ],
)
async def test_a_server_is_read_through_the_proxy(
    archive: ArchiveFolder, kind: ServerKind, place: str, line: bytes
) -> None:
    asked: list[bytes] = []
    async with serving(b"HTTP/1.1 200 OK\r\n\r\n" + OPENED + row(5), asked=asked) as port:
        looked = await listened(archive, kind, place, 1, f"http://ann:secret@127.0.0.1:{port}", allow_private=False)
    assert looked == {"blog-5.example"}
    assert asked[0].startswith(line)
    assert b"Proxy-Authorization: Basic YW5uOnNlY3JldA==" in asked[0]


async def test_a_file_over_https_comes_through_a_tunnel_of_the_proxy(
    archive: ArchiveFolder, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path_factory.mktemp("authority"))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))

    def changes(_base: str) -> Answers:
        return lambda _path: Reply(OPENED + row(5), headers={"Content-Type": "text/xml"})

    with serve_answers(changes, context=authority.context(VALID)) as site, serve_tunnels() as proxy:
        looked = await listened(archive, "changes", f"{site.base}/changes.xml", 1, proxy)
    assert looked == {"blog-5.example"}
    assert site.base.startswith("https://")


async def test_nobody_gets_to_private_places_through_a_proxy() -> None:
    async with serving(b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 403 No\r\n\r\n") as port:
        proxy, names = Proxy("127.0.0.1", port), Names()
        names.ways = WaysOut(WayOut(proxy=f"{proxy.host}:{proxy.port}"))
        with pytest.raises(NowhereError):
            await anext(read_stream(names, "10.0.0.1:80", 5, proxy))
        assert [piece async for piece in read_stream(names, "ping.example:80", 5, proxy)] == []
        with pytest.raises(OSError, match="403"):
            await anext(read_stream(names, "ping.example:80", 5, proxy))


def test_a_proxy_is_named_by_an_address() -> None:
    assert Proxy.of("") is None
    assert Proxy.of("proxy.example:3128") == Proxy("proxy.example", 3128)
    with pytest.raises(UsageError, match="not the address of a proxy"):
        Proxy.of("http://")
