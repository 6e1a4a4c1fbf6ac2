"""Measures how many unchanged blogs a process brings up to date in a second of CPU, a thousand at once; and its memory.

The blogs lie on loopback behind one small server, which a proxy's address leads to: each has a domain of its own, a
feed and a sitemap with ETags, and a few posts. The server is a process of its own, so that its work is not counted.
All are harvested, brought up to date until nothing is left to do, and then brought up to date again all at once; that
last round counts. Fails below the one limit or above the other.
"""

from __future__ import annotations

import asyncio
import hashlib
import resource
import sys
import tempfile
from argparse import ArgumentParser
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from urllib.parse import urlsplit

from blogforever.archive.bloglook import BlogLook
from blogforever.archive.following import Follower
from blogforever.config import Config
from blogforever.source.address import blog_name

BLOGS = 1000
POSTS = 3
# The first update after the walk looks at old posts in turn, and finds nothing left to do.
UPDATES_BEFORE = 1
LEAST_A_SECOND = 25.0
MOST_MEBIBYTES = 500.0
# As many harvests as a worker carries; the updates that are measured are all under way at once.
HARVESTS = 16
FRAME = "<!doctype html><html><head><title>{0} - Bench</title>{1}</head><body><main>{2}</main></body></html>"
FEED = "<link rel=alternate type=application/rss+xml title='Bench' href=/feed.xml>"
REASONS = {200: "OK", 304: "Not Modified", 404: "Not Found"}


def host(number: int) -> str:
    """The domain of a blog."""
    return f"blog{number:05}.bench{number:05}.example"


@cache
def answer_at(name: str, path: str) -> tuple[str, bytes]:
    """Type and body of a page; nothing where there is none."""
    base = f"http://{name}"
    posts = [f"/2024/{number + 1:02}/post-{number}/" for number in range(POSTS)]
    if path == "/":
        links = "".join(f'<h2><a href="{post}">Title {number}</a></h2>' for number, post in enumerate(posts))
        return "text/html", FRAME.format("Home", FEED, links).encode()
    if path == "/feed.xml":
        items = "".join(
            f"<item><title>Title {number} of {name}</title><link>{base}{post}</link>"
            f"<pubDate>2024-{number + 1:02}-11T08:00:00Z</pubDate>"
            f"<description><![CDATA[{_text(name, number)}]]></description></item>"
            for number, post in enumerate(posts)
        )
        head = f"<title>Bench {name}</title><link>{base}/</link>"
        return (
            "application/rss+xml",
            f"<?xml version='1.0'?><rss version='2.0'><channel>{head}{items}</channel></rss>".encode(),
        )
    if path == "/robots.txt":
        return "text/plain", b"User-agent: *\nAllow: /\n"
    if path in posts:
        number = posts.index(path)
        day = f"<time datetime=2024-{number + 1:02}-11>2024-{number + 1:02}-11</time>"
        body = f"<article><h1>Title {number} of {name}</h1>{day}{_text(name, number)}</article>"
        return "text/html", FRAME.format(f"Title {number} of {name}", FEED, body).encode()
    return "", b""


def _text(name: str, number: int) -> str:
    words = [hashlib.sha256(f"{name}.{number}.{place}".encode()).hexdigest()[: 3 + place % 6] for place in range(120)]
    return "".join(f"<p>{' '.join(words[first : first + 40])}.</p>" for first in range(0, len(words), 40))


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection of the proxy, request by request."""
    while head := await _head(reader):
        line, *rest = head.split("\r\n")
        parts = urlsplit(line.split(" ")[1])
        kind, body = answer_at(parts.hostname or "", parts.path or "/")
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        asked = dict(named.split(": ", 1) for named in rest if ": " in named)
        status = 304 if kind and asked.get("If-None-Match") == etag else 200 if kind else 404
        sent = b"" if status == 304 else body
        told = f"HTTP/1.1 {status} {REASONS[status]}\r\nETag: {etag}\r\nContent-Type: {kind or 'text/plain'}\r\n"
        length = "" if status == 304 else f"Content-Length: {len(sent)}\r\n"
        writer.write(f"{told}{length}\r\n".encode() + sent)
        await writer.drain()
    writer.close()


async def _head(reader: asyncio.StreamReader) -> str:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return ""


def serve(told: Connection) -> None:
    """The server's process: says its port, and goes on until it is ended."""

    async def main() -> None:
        server = await asyncio.start_server(_answer, "127.0.0.1", 0, backlog=4096)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


async def _looks(follower: Follower, blogs: int, at_once: int) -> list[BlogLook]:
    places = asyncio.Semaphore(at_once)

    async def look(number: int) -> BlogLook:
        address = f"http://{host(number)}/"
        async with places:
            return await follower.look_at(address, blog_name(address))

    return list(await asyncio.gather(*map(look, range(blogs))))


async def measure(config: Config, blogs: int) -> float:
    """CPU seconds of the last round of updates."""
    async with Follower(config) as follower:
        await _looks(follower, blogs, HARVESTS)
        for _ in range(UPDATES_BEFORE):
            await _looks(follower, blogs, blogs)
        before = process_time()
        looks = await _looks(follower, blogs, blogs)
        spent = process_time() - before
    unchanged = sum(look.outcome == "finished" and look.learned.not_modified for look in looks)
    assert unchanged == blogs, f"only {unchanged} of {blogs} blogs were unchanged"
    return spent


def main() -> int:
    """Command line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--blogs", type=int, default=BLOGS)
    blogs = parser.parse_args().blogs
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    port = ours.recv()
    try:
        with tempfile.TemporaryDirectory() as folder:
            config = Config(
                archive=Path(folder) / "archive",
                proxy=f"http://127.0.0.1:{port}",
                allow_private=True,
                delay=0.0,
                render="never",
            )
            spent = asyncio.run(measure(config, blogs))
    finally:
        server.terminate()
    rate = blogs / spent
    mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{blogs:,} unchanged blogs at once: {rate:.1f} updates a second of CPU (at least {LEAST_A_SECOND:.0f}),"
        f" {1000 * spent / blogs:.1f} ms each; {mebibytes:.0f} MiB of memory (at most {MOST_MEBIBYTES:.0f})"
    )
    return 0 if rate >= LEAST_A_SECOND and mebibytes <= MOST_MEBIBYTES else 1


if __name__ == "__main__":
    sys.exit(main())
