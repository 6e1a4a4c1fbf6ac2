"""A blog whose posts have no pages of their own: they share those of months or days, or one, and have marks there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime

from .blogserver import Answers, Reply, Site, serve_answers, story

FEED = 6
"""Posts that the feed names."""
ON_HOME = 3
AUTHOR = "Ada Ferrier"


@dataclass(slots=True)
class Told:
    """A post of such a blog."""

    number: int
    day: datetime
    lines: list[str]
    comments: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        return f"Tale {self.number} of the {self.lines[0].split()[3]}"

    @property
    def text(self) -> str:
        return "\n\n".join(self.lines)


Show = Callable[["SharedBlog", Told, str], str]
"""How a post stands on its page, and on the home page; the address is that of its own place."""


@dataclass(frozen=True, slots=True)
class Theme:
    """How such a blog writes its pages."""

    name: str
    mark: Callable[[Told], str]
    show: Show
    page: Callable[[Told], str] = lambda told: f"/archives/{told.day:%Y_%m}.html"
    open: str = '<div id="content">'
    close: str = "</div>"
    days: str = ""
    """Written above the first post of a day."""


@dataclass(slots=True)
class SharedBlog:
    """The posts, and what is served of them; with a feed or without."""

    theme: Theme
    posts: list[Told] = field(default_factory=list)
    base: str = ""
    has_feed: bool = True
    fed_at_home: bool = False
    """Whether the feed names the places that posts have on the home page, as long as they stand there."""
    lost: bool = False
    """Whether only the home page is left."""

    def publish(self, number: int) -> Told:
        month, day = divmod(number, 4)
        told = Told(
            number, datetime(2004, 3 + month, 2 + 5 * (day // 2 + day // 3), 10, number % 60, tzinfo=UTC), story(number)
        )
        self.posts.append(told)
        return told

    def address(self, told: Told) -> str:
        return f"{self.base}{self.theme.page(told)}#{self.theme.mark(told)}"

    def announced(self, told: Told) -> str:
        """The address that the feed names."""
        return f"{self.base}/#{self.theme.mark(told)}" if self.fed_at_home else self.address(told)

    def answer(self, path: str) -> Reply | None:
        if path == "/feed.xml" and self.has_feed:
            return Reply(self.feed().encode(), headers={"Content-Type": "application/rss+xml"})
        on_page = [told for told in self.posts if self.theme.page(told) == path and not self.lost]
        if on_page:
            return Reply(self._page("Archives", on_page).encode())
        shown = self.posts[-FEED:] if self.fed_at_home else self.posts[-ON_HOME:]
        return Reply(self._page("The ferry log", shown).encode()) if path == "/" else None

    def _page(self, title: str, posts: list[Told]) -> str:
        theme, body, last = self.theme, "", ""
        for told in reversed(posts):
            day = f"{told.day:%B} {told.day.day}, {told.day.year}"
            if theme.days and day != last:
                body += theme.days.format(day=day)
            last = day
            body += theme.show(self, told, self.address(told))
        pages = dict.fromkeys(theme.page(told) for told in self.posts)
        months = "".join(f'<li><a href="{page}">{page}</a></li>' for page in pages)
        feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">' if self.has_feed else ""
        return (
            f"<html><head><title>{title}</title>{feed}</head><body><h1><a href='/'>The ferry log</a></h1>"
            f"{theme.open}{body}{theme.close}"
            f'<div id="sidebar"><h2>About</h2><p>Notes from a small ferry.</p><ul>{months}</ul></div></body></html>'
        )

    def feed(self) -> str:
        items = "".join(
            f"<item><title>{told.title}</title><link>{self.announced(told)}</link>"
            f"<pubDate>{format_datetime(told.day)}</pubDate><dc:creator>{AUTHOR}</dc:creator>"
            f"<description>{told.text}</description></item>"
            for told in self.posts[: -FEED - 1 : -1]
        )
        head = f"<channel><title>The ferry log</title><link>{self.base}/</link>"
        return f"<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'>{head}{items}</channel></rss>"


def paragraphs(told: Told) -> str:
    return "".join(f"<p>{line}</p>" for line in told.lines)


def _movable(_blog: SharedBlog, told: Told, url: str) -> str:
    said = "".join(
        f'<div class="comment"><p>{text}</p><p>Posted by {who} at May 9, 2004 10:00</p></div>'
        for who, text in told.comments
    )
    return (
        f'<div class="blogbody"><a name="{told.number:06d}"></a><h3 class="title">{told.title}</h3>{paragraphs(told)}'
        f'<span class="posted">Posted by {AUTHOR} at {told.day:%H:%M} | <a href="{url}">Permalink</a></span>'
        f"{f'<div class=comments><h4>Comments</h4>{said}</div>' if said else ''}</div>"
    )


def _flat(_blog: SharedBlog, told: Told, _url: str) -> str:
    head = f'<h3 id="{told.day:%Y-%m-%d}-{told.number}">{told.title}</h3>'
    return f'{head}<p class="by">{told.day:%d %B %Y}, {AUTHOR}</p>{paragraphs(told)}'


def _rows(_blog: SharedBlog, told: Told, url: str) -> str:
    return (
        f'<tr><td><a name="a{told.number}"></a><b>{told.title}</b><br>{paragraphs(told)}<a href="{url}">#</a></td></tr>'
    )


def _terms(_blog: SharedBlog, told: Told, _url: str) -> str:
    return f'<dt><a name="n{told.number}">{told.title}</a> ({told.day:%d %B %Y})</dt><dd>{paragraphs(told)}</dd>'


def _stream(_blog: SharedBlog, told: Told, _url: str) -> str:
    return (
        f'<article class="text" id="post-{told.number}"><h2><a href="#post-{told.number}">{told.title}</a></h2>'
        f'<time datetime="{told.day.isoformat()}">{told.day:%d %B %Y}</time>'
        f'<div class="body">{paragraphs(told)}</div></article>'
    )


DAY = "<h2 class='date'>{day}</h2>"
THEMES = [
    Theme("movable", lambda told: f"{told.number:06d}", _movable, days=DAY),
    Theme("flat", lambda told: f"{told.day:%Y-%m-%d}-{told.number}", _flat),
    Theme(
        "rows", lambda told: f"a{told.number}", _rows, open="<table>", close="</table>", days="<tr><td>{day}</td></tr>"
    ),
    Theme("terms", lambda told: f"n{told.number}", _terms, open="<dl>", close="</dl>"),
    Theme("stream", lambda told: f"post-{told.number}", _stream, page=lambda _told: "/blog.html"),
    Theme(
        "days", lambda told: f"{told.number:06d}", _movable, page=lambda told: f"/{told.day:%Y/%m/%d}.html", days=DAY
    ),
]


@contextmanager
def serve_shared(theme: Theme, posts: int = 12) -> Iterator[tuple[SharedBlog, Site]]:
    """A blog of this theme, on a free port of loopback."""
    blog = SharedBlog(theme)
    for number in range(posts):
        blog.publish(number)

    def make(base: str) -> Answers:
        blog.base = base
        return blog.answer

    with serve_answers(make) as site:
        yield blog, site
