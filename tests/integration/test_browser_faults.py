"""Pages that do to the browser what pages can do: the crawl goes on, keeps every post, and says what it met."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.fetch import guard
from server.blogserver import Site, story
from server.browserfaults import FAULTS, posts, serve_faults

pytestmark = [pytest.mark.browser, pytest.mark.long]
LIMIT = 300.0  # nobody waits for it, however busy the machine: the page that would is crawled by itself
BUSY, BUSY_LIMIT = "/busy/", 20.0  # which takes all of that

# Why a page could not be drawn; None is one that was.
ENDS: dict[str, str | None] = {
    "/killed/": "browser",
    "/restless/": None,
    "/dialogs/": None,
    "/popups/": None,
    "/download/": None,
    "/heavy/": None,
    "/memory/": "browser",
    "/private/": None,
    "/away/": None,
    "/leads-away/": None,
    "/socket/": None,
    "/worker/": None,
}


class Crawled:
    def __init__(self, archive: Path, site: Site, private: Site, report: CrawlReport) -> None:
        self.site, self.private, self.report = site, private, report
        records = [json.loads(line) for line in write_run(Config(archive=archive), report.run)]
        self.posts = {r["url"].removeprefix(site.base): r for r in records if r["type"] == "post"}
        self.failures = [(r["url"].removeprefix(site.base), r["reason"]) for r in records if r["type"] == "failure"]


@contextmanager
def crawl_of(faults: Iterable[str], archive: Path, limit: float) -> Iterator[Crawled]:
    """What a crawl with the browser made of a blog with these faults; each page may take so many seconds."""
    values: dict[str, Any] = {"archive": archive, "render": "always", "delay": 0.0, "timeout": limit, "retries": 0}
    with pytest.MonkeyPatch.context() as patch, serve_faults(faults) as (site, private):
        patch.setattr(guard, "is_private", lambda host: host != "127.0.0.1")
        yield Crawled(archive, site, private, crawl_blog(site.base, Config(**values, requisites="none")))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with crawl_of(ENDS, tmp_path_factory.mktemp("faults") / "archive", LIMIT) as crawled:
        yield crawled


def test_the_crawl_ends_by_itself_and_keeps_every_post(crawled: Crawled) -> None:
    assert crawled.report.ending == "finished"
    assert set(crawled.posts) == set(posts(ENDS))
    for path, number in posts(ENDS).items():
        assert story(number)[0] in crawled.posts[path]["text"], path


def test_a_page_that_is_never_done_is_one_failure_and_kept_as_it_was_served(tmp_path: Path) -> None:
    with crawl_of([BUSY], tmp_path / "archive", BUSY_LIMIT) as crawled:
        assert crawled.report.ending == "finished"
        assert (BUSY, "timeout") in crawled.failures
        for path, number in posts([BUSY]).items():
            assert story(number)[0] in crawled.posts[path]["text"], path


def test_every_fault_there_is_is_crawled() -> None:
    assert {*ENDS, BUSY} == set(FAULTS)


@pytest.mark.parametrize("path", ENDS)
def test_each_fault_ends_in_a_drawing_or_in_one_recorded_failure(crawled: Crawled, path: str) -> None:
    reason = ENDS[path]
    assert [why for url, why in crawled.failures if url == path] == ([reason] if reason else [])
    roles = [source["role"] for source in crawled.posts[path]["sources"]]
    assert ("rendered" in roles) == (reason is None)


def test_nothing_private_was_reached_and_nothing_opened(crawled: Crawled) -> None:
    asked = {path.partition("?")[0] for path in crawled.site.asked}
    assert "/to-private" in asked
    assert not crawled.private.asked
    assert not [path for path in asked if path.startswith(("/popup/", "/socket-open", "/worker.js"))]
