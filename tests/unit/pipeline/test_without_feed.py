"""A blog without a feed is learned from pages of all its years."""

from __future__ import annotations

from blogforever.crawl.crawl import BlogCrawl
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.records import PostRecord
from blogforever.testing import FakeFetcher, FakeReply

ROOT = "https://ferry.example"
UNSIGNED, SIGNED = 24, 56
WORDS = "tide rope harbour lantern winch gull deck ladder engine fog".split()


class Kept:
    """The records of the pages, by address."""

    def __init__(self) -> None:
        self.records: dict[str, PostRecord] = {}

    def keep(self, url: str, record: PostRecord) -> None:
        """The last reading of a page counts."""
        self.records[url] = record

    def fail(self, failure: Failure) -> None:
        """Not kept."""


def place(n: int) -> str:
    return f"/{2002 + n // 10}/{n % 10 + 1:02}/crossing-{n}/"


def post(n: int) -> str:
    """The oldest posts do not say who wrote them."""
    by = "" if n < UNSIGNED else "By <span class='vcard author'>Tove</span> on "
    told = "".join(
        f"<p>{' '.join(WORDS[(n * k + k + j) % len(WORDS)] for j in range(25))}, {n} and {k}.</p>" for k in range(1, 4)
    )
    dated = f"{2002 + n // 10}-{n % 10 + 1:02}-07"
    return f"""<title>Crossing {n} - Ferry notes</title><body><div id='top'><a href='/'>Ferry notes</a></div>
    <div class='entry'><h1 class='entry-title'>Crossing {n}</h1>
    <div class='meta'><span class='byline'>{by}<abbr class='published' title='{dated}'>{dated}</abbr></span></div>
    <div class='entry-body'>{told}</div></div>"""


def replies() -> dict[str, FakeReply]:
    links = "".join(f"<li><a href='{place(n)}'>Crossing {n}</a></li>" for n in range(UNSIGNED + SIGNED))
    pages = {place(n): post(n) for n in range(UNSIGNED + SIGNED)}
    pages["/"] = f"<title>Ferry notes</title><body><h1>Ferry notes</h1><ul>{links}</ul>"
    return {path: FakeReply(f"<html>{html}</html>".encode()) for path, html in pages.items()}


def test_the_author_whom_only_later_posts_name() -> None:
    answers = replies()
    fetcher, kept = FakeFetcher(lambda url: answers.get(url.removeprefix(ROOT))), Kept()
    fetcher.drive(BlogCrawl(f"{ROOT}/", "ferry", Tools(learn_rules, extract_post, fetcher.read, kept), CrawlLimits()))
    signed = {url: [author.name for author in record.authors] for url, record in kept.records.items()}
    assert {url: names for url, names in signed.items() if names != ["Tove"] and url != f"{ROOT}/"} == {}
    assert len(signed) >= UNSIGNED + SIGNED
