"""What drawing a page costs: pages a second, CPU and memory, by the number of contexts; and whether anything leaks.

    python tools/bench_render.py                 the bench
    python tools/bench_render.py --soak 300      draw so many pages and see whether processes and memory stay the same
    python tools/bench_render.py --peer          the same pages through scrapy-playwright, where that is installed

Pages are made up and served from memory (for the peer on loopback), so that nothing but the browser is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from blogforever.model import Failure, Page
from blogforever.protocols import Served, Wanted
from blogforever.render.browser import BrowserPool
from blogforever.render.chromium import lacking
from blogforever.render.limits import BrowserLimits

PAGES = 24
PARAGRAPH = "<p>" + "The ferry left the harbour before the fog had lifted. " * 12 + "</p>"
SCRIPT = """
addEventListener("load", async () => {
  const found = await (await fetch("/data.json")).json();
  for (const line of found) { const p = document.createElement("p"); p.textContent = line; document.body.append(p); }
});
"""
DATA = b"[" + b",".join(b'"A line that a script has drawn, number %d"' % n for n in range(100)) + b"]"
STYLE = "\n".join(f".c{n} {{ margin: {n}px; color: #{n:03}; }}" for n in range(400))
FILES = {"/app.js": ("text/javascript", SCRIPT), "/style.css": ("text/css", STYLE)}
RISE = 1.25
"""How much more memory than at a third of the way is no leak."""


def html(number: int) -> bytes:
    """A page of about 80 kB, as large as the mean post page of real blogs."""
    pictures = "".join(f'<img src="/picture-{n}.png">' for n in range(10))
    body = f"<article><h1>Page {number}</h1>{PARAGRAPH * 110}{pictures}</article>"
    head = '<link rel="stylesheet" href="/style.css"><script src="/app.js"></script>'
    return f"<!doctype html><html><head><title>Page {number}</title>{head}</head><body>{body}</body></html>".encode()


def content(path: str) -> tuple[str, bytes]:
    """What lies under a path."""
    if path in FILES:
        kind, text = FILES[path]
        return kind, text.encode()
    return ("application/json", DATA) if path == "/data.json" else ("text/html", html(1))


async def serve(wanted: Wanted) -> Served:
    """Answers a browser from memory."""
    kind, body = content("/" + wanted.url.split("/", 3)[3])
    return Served(wanted.url, 200, (("content-type", kind),), body)


async def draw(pool: BrowserPool, number: int) -> None:
    """One page; one that fails ends the bench."""
    url = f"https://blog.example/{number}/"
    drawn = await pool.draw(Page(url, html(number), {"content-type": "text/html; charset=utf-8"}), serve)
    if isinstance(drawn, Failure) or "script has drawn, number 99" not in drawn.html:
        raise SystemExit(f"page {number} was not drawn: {drawn!r:.300}")


def cpu() -> float:
    """Seconds of CPU that this process and all that it has started and ended took."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def family() -> tuple[int, int]:
    """How many processes were started from here and run, and the bytes they hold; counted over the whole tree."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(stat.parent.name)] = int(fields[1])
    found = {os.getpid()}
    while grown := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= grown
    return len(found) - 1, sum(map(held, found - {os.getpid()}))


def held(pid: int) -> int:
    """Bytes a process holds, its part of what it shares counted once."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError):
        return 0


async def measure(contexts: int) -> None:
    """Draw all pages with so many contexts at a time, and print a line."""
    before = cpu()
    pool = BrowserPool(BrowserLimits(contexts=contexts))
    await draw(pool, 0)
    start = time.monotonic()
    await asyncio.gather(*(draw(pool, number) for number in range(1, PAGES + 1)))
    seconds = time.monotonic() - start
    processes, memory = family()
    await pool.close()
    used = (cpu() - before) / (PAGES + 1)
    print(
        f"{contexts} contexts: {PAGES / seconds:.2f} pages/s, {used * 1000:.0f} ms CPU a page (with the start),"
        f" {memory / 1e6:.0f} MB in {processes} processes"
    )


async def soak(pages: int) -> int:
    """Draw many pages; 1 where processes or memory grow."""
    pool = BrowserPool(BrowserLimits())
    seen: list[tuple[int, int]] = []
    for step in range(pages // 10):
        await asyncio.gather(*(draw(pool, step * 10 + n) for n in range(10)))
        seen.append(family())
        if step % 5 == 4:
            print(f"{(step + 1) * 10} pages: {seen[-1][0]} processes, {seen[-1][1] / 1e6:.0f} MB", flush=True)
    await pool.close()
    third = max(len(seen) // 3, 1)
    early, late = seen[:third], seen[-third:]
    more = max(n for n, _ in late) > max(n for n, _ in early) + 1
    grown = sum(m for _, m in late) / len(late) > RISE * sum(m for _, m in early) / len(early)
    left = family()[0]
    print(f"after closing: {left} processes left; {'LEAKS' if more or grown or left else 'nothing leaks'}")
    return int(more or grown or left > 0)


class Handler(BaseHTTPRequestHandler):
    """Serves the same pages to the peer."""

    def do_GET(self) -> None:
        """One file."""
        kind, body = content(self.path)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


PEER = """
import sys, time
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
base, pages, browser = sys.argv[1], int(sys.argv[2]), sys.argv[3]
class One(Spider):
    name = "peer"
    async def start(self):
        for n in range(pages):
            drawn = {"playwright": True, "playwright_context": f"c{n % 2}"}
            yield Request(f"{base}/{n}/", meta=drawn, dont_filter=True)
    def parse(self, response):
        pass
handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
process = CrawlerProcess({
    "LOG_ENABLED": False, "DOWNLOAD_HANDLERS": {"http": handler, "https": handler}, "CONCURRENT_REQUESTS": 2,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 2, "PLAYWRIGHT_ABORT_REQUEST": lambda request: request.resource_type == "image",
    "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": browser, "args": ["--no-sandbox", "--disable-gpu"]},
})
process.crawl(One)
process.start()
"""


def peer() -> None:
    """The peer on the same pages: it only loads them, and keeps nothing of what they load."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    arguments = [sys.executable, "-c", PEER, base, str(PAGES), "/usr/bin/chromium"]
    subprocess.run(arguments, check=True)  # noqa: S603  our own script
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds = time.monotonic() - start
    print(f"scrapy-playwright, 2 contexts: {PAGES / seconds:.2f} pages/s, {used / PAGES * 1000:.0f} ms CPU a page")
    server.shutdown()


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--soak", type=int, default=0, metavar="PAGES")
    parser.add_argument("--peer", action="store_true")
    options = parser.parse_args()
    if missing := lacking():
        print(f"No browser to measure: {missing} is not here.")
        return 0
    if options.peer:
        peer()
        return 0
    if options.soak:
        return asyncio.run(soak(options.soak))
    for contexts in (1, 2, 4):
        asyncio.run(measure(contexts))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
