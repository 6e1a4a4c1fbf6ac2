"""Connections to addresses that a person gave, for what is no crawl: the guard decides where they may go."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from blogforever.errors import UsageError

from .guard import Names

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
REFUSED = "The address leads to private places only, or nowhere."
# Lines of a proxy's answer before a tunnel; it has a handful.
MOST_LINES = 100
USUAL_PORT = 80


class NowhereError(OSError):
    """There is no address that the guard lets anybody connect to."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy of the operator's own, and what it wants to be told."""

    host: str
    port: int
    authorization: str = ""

    @classmethod
    def of(cls, url: str) -> Proxy | None:
        """The proxy that an option names; UsageError where it is none."""
        if not url:
            return None
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            host, port = (parts.hostname or "").lower(), parts.port or USUAL_PORT
        except ValueError:
            host, port = "", 0
        if not host:
            raise UsageError(f"--proxy {url!r} is not the address of a proxy.")
        name = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else ""
        return cls(host, port, f"Basic {base64.b64encode(name.encode()).decode()}" if name else "")

    def headers(self) -> str:
        """What a request to it says beside the rest."""
        return f"Proxy-Authorization: {self.authorization}\r\n" if self.authorization else ""


@asynccontextmanager
async def connected(
    names: Names, host: str, port: int, *, is_safe: bool = False, longest_line: int
) -> AsyncIterator[Connection]:
    """A connection under the very address that was checked: the name may lead elsewhere a moment
    later.

    NowhereError where the guard lets nobody go there.
    """
    addresses = await names.addresses(host)
    context = ssl.create_default_context() if is_safe else None
    async with _opened(addresses, port, longest_line, context, host if is_safe else None) as connection:
        yield connection


@asynccontextmanager
async def to_proxy(names: Names, proxy: Proxy, host: str, *, longest_line: int) -> AsyncIterator[Connection]:
    """A connection to a proxy, over which a host is meant: NowhereError where the guard lets nobody
    go there. The proxy looks names up; only numbers can be checked here.
    """
    await names.addresses(host)
    if names.refused(host):
        raise NowhereError(REFUSED)
    async with _opened(await names.for_connection(proxy.host, proxy.port), proxy.port, longest_line) as connection:
        yield connection


@asynccontextmanager
async def tunnelled(
    names: Names, proxy: Proxy, host: str, port: int, *, is_safe: bool = False, longest_line: int
) -> AsyncIterator[Connection]:
    """A connection to a host through a proxy, as if there were none; OSError where it makes none."""
    async with to_proxy(names, proxy, host, longest_line=longest_line) as (reader, writer):
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        writer.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{proxy.headers()}\r\n".encode())
        await writer.drain()
        await _read_agreement(reader)
        if is_safe:
            await writer.start_tls(ssl.create_default_context(), server_hostname=host)
        yield reader, writer


async def _read_agreement(reader: asyncio.StreamReader) -> None:
    status = (await reader.readline()).split()
    for _ in range(MOST_LINES):
        if not (await reader.readline()).strip():
            break
    if status[1:2] != [b"200"]:
        said = b" ".join(status[1:])[:80].decode("latin-1")
        raise OSError(f"the proxy answered {said or 'nothing'}")


@asynccontextmanager
async def _opened(
    addresses: tuple[str, ...],
    port: int,
    longest_line: int,
    context: ssl.SSLContext | None = None,
    name: str | None = None,
) -> AsyncIterator[Connection]:
    if not addresses:
        raise NowhereError(REFUSED)
    reader, writer = await asyncio.open_connection(
        addresses[0], port, ssl=context, server_hostname=name, limit=longest_line
    )
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            writer.transport.abort()
