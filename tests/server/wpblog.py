"""A blog like one on WordPress: a paged feed, a REST API, a sitemap index, list pages; and traps beside it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from server.blogserver import Answers, Reply, day, story

HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}
PAGES = 3
FORM = (
    '<form action="/wp-login.php?action=postpass" class="post-password-form" method="post"><p>This content is password '
    'protected. To view it please enter your password below:</p><p><label>Password: <input name="post_password" '
    'type="password"></label> <input type="submit" value="Enter"></p></form>'
)
TRAPS = {
    "calendar": '<a href="/events/2024-01/">Calendar</a>',
    "session": '<a href="/news/?visit=1">News</a>',
    "pagination": '<a href="/gallery/page/2/">Gallery</a>',
    "facets": '<a href="/shop/?colour=red">Shop</a>',
}


@dataclass(frozen=True)
class Blog:
    """How many posts there are, which sources tell of them, and what is wrong."""

    posts: int = 35
    in_feed: int = 5
    folder: str = ""
    feed: bool = True
    paged: bool = False
    api: bool = False
    sitemap: bool = False
    linked: bool = True
    gone: frozenset[int] = frozenset()
    robots: str = ""
    traps: tuple[str, ...] = ()
    broken_feed_page: int = 0
    broken_list: int = 0
    years: bool = False
    moved_home: frozenset[int] = frozenset()
    beside: int = 0
    long: frozenset[int] = frozenset()
    by_query: bool = False
    locked: frozenset[int] = frozenset()
    nameless: frozenset[int] = frozenset()
    authors: tuple[str, ...] = ("Bo Reed",)

    def path(self, number: int) -> str:
        """The address of a post."""
        return f"{self.folder}/{number % 7 + 2015}/{number % 12 + 1:02}/tale-{number}/"


def answers(blog: Blog) -> Callable[[str], Answers]:
    """What the blog answers, once its own address is known."""

    def make(base: str) -> Answers:
        return lambda target: answer(blog, base, target)

    return make


def answer(blog: Blog, base: str, target: str) -> Reply | None:
    """One request."""
    parts = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    path = parts.path.removeprefix(blog.folder) if blog.folder else parts.path
    if parts.path == "/robots.txt":
        return Reply(blog.robots.encode(), headers={"Content-Type": "text/plain"})
    if blog.folder and not parts.path.startswith(blog.folder):
        return None
    if path in ("/wp-json/wp/v2/posts", "/") and (path != "/" or "rest_route" in query):
        return api(blog, base, query) if blog.api else None
    if path in ("/feed/", "/comments/feed/"):
        return feed(blog, base, int(query.get("paged", "1")), comments="comments" in path)
    return sitemap(blog, base, path) or trap(blog, path, query) or page(blog, path, int(query.get("page", "1")))


def page(blog: Blog, path: str, part: int = 1) -> Reply | None:
    """Home, list pages, posts, a static page."""
    if match := re.fullmatch(r"(/\d{4}/\d\d/tale-(\d+)/)(?:(\d)/)?", path):
        number = int(match[2])
        known = number < blog.posts and blog.path(number) == blog.folder + match[1] and number not in blog.gone
        known = known and (match[3] is None or (number in blog.long and int(match[3]) <= PAGES))
        if number in blog.moved_home:
            return Reply(b"", 302, {"Location": f"{blog.folder}/"})
        return post(blog, number, int(match[3] or part)) if known else None
    if path == "/about/":
        return layout(blog, "About", "<h1>About</h1><p>Tales told on the ferry.</p>", "page page-id-2")
    if blog.years and (match := re.fullmatch(r"/(\d{4})/", path)):
        return year(blog, int(match[1]))
    if match := re.fullmatch(r"/wiki/([a-z]+)/", path):
        return layout(blog, match[1], f"<h1>{match[1]}</h1><p>Notes for the crew.</p>", "wiki")
    match = re.fullmatch(r"/(?:page/(\d+)/)?", path)
    return listing(blog, int(match[1] or 1)) if match else None


def year(blog: Blog, number: int) -> Reply | None:
    """All posts of a year, as archives list them, and the other years."""
    shown = [n for n in range(blog.posts) if blog.path(n).startswith(f"{blog.folder}/{number}/")]
    items = "".join(f'<li><a href="{blog.path(n)}">Tale {n}</a></li>' for n in shown)
    others = "".join(f'<a href="{blog.folder}/{other}/">{other}</a> ' for other in (number - 1, number + 1))
    return layout(blog, str(number), f"<h1>{number}</h1><ul>{items}</ul>{others}", "archive date") if shown else None


def wiki(blog: Blog) -> str:
    """Links to pages beside the blog."""
    names = ("".join(chr(97 + int(digit)) for digit in f"{n:03}") for n in range(blog.beside))
    return "".join(f'<a href="{blog.folder}/wiki/{name}/">{name}</a> ' for name in names)


def listing(blog: Blog, number: int) -> Reply | None:
    """Five posts a page, newest first."""
    shown = list(range(blog.posts - 1, -1, -1))[(number - 1) * 5 : number * 5] if blog.linked else []
    if not shown and number > 1:
        return None
    if number == blog.broken_list:
        return Reply(b"no", 500)
    items = "".join(
        f'<article><h2><a href="{blog.path(n)}">Tale {n}</a></h2><p>{story(n)[0]}</p></article>' for n in shown
    )
    older = f'<a rel="next" href="{blog.folder}/page/{number + 1}/">Older</a>' if shown else ""
    traps = "".join(TRAPS[name] for name in blog.traps)
    return layout(blog, "Tales", f"<h1>Tales</h1>{items}{wiki(blog)}{older}{traps}", "blog")


def post(blog: Blog, number: int, part: int = 1) -> Reply:
    """One post, or a page of a long one, or the form that stands for it."""
    text = "".join(f"<p>{line}</p>" for line in story(number))
    if number in blog.long:
        text = f"<p>{story(number)[part - 1]}</p>{page_links(blog, number, part)}"
    if number in blog.locked:
        text = FORM
    name = blog.authors[number % len(blog.authors)]
    by_line = "" if number in blog.nameless else f'<span class="author">{name}</span>'
    body = (
        f'<article class="post"><h1 class="entry-title">Tale {number}</h1><p class="meta">{by_line} '
        f'<time datetime="{day(number)}">{day(number)}</time></p>'
        f'<div class="entry-content">{text}</div></article>'
    )
    return layout(blog, f"Tale {number}", body, "single single-post")


def page_links(blog: Blog, number: int, part: int) -> str:
    """Where the other pages of a long post are."""
    first = blog.path(number)
    urls = [first, *(f"{first}?page={n}" if blog.by_query else f"{first}{n}/" for n in range(2, PAGES + 1))]
    links = " ".join(
        f'<span class="current">{n}</span>' if n == part else f'<a href="{url}" class="post-page-numbers">{n}</a>'
        for n, url in enumerate(urls, 1)
    )
    return f'<div class="page-links">Pages: {links}</div>'


def layout(blog: Blog, title: str, body: str, classes: str) -> Reply:
    """The theme."""
    api_link = f'<link rel="https://api.w.org/" href="{blog.folder}/wp-json/">' if blog.api else ""
    feed_links = (
        f'<link rel="alternate" type="application/rss+xml" title="Tales" href="{blog.folder}/feed/">'
        f'<link rel="alternate" type="application/rss+xml" title="Tales, comments" href="{blog.folder}/comments/feed/">'
    )
    head = (
        f'<title>{title}</title><meta name="generator" content="WordPress 6.5"><link rel="license" href="/licence/">'
        f"{feed_links if blog.feed else ''}{api_link}"
    )
    foot = f'<footer><a href="{blog.folder}/">Home</a> <a href="{blog.folder}/about/">About</a></footer>'
    html = f'<!doctype html><html lang="en"><head>{head}</head><body class="{classes}">{body}{foot}</body></html>'
    return Reply(html.encode(), headers=HTML)


def feed(blog: Blog, base: str, number: int, comments: bool = False) -> Reply | None:
    """A page of the feed; comments have their own."""
    newest = list(range(blog.posts - 1, -1, -1))[(number - 1) * blog.in_feed : number * blog.in_feed]
    if not blog.feed or (number > 1 and not (blog.paged and newest)):
        return None
    if number == blog.broken_feed_page:
        return Reply(b"no", 503)
    root = base + blog.folder
    items = "".join(
        f"<item><title>Tale {n}</title><link>{base}{blog.path(n)}{'#comment-1' if comments else ''}</link>"
        f"<pubDate>{day(n)}T08:00:00Z</pubDate><description><![CDATA[{told(blog, n)}]]>"
        "</description></item>"
        for n in newest
    )
    title = "Comments for Tales" if comments else "Tales"
    text = (
        f'<?xml version="1.0"?><rss version="2.0"><channel><title>{title}</title><link>{root}/</link>'
        f"<generator>https://wordpress.org/?v=6.5</generator>{items}</channel></rss>"
    )
    return Reply(text.encode(), headers={"Content-Type": "application/rss+xml"})


def told(blog: Blog, number: int) -> str:
    """What the feed says of a post: its text, the first page of it, or that there is none."""
    if number in blog.locked:
        return "There is no excerpt because this is a protected post."
    lines = story(number)[:1] if number in blog.long else story(number)
    return "".join(f"<p>{line}</p>" for line in lines)


def api(blog: Blog, base: str, query: dict[str, str]) -> Reply:
    """A page of the list of posts."""
    per_page, number = min(int(query["per_page"]), 20), int(query["page"])
    newest = list(range(blog.posts - 1, -1, -1))
    pages = -(-len(newest) // per_page)
    kind = {"Content-Type": "application/json", "X-WP-Total": str(len(newest)), "X-WP-TotalPages": str(pages)}
    if number > pages:
        return Reply(b'{"code":"rest_post_invalid_page_number"}', 400, kind)
    shown = newest[(number - 1) * per_page : number * per_page]
    posts = [
        {
            "id": n,
            "date": f"{day(n)}T08:00:00",
            "link": base + blog.path(n),
            "title": {"rendered": f"Tale {n}"},
            "content": {"rendered": "".join(f"<p>{line}</p>" for line in story(n))},
            "_embedded": {"author": [{"name": "Bo Reed"}], "wp:term": [[{"name": "ferry"}], []]},
        }
        for n in shown
    ]
    return Reply(json.dumps(posts).encode(), headers=kind)


def sitemap(blog: Blog, base: str, path: str) -> Reply | None:
    """An index that leads to a packed sitemap of posts and one of pages."""
    if not blog.sitemap:
        return None
    root = base + blog.folder
    maps = {
        "/wp-sitemap.xml": ("sitemap", [f"{root}/wp-sitemap-posts-post-1.xml", f"{root}/wp-sitemap-posts-page-1.xml"]),
        "/wp-sitemap-posts-post-1.xml": ("url", [base + blog.path(n) for n in range(blog.posts)]),
        "/wp-sitemap-posts-page-1.xml": ("url", [f"{root}/about/"]),
    }
    if path not in maps:
        return None
    tag, urls = maps[path]
    outer = "sitemapindex" if tag == "sitemap" else "urlset"
    text = "".join(f"<{tag}><loc>{url}</loc></{tag}>" for url in urls)
    body = f'<?xml version="1.0"?><{outer}>{text}</{outer}>'.encode()
    return Reply(gzip.compress(body) if "post-" in path else body, headers=XML)


def trap(blog: Blog, path: str, query: dict[str, str]) -> Reply | None:
    """Pages without end: every one leads to new ones, and none of them to a post."""
    if "calendar" in blog.traps and (match := re.fullmatch(r"/events/(\d{4})-(\d\d)/", path)):
        year, month = int(match[1]), int(match[2])
        later = f"/events/{year + month // 12}-{month % 12 + 1:02}/"
        return layout(blog, f"{year}-{month}", f'<h1>{year}-{month}</h1><a href="{later}">Later</a>', "events")
    if "session" in blog.traps and path == "/news/":
        links = "".join(f'<a href="/news/?visit={int(query["visit"]) * 3 + n}">News</a>' for n in range(3))
        return layout(blog, "News", f"<h1>News</h1><p>Nothing today.</p>{links}", "news")
    if "pagination" in blog.traps and (match := re.fullmatch(r"/gallery/page/(\d+)/", path)):
        return layout(blog, "Gallery", f'<a href="/gallery/page/{int(match[1]) + 1}/">More {match[1]}</a>', "gallery")
    if "facets" in blog.traps and path == "/shop/":
        shown = "".join(f"{name}={value}&" for name, value in sorted(query.items()))
        links = "".join(f'<a href="/shop/?{shown}f{n}={len(query)}">f{n}</a>' for n in range(9) if f"f{n}" not in query)
        return layout(blog, "Shop", f"<h1>Shop {shown}</h1>{links}", "shop")
    return None
