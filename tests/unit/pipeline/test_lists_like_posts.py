"""Lists at addresses as posts have, made like posts: they are none, and teach nothing, with a feed and without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from blogforever.crawl.crawl import BlogCrawl
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure
from blogforever.pipeline.harvest import harvest
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.records import PostRecord
from blogforever.testing import FakeFetcher, FakeReply

ROOT = "https://ferry.example"
TOPICS = ("ropes", "weather", "engines", "tolls")
WORDS = "tide rope harbour lantern winch gull deck ladder engine fog".split()


@dataclass(frozen=True)
class Crossing:
    """A post; its number says all of it."""

    n: int

    @property
    def path(self) -> str:
        return f"/crossing-{self.n}.aspx"

    @property
    def topic(self) -> str:
        """The last topic has a single post."""
        return TOPICS[-1] if self.n == 0 else TOPICS[self.n % (len(TOPICS) - 1)]

    @property
    def text(self) -> str:
        lines = (" ".join(WORDS[(self.n * k + k + j) % len(WORDS)] for j in range(25)) for k in range(1, 4))
        return "\n\n".join(f"{line}, {self.n} and {k}." for k, line in enumerate(lines))

    def drawn(self) -> str:
        """The same on its own page and on lists: nothing but its place on the page tells which it is."""
        told = "".join(f"<p>{part}</p>" for part in self.text.split("\n\n"))
        return (
            f"<div class='item'><div class='date'>{self.n % 28 + 1} March {2004 + self.n // 4}</div>"
            f"<div class='itemTitle'><a href='{self.path}'>Crossing {self.n}</a></div>"
            f"<div class='itemBody'>{told}</div>"
            f"<div class='itemFooter'><a rel='tag' href='/topic-{self.topic}.aspx'>{self.topic}</a></div></div>"
        )


POSTS = [Crossing(n) for n in range(14)]


def page(posts: Sequence[Crossing], feed: bool) -> FakeReply:
    head = "<link rel='alternate' type='application/rss+xml' href='/feed.xml'>" if feed else ""
    menu = "".join(f"<a href='/topic-{topic}.aspx'>{topic}</a><br>" for topic in TOPICS)
    shown = "".join(post.drawn() for post in posts)
    table = f"<table><tr><td class='left'>{menu}</td><td class='centre'>{shown}</td></tr></table>"
    return FakeReply(f"<html><title>Ferry notes</title>{head}<body>{table}</body></html>".encode())


def replies(feed: bool) -> dict[str, FakeReply]:
    made = {post.path: page([post], feed) for post in POSTS}
    made |= {f"/topic-{topic}.aspx": page([post for post in POSTS if post.topic == topic], feed) for topic in TOPICS}
    made["/"] = page(POSTS, feed)
    if feed:
        items = "".join(
            f"<item><title>Crossing {post.n}</title><link>{ROOT}{post.path}</link>"
            f"<pubDate>{post.n % 28 + 1} Mar {2004 + post.n // 4} 00:00:00 GMT</pubDate>"
            f"<description>{post.text}</description></item>"
            for post in POSTS[:6]
        )
        rss = f"<rss version='2.0'><channel><title>Ferry notes</title>{items}</channel></rss>"
        made["/feed.xml"] = FakeReply(rss.encode(), 200, {"content-type": "application/rss+xml"})
    return made


class Kept:
    """The records of the pages, by address."""

    def __init__(self) -> None:
        self.records: dict[str, PostRecord] = {}

    def keep(self, url: str, record: PostRecord) -> None:
        """The last reading of a page counts."""
        self.records[url] = record

    def fail(self, failure: Failure) -> None:
        """Not kept."""


def texts(answers: Mapping[str, FakeReply]) -> dict[str, str]:
    """The texts of the posts that a crawl finds, by their paths."""
    fetcher, kept = FakeFetcher(lambda url: answers.get(url.removeprefix(ROOT))), Kept()
    crawl = BlogCrawl(f"{ROOT}/", "ferry", Tools(learn_rules, extract_post, fetcher.read, kept), CrawlLimits())
    fetcher.drive(crawl)
    found = harvest(list(crawl.seen.values()), crawl.known.rules, crawl.known.lists)
    return {post.url.removeprefix(ROOT): kept.records[post.url].text for post in found.posts}


def headed(posts: Sequence[Crossing], name: str = "") -> FakeReply:
    """Lists, which have names, link the headings of their posts; the page of a post does not."""
    menu = "".join(f"<a href='/{topic}/'>{topic}</a><br>" for topic in TOPICS)
    shown = ""
    for post in posts:
        title = f"<a href='{post.path}'>Crossing {post.n}</a>" if name else f"Crossing {post.n}"
        told = "".join(f"<p>{part}</p>" for part in post.text.split("\n\n"))
        day = f"<h2 class='date'>{post.n % 28 + 1} March {2004 + post.n // 4}</h2>"
        shown += f"{day}<div class='entry'><h3>{title}</h3><div class='body'>{told}</div></div>"
    called = name or f"Crossing {posts[0].n}"
    html = f"<title>Ferry notes: {called}</title><body><div id='main'>{shown}</div><div id='side'>{menu}</div>"
    return FakeReply(f"<html>{html}</body></html>".encode())


def test_lists_of_single_posts_teach_nothing_on_a_small_blog() -> None:
    posts = POSTS[:5]
    made = {post.path: headed([post]) for post in posts}
    made |= {f"/{topic}/": headed([post for post in posts if post.topic == topic], topic) for topic in TOPICS}
    made["/"] = headed(posts, "home")
    assert texts(made) == {post.path: post.text for post in posts}


@pytest.mark.parametrize("feed", [True, False], ids=["with a feed", "without"])
def test_lists_of_whole_posts_are_no_posts(feed: bool) -> None:
    assert texts(replies(feed)) == {post.path: post.text for post in POSTS}


@pytest.mark.parametrize("feed", [True, False], ids=["with a feed", "without"])
def test_a_post_whose_title_leads_to_an_earlier_one_is_a_post(feed: bool) -> None:
    last, earlier = POSTS[-1], POSTS[7]
    made = replies(feed)
    there, elsewhere = (f"'{post.path}'".encode() for post in (last, earlier))
    made[last.path] = FakeReply(made[last.path].body.replace(there, elsewhere))
    assert texts(made) == {post.path: post.text for post in POSTS}


def loose(posts: Sequence[Crossing], name: str = "") -> FakeReply:
    """Posts without an element of their own, one below the other; lists have their names above them."""
    shown = f"<h1>{name}</h1>" if name else ""
    for post in posts:
        told = post.text.split("\n\n")[:1] if name else post.text.split("\n\n")
        shown += f"<div class='day'>{post.n % 28 + 1} March {2004 + post.n // 4}</div>"
        shown += f"<h1 class='its-title'><a href='{post.path}'>Crossing {post.n}</a></h1>"
        shown += "".join(f"<p>{part}</p>" for part in told)
        shown += f"<div class='filed'><a href='/topic-{post.topic}.aspx'>{post.topic}</a></div>"
    called = name or f"Crossing {posts[0].n}"
    return FakeReply(f"<html><title>{called} - Ferry notes</title><body><div id='all'>{shown}</div>".encode())


@pytest.mark.parametrize("feed", [True, False], ids=["with a feed", "without"])
def test_short_lists_of_posts_without_elements_are_no_posts(feed: bool) -> None:
    posts = POSTS[:9]
    made = {"/feed.xml": replies(feed)["/feed.xml"]} if feed else {}
    made |= {post.path: loose([post]) for post in posts}
    for topic in TOPICS:
        made[f"/topic-{topic}.aspx"] = loose([post for post in posts if post.topic == topic], topic)
    home = loose(posts, "Ferry notes")
    head = b"<link rel='alternate' type='application/rss+xml' href='/feed.xml'><body>"
    made["/"] = FakeReply(home.body.replace(b"<body>", head)) if feed else home
    assert texts(made) == {post.path: post.text for post in posts}
