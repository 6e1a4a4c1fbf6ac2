"""A blog of mere files gives its posts new addresses: no redirects, no sitemap, and a feed that knows some of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, Reply, Site, list_page, routes, serve_answers, slug

ADDRESS = re.compile(rb"/2021/\d\d/story-number-")
STUB = '<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url={0}"><a href="{0}">Here</a>'

Pages = dict[str, Reply]


def _short(feed: Reply) -> Reply:
    """The feed with the first words of each post."""
    cut = re.sub(rb"(CDATA\[<p>.{60}).*?(?=\]\])", rb"\1</p>", feed.body, flags=re.DOTALL)
    return Reply(cut, feed.status, feed.headers)


class Moving:
    """The loopback blog without its sitemap, whose posts can be given other addresses while it runs."""

    def __init__(self, site: Site, pages: Pages, archive: Path) -> None:
        self.site, self.pages, self.archive = site, pages, archive
        del pages["/sitemap.xml"]

    def move(self) -> Pages:
        """Every post stands in another folder from now on; the pages as they were."""
        before = dict(self.pages)
        self.become({_moved(path): _readdressed(reply) for path, reply in self.pages.items()})
        return before

    def become(self, pages: Pages) -> None:
        """The blog has these pages now, and no others."""
        self.pages.clear()
        self.pages |= pages

    def crawl(self) -> CrawlReport:
        """Walk the blog, or bring it up to date."""
        return crawl_blog(self.site.base, Config(archive=self.archive, allow_private=True, delay=0.0, retries=0))

    def posts(self) -> dict[str, PostRecord]:
        """The archive's posts by their titles."""
        with ArchiveFolder(self.archive, writing=False) as opened:
            (found,) = opened.library.blogs()
            return {post.title or "": post for post in opened.library.posts(found.id)}


def _moved(path: str) -> str:
    return ADDRESS.sub(b"/stories/story-number-", path.encode()).decode()


def new_slug(number: int) -> str:
    """The path of a post after the move."""
    return _moved(slug(number))


def _readdressed(reply: Reply) -> Reply:
    headers = {name: _moved(value) for name, value in reply.headers.items()}
    return Reply(ADDRESS.sub(b"/stories/story-number-", reply.body), reply.status, headers)


@pytest.fixture
def moving(tmp_path: Path) -> Iterator[Moving]:
    pages: Pages = {}

    def make(base: str) -> Any:
        pages.update(routes(base))
        return pages.get

    with serve_answers(make) as site:
        yield Moving(site, pages, tmp_path / "a")


def _held(
    moving: Moving, before: dict[str, PostRecord], report: CrawlReport, address: Callable[[int], str] = new_slug
) -> None:
    """Every post is the same one, at its new address; nothing is new, edited or missing."""
    after = moving.posts()
    assert report.update
    assert report.update.frozen is None
    assert (report.update.new, report.update.edited, report.update.missing) == (0, 0, 0)
    assert {title: post.id for title, post in after.items()} == {t: p.id for t, p in before.items()}
    assert {post.url for post in after.values()} == {f"{moving.site.base}{address(n)}" for n in range(POSTS)}
    assert all(post.version == 1 and post.status == "active" for post in after.values())


def test_posts_that_no_list_names_are_found_on_the_blog_s_own_pages(moving: Moving) -> None:
    assert moving.crawl().posts == POSTS
    before = moving.posts()
    moving.move()
    _held(moving, before, moving.crawl())


def test_pages_at_the_old_addresses_that_lead_on_are_followed(moving: Moving) -> None:
    assert moving.crawl().posts == POSTS
    before = moving.posts()
    moving.move()
    moving.pages |= {slug(n): Reply(STUB.format(new_slug(n)).encode()) for n in range(POSTS)}
    # Even where the blog's pages name no old posts at all.
    moving.pages["/page/2/"] = Reply(b"<h1>Nothing older</h1>")
    _held(moving, before, moving.crawl())


def test_an_answer_of_200_for_what_is_not_there_hides_no_move(moving: Moving) -> None:
    assert moving.crawl().posts == POSTS
    before = moving.posts()
    moving.move()
    nothing = Reply(b"<!doctype html><title>Nothing here</title><h1>Nothing here</h1><p>It was never written.</p>")
    moving.pages |= {slug(number): nothing for number in range(POSTS)}
    _held(moving, before, moving.crawl())


def test_posts_are_back_where_they_were(moving: Moving) -> None:
    assert moving.crawl().posts == POSTS
    before = moving.posts()
    first = moving.move()
    _held(moving, before, moving.crawl())
    moving.become(first)
    _held(moving, before, moving.crawl(), slug)
    asked = len(moving.site.asked)
    assert moving.crawl().update
    assert len(moving.site.asked) - asked <= 4


def test_what_the_feed_says_of_posts_that_moved_is_no_news_the_next_time(moving: Moving) -> None:
    assert moving.crawl().posts == POSTS
    before = moving.posts()
    moving.move()
    moving.pages["/feed.xml"] = _short(moving.pages["/feed.xml"])
    _held(moving, before, moving.crawl())
    asked = len(moving.site.asked)
    report = moving.crawl()
    assert report.update
    assert report.update.edited == 0
    assert len(moving.site.asked) - asked <= 4


def test_more_new_posts_than_the_feed_can_name_are_all_found(moving: Moving) -> None:
    grown = dict(moving.pages)
    moving.pages |= {"/": Reply(list_page("Home", range(4))), "/feed.xml": Reply(b"<rss><channel></channel></rss>")}
    for path in ("/page/2/", *map(slug, range(4, POSTS))):
        del moving.pages[path]
    assert moving.crawl().posts == 4
    moving.pages |= grown
    report = moving.crawl()
    assert report.update
    assert (report.update.new, report.posts) == (POSTS - 4, POSTS)
