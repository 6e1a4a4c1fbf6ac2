"""A blog that moves: to other permalinks, to another host, to another platform; with comments under its posts."""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .blogserver import WORDS, Answers, Reply, Site, serve_answers

XML = {"Content-Type": "application/xml"}


@dataclass
class Told:
    """One post: its title, its paragraphs, and what its readers said."""

    number: int
    title: str
    text: list[str]
    comments: list[tuple[str, str]] = field(default_factory=list)


def told(number: int, start: int = 0) -> Told:
    """A post nobody wrote before."""
    step = number * 11 + start + 5
    lines = [" ".join(WORDS[(step * (i + 2) + i * j * 3) % len(WORDS)] for i in range(34)) for j in range(1, 5)]
    title = f"{WORDS[step % len(WORDS)]} {WORDS[(step * 7) % len(WORDS)]} {start + number}".capitalize()
    return Told(start + number, title, [f"Letter {start + number} says: {line}." for line in lines])


class MovingBlog:
    """What it is today; every answer is made when it is asked for."""

    def __init__(self, posts: int = 10, start: int = 0) -> None:
        self.posts = [told(number, start) for number in range(posts)]
        self.posts[2].comments.append(("Bo Lind", "The first thing anybody said about this letter."))
        self.shape, self.theme = 0, "a"
        self.generator = self.feed_generator = ""
        self.redirects = self.leads_to = ""
        self.stays_for = 0
        """Answers that it still gives here before it leads on."""
        self.broken: set[str] = set()
        self.guids = "urn:letter:{number}"
        self.link: str | None = None
        self.in_feed = 10
        self.about = ""

    def path(self, post: Told, shape: int | None = None) -> str:
        """The address of a post under a permalink structure."""
        slug = post.title.lower().replace(" ", "-")
        return (
            f"/2021/{post.number % 12 + 1:02}/{slug}/"
            if (self.shape if shape is None else shape) == 0
            else f"/l/{slug}"
        )

    def answers(self, base: str) -> Answers:
        """Everything it says at this address."""

        def answer(path: str) -> Reply | None:
            if self.leads_to and not self._still_stays():
                return Reply(b"", 301, {"Location": self.leads_to + path})
            if path in self.broken:
                return Reply(
                    b"<html><head><meta name=generator content='Hugo 0.1'></head><body>Oops</body></html>", 200
                )
            sources = {"/": self._home, "/feed.xml": self._feed, "/sitemap.xml": self._sitemap}
            if self.about:
                sources["/about/"] = lambda _base: Reply(self._layout("About", f"<p>{self.about}</p>"))
                sources["/harbour/"] = sources["/about/"]
            if path in sources:
                return sources[path](base)
            for post in self.posts:
                if path == self.path(post):
                    return Reply(self._post(post))
                if path == self.path(post, 0) and self.redirects:
                    return Reply(b"", 301, {"Location": self.path(post)})
            return None

        return answer

    def _still_stays(self) -> bool:
        self.stays_for -= 1
        return self.stays_for >= 0

    def _layout(self, title: str, body: str) -> bytes:
        made = f'<meta name="generator" content="{self.generator}">' if self.generator else ""
        return (
            f"<!doctype html><html lang=en><head><title>{title} - Letters Home</title>{made}"
            '<link rel="alternate" type="application/atom+xml" href="/feed.xml"></head>'
            f"<body class='page-{self.theme}'><header class='head-{self.theme}'><a href='/'>Letters Home</a></header>"
            f"{body}"
            f"<footer class='foot-{self.theme}'>Sent by slow mail.</footer></body></html>"
        ).encode()

    def _post(self, post: Told) -> bytes:
        text = "".join(f"<p>{html.escape(line)}</p>" for line in post.text)
        said = "".join(
            f"<li class=comment id='c{post.number}-{n}'><cite class=who>{name}</cite>"
            f"<time datetime='2021-06-{n + 1:02}T10:00:00Z'>June {n + 1}, 2021</time>"
            f"<div class=said><p>{words}</p></div></li>"
            for n, (name, words) in enumerate(post.comments)
        )
        thread = f"<section id=comments><h3>Comments</h3><ol class=commentlist>{said}</ol></section>" if said else ""
        day = f"<time class=day datetime='2021-{post.number % 12 + 1:02}-11'>2021-{post.number % 12 + 1:02}-11</time>"
        if self.theme == "a":
            inner = f"<h1 class=title>{post.title}</h1>{day}<div class=letter>{text}</div>"
        else:
            inner = f"<div class=top><h2 class=subject>{post.title}</h2></div><div class=sheet>{text}</div><p>{day}</p>"
        return self._layout(post.title, f"<article class='one-{self.theme}'>{inner}</article>{thread}")

    def _home(self, _base: str) -> Reply:
        items = "".join(f"<h2><a href='{self.path(post)}'>{post.title}</a></h2>" for post in self.posts[::-1])
        return Reply(self._layout("Home", f"<main>{items}</main>"))

    def _feed(self, base: str) -> Reply:
        entries = "".join(self._entry(post, self.link or base) for post in self.posts[::-1][: self.in_feed])
        made = f"<generator>{self.feed_generator}</generator>" if self.feed_generator else ""
        head = f"<title>Letters Home</title><link href='{self.link or base}/'/><id>urn:letters</id>{made}"
        return Reply(
            f"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'>{head}{entries}</feed>".encode(), 200, XML
        )

    def _entry(self, post: Told, base: str) -> str:
        day, text = (
            f"2021-{post.number % 12 + 1:02}-11T08:00:00Z",
            html.escape("".join(f"<p>{line}</p>" for line in post.text)),
        )
        guid = self.guids.format(number=post.number, url=base + self.path(post))
        return (
            f"<entry><title>{post.title}</title><id>{guid}</id><link href='{base}{self.path(post)}'/>"
            f"<published>{day}</published><updated>{day}</updated><author><name>Ada Post</name></author>"
            f"<content type='html'>{text}</content></entry>"
        )

    def _sitemap(self, base: str) -> Reply:
        urls = "".join(f"<url><loc>{base}{self.path(post)}</loc></url>" for post in self.posts)
        return Reply(f"<?xml version='1.0'?><urlset>{urls}</urlset>".encode(), 200, XML)


@contextmanager
def serve_moving(blog: MovingBlog, host: str = "127.0.0.1", port: int = 0) -> Iterator[Site]:
    """Serve it at an address of loopback."""
    with serve_answers(blog.answers, port, host) as site:
        yield site
