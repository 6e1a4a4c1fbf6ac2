"""Measures the update of an unchanged blog of 5,000 posts: CPU beyond the process start, and requests.

The blog lies on loopback: a full feed of 20 entries, a sitemap with dates, a comment feed, all with ETags. It is
crawled, brought up to date until nothing is left to do, and then brought up to date in fresh processes; the least
counts, because what else runs on the machine only ever adds. Fails above either limit.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

POSTS = 5000
IN_FEED = 20
ROUNDS = 5
MOST_MILLISECONDS, MOST_REQUESTS = 30.0, 4
# The first update after the walk looks at old posts in turn, and finds nothing left to do.
UPDATES_BEFORE = 1
FRAME = "<!doctype html><html><head><title>{0} - Bench</title>{1}</head><body><main>{2}</main></body></html>"
FEEDS = (
    "<link rel=alternate type=application/rss+xml title='Bench' href=/feed.xml>"
    "<link rel=alternate type=application/rss+xml title='Comments on Bench' href=/comments/feed.xml>"
)
# What an update loads is loaded before the clock starts, Twisted's reactor is there, and garbage that loading left is
# collected, as in a service that has run for a while. The first argument is a file with the names of the modules.
TIMED = """
import gc, importlib, sys
from contextlib import suppress
from time import process_time
from blogforever.cli import run
from blogforever.fetch.network import network
names, *arguments = sys.argv[1:]
network()
for name in open(names).read().split():
    with suppress(ImportError):
        importlib.import_module(name)
gc.collect()
began = process_time()
code = run(arguments)
print("CPU", process_time() - began, file=sys.stderr)
open(names, "w").write(" ".join(name for name in sys.modules if not name.startswith("__")))
sys.exit(code)
"""


class Blog:
    """The answers of the blog, by path."""

    def __init__(self, posts: int) -> None:
        self.base = ""
        self.requests = 0
        self.answers: dict[str, tuple[str, bytes]] = {}
        self._posts = posts

    def build(self, base: str) -> None:
        """Every page once, with the address the server got."""
        self.base = base
        items = [(f"/{2005 + n * 20 // self._posts}/{n % 12 + 1:02}/post-number-{n}/", n) for n in range(self._posts)]
        for place, (path, number) in enumerate(items):
            older = f'<a href="{items[place - 1][0]}">older</a>' if place else ""
            day = f"<time datetime={_day(path)}>{_day(path)}</time>"
            body = f"<article><h1>Title {number}</h1>{day}{_text(number)}</article>"
            self._put(path, "text/html", FRAME.format(f"Title {number}", FEEDS, body + older))
        links = "".join(f'<h2><a href="{path}">Title {number}</a></h2>' for path, number in items[-IN_FEED:])
        self._put("/", "text/html", FRAME.format("Home", FEEDS, links))
        entries = [
            f"<item><title>Title {number}</title><link>{base}{path}</link><pubDate>{_day(path)}T08:00:00Z</pubDate>"
            f"<description><![CDATA[{_text(number)}]]></description></item>"
            for path, number in items[-IN_FEED:]
        ]
        self._put("/feed.xml", "application/rss+xml", _rss("Bench", base, "".join(entries)))
        self._put("/comments/feed.xml", "application/rss+xml", _rss("Comments on Bench", base, ""))
        places = "".join(
            f"<url><loc>{base}{path}</loc><lastmod>{_day(path)}T09:00:00Z</lastmod></url>" for path, _number in items
        )
        sitemap = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{places}</urlset>"
        self._put("/sitemap.xml", "application/xml", f"<?xml version='1.0'?>{sitemap}")
        self._put("/robots.txt", "text/plain", f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n")

    def _put(self, path: str, kind: str, text: str) -> None:
        self.answers[path] = (kind, text.encode())


def _day(path: str) -> str:
    _empty, year, month, _name, _end = path.split("/")
    return f"{year}-{month}-11"


def _text(number: int) -> str:
    words = [hashlib.sha256(f"{number}.{place}".encode()).hexdigest()[: 3 + place % 6] for place in range(120)]
    return "".join(f"<p>{' '.join(words[first : first + 40])}.</p>" for first in range(0, len(words), 40))


def _rss(title: str, base: str, entries: str) -> str:
    head = f"<title>{title}</title><link>{base}/</link>"
    return f"<?xml version='1.0'?><rss version='2.0'><channel>{head}{entries}</channel></rss>"


def handler_for(blog: Blog) -> type[BaseHTTPRequestHandler]:
    """Answers with ETags, and counts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            blog.requests += 1
            kind, body = blog.answers.get(self.path, ("", b""))
            etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            unchanged = self.headers.get("If-None-Match") == etag
            self.send_response(304 if unchanged else 200 if kind else 404)
            self.send_header("ETag", etag)
            if not unchanged:
                self.send_header("Content-Type", kind or "text/plain")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not unchanged:
                self.wfile.write(body)

        def log_message(self, *_told: object) -> None:
            """Nobody reads it."""

    return Handler


def update(folder: Path, base: str) -> float:
    """CPU milliseconds of one crawl or update, in a process of its own."""
    names = folder / "names"
    names.touch()
    flags = ["--archive", str(folder / "archive"), "--allow-private", "--delay", "0"]
    command = [sys.executable, "-c", TIMED, str(names), "crawl", base, *flags]
    # Not where a file with options may lie.
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)  # noqa: S603  our own program
    return 1000 * float(told.stderr.rpartition("CPU ")[2])


def measure(folder: Path, blog: Blog) -> tuple[float, int]:
    """CPU milliseconds and requests of an update that finds nothing."""
    for _ in range(1 + UPDATES_BEFORE):
        update(folder, blog.base)
    costs = []
    for _ in range(ROUNDS):
        before = blog.requests
        costs.append((update(folder, blog.base), blog.requests - before))
    return min(cpu for cpu, _requests in costs), max(requests for _cpu, requests in costs)


def main() -> int:
    """Command line."""
    blog = Blog(POSTS)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(blog))
    Thread(target=server.serve_forever, daemon=True).start()
    blog.build(f"http://127.0.0.1:{server.server_port}")
    with tempfile.TemporaryDirectory() as name:
        cpu, requests = measure(Path(name), blog)
    print(
        f"update of an unchanged blog of {POSTS:,} posts: {cpu:.0f} ms CPU beyond the process start"
        f" (at most {MOST_MILLISECONDS:.0f}), {requests} requests (at most {MOST_REQUESTS})"
    )
    return 0 if cpu <= MOST_MILLISECONDS and requests <= MOST_REQUESTS else 1


if __name__ == "__main__":
    raise SystemExit(main())
