"""A blog that lives for years on a fake clock: it is written, edited, moved, redesigned, out of order, and sold."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from .blogserver import WORDS

HTML = {"content-type": "text/html; charset=utf-8"}
XML = {"content-type": "application/xml"}
NOT_FOUND = "<h1>Nothing here</h1><p>The page you are looking for has sailed. Try the harbour office.</p>"
PARKED = (
    "<html><head><title>ferry.example is for sale</title></head><body><h1>This domain may be for sale</h1>"
    "<p>Related searches: ferry tickets, cheap cruises, harbour hotels, credit cards.</p></body></html>"
)
CHALLENGE = (
    "<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    "<script>window._cf_chl_opt={cvId:'3'};</script></body></html>"
)


@dataclass
class Written:
    """One post with all texts it ever had, and when it was edited, published and deleted."""

    number: int
    born: datetime
    title: str
    texts: list[list[str]]
    changed: datetime
    died: datetime | None = None
    status: int = 404

    @property
    def text(self) -> list[str]:
        """Its paragraphs now."""
        return self.texts[-1]


@dataclass
class Response:
    """What the blog answers; status 0 is no answer."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=lambda: dict(HTML))


class LifeBlog:
    """The blog: time passes by `live`, requests are answered by `get`."""

    def __init__(self, seed: int, lastmod: bool) -> None:
        self.chance = Random(seed)
        self.lastmod = lastmod
        self.now = datetime(2010, 1, 4, 9, tzinfo=UTC)
        self.host = "http://ferry.example"
        self.posts: list[Written] = []
        self.silent: list[Written] = []
        self.theme, self.shape, self.excerpts = 0, 0, False
        self.trouble = ""
        self.soft = self.sold = False
        self.asked = 0

    # ------------------------------------------------------------------ what happens

    def paragraph(self) -> str:
        """One paragraph nobody wrote before."""
        words = [self.chance.choice(WORDS) for _ in range(self.chance.randint(18, 40))]
        return f"{' '.join(words).capitalize()} {self.chance.randint(1, 10**6)}."

    def publish(self) -> Written:
        """The author writes a post."""
        title = f"{' '.join(self.chance.choice(WORDS) for _ in range(3)).capitalize()} {len(self.posts)}"
        text = [self.paragraph() for _ in range(self.chance.randint(2, 5))]
        self.posts.append(Written(len(self.posts), self.now, title, [text], self.now))
        return self.posts[-1]

    def edit(self, post: Written, announced: bool = True) -> None:
        """The author changes a post: a word, a sentence, a new end."""
        text = list(post.text)
        place = self.chance.randrange(len(text))
        words = text[place].split()
        words[self.chance.randrange(len(words))] = f"sundial{self.chance.randint(1, 10**6)}"
        text[place] = " ".join(words)
        if self.chance.random() < 0.5:
            text.append(f"Update: {self.paragraph()}")
        post.texts.append(text)
        if announced:
            post.changed = self.now
        else:
            self.silent.append(post)

    def delete(self, post: Written) -> None:
        """The author takes a post away."""
        post.died, post.status = self.now, self.chance.choice((404, 410))

    def alive(self) -> list[Written]:
        """The posts that are there."""
        return [post for post in self.posts if post.died is None]

    # ------------------------------------------------------------------ addresses

    def path(self, post: Written, shape: int | None = None) -> str:
        """The path of a post under a permalink structure."""
        slug = post.title.lower().replace(" ", "-")
        shape = self.shape if shape is None else shape
        return f"/{post.born:%Y/%m}/{slug}/" if shape == 0 else f"/notes/{slug}/"

    def url(self, post: Written) -> str:
        """Its address today."""
        return self.host + self.path(post)

    # ------------------------------------------------------------------ answers

    def get(self, url: str) -> Response:
        """The answer to a request, today."""
        self.asked += 1
        host, _, path = url.removeprefix("https://").removeprefix("http://").partition("/")
        scheme = url.partition(":")[0]
        if self.sold:
            return Response(200, PARKED.encode())
        if self.trouble and self.chance.random() < 0.9:
            return {"down": Response(0), "busy": Response(503), "wall": Response(403, CHALLENGE.encode())}[self.trouble]
        if self.chance.random() < 0.005:
            return Response(500, b"<h1>Error</h1>")
        if f"{scheme}://{host}" != self.host:
            return Response(301, b"", {"location": f"{self.host}/{path}"})
        return self._page(f"/{path}")

    def _page(self, path: str) -> Response:
        sources: dict[str, Callable[[], Response]] = {"/feed.xml": self._feed, "/": self._home, "/robots.txt": _robots}
        sources["/all/"] = self._all
        if self.lastmod:
            sources["/sitemap.xml"] = self._sitemap
        if path in sources:
            return sources[path]()
        number = path.rstrip("/").rpartition("-")[2]
        post = self.posts[int(number)] if number.isdecimal() and int(number) < len(self.posts) else None
        if post and path == self.path(post) and (post.died is None or post.status == 410):
            return self._post(post) if post.died is None else Response(410, b"<h1>Gone</h1>")
        if post and self.shape and path == self.path(post, 0) and post.died is None:
            return Response(301, b"", {"location": self.url(post)})
        return Response(200 if self.soft else 404, self._layout("Nothing here", NOT_FOUND).encode())

    def _post(self, post: Written) -> Response:
        text = "".join(f"<p>{html.escape(line)}</p>" for line in post.text)
        days, views = (self.now - post.born).days, self.asked * 7
        near = "".join(f'<li><a href="{self.path(p)}">{p.title}</a></li>' for p in self.alive()[-3:])
        by = f"Ann Ferrier</span> <time datetime='{post.born:%Y-%m-%d}'>{post.born:%d %B %Y}</time>"
        if self.theme == 0:
            body = (
                f"<article class=entry><h1 class=entry-title>{post.title}</h1>"
                f"<p class=meta>By <span class=author>{by}</p>"
                f"<div class=entry-content>{text}</div>"
                f"<div class=related><h3>Read on</h3><ul>{near}</ul></div></article>"
                f"<p class=stats>{views} views, {days} days ago</p>"
            )
        elif self.theme == 1:
            body = (
                f"<section id=story><header><h2 class=headline>{post.title}</h2></header><div class=prose>{text}"
                f"<div class=share><a href='#'>Share on Quayside</a> <a href='#'>Send by gull</a></div></div>"
                f"<footer class=by>Written by <span class=who>{by}</footer></section>"
                f"<div class=more><ul>{near}</ul></div>"
            )
        else:
            body = (
                f"<main class=post-page><h1>{post.title}</h1><aside class=author-box><span class=name>{by}"
                f"<p>Ann sails and writes.</p></aside><div class=post-body>{text}</div>"
                f"<div class=box><p>Subscribe to our letters from the quay.</p></div></main>"
                f"<ol class=latest>{near}</ol>"
            )
        return Response(200, self._layout(post.title, body).encode())

    def _layout(self, title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=en><head><title>{title} - The Ferry Log</title>"
            '<link rel=alternate type="application/atom+xml" href="/feed.xml"></head>'
            f"<body class='theme{'abc'[self.theme]}'><header class='top-{'abc'[self.theme]}'>"
            "<a href='/'>The Ferry Log</a>"
            f"</header>{body}<footer class='foot-{'abc'[self.theme]}'>Written on the ferry.</footer></body></html>"
        )

    def _home(self) -> Response:
        posts = self.alive()[-8:][::-1]
        items = "".join(f"<h2><a href='{self.path(p)}'>{p.title}</a></h2><p>{p.text[0]}</p>" for p in posts)
        return Response(200, self._layout("Home", f"{items}<p><a href='/all/'>All posts</a></p>").encode())

    def _all(self) -> Response:
        items = "".join(f"<li><a href='{self.path(post)}'>{post.title}</a></li>" for post in self.alive())
        return Response(200, self._layout("All", f"<h1>All posts</h1><ul class=all>{items}</ul>").encode())

    def _feed(self) -> Response:
        entries = "".join(self._entry(post) for post in self.alive()[-10:][::-1])
        head = f"<title>The Ferry Log</title><link href='{self.host}/'/><id>tag:ferry</id>"
        return Response(
            200, f"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'>{head}{entries}</feed>".encode(), XML
        )

    def _entry(self, post: Written) -> str:
        text = post.text[:1] if self.excerpts else post.text
        content = html.escape("".join(f"<p>{html.escape(line)}</p>" for line in text))
        kind = "summary" if self.excerpts else "content"
        return (
            f"<entry><title>{post.title}</title><id>tag:ferry:{post.number}</id><link href='{self.url(post)}'/>"
            f"<published>{post.born.isoformat()}</published><updated>{post.changed.isoformat()}</updated>"
            f"<author><name>Ann Ferrier</name></author><{kind} type='html'>{content}</{kind}></entry>"
        )

    def _sitemap(self) -> Response:
        urls = "".join(
            f"<url><loc>{self.url(p)}</loc><lastmod>{p.changed.isoformat()}</lastmod></url>" for p in self.alive()
        )
        return Response(200, f"<?xml version='1.0'?><urlset>{urls}</urlset>".encode(), XML)


def _robots() -> Response:
    return Response(200, b"User-agent: *\nDisallow:\n", {"content-type": "text/plain"})


WEEK = timedelta(days=7)
