"""Pages that do to the browser what pages can do: the crawl goes on, keeps every post, and says what it met."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.fetch import guard
from server.blogserver import Site, story
from server.browserfaults import FAULTS, posts, serve_faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LIMIT = 60.0  # one page takes all of it, and a busy machine half of it for the others

# Why a page could not be drawn; None is one that was.
ENDS: dict[str, str | None] = {
    "/killed/": "browser",
    "/restless/": None,
    "/busy/": "timeout",
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


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    archive = tmp_path_factory.mktemp("faults") / "archive"
    values: dict[str, Any] = {"archive": archive, "render": "always", "delay": 0.0, "timeout": LIMIT, "retries": 0}
    with pytest.MonkeyPatch.context() as patch, serve_faults() as (site, private):
        patch.setattr(guard, "is_private", lambda host: host != "127.0.0.1")
        yield Crawled(archive, site, private, crawl_blog(site.base, Config(**values, requisites="none")))


def test_the_crawl_ends_by_itself_and_keeps_every_post(crawled: Crawled) -> None:
    assert crawled.report.ending == "finished"
    assert set(crawled.posts) == set(posts())
    for path, number in posts().items():
        assert story(number)[0] in crawled.posts[path]["text"], path


@pytest.mark.parametrize("path", FAULTS)
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
