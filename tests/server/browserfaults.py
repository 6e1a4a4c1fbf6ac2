"""A small blog on loopback whose pages do to a browser what pages can do."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from . import family
from .blogserver import Answers, Reply, Site, serve_answers, story

GOOD = 3
HUGE = 100 * 1024 * 1024
PRIVATE = "127.0.0.2"
"""What the tests call a private address."""

FAULTS = {
    "/killed/": "fetch('/kill')",
    "/restless/": "setInterval(() => { fetch('/tick?' + Math.random()); document.title = Math.random() }, 100)",
    "/busy/": "for (;;) {}",
    "/dialogs/": "setInterval(() => alert('Again'), 1); onbeforeunload = () => 'Stay'; confirm('So?'); prompt('Who?')",
    "/popups/": "for (let n = 0; n < 20; n++) open('/popup/' + n); document.body.onclick = () => open('/popup/click')",
    "/download/": "const a = document.createElement('a'); a.href = '/file.bin'; a.download = 'f'; a.click()",
    "/heavy/": "document.write('<script src=/huge.js></' + 'script>')",
    "/memory/": "const held = []; for (;;) held.push(new Array(1e6).fill(Math.random()))",
    "/private/": f"fetch('http://{PRIVATE}:PORT/secret'); fetch('/to-private'); new Image().src = 'http://{PRIVATE}:PORT/pixel'",
    "/away/": f"const to = 'http://{PRIVATE}:PORT/secret'; location.replace(to)",
    "/leads-away/": f"""document.body.insertAdjacentHTML('beforeend', `<div id=comments>
      <button onclick="location.href = 'http://{PRIVATE}:PORT/secret'">Load more comments</button></div>`)""",
    "/socket/": "new WebSocket('ws://' + location.host + '/socket-open').onerror = () => 0",
    "/worker/": "navigator.serviceWorker && navigator.serviceWorker.register('/worker.js').catch(() => 0)",
}


def page(number: int, script: str = "") -> Reply:
    """One post, with what it does."""
    text = "".join(f"<p>{line}</p>" for line in story(number))
    return Reply(
        f"<!doctype html><html lang=en><head><title>Story {number} - Faults</title></head><body><header>Faults</header>"
        f'<main><article class="entry"><h1>Story {number}</h1><time datetime="2021-03-{number + 1:02}">2021</time>'
        f'<div class="entry-content">{text}</div></article></main><script>{script}</script></body></html>'.encode()
    )


def posts(faults: Iterable[str] = FAULTS) -> dict[str, int]:
    """The path of every post and its number: good ones first."""
    paths = [*(f"/good-{n}/" for n in range(GOOD)), *faults]
    return {path: number for number, path in enumerate(paths)}


def feed(base: str, numbers: Mapping[str, int]) -> Reply:
    """All posts with their whole text."""
    items = "".join(
        f"<item><title>Story {n}</title><link>{base}{path}</link><guid>{base}{path}</guid><description><![CDATA["
        f"{''.join(f'<p>{line}</p>' for line in story(n))}]]></description></item>"
        for path, n in numbers.items()
    )
    channel = f"<channel><title>Faults</title><link>{base}/</link>{items}</channel>"
    text = f'<?xml version="1.0"?><rss version="2.0">{channel}</rss>'
    return Reply(text.encode(), headers={"Content-Type": "application/rss+xml"})


def huge(handler: BaseHTTPRequestHandler) -> None:
    """A script of 100 MB."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/javascript")
    handler.send_header("Content-Length", str(HUGE))
    handler.end_headers()
    block = b"var a = 1;" * 100_000
    for _ in range(HUGE // len(block)):
        handler.wfile.write(block)


def killed(handler: BaseHTTPRequestHandler) -> None:
    """The page has asked for the end of its browser."""
    kill_browsers()
    handler.send_error(503)


@contextmanager
def serve_faults(faults: Iterable[str] = FAULTS) -> Iterator[tuple[Site, Site]]:
    """Serve the blog with some of its faults, and beside it what nobody may reach."""
    numbers = posts(faults)

    def make(base: str) -> Answers:
        port = base.rpartition(":")[2]
        links = "".join(f'<h2><a href="{path}">Story {n}</a></h2>' for path, n in numbers.items())
        scripts = {path: script.replace("PORT", port) for path, script in FAULTS.items()}
        head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
        table: dict[str, Reply | Callable[[BaseHTTPRequestHandler], None]] = {
            "/": Reply(f"<!doctype html><html lang=en><head><title>Faults</title>{head}</head><body>{links}".encode()),
            "/feed.xml": feed(base, numbers),
            "/kill": killed,
            "/huge.js": huge,
            "/file.bin": Reply(b"\0" * 1000, headers={"Content-Disposition": "attachment", "Content-Type": "x/y"}),
            "/to-private": Reply(b"", 302, {"Location": f"http://{PRIVATE}:{port}/secret"}),
            "/worker.js": Reply(b"self.fetched = 1", headers={"Content-Type": "text/javascript"}),
        }
        table |= {path: page(number, scripts.get(path, "")) for path, number in numbers.items()}
        return lambda path: table.get(path) or (Reply(b"tick") if path.startswith("/tick") else None)

    with serve_answers(make) as site:
        port = int(site.base.rpartition(":")[2])
        with serve_answers(lambda _base: lambda _path: Reply(b"secret"), port, PRIVATE) as private:
            yield site, private


def kill_browsers() -> None:
    """Kill the browsers that this process has started, by their ids."""
    for pid in family.below(os.getpid()):
        with suppress(OSError):
            if b"chrom" in Path(f"/proc/{pid}/comm").read_bytes():
                os.kill(pid, signal.SIGKILL)
