"""Blogs whose posts have addresses of every shape, with pages beside them that are no posts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from server.blogserver import Answers, Reply, day, story

HTML = {"Content-Type": "text/html; charset=utf-8"}
IN_FEED = 6
ON_A_PAGE = 5
TEASER = '<section class="teaser"><h2><a href="{url}">{title}</a></h2><p>{text}</p></section>'


@dataclass(frozen=True)
class Shaped:
    """A blog: the addresses of its posts from the oldest on, and of what lies beside them, with what that shows."""

    posts: tuple[str, ...]
    beside: dict[str, str] = field(default_factory=dict)
    in_feed: tuple[int, ...] = ()
    older: str = "/page/{}/"
    copies: tuple[str, ...] = ()
    feed: bool = True
    dated: bool = True
    item: str = TEASER
    """How lists show a post."""


def numbered(form: str, count: int = 20, first: int = 0) -> tuple[str, ...]:
    """Addresses of one form, with the word and the number of each post."""
    words = "harbour lantern copper meadow thistle granite ferry orchard kettle compass".split()
    return tuple(
        form.format(
            n=first + n, word=f"{words[n % 10]}-{words[n * 3 % 10]}-{'abc'[n % 3]}{words[n // 10]}", month=n % 12 + 1
        )
        for n in range(count)
    )


def serve_shape(blog: Shaped) -> Callable[[str], Answers]:
    """What the blog answers, once its own address is known."""

    def make(base: str) -> Answers:
        pages = {path: Reply(post(blog, n), headers=HTML) for n, path in enumerate(blog.posts)}
        pages |= {path: Reply(layout(path.strip("/"), body), headers=HTML) for path, body in blog.beside.items()}
        for number, path in enumerate(blog.posts):
            for ending in blog.copies:
                classes = "attachment" if "photo" in ending else "single"
                pages[path + ending] = Reply(post(blog, number, classes), headers=HTML)
        newest = list(range(len(blog.posts)))[::-1]
        lists = -(-len(newest) // ON_A_PAGE)
        for number in range(1, lists + 1):
            shown = newest[(number - 1) * ON_A_PAGE : number * ON_A_PAGE]
            older = f'<a href="{blog.older.format(number + 1)}">Older</a>' if number < lists else ""
            path = "/" if number == 1 else blog.older.format(number)
            pages[path] = Reply(listing(blog, shown, older), headers=HTML)
        if blog.feed:
            pages["/feed.xml"] = Reply(feed(blog, base), headers={"Content-Type": "application/rss+xml"})
        return lambda target: pages.get(unquote(target))

    return make


def layout(title: str, body: str, classes: str = "") -> bytes:
    """The theme."""
    head = f'<title>{title} | Shapes</title><link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    menu = '<nav><a href="/">Shapes</a></nav>'
    foot = "<footer>All of it is told on deck, by the crew and their guests.</footer>"
    page = f"<!doctype html><html lang=en><head>{head}</head><body class='{classes}'>{menu}{body}{foot}</body></html>"
    return page.encode()


def post(blog: Shaped, number: int, classes: str = "") -> bytes:
    """One post, and links to its copies."""
    text = "".join(f"<p>{line}</p>" for line in story(number))
    under = "".join(f'<a href="{blog.posts[number]}{ending}">{ending}</a> ' for ending in blog.copies)
    told = f", <time datetime={day(number)}>{day(number)}</time>" if blog.dated else ""
    return layout(
        f"Tale {number}",
        f"<article><h1>Tale {number}</h1><p class=meta>Bo Reed{told}</p>"
        f'<div class="words">{text}</div></article>{under}',
        classes,
    )


def listing(blog: Shaped, shown: list[int], older: str) -> bytes:
    """A page that shows several posts, and leads to what lies beside them."""
    items = "".join(blog.item.format(url=blog.posts[n], title=f"Tale {n}", text=story(n)[0], day=day(n)) for n in shown)
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in blog.beside)
    return layout("Home", f"{items}{older}<aside><ul>{links}</ul></aside>")


def feed(blog: Shaped, base: str) -> bytes:
    """The newest posts, or those that are named."""
    named = blog.in_feed or range(len(blog.posts) - IN_FEED, len(blog.posts))
    items = "".join(
        f"<item><title>Tale {n}</title><link>{base}{quote(blog.posts[n], safe='/?=&%')}</link>"
        f"<pubDate>{day(n)}T08:00:00Z</pubDate><description><![CDATA[{''.join(f'<p>{t}</p>' for t in story(n))}]]>"
        "</description></item>"
        for n in named
    )
    head = f"<title>Shapes</title><link>{base}/</link>"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{head}{items}</channel></rss>'.encode()


def prose(title: str, words: int = 60, like_posts: bool = True) -> str:
    """A page beside the blog: a heading and a text as a post has, in the same frame or in one of its own; no date."""
    text = " ".join(story(n)[n % 3] for n in range(40, 40 + words // 30 + 1))
    if like_posts:
        return f'<article><h1>{title}</h1><div class="words"><p>{text}</p></div></article>'
    return f'<div class="manual"><h1>{title}</h1><p>{text}</p><p>Last changed on 2020-05-06.</p></div>'
