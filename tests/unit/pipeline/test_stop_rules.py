"""Whatever ends a crawl early is told, and what was announced by then is missing for that reason."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from blogforever.crawl import statement as statements
from blogforever.crawl.completeness import by_post
from blogforever.crawl.crawl import BlogCrawl
from blogforever.crawl.statement import completeness
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure
from blogforever.pipeline import waiting
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.records import PostRecord
from blogforever.testing import FakeFetcher

ROOT = "https://made.example"
POSTS = [f"/2013/{n % 12 + 1:02}/post-number-{n}/" for n in range(30)]
WIKI = [f"/wiki/{''.join(letters)}" for letters in product("abcdefghijk", repeat=3)]


class Nothing:
    def keep(self, url: str, record: PostRecord) -> None:
        """Not kept."""

    def fail(self, failure: Failure) -> None:
        """Not kept."""


def page(title: str, links: list[str]) -> bytes:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<html><body><h1>{title}</h1><p>{title} says a few words.</p><ul>{items}</ul></body></html>".encode()


def site(lost: frozenset[str] = frozenset()) -> dict[str, bytes]:
    pages = {url: page(url, []) for url in POSTS if url not in lost}
    pages |= {url: page(url, WIKI[n + 1 : n + 3]) for n, url in enumerate(WIKI)}
    items = "".join(f"<item><title>{url}</title><link>{ROOT}{url}</link></item>" for url in POSTS[:5])
    pages["/feed/"] = f'<rss version="2.0"><channel><link>{ROOT}/</link>{items}</channel></rss>'.encode()
    urls = "".join(f"<url><loc>{ROOT}{url}</loc></url>" for url in POSTS)
    pages["/sitemap.xml"] = f"<urlset>{urls}</urlset>".encode()
    return pages | {"/": page("Home", [*WIKI[:40], *POSTS[:3]])}


def crawled(limits: CrawlLimits, pages: dict[str, bytes]) -> BlogCrawl:
    fetcher = FakeFetcher(lambda url: pages.get(url.removeprefix(ROOT)))
    crawl = BlogCrawl(f"{ROOT}/", "made", Tools(learn_rules, extract_post, fetcher.read, Nothing()), limits)
    fetcher.drive(crawl)
    return crawl


def captured(crawl: BlogCrawl) -> list[str]:
    return [seen.evidence.url for seen in crawl.seen.values() if "/post-number-" in seen.evidence.url]


STOPS: dict[str, tuple[CrawlLimits, Callable[[str], bool]]] = {
    "pages": (CrawlLimits(pages=25), lambda why: why == "the limit of 25 pages"),
    "time": (CrawlLimits(seconds=0.000001), lambda why: why.startswith("the time limit")),
    "size": (CrawlLimits(size=3000), lambda why: why.startswith("the size limit")),
}


@pytest.mark.parametrize("name", STOPS)
def test_a_limit_is_told_and_is_the_reason_for_every_announced_post_it_cost(name: str) -> None:
    limits, is_told = STOPS[name]
    crawl = crawled(limits, site())
    statement = completeness(crawl, by_post([url] for url in captured(crawl)))
    assert not statement.complete
    assert is_told(statement.stopped or "")
    assert all(is_told(reason) for reason in statement.missing.values())
    assert statement.announced == statement.captured + len(statement.missing)


@pytest.fixture
def look_back(monkeypatch: pytest.MonkeyPatch) -> int:
    """Fewer pages than usual are looked back at: all the pages of a long walk would have to be read here."""
    pages = 200
    for module in (waiting, statements):
        monkeypatch.setattr(module, "LOOK_BACK", pages)
    return pages


def test_a_walk_in_vain_ends_after_every_announced_post_was_asked_for(look_back: int) -> None:
    crawl = crawled(CrawlLimits(), site())
    statement = completeness(crawl, by_post([url] for url in captured(crawl)))
    assert len(captured(crawl)) == len(POSTS)
    assert len(crawl.seen) < look_back + 100 < len(WIKI)
    assert "last 200 pages" in (statement.stopped or "")
    assert not statement.missing
    assert not statement.complete, "the blog may have more than anybody announces"


@pytest.mark.usefixtures("look_back")
def test_announced_posts_that_are_lost_stay_missing_whatever_ended_the_walk() -> None:
    crawl = crawled(CrawlLimits(), site(lost=frozenset(POSTS[10:12])))
    statement = completeness(crawl, by_post([url] for url in captured(crawl)))
    assert sorted(statement.missing) == sorted(ROOT + url for url in POSTS[10:12])
    assert set(statement.missing.values()) == {"status 404"}
