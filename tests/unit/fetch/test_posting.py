"""What is sent to an address that a person gave: guarded after the name is resolved, bounded, no redirect followed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from blogforever.errors import UsageError
from blogforever.fetch.connecting import REFUSED
from blogforever.fetch.guard import Names
from blogforever.fetch.posting import Posted, checked_target, post

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def names() -> Names:
    allowed = Names()
    allowed.allow_private = True
    return allowed


@asynccontextmanager
async def answering(answer: bytes, heard: list[bytes]) -> AsyncIterator[str]:
    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        heard.append(head + await reader.readexactly(length))
        with suppress(OSError):
            writer.write(answer)
            # Until who asks has had enough.
            await reader.read()
        writer.transport.abort()
        ended.set()

    ended = asyncio.Event()
    async with await asyncio.start_server(answered, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await ended.wait()


async def test_a_body_is_sent_whole_with_its_headers(names: Names) -> None:
    heard: list[bytes] = []
    async with answering(b"HTTP/1.1 204 No Content\r\n\r\n", heard) as address:
        posted = await post(names, f"{address}/höök?a=b c", {"X-A": "1"}, b"{}", 30)
    assert posted == Posted(204)
    assert posted.is_taken
    (request,) = heard
    assert request.startswith(b"POST /h%C3%B6%C3%B6k?a=b%20c HTTP/1.1\r\nHost: 127.0.0.1:")
    assert request.endswith(b"\r\nX-A: 1\r\n\r\n{}")


@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", 302, ""),
        (b"HTTP/1.0 500 Oh\r\n\r\n", 500, ""),
        (b"SSH-2.0-OpenSSH\r\n", 0, "Its answer is no HTTP."),
        (b"x" * 100_000, 0, "It cannot be reached"),
    ],
)
async def test_what_is_no_success_is_none(names: Names, answer: bytes, status: int, error: str) -> None:
    async with answering(answer, []) as address:
        posted = await post(names, address, {}, b"{}", 30)
    assert (posted.status, posted.is_taken) == (status, False)
    assert posted.error.startswith(error)


async def test_nobody_is_waited_for_longer_than_said(names: Names) -> None:
    async with answering(b"", []) as address:
        assert await post(names, address, {}, b"{}", 0.05) == Posted(error="It did not answer within 0 seconds.")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0x7f000001", "169.254.169.254", "10.0.0.1"])
async def test_private_places_are_told_nothing_whatever_their_name(host: str) -> None:
    assert await post(Names(), f"http://{host}:9/", {}, b"{}", 30) == Posted(error=REFUSED)


async def test_who_does_not_listen_is_not_reached(names: Names) -> None:
    posted = await post(names, "http://127.0.0.1:1/", {}, b"{}", 30)
    assert posted.error.startswith("It cannot be reached")


WRONG = ["", "a.example", "ftp://a.example/", "http://", "http://a.example:99999/", "http://a.example/\r\nX: y"]


@pytest.mark.parametrize("url", [*WRONG, "h" * 3000])
def test_what_is_no_address_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        checked_target(url)


def test_a_password_in_an_address_is_refused() -> None:
    with pytest.raises(UsageError, match="leave them out"):
        checked_target("https://me:secret@a.example/")
