"""A crawl comes out the same in whatever order the answers come, and asks for no page twice."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from blogforever.crawl.crawl import BlogCrawl
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure
from blogforever.pipeline.harvest import harvest
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.protocols import Ask, PageHandler
from blogforever.records import PostRecord
from blogforever.testing import FakeFetcher, FakeReply
from server.blogserver import POSTS, layout, routes, slug

ROOT = "https://ferry.example"
ORDERS = range(8)
Outcome = tuple[dict[str, tuple[str, ...]], list[str], dict[str, tuple[str | None, str, str | None]]]


class Kept:
    """The records of the pages, by address."""

    def __init__(self) -> None:
        self.records: dict[str, PostRecord] = {}

    def keep(self, url: str, record: PostRecord) -> None:
        """The last reading of a page counts."""
        self.records[url] = record

    def fail(self, failure: Failure) -> None:
        """Not kept."""


class AnyOrder(FakeFetcher):
    """Answers what is asked for by chance, as a network does: the urgent may come late."""

    chance: Random

    def drive(self, handler: PageHandler) -> None:
        """Answer any of the requests, until there are none."""
        queue: list[Ask] = list(handler.start())
        while queue or (queue := list(handler.idle())):
            queue += handler.handle(self.answer(queue.pop(self.chance.randrange(len(queue)))))


def replies(announced: bool) -> dict[str, FakeReply]:
    """The ferry blog, with pages beside the posts that look like them, and a post under two addresses; with feed and
    sitemap, or without.
    """
    made = {place: FakeReply(reply.body, reply.status, _lower(reply.headers)) for place, reply in routes(ROOT).items()}
    beside = "".join(f'<a href="/{name}/">{name}</a>' for name in ("comments", "crew", "about", "all-stories"))
    items = "".join(f'<li><a href="{slug(n)}">Story {n}</a></li>' for n in range(POSTS))
    said = "".join(f"<p>Reader {n} on <a href='{slug(n)}'>Story {n}</a>: well told.</p>" for n in range(5))
    made["/page/2/"] = FakeReply(made["/page/2/"].body.replace(b"</main>", f"{beside}</main>".encode()))
    made["/comments/"] = FakeReply(layout("Comments", f"<h1>Comments</h1>{said}"))
    made["/crew/"] = FakeReply(layout("Crew", "<h1>Crew</h1><p>Six hands, a cook, and a dog that is paid in fish.</p>"))
    made["/all-stories/"] = FakeReply(layout("All", f"<h1>All</h1><ul>{items}</ul>"))
    made[f"{slug(4)}?from=list"] = made[slug(4)]
    silent = set() if announced else {"/feed.xml", "/sitemap.xml"}
    return {place: reply for place, reply in made.items() if place not in silent}


def _lower(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def crawled(seed: int, announced: bool) -> Outcome:
    """Posts with their other addresses, own pages, and what was read of all of them."""
    pages = replies(announced)
    fetcher = AnyOrder(lambda url: pages.get(url.removeprefix(ROOT)))
    fetcher.chance = Random(seed)
    kept = Kept()
    crawl = BlogCrawl(f"{ROOT}/", "ferry", Tools(learn_rules, extract_post, fetcher.read, kept), CrawlLimits())
    fetcher.drive(crawl)
    asked_again = [url for url, times in Counter(fetcher.asked).items() if times > 1]
    assert not asked_again
    found = harvest(list(crawl.seen.values()), crawl.known.rules, crawl.known.lists)
    posts = {post.url: tuple(sorted(post.aliases)) for post in found.posts}
    own = sorted(page.url for page in found.pages)
    read = {url: kept.records[url] for url in [*posts, *own]}
    return dict(sorted(posts.items())), own, {url: (r.title, r.text, r.published) for url, r in sorted(read.items())}


@pytest.mark.parametrize("announced", [True, False], ids=["with a feed", "without"])
@pytest.mark.parametrize("seed", ORDERS)
def test_answers_in_any_order_give_the_same_records(seed: int, announced: bool) -> None:
    posts, own, read = crawled(seed, announced)
    assert (posts, own, read) == crawled(1000 + seed, announced)
    assert [url.removeprefix(ROOT) for url in posts] == sorted(slug(n) for n in range(POSTS))
    assert [url.removeprefix(ROOT) for url in own] == ["/about/", "/comments/", "/crew/"]
