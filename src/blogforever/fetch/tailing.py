"""Reads what a server publishes for many: a file that is asked for again and again, or a stream without an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from urllib.parse import SplitResult, quote, urlsplit

from .connecting import Connection, Proxy, connected, to_proxy, tunnelled
from .guard import Names
from .posting import PLAIN, PORTS, STATUS

PIECE = 65_536
# Bytes of a file: the busiest servers published some ten megabytes.
LARGEST_FILE = 256 * 1024 * 1024
LONGEST_LINE = 8192
MOST_HEADERS = 200
GOOD = 200


class NotThereError(Exception):
    """The server answered, but not with what it publishes."""


async def read_file(
    names: Names, url: str, agent: str, seconds: float, proxy: Proxy | None = None
) -> AsyncIterator[bytes]:
    """A file, piece by piece; the server has so many seconds for each of them. NotThereError where
    it gives none.
    """
    parts = urlsplit(url)
    is_asked_for_whole = proxy is not None and parts.scheme == "http"
    async with _way(names, parts, proxy) as (reader, writer):
        writer.write(_request(parts, agent, proxy if is_asked_for_whole else None))
        await writer.drain()
        await asyncio.wait_for(_read_head(reader), seconds)
        read = 0
        while read < LARGEST_FILE and (piece := await asyncio.wait_for(reader.read(PIECE), seconds)):
            read += len(piece)
            yield piece


def _way(names: Names, parts: SplitResult, proxy: Proxy | None) -> AbstractAsyncContextManager[Connection]:
    """The connection over which a file comes: a proxy is asked for it, and for https makes a
    tunnel.
    """
    host, port = (parts.hostname or "").encode("idna").decode(), parts.port or PORTS[parts.scheme]
    is_safe = parts.scheme == "https"
    if proxy is None:
        return connected(names, host, port, is_safe=is_safe, longest_line=LONGEST_LINE)
    if is_safe:
        return tunnelled(names, proxy, host, port, is_safe=True, longest_line=LONGEST_LINE)
    return to_proxy(names, proxy, host, longest_line=LONGEST_LINE)


async def read_stream(names: Names, place: str, seconds: float, proxy: Proxy | None = None) -> AsyncIterator[bytes]:
    """A stream at `host:port`, as it comes; ends where the server ends it or is silent for so many
    seconds.
    """
    host, _, port = place.rpartition(":")
    way = (
        tunnelled(names, proxy, host, int(port), longest_line=LONGEST_LINE)
        if proxy
        else connected(names, host, int(port), longest_line=LONGEST_LINE)
    )
    async with way as (reader, _writer):
        while piece := await asyncio.wait_for(reader.read(PIECE), seconds):
            yield piece


async def _read_head(reader: asyncio.StreamReader) -> None:
    """Up to where the file begins."""
    found = STATUS.match(await reader.readline())
    if found is None or int(found[1]) != GOOD:
        raise NotThereError(f"It answered with status {found[1].decode()}." if found else "Its answer is no HTTP.")
    for _ in range(MOST_HEADERS):
        if not (await reader.readline()).strip():
            return
    raise NotThereError("Its answer has no end of headers.")


def _request(parts: SplitResult, agent: str, proxy: Proxy | None) -> bytes:
    """Of the first HTTP: what answers it comes in one piece and ends with the connection. A proxy
    is told the whole address.
    """
    target = quote(parts.path or "/", safe=PLAIN) + (f"?{quote(parts.query, safe=PLAIN)}" if parts.query else "")
    host = (parts.hostname or "").encode("idna").decode()
    place = host + (f":{parts.port}" if parts.port else "")
    whole, more = (f"{parts.scheme}://{place}{target}", proxy.headers()) if proxy else (target, "")
    return f"GET {whole} HTTP/1.0\r\nHost: {place}\r\nUser-Agent: {agent}\r\nAccept: */*\r\n{more}\r\n".encode()
