"""Announced posts that their server has trouble with: asked for again, a few times, also when the feed has gone on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.schedule.values import POST_RETRIES
from blogforever.source.address import blog_name
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Answers, Reply, Site, serve_answers
from server.wpblog import Blog, answer

HARVESTED, IN_FEED = 6, 3
TROUBLED = HARVESTED


class TroubledBlog:
    """A blog whose newest post answers with an error of its server."""

    def __init__(self, folder: Path) -> None:
        self.posts, self.status, self.sitemap = HARVESTED, 503, False
        self.config = Config(archive=folder / "a", allow_private=True, delay=0.0, timeout=20.0, retries=0)
        self.site: Site | None = None

    @property
    def blog(self) -> Blog:
        return Blog(self.posts, IN_FEED, sitemap=self.sitemap)

    @property
    def path(self) -> str:
        return Blog().path(TROUBLED)

    def answers(self, base: str) -> Answers:
        def reply_to(path: str) -> Reply | None:
            is_troubled = path == self.path and self.status
            return Reply(b"no", self.status) if is_troubled else answer(self.blog, base, path)

        return reply_to

    def crawl(self, posts: int) -> CrawlReport:
        assert self.site
        self.posts = posts
        return crawl_blog(self.site.base, self.config)

    def tries(self) -> int:
        assert self.site
        return self.site.asked.count(self.path)

    def unfetched(self) -> dict[str, int]:
        assert self.site
        with ArchiveFolder(self.config.archive, writing=False) as archive:
            return archive.store.runs.unfetched(blog_name(self.site.base))

    def has_it(self) -> bool:
        assert self.site
        with ArchiveFolder(self.config.archive, writing=False) as archive:
            urls = [post.url for post in archive.library.posts(blog_name(self.site.base))]
        return f"{self.site.base}{self.path}" in urls


@contextmanager
def troubled_blog(folder: Path, sitemap: bool = False) -> Iterator[TroubledBlog]:
    made = TroubledBlog(folder)
    made.sitemap = sitemap
    with serve_answers(made.answers) as site:
        made.site = site
        made.crawl(HARVESTED)
        yield made


def test_a_post_that_could_not_be_had_is_asked_for_though_the_feed_has_gone_on(tmp_path: Path) -> None:
    with troubled_blog(tmp_path) as made:
        made.crawl(HARVESTED + 1)
        assert list(made.unfetched().values()) == [1]
        made.status = 0
        made.crawl(TROUBLED + 1 + IN_FEED)
        assert made.has_it()
        assert made.unfetched() == {}


def test_a_brief_look_says_that_nothing_is_missing_any_more(tmp_path: Path) -> None:
    with troubled_blog(tmp_path, sitemap=True) as made:
        made.config = replace(made.config, brief=True)
        made.crawl(HARVESTED + 1)
        failed = made.crawl(HARVESTED + 2).completeness
        assert list(failed.missing.values()) == ["status 503"]
        made.status = 0
        # The feed goes on from a known post, and names this one no more.
        came = made.crawl(HARVESTED + 1 + IN_FEED).completeness
        assert (came.missing, came.announced) == ({}, HARVESTED + 1 + IN_FEED)


def test_of_such_a_post_a_few_tries_are_enough(tmp_path: Path) -> None:
    with troubled_blog(tmp_path) as made:
        made.crawl(HARVESTED + 1)
        more = range(TROUBLED + 1 + IN_FEED, TROUBLED + IN_FEED + 8)
        for posts in more:
            made.crawl(posts)
        assert made.tries() == 1 + len(POST_RETRIES) < 1 + len(more)


def test_what_is_not_there_is_no_trouble_that_passes(tmp_path: Path) -> None:
    with troubled_blog(tmp_path) as made:
        made.status = 404
        made.crawl(HARVESTED + 1)
        assert made.unfetched() == {}
