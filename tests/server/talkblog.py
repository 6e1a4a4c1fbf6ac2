"""A blog where everything stands in many places: posts in feed, list and API, comments on pages and in two feeds."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from random import Random

from server.blogserver import WORDS, Answers, Reply, day

POSTS = 9
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 60
HTML = {"Content-Type": "text/html; charset=utf-8"}
RSS = {"Content-Type": "application/rss+xml; charset=utf-8"}


def path(number: int) -> str:
    """The address of a post."""
    return f"/2021/{number % 12 + 1:02}/tale-of-number-{number}/"


def tale(number: int) -> list[str]:
    """Three paragraphs, which share no words in a row with any other post."""
    chance = Random(number)
    return [f"Tale {number} has it: {' '.join(chance.choices(WORDS, k=30))}." for _ in range(3)]


def said(number: int, who: int) -> str:
    """What a reader wrote under a post."""
    chance = Random(f"{number} {who}")
    return f"Reader {who} of tale {number} says: “{' '.join(chance.choices(WORDS, k=12))}” & no more."


def reader(who: int) -> str:
    """The name of a reader."""
    return ("Bo Reed", "Cy Marsh")[who]


def page(number: int, more: str = "") -> Reply:
    """One post with its comments, a picture of its own and one that all have."""
    text = "".join(f"<p>{line}</p>" for line in tale(number)) + more
    comments = "".join(
        f'<li class="comment" id="comment-{number}{who}"><cite class="fn">{reader(who)}</cite> '
        f'<time datetime="2021-12-0{who + 1}T10:00:00Z">Dec {who + 1}</time><p>{escape(said(number, who))}</p></li>'
        for who in range(2)
    )
    body = (
        f'<article class="post"><h1 class="entry-title">Tale {number}</h1><p class="meta">'
        f'<span class="author">Ann Ferrier</span> <time datetime="{day(number)}">{day(number)}</time></p>'
        f'<div class="entry-content">{text}<img src="/pictures/own-{number}.png" alt="own">'
        f'<img src="/pictures/all.png"></div></article>'
        f'<section id="comments"><ol class="comment-list">{comments}</ol></section>'
    )
    return Reply(layout(f"Tale {number}", body, tale(number)[0]), headers=HTML)


def layout(title: str, body: str, description: str = "") -> bytes:
    """The theme around every page."""
    return (
        f"<!doctype html><html lang=en><head><title>{title} - The Ferry Talk</title>"
        f'<meta name="description" content="{description}">'
        '<link rel="alternate" type="application/rss+xml" title="Posts" href="/feed/">'
        '<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed/">'
        f'</head><body><header><a href="/">The Ferry Talk</a></header><main>{body}</main></body></html>'
    ).encode()


def home() -> Reply:
    """All posts with their first words."""
    items = "".join(
        f'<article><h2><a href="{path(n)}">Tale {n}</a></h2><p>{tale(n)[0]}</p></article>'
        for n in reversed(range(POSTS))
    )
    return Reply(layout("Home", items), headers=HTML)


def feed(base: str, quoting: str = "") -> Reply:
    """The posts with their whole text."""
    items = "".join(
        f"<item><title>Tale {n}</title><link>{base}{path(n)}</link><guid>{base}{path(n)}</guid>"
        f"<dc:creator>Ann Ferrier</dc:creator><pubDate>{day(n)}T08:00:00Z</pubDate>"
        f"<description>{escape(''.join(f'<p>{line}</p>' for line in tale(n)) + quoting)}</description></item>"
        for n in range(POSTS)
    )
    return Reply(_rss("The Ferry Talk", base, items), headers=RSS)


def comment_feed(base: str) -> Reply:
    """The newest comments of all posts."""
    items = "".join(
        f"<item><title>By: {reader(who)}</title><link>{base}{path(n)}#comment-{n}{who}</link>"
        f"<guid>{base}{path(n)}#comment-{n}{who}</guid><dc:creator>{reader(who)}</dc:creator>"
        f"<pubDate>2021-12-0{who + 1}T10:00:00Z</pubDate><description>{escape(said(n, who))}</description></item>"
        for n in range(POSTS)
        for who in range(2)
    )
    return Reply(_rss("Comments for The Ferry Talk", base, items), headers=RSS)


def _rss(title: str, base: str, items: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        f"<title>{title}</title><link>{base}/</link><description>Talk</description>{items}</channel></rss>"
    ).encode()


def api(base: str) -> Reply:
    """The posts as JSON."""
    posts = [
        {"id": n + 100, "link": base + path(n), "title": {"rendered": f"Tale {n}"}, "date": f"{day(n)}T08:00:00"}
        | {"content": {"rendered": "".join(f"<p>{line}</p>" for line in tale(n))}}
        for n in range(POSTS)
    ]
    return Reply(json.dumps(posts).encode(), headers={"Content-Type": "application/json"})


def answers(quoting: str = "") -> Callable[[str], Answers]:
    """What the blog answers; the last post says something more."""

    def make(base: str) -> Answers:
        pages = {path(n): page(n, quoting if n == POSTS - 1 else "") for n in range(POSTS)}
        pictures = {
            f"/pictures/own-{n}.png": Reply(PNG + bytes([n]), headers={"Content-Type": "image/png"})
            for n in range(POSTS)
        }
        rest = {
            "/": home(),
            "/feed/": feed(base),
            "/comments/feed/": comment_feed(base),
            "/wp-json/wp/v2/posts": api(base),
            "/pictures/all.png": Reply(PNG, headers={"Content-Type": "image/png"}),
            "/robots.txt": Reply(b"", headers={"Content-Type": "text/plain"}),
        }
        known = pages | pictures | rest
        return lambda asked: known.get(asked.partition("?")[0])

    return make
