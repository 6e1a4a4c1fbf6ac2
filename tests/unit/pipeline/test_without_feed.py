"""A blog without a feed is learned from pages of all its years."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from blogforever.crawl.crawl import BlogCrawl
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure, Feed, Page, Rules
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.pipeline.page import Learn
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


def replies(home: str = "/") -> dict[str, FakeReply]:
    links = "".join(f"<li><a href='{place(n)}'>Crossing {n}</a></li>" for n in range(UNSIGNED + SIGNED))
    pages = {place(n): post(n) for n in range(UNSIGNED + SIGNED)}
    pages[home] = f"<title>Ferry notes</title><body><h1>Ferry notes</h1><ul>{links}</ul>"
    return {path: FakeReply(f"<html>{html}</html>".encode()) for path, html in pages.items()}


def crawled(home: str = "/") -> Kept:
    return crawl(replies(home), learn_rules, home)


def crawl(answers: dict[str, FakeReply], learn: Learn, home: str = "/") -> Kept:
    fetcher, kept = FakeFetcher(lambda url: answers.get(url.removeprefix(ROOT))), Kept()
    tools = Tools(learn, extract_post, fetcher.read, kept)
    fetcher.drive(BlogCrawl(ROOT + home, "ferry", tools, CrawlLimits()))
    return kept


def test_the_posts_that_the_home_shows_may_lie_beside_its_folder() -> None:
    assert len(crawled("/journal/").records) >= UNSIGNED + SIGNED


def test_the_author_whom_only_later_posts_name() -> None:
    kept = crawled()
    signed = {url: [author.name for author in record.authors] for url, record in kept.records.items()}
    assert {url: names for url, names in signed.items() if names != ["Tove"] and url != f"{ROOT}/"} == {}
    assert len(signed) >= UNSIGNED + SIGNED


TEASER = "<div><h2><a href='{place}'>Crossing {k}</a></h2><p>2009-05-0{day}</p><p>{told}</p></div>"


def topic(n: int) -> tuple[str, FakeReply]:
    """A list of posts at an address that posts could have."""
    told = " ".join(WORDS[n % 7 :] * 4)
    parts = "".join(TEASER.format(place=place(k), k=k, day=k % 9 + 1, told=told) for k in range(n, n + 12))
    html = f"<title>Topic {n} - Ferry notes</title><body><div id='top'><a href='/'>Ferry notes</a></div>{parts}"
    return f"/2005/01/topic-{n}/", FakeReply(f"<html>{html}</html>".encode())


def test_lists_at_addresses_of_posts_teach_nothing() -> None:
    lists = dict(topic(n) for n in range(0, 60, 4))
    links = "".join(f"<li><a href='{path}'>Topic</a></li>" for path in lists)
    answers = replies() | lists
    answers["/"] = FakeReply(answers["/"].body.replace(b"</ul>", links.encode() + b"</ul>"))
    learned_from: list[str] = []

    def learn(feed: Feed | None, pages: Sequence[Page], known: Rules | None = None) -> Rules:
        learned_from.extend(page.url for page in pages)
        return learn_rules(feed, pages, known)

    crawl(answers, learn)
    assert learned_from
    assert all("/crossing-" in url for url in learned_from)


def behind_a_script(shown: int, tagged: int) -> dict[str, FakeReply]:
    """The pages of a home that a script turns, and the last posts on the page of their tag only."""
    answers = replies()
    every = UNSIGNED + SIGNED
    for first in range(0, every - tagged, shown):
        listed = "".join(
            f"<li><a href='{place(n)}'>Crossing {n}</a></li>" for n in range(first, min(first + shown, every - tagged))
        )
        html = f"<title>Ferry notes</title><body><h1>Ferry notes</h1><ul>{listed}</ul><button>Next</button>"
        answers[f"/page/{first // shown + 1}/" if first else "/"] = FakeReply(f"<html>{html}</html>".encode())
    listed = "".join(f"<li><a href='{place(n)}'>Crossing {n}</a></li>" for n in range(every - tagged, every))
    answers["/tags/"] = FakeReply(b"<html><title>Tags</title><body><a href='/tags/fog/'>Fog</a></html>")
    answers["/tags/fog/"] = FakeReply(f"<html><title>Fog</title><body><ul>{listed}</ul></html>".encode())
    return answers


def test_the_posts_to_which_only_a_script_leads() -> None:
    kept = crawl(behind_a_script(9, 6), learn_rules)
    assert {ROOT + place(n) for n in range(UNSIGNED + SIGNED)} <= kept.records.keys()


def test_pages_that_repeat_the_home_are_not_asked_for_again_and_again() -> None:
    answers, asked = replies(), list[str]()

    def answer(url: str) -> FakeReply | None:
        asked.append(url.removeprefix(ROOT))
        path = "/" if asked[-1].startswith("/page/") else asked[-1]
        return answers.get(path)

    fetcher, kept = FakeFetcher(answer), Kept()
    tools = Tools(learn_rules, extract_post, fetcher.read, kept)
    fetcher.drive(BlogCrawl(f"{ROOT}/", "ferry", tools, CrawlLimits()))
    assert [path for path in asked if path.startswith("/page/")] == ["/page/2/"]


def test_a_post_called_thanks_that_lies_and_is_listed_among_the_others() -> None:
    answers = {f"/posts/crossing-{n}/": FakeReply(f"<html>{post(n)}</html>".encode()) for n in range(12)}
    answers["/posts/thanks/"] = FakeReply(f"<html>{post(13)}</html>".encode())
    listed = "".join(f"<li><a href='{path}'>Crossing</a></li>" for path in answers)
    answers["/"] = FakeReply(f"<html><title>Ferry notes</title><body><ul>{listed}</ul></html>".encode())
    fetcher = FakeFetcher(lambda url: answers.get(url.removeprefix(ROOT)))
    made = BlogCrawl(f"{ROOT}/", "ferry", Tools(learn_rules, extract_post, fetcher.read, Kept()), CrawlLimits())
    fetcher.drive(made)
    assert f"{ROOT}/posts/thanks/" in {found.url for found in made.harvest().posts}


def numbered(n: int, shows_days: bool) -> dict[str, FakeReply]:
    """A blog whose posts are called by short numbers, and whose home may tell no days."""
    lists = {}
    days = [f"2005-01-{k + 1:02}" if shows_days else "" for k in range(n)]
    for first in range(0, n, 4):
        rows = "".join(
            f"<div class='row'><h3><a href='/archives/{k}/'>Crossing {k}</a></h3>"
            f"<p>{' '.join(WORDS[k % 7 :] * 3)}</p><small>{days[k]} Tove</small></div>"
            for k in range(first, min(first + 4, n))
        )
        older = f"<a href='/page/{first // 4 + 2}/'>older</a>" if first + 4 < n else ""
        html = f"<html><title>Ferry notes</title><body><h1>Ferry notes</h1>{rows}{older}</html>"
        lists[f"/page/{first // 4 + 1}/" if first else "/"] = FakeReply(html.encode())
    return lists | {f"/archives/{k}/": FakeReply(f"<html>{post(k)}</html>".encode()) for k in range(n)}


@pytest.mark.parametrize("shows_days", [True, False])
def test_posts_that_are_called_by_short_numbers(shows_days: bool) -> None:
    kept = crawl(numbered(14, shows_days), learn_rules)
    assert {f"{ROOT}/archives/{k}/" for k in range(14)} <= kept.records.keys()
    assert not any("/page/" in url for url in kept.records)
