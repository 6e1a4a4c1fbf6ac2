"""An address that leads to a page which is under way waits for it: it is asked for once, and gets the other's name."""

from __future__ import annotations

from collections import Counter

import pytest

from blogforever.crawl.crawl import BlogCrawl
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.protocols import Ask, PageHandler
from blogforever.records import PostRecord
from blogforever.testing import FakeFetcher, FakeReply
from blogforever.urls import url_key

ROOT = "https://ferry.example"
POST, OLD = f"{ROOT}/the-story/", f"{ROOT}/old-story/"
HOME = b'<html><body><a href="/the-story/">Story</a> <a href="/old-story/">Old</a></body></html>'
STORY = FakeReply(b"<html><body><h1>Story</h1><p>A ferry, a dog and the fish it is paid in.</p></body></html>")


class Nothing:
    """Keeps nothing."""

    def keep(self, url: str, record: PostRecord) -> None:
        """Not kept."""

    def fail(self, failure: Failure) -> None:
        """Not kept."""


class StoryLast(FakeFetcher):
    """The story itself is answered last."""

    def drive(self, handler: PageHandler) -> None:
        """Answer all others first."""
        queue: list[Ask] = list(handler.start())
        while queue or (queue := list(handler.idle())):
            queue.sort(key=lambda ask: ask.url == POST)
            queue += handler.handle(self.answer(queue.pop(0)))


def crawl_of(story: FakeReply) -> tuple[BlogCrawl, Counter[str]]:
    """The crawl, and how often each address was asked for."""
    pages = {f"{ROOT}/": FakeReply(HOME), OLD: FakeReply(b"", 301, {"location": POST}), POST: story}
    fetcher = StoryLast(pages.get)
    crawl = BlogCrawl(f"{ROOT}/", "ferry", Tools(learn_rules, extract_post, fetcher.read, Nothing()), CrawlLimits())
    fetcher.drive(crawl)
    return crawl, Counter(fetcher.asked)


def test_a_page_under_way_is_not_asked_for_again() -> None:
    crawl, asked = crawl_of(STORY)
    assert asked[POST] == asked[OLD] == 1
    (seen,) = [seen for seen in crawl.seen.values() if seen.evidence.url == POST]
    assert seen.aliases == [OLD]


@pytest.mark.parametrize("status", [404, 500])
def test_why_it_could_not_be_had_is_said_of_both(status: int) -> None:
    crawl, asked = crawl_of(FakeReply(b"gone", status))
    assert asked[OLD] == 1
    assert crawl.reasons[url_key(POST)] == crawl.reasons[url_key(OLD)] == f"status {status}"
