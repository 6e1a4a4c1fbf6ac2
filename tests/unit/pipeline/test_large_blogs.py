"""What bounds a hostile blog does not cut an honest one, however large it is and however it tells of its posts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from blogforever.crawl.completeness import by_post
from blogforever.crawl.crawl import BlogCrawl
from blogforever.crawl.statement import completeness
from blogforever.learn import learn_rules
from blogforever.model import Entry, Failure, Page, Post, Rules
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.records import PostRecord
from blogforever.testing import FakeFetcher

ROOT = "https://large.example"
MANY = 2400
PER_PAGE = 10
Answers = Callable[[str], bytes | None]


class Nothing:
    def keep(self, url: str, record: PostRecord) -> None:
        """Not kept."""

    def fail(self, failure: Failure) -> None:
        """Not kept."""


def extracted(page: Page, _rules: Rules | None, _entry: Entry | None) -> Post:
    return Post(url=page.url, title=page.url, text="A few words.")


def path(number: int) -> str:
    return f"/{2000 + number // 200}/{number % 12 + 1:02}/post-number-{number}/"


def page(title: str, links: list[str]) -> bytes:
    items = "".join(f'<h2><a href="{link}">{link}</a></h2>' for link in links)
    head = '<head><link rel="alternate" type="application/rss+xml" href="/feed/"></head>'
    return f"<html>{head}<body><h1>{title}</h1><p>{title} says a few words.</p>{items}</body></html>".encode()


def feed(number: int = 1, last: int = 1) -> bytes:
    numbers = range((number - 1) * PER_PAGE, number * PER_PAGE)
    items = "".join(f"<item><title>{n}</title><link>{ROOT}{path(n)}</link></item>" for n in numbers)
    more = f'<atom:link rel="next" href="{ROOT}/feed/?paged={number + 1}"/>' if number < last else ""
    return (
        f'<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>{ROOT}/</link>'
        f"{more}{items}</channel></rss>"
    ).encode()


def sitemap(kind: str, urls: list[str]) -> bytes:
    inner = "url" if kind == "urlset" else "sitemap"
    return f"<{kind}>{''.join(f'<{inner}><loc>{ROOT}{url}</loc></{inner}>' for url in urls)}</{kind}>".encode()


def by_sitemaps() -> dict[str, bytes]:
    """An index of many sitemaps, half of which name nothing."""
    maps = {f"/sitemap-{n}.xml": sitemap("urlset", [path(i) for i in range(n * 20, n * 20 + 20)]) for n in range(120)}
    maps |= {f"/sitemap-empty-{n}.xml": sitemap("urlset", []) for n in range(60)}
    return maps | {"/sitemap.xml": sitemap("sitemapindex", sorted(maps))}


def by_lists() -> dict[str, bytes]:
    """List pages, each with a few posts and the next list."""
    last = MANY // PER_PAGE
    return {
        f"/page/{n}/": page(
            f"Page {n}",
            [path(i) for i in range((n - 1) * PER_PAGE, n * PER_PAGE)] + ([f"/page/{n + 1}/"] if n < last else []),
        )
        for n in range(1, last + 1)
    }


def by_feed() -> dict[str, bytes]:
    """A feed of many pages."""
    last = MANY // PER_PAGE
    return {f"/feed/?paged={n}": feed(n, last) for n in range(2, last + 1)} | {"/feed/": feed(1, last)}


def after_many_dead() -> dict[str, bytes]:
    """A page that names hundreds of posts that are gone before those that are there."""
    dead = [f"/1999/{n % 12 + 1:02}/gone-{n}/" for n in range(600)]
    return {"/archive/": page("All posts", [*dead, *(path(n) for n in range(MANY))])}


SHAPES = {"sitemaps": by_sitemaps, "lists": by_lists, "feed": by_feed, "dead": after_many_dead}


def crawled(answers: Answers) -> tuple[BlogCrawl, list[str]]:
    fetcher = FakeFetcher(lambda url: answers(url.removeprefix(ROOT)))
    tools = Tools(learn_rules, extracted, fetcher.read, Nothing(), comments=None)
    crawl = BlogCrawl(f"{ROOT}/", "large", tools, CrawlLimits())
    fetcher.drive(crawl)
    return crawl, fetcher.asked


@pytest.mark.parametrize("shape", SHAPES)
def test_every_post_of_a_large_blog_is_found(shape: str) -> None:
    told = SHAPES[shape]()
    posts = {path(n): page(path(n), []) for n in range(MANY)}
    home = page("Home", [*(path(n) for n in range(5)), "/page/1/", "/archive/"])
    pages = {"/feed/": feed(), "/": home} | posts | told
    crawl, asked = crawled(pages.get)
    found = {seen.evidence.url.removeprefix(ROOT) for seen in crawl.seen.values()}
    assert not posts.keys() - found
    assert not [url for url, times in Counter(asked).items() if times > 1]
    statement = completeness(crawl, by_post([ROOT + url] for url in posts))
    assert not statement.missing
    assert not statement.bounds
    assert statement.stopped is None
