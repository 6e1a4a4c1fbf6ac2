"""A blog of many posts whose author, or whose generator, changes many of them at once; every page has validators."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler

from .blogserver import Answers, Reply, Site, layout, send, serve_answers, story

IN_FEED = 6
FIRST_DAY = "2021-02-01"
HOUR = 3600.0
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
XML = {"Content-Type": "application/xml"}
Route = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Written:
    """One post: its words, when its file was last written, and the date of change the sitemap gives it."""

    number: int
    words: str
    written: float = 0.0
    lastmod: str = FIRST_DAY
    author: str = "Ann Ferrier"
    tags: tuple[str, ...] = ()
    published: str = ""
    name: str = ""
    slug: str = ""

    @property
    def path(self) -> str:
        """Its address on the blog."""
        return f"/2021/{self.number % 12 + 1:02}/{self.slug or f'story-number-{self.number}'}/"

    @property
    def title(self) -> str:
        """Its title, which stays unless it is given another name."""
        return self.name or f"Story {self.number}"

    @property
    def day(self) -> str:
        """When it was published, as it says."""
        return self.published or day(self.number)


@dataclass
class EditedBlog:
    """The blog while it is served; `clock` is the time of its files in hours, `by_date` has it compare dates only."""

    posts: list[Written]
    by_date: bool = False
    age: str = ""
    clock: float = 100.0
    instead: dict[str, Route] = field(default_factory=dict)
    site: Site | None = None
    statuses: list[tuple[str, int]] = field(default_factory=list)

    @property
    def base(self) -> str:
        """The blog's address."""
        assert self.site
        return self.site.base

    def publish(self) -> Written:
        """One more post."""
        number = len(self.posts)
        self.posts.append(Written(number, text_of(number), self.clock * HOUR))
        return self.posts[-1]

    def edit(self, post: Written, lastmod: str | None = None) -> None:
        """The author changes a word; only with `lastmod` does the sitemap tell of it."""
        self.clock += 1
        post.words = post.words.replace(f"Story {post.number} begins", f"Story {post.number} was rewritten: it begins")
        post.written = self.clock * HOUR
        post.lastmod = lastmod or post.lastmod

    def restore(self, post: Written) -> None:
        """A backup of the post comes back, with the time its file had."""
        post.words, post.written = text_of(post.number), 0.0

    def asked(self, path: str) -> int:
        """How often an address was asked for."""
        assert self.site
        return self.site.asked.count(path)

    def answers(self, base: str) -> Answers:
        """What the blog says to each request."""

        def answer(path: str) -> Reply | Route | None:
            if path in self.instead:
                return self.instead[path]
            sources = {"/feed.xml": self._feed, "/sitemap.xml": self._sitemap, "/": self._home}
            if path in sources:
                return sources[path](base)
            post = next((post for post in self.posts if post.path == path), None)
            return None if post is None else self._validated(path, post)

        return answer

    def _validated(self, path: str, post: Written) -> Route:
        body = page_of(post)

        def answer(handler: BaseHTTPRequestHandler) -> None:
            etag, date = f'"{hashlib.sha256(body).hexdigest()[:12]}"', formatdate(post.written, usegmt=True)
            headers = {"Content-Type": "text/html; charset=utf-8", "Last-Modified": date}
            headers |= {} if self.by_date else {"ETag": etag}
            headers |= {"Cache-Control": self.age} if self.age else {}
            same = handler.headers.get("If-None-Match") == etag
            since = handler.headers.get("If-Modified-Since")
            if self.by_date and since:
                same = parsedate_to_datetime(since) >= parsedate_to_datetime(date)
            self.statuses.append((path, 304 if same else 200))
            send(handler, Reply(b"" if same else body, 304 if same else 200, headers))

        return answer

    def _home(self, base: str) -> Reply:
        links = "".join(f'<li><a href="{post.path}">{post.title}</a></li>' for post in reversed(self.posts))
        return Reply(layout("Home", f"<h1>Home</h1><ul>{links}</ul>"))

    def _feed(self, base: str) -> Reply:
        items = "".join(
            f"<item><title>{post.title}</title><link>{base}{post.path}</link><guid>{base}{post.path}</guid>"
            f"<dc:creator>{post.author}</dc:creator>{''.join(f'<category>{tag}</category>' for tag in post.tags)}"
            f"<pubDate>{post.day}T08:00:00Z</pubDate><description><![CDATA[{post.words}]]></description></item>"
            for post in self.posts[-IN_FEED:]
        )
        head = f"<title>The Ferry Log</title><link>{base}/</link><description>Notes</description>"
        return Reply(
            f'<?xml version="1.0"?><rss version="2.0" {DC}><channel>{head}{items}</channel></rss>'.encode(), headers=XML
        )

    def _sitemap(self, base: str) -> Reply:
        urls = "".join(f"<url><loc>{base}{p.path}</loc><lastmod>{p.lastmod}</lastmod></url>" for p in self.posts)
        return Reply(f'<?xml version="1.0"?><urlset>{urls}</urlset>'.encode(), headers=XML)


def text_of(number: int) -> str:
    """The words of a post as it was published."""
    return "".join(f"<p>{line}</p>" for line in story(number))


def day(number: int) -> str:
    """When a post was published."""
    return f"2021-{number % 12 + 1:02}-{number % 28 + 1:02}"


def page_of(post: Written) -> bytes:
    """The page of a post."""
    return layout(
        post.title,
        f'<article class="entry"><h1 class="entry-title">{post.title}</h1>'
        f'<p class="meta">By <span class="author">{post.author}</span> on '
        f'<time datetime="{post.day}">{post.day}</time></p>{_tags(post)}'
        f'<div class="entry-content">{post.words}</div></article>',
    )


def _tags(post: Written) -> str:
    links = ", ".join(f'<a rel="tag" href="/tag/{tag}/">{tag}</a>' for tag in post.tags)
    return f'<p class="tags">Filed under {links}</p>' if links else ""


@contextmanager
def serve_edited(posts: int, by_date: bool = False, age: str = "") -> Iterator[EditedBlog]:
    """Serve a blog of so many posts; `age` is what its pages say in Cache-Control."""
    made = EditedBlog([Written(number, text_of(number)) for number in range(posts)], by_date, age)
    with serve_answers(made.answers) as site:
        made.site = site
        yield made
