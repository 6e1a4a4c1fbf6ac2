"""Lists without end, links that lead nowhere and routes that hang: the crawl ends by itself with every good post."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.fetch import limits
from blogforever.pipeline.waiting import BARREN
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Site
from server.endless import GOOD, LATE, serve_endless, slug

IN_FLIGHT = 30
"""Pages that were asked for before the answers said that they are too many."""
AMPLE = 20.0
"""Seconds for an answer: what does not hang has it in time, however busy the machine."""
FEW_THOUSAND = 3000
"""Where the crawl is stopped if it does not end by itself."""


class Crawled:
    def __init__(self, archive: Path, site: Site, report: CrawlReport) -> None:
        self.archive, self.site, self.report = archive, site, report
        self.requests = list(site.asked)  # those of this crawl: another test lets the blog be updated
        with ArchiveFolder(archive, writing=False) as folder:
            records = list(folder.library.posts(report.blog))
        self.posts = {record.url.removeprefix(site.base) for record in records}

    def asked(self, *begins: str) -> int:
        return sum(path.startswith(begins) for path in self.requests)

    def told(self) -> str:
        return "\n".join(self.report.completeness.sentences())


def settings(archive: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": AMPLE}
    return Config(
        **(
            values
            | {
                "concurrency": 8,
                "render": "never",
                "requisites": "none",
                "max_size": 4_000_000,
                "max_pages": FEW_THOUSAND,
            }
            | more
        )
    )


def test_a_crawl_and_an_update_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test for all that holds: processes that share its parts would each crawl, and wait for what hangs."""
    # On busy cores our own loop stalls, and what that cuts is begun again: here each request is to be counted.
    monkeypatch.setattr(limits, "STALLS", 0)
    with serve_endless() as site:
        crawled = Crawled(tmp_path / "a", site, crawl_blog(site.base, settings(tmp_path / "a")))
        it_ends_by_itself_with_every_good_post(crawled)
        sitemaps_that_name_themselves_are_left_and_told(crawled)
        a_feed_of_posts_that_are_not_there_is_left_and_told(crawled)
        links_that_lead_nowhere_are_left_and_told(crawled)
        lists_without_end_are_left(crawled)
        known_posts_come_before_what_has_no_end(crawled)
        what_hangs_is_asked_for_twice_at_most_and_last(crawled)
        an_update_of_it_ends_by_itself_and_keeps_every_good_post(crawled)


def it_ends_by_itself_with_every_good_post(crawled: Crawled) -> None:
    assert crawled.report.stopped is None
    assert crawled.report.ending == "finished"
    assert crawled.posts >= {slug(number) for number in range(GOOD)}
    assert len(crawled.requests) < 1600


def sitemaps_that_name_themselves_are_left_and_told(crawled: Crawled) -> None:
    assert crawled.asked("/sitemap.xml") < 20
    assert "sitemaps" in crawled.told()


def a_feed_of_posts_that_are_not_there_is_left_and_told(crawled: Crawled) -> None:
    assert crawled.asked("/feed.xml") < 60
    assert crawled.asked("/2018/01/ghost-") < 200
    assert "feed" in " ".join(crawled.report.completeness.bounds)


def links_that_lead_nowhere_are_left_and_told(crawled: Crawled) -> None:
    for beginning in ("/2016/03/farm-", "/friend/", "/2015/04/oops-"):
        assert crawled.asked(beginning) < 150, beginning
    assert any(name.endswith(("/links/", "/friends/", "/oops/")) for name in crawled.report.completeness.traps)


def lists_without_end_are_left(crawled: Crawled) -> None:
    # A post that a list names and that comes late, after a second try, lets the count of empty pages begin anew.
    assert crawled.asked("/page/") < 2 * BARREN + IN_FLIGHT
    for beginning in ("/tag/ghosts/", "/events/", "/shop/"):
        assert crawled.asked(beginning) < BARREN + IN_FLIGHT, beginning
    assert crawled.asked("/2017/02/ghost-") < 200


def known_posts_come_before_what_has_no_end(crawled: Crawled) -> None:
    first = crawled.requests.index(slug(GOOD - 1))
    endless = ("/2016/03/farm-", "/friend/", "/2015/04/oops-", "/page/", "/tag/ghosts/", "/events/", "/shop/")
    assert not [path for path in crawled.requests[:first] if path.startswith(endless)]
    # Pages of the feed until they bring nothing, what is under way, and the other posts that it names.
    assert first < BARREN + IN_FLIGHT + GOOD
    assert crawled.requests.index(slug(10)) < 400, "a post that the sitemap names"


def what_hangs_is_asked_for_twice_at_most_and_last(crawled: Crawled) -> None:
    times = Counter(path for path in crawled.requests if path.startswith(("/hang", "/drip", "/2019/01/hanging")))
    assert times
    assert max(times.values()) <= 2
    assert sum(number > 1 for number in times.values()) <= 20
    assert crawled.requests.count(slug(LATE)) == 2
    assert slug(LATE) in crawled.posts


def an_update_of_it_ends_by_itself_and_keeps_every_good_post(crawled: Crawled) -> None:
    before = len(crawled.site.asked)
    report = crawl_blog(crawled.site.base, settings(crawled.archive))
    assert report.update is not None
    assert report.stopped is None
    assert len(crawled.site.asked) - before < 400
    again = Crawled(crawled.archive, crawled.site, report)
    assert again.posts >= {slug(number) for number in range(GOOD)}
