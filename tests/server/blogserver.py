"""A small blog on loopback: feed, home page, lists, sitemap, static pages, and routes that misbehave."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Thread

POSTS = 14
IN_FEED = 8
VOCABULARY = """harbour lantern copper meadow thistle granite ferry orchard kettle compass lichen saddle ribbon quarry
anchor bramble chimney dapple ember furrow gable heron island juniper kiln ladder marsh nettle oar pebble"""
WORDS = VOCABULARY.split()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a route answers."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})


def story(number: int) -> list[str]:
    """Three paragraphs, different in every post."""
    step = number * 7 + 3
    lines = [" ".join(WORDS[(step * (i + 1) + i * j) % len(WORDS)] for i in range(30)) for j in range(1, 4)]
    return [f"Story {number} begins: {line}." for line in lines]


def slug(number: int) -> str:
    """The path of a post."""
    return f"/2021/{number % 12 + 1:02}/story-number-{number}/"


def layout(title: str, body: str) -> bytes:
    """The theme around every page."""
    links = "".join(f'<li><a href="{slug(n)}">Story {n}</a></li>' for n in range(3))
    return (
        f"<!doctype html><html lang=en><head><title>{title} - The Ferry Log</title>"
        '<link rel="alternate" type="application/rss+xml" title="Posts" href="/feed.xml"></head><body>'
        '<header><a href="/">The Ferry Log</a> <a href="/about/">About</a></header>'
        f"<main>{body}</main><aside><h3>Recent</h3><ul>{links}</ul></aside>"
        "<footer>Written on the ferry. All pages are kept in the harbour office.</footer></body></html>"
    ).encode()


def post_page(number: int) -> bytes:
    """One post."""
    text = "".join(f"<p>{line}</p>" for line in story(number))
    following = f'<nav class="post-nav"><a href="{slug(number + 1)}">Next story</a></nav>' if number + 1 < POSTS else ""
    return layout(
        f"Story {number}",
        f'<article class="entry"><h1 class="entry-title">Story {number}</h1>'
        f'<p class="meta">By <span class="author">Ann Ferrier</span> on '
        f'<time datetime="{day(number)}">{day(number)}</time></p>'
        f'<div class="entry-content">{text}</div></article>{following}',
    )


def day(number: int) -> str:
    """The date of a post."""
    return f"2021-{number % 12 + 1:02}-{number + 1:02}"


def list_page(title: str, numbers: range, more: str = "") -> bytes:
    """A page that shows several posts."""
    items = "".join(
        f'<article class="teaser"><h2><a href="{slug(n)}">Story {n}</a></h2><p>{story(n)[0]}</p></article>'
        for n in numbers
    )
    return layout(title, f"<h1>{title}</h1>{items}{more}")


def feed(base: str) -> bytes:
    """RSS with the whole text of the newest posts."""
    items = "".join(
        f"<item><title>Story {n}</title><link>{base}{slug(n)}</link><guid>{base}{slug(n)}</guid>"
        f"<dc:creator>Ann Ferrier</dc:creator><pubDate>{day(n)}T08:00:00Z</pubDate>"
        f"<description><![CDATA[{''.join(f'<p>{line}</p>' for line in story(n))}]]></description></item>"
        for n in range(POSTS - IN_FEED, POSTS)
    )
    return (
        '<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        f"<title>The Ferry Log</title><link>{base}/</link><description>Notes</description>{items}</channel></rss>"
    ).encode()


def routes(base: str, home_links: str = "") -> dict[str, Reply]:
    """The well-behaved blog."""
    xml = {"Content-Type": "application/xml"}
    urls = "".join(f"<url><loc>{base}{slug(n)}</loc></url>" for n in range(4))
    pages = {
        "/": Reply(list_page("Home", range(7, POSTS), f'<a href="/page/2/">Older</a>{home_links}')),
        "/page/2/": Reply(list_page("Older", range(7))),
        "/about/": Reply(layout("About", "<h1>About</h1><p>A log that is written on the ferry, by hand.</p>")),
        "/hidden/secret/": Reply(layout("Secret", "<h1>Secret</h1>")),
        "/feed.xml": Reply(feed(base), headers={"Content-Type": "application/rss+xml"}),
        "/sitemap.xml": Reply(f'<?xml version="1.0"?><urlset>{urls}</urlset>'.encode(), headers=xml),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /hidden/\n", headers={"Content-Type": "text/plain"}),
        "/old-story/": Reply(b"", 301, {"Location": slug(2)}),
    }
    return pages | {slug(n): Reply(post_page(n)) for n in range(POSTS)}


def misbehaving(base: str) -> dict[str, Reply | Callable[[BaseHTTPRequestHandler], None]]:
    """One route per misbehaviour."""
    return {
        "/slow/": drip,
        "/broken/": Reply(b"no", 500),
        "/loop/": Reply(b"", 302, {"Location": "/loop/b/"}),
        "/loop/b/": Reply(b"", 302, {"Location": "/loop/"}),
        "/huge/": Reply(b"<html>" + b"x" * 3_000_000),
        "/charset/": Reply(
            "<html><body><h1>Füße</h1>".encode("latin-1"), headers={"Content-Type": "text/html; charset=utf-8"}
        ),
        "/binary/": Reply(bytes(range(256)) * 20),
        "/short/": cut_off,
        "/away/": Reply(b"", 302, {"Location": "http://10.0.0.1/"}),
    }


def drip(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, for longer than anybody should wait."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(60):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.25)


def cut_off(handler: BaseHTTPRequestHandler) -> None:
    """Promises more than it sends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b"<html>")


class Site:
    """A running site: its address, and what was asked of it."""

    def __init__(self, base: str, asked: list[str]) -> None:
        self.base, self.asked = base, asked


Answers = Callable[[str], "Reply | Callable[[BaseHTTPRequestHandler], None] | None"]


@contextmanager
def serve(bad: bool = False, port: int = 0) -> Iterator[Site]:
    """Serve the blog on this or a free port of loopback."""

    def make(base: str) -> Answers:
        extra = misbehaving(base) if bad else {}
        links = "".join(f'<a href="{path}">{path}</a>' for path in (*extra, "/hidden/secret/", "/old-story/"))
        return {**routes(base, links), **extra}.get

    with serve_answers(make, port) as site:
        yield site


@contextmanager
def serve_answers(
    make: Callable[[str], Answers], port: int = 0, host: str = "127.0.0.1", context: SSLContext | None = None
) -> Iterator[Site]:
    """Serve what `make`, given the address of the site, answers to each path; with a `context` over https."""
    answers: list[Answers] = []
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            reply = answers[0](self.path) or Reply(b"<h1>Not here</h1>", 404)
            try:
                send(self, reply)
            except OSError:
                self.close_connection = True

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    base = f"{'https' if context else 'http'}://{host}:{server.server_port}"
    answers.append(make(base))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Site(base, asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler: BaseHTTPRequestHandler, reply: Reply | Callable[[BaseHTTPRequestHandler], None]) -> None:
    """Answer one request."""
    if not isinstance(reply, Reply):
        reply(handler)
        return
    handler.send_response(reply.status)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(reply.body)))
    handler.end_headers()
    handler.wfile.write(reply.body)
