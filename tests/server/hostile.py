"""A blog among pages that misbehave: one route per misbehaviour, beside the well-behaved posts of `blogserver`."""

from __future__ import annotations

import gzip
import socket
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import brotli
from scrapy.utils import _compression

from .blogserver import Reply, layout, routes, send, slug

zstd: Any = _compression.zstd  # type: ignore[attr-defined]  # the zstd of this Python, or its backport
Route = Callable[[BaseHTTPRequestHandler], None]
HTML = {"Content-Type": "text/html; charset=utf-8"}
BOMB = 60_000_000
ENDLESS = 20.0


@dataclass
class Hostile:
    """A running hostile site: its address, what was asked of it and when, what it should do."""

    base: str = ""
    path: str = ""
    asked: list[str] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
    agents: set[str] = field(default_factory=set)
    robots: str = "fine"
    storm: bool = False


def start(handler: BaseHTTPRequestHandler, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in (HTML | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        handler.send_header(name, value)
    handler.end_headers()


def slow_drip(handler: BaseHTTPRequestHandler) -> None:
    start(handler)
    end = time.monotonic() + ENDLESS
    while time.monotonic() < end:
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.1)


def slow_headers(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(ENDLESS)


def endless_body(handler: BaseHTTPRequestHandler) -> None:
    start(handler)
    end = time.monotonic() + ENDLESS
    while time.monotonic() < end:
        handler.wfile.write(b"<p>and so on, and on, and on</p>" * 2000)


def endless_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    end = time.monotonic() + ENDLESS
    while time.monotonic() < end:
        handler.wfile.write(b"X-More: and more of it\r\n" * 500)


def wrong_length(handler: BaseHTTPRequestHandler) -> None:
    start(handler, Content_Length="5000")
    handler.wfile.write(b"<html><body><p>There should be more of")
    handler.close_connection = True


def wrong_length_whole(handler: BaseHTTPRequestHandler) -> None:
    """All of the page is there; only the number is wrong."""
    page = layout("Whole", "<h1>Whole</h1><p>The number is wrong, the page is not.</p>")
    start(handler, Content_Length=str(len(page) + 100))
    handler.wfile.write(page)
    handler.close_connection = True


def broken_chunks(handler: BaseHTTPRequestHandler) -> None:
    handler.protocol_version = "HTTP/1.1"
    start(handler, Transfer_Encoding="chunked")
    handler.wfile.write(b"5\r\n<html\r\nzzz\r\nthis is no chunk\r\n")
    handler.close_connection = True


def reset(handler: BaseHTTPRequestHandler) -> None:
    start(handler, Content_Length="100000")
    handler.wfile.write(b"<html>")
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\x01\x02 this is no HTTP at all\r\n\r\n")
    handler.close_connection = True


@cache
def bomb(coding: str) -> bytes:
    """A small body that is a large one."""
    if coding == "gzip":
        return gzip.compress(bytes(BOMB), 6)
    if coding == "deflate":
        return zlib.compress(bytes(BOMB), 6)
    return bytes(brotli.compress(bytes(BOMB), quality=1)) if coding == "br" else bytes(zstd.compress(bytes(BOMB)))


@cache
def million_entries() -> bytes:
    """Packed, as servers send it."""
    items = b"".join(b"<item><link>/2001/01/%d/</link><title>%d</title></item>" % (n, n) for n in range(1_000_000))
    start = b'<?xml version="1.0"?><rss version="2.0"><channel><title>Many</title>'
    return gzip.compress(start + items + b"</channel></rss>", 1)


XML_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + ']><rss version="2.0"><channel><title>&j;</title><item><title>&j;</title><link>http://x/</link></item></channel></rss>'
).encode()
CHALLENGE = (
    b"<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    b"<script>window._cf_chl_opt={cvId:'3'};</script><noscript>Enable JavaScript and cookies</noscript></body></html>"
)


def calendar(handler: BaseHTTPRequestHandler) -> None:
    """A month that links to the next one, for ever."""
    parts = urlsplit(handler.path).path.strip("/").split("/")
    year, month = (int(parts[1]), int(parts[2])) if len(parts) == 3 else (2021, 1)
    after, before = divmod(year * 12 + month, 12), divmod(year * 12 + month - 2, 12)
    links = "".join(f'<a href="/calendar/{y}/{m + 1:02}/">{y}-{m + 1}</a> ' for y, m in (after, before))
    send(
        handler, Reply(layout(f"Calendar {year}-{month:02}", f"<h1>{year}-{month:02}</h1><p>Nothing here.</p>{links}"))
    )


def sessions(handler: BaseHTTPRequestHandler) -> None:
    """Every link has a new session id."""
    number = int(parse_qs(urlsplit(handler.path).query).get("sid", ["0"])[0])
    links = "".join(f'<a href="/session/?sid={number * 3 + n}">more</a> ' for n in range(1, 4))
    send(handler, Reply(layout("Session", f"<h1>Session</h1><p>The same text under any number.</p>{links}")))


def cookie_wall(handler: BaseHTTPRequestHandler) -> None:
    if "seen=1" in (handler.headers.get("Cookie") or ""):
        send(handler, Reply(layout("Behind the wall", "<h1>Behind the wall</h1><p>Here you are.</p>")))
    else:
        send(handler, Reply(b"", 302, {"Location": "/cookie-wall/", "Set-Cookie": "seen=1; Path=/"}))


def busy_once(site: Hostile) -> Route:
    def route(handler: BaseHTTPRequestHandler) -> None:
        first = len(site.times[handler.path]) == 1
        busy = Reply(b"later", 429, {"Retry-After": "1"})
        send(handler, busy if first else Reply(layout("Patience", "<h1>Patience</h1><p>It pays.</p>")))

    return route


def private_places(port: int) -> dict[str, str]:
    """This machine, in every spelling."""
    mapped = "[::ffff:127.0.0.1]"
    hosts = {"decimal": "2130706433", "hex": "0x7f000001", "octal": "0177.0.0.1", "mapped": mapped, "short": "127.1"}
    return {name: f"http://{host}:{port}/secret/{name}/" for name, host in hosts.items()}


def misbehaviour(site: Hostile, port: int) -> dict[str, Reply | Route]:
    """One route each."""
    packed = {f"/bomb-{coding}/": Reply(bomb(coding), headers=HTML | {"Content-Encoding": coding})
              for coding in ("gzip", "deflate", "br", "zstd")}  # fmt: skip
    away = {f"/to-{name}/": Reply(b"", 302, {"Location": url}) for name, url in private_places(port).items()}
    deep = b"<html><body>" + b"<div>" * 60_000 + b"deep" + b"</div>" * 60_000
    feed = {"Content-Type": "application/rss+xml"}
    return {
        "/slow-drip/": slow_drip,
        "/slow-headers/": slow_headers,
        "/endless-body/": endless_body,
        "/endless-headers/": endless_headers,
        "/wrong-length/": wrong_length,
        "/wrong-length-whole/": wrong_length_whole,
        "/broken-chunks/": broken_chunks,
        "/reset/": reset,
        "/hang-up/": hang_up,
        "/no-http/": no_http,
        **packed,
        "/not-packed/": Reply(layout("Plain", "<p>Not packed.</p>"), headers=HTML | {"Content-Encoding": "br"}),
        "/broken-gzip/": Reply(b"\x1f\x8b\x08\x00broken", headers=HTML | {"Content-Encoding": "gzip"}),
        "/million/feed.xml": Reply(million_entries(), headers=feed | {"Content-Encoding": "gzip"}),
        "/xml-bomb/feed.xml": Reply(XML_BOMB, headers=feed),
        "/loop/": Reply(b"", 302, {"Location": "/loop/b/"}),
        "/loop/b/": Reply(b"", 302, {"Location": "/loop/"}),
        "/to-nowhere/": Reply(b"", 302, {"Location": "http://[bad"}),
        "/to-file/": Reply(b"", 302, {"Location": "file:///etc/passwd"}),
        **away,
        "/wrong-charset/": Reply(
            layout("Füße", "<h1>Füße</h1><p>Grüße aus Köln.</p>").decode().encode("latin-1"), headers=HTML
        ),
        "/wrong-type/": Reply(layout("Typed", "<h1>Typed</h1><p>A page.</p>"), headers={"Content-Type": "image/png"}),
        "/binary/": Reply(bytes(range(256)) * 500, headers=HTML),
        "/deep/": Reply(deep, headers=HTML),
        "/calendar/": calendar,
        "/session/": sessions,
        "/soft-404/": Reply(layout("Not found", "<h1>Not found</h1><p>Sorry, there is nothing here.</p>")),
        "/challenge/": Reply(CHALLENGE, 403),
        "/challenge-200/": Reply(CHALLENGE),
        "/busy/": busy_once(site),
        "/broken-500/": Reply(b"no", 500),
        "/cookie-wall/": cookie_wall,
    }


@contextmanager
def serve_hostile(routes_to_link: tuple[str, ...] | None = None) -> Iterator[Hostile]:
    """Serve the blog with links to these misbehaving routes, or to all."""
    site = Hostile()
    answers: dict[str, Reply | Route] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.times.setdefault(self.path, []).append(time.monotonic())
            site.agents.add(self.headers.get("User-Agent") or "")
            try:
                send(self, answer(self.path))
            except (OSError, ValueError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    def answer(path: str) -> Reply | Route:
        if path == "/robots.txt" and site.robots != "fine":
            broken: dict[str, Reply | Route] = {"timeout": slow_headers, "error": Reply(b"", 503)}
            return broken.get(site.robots) or Reply(site.robots.encode())
        if site.storm and path.startswith("/20"):
            return Reply(b"", 500)
        found = answers.get(path) or answers.get(f"/{path.strip('/').split('/')[0].split('?')[0]}/")
        return found or Reply(b"<h1>Not here</h1>", 404)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.base = f"http://127.0.0.1:{server.server_port}"
    bad = misbehaviour(site, server.server_port)
    linked = bad if routes_to_link is None else routes_to_link
    links = "".join(f'<a href="{path}">{path}</a> ' for path in linked)
    answers.update(routes(site.base, links))
    answers.update(bad)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


__all__ = ["Hostile", "serve_hostile", "slug"]
