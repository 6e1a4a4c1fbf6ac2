"""--max-posts: as many new posts as are wanted, what is left is told, and the next crawl goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.opening import open_archive
from blogforever.config import Config
from server.blogserver import POSTS, Site, serve, serve_answers, story
from server.commands import done_here
from server.wpblog import Blog, answers


def settings(folder: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": folder / "a", "allow_private": True, "delay": 0.0, "requisites": "none"}
    return Config(**(values | more))


def kept(folder: Path) -> set[str]:
    with open_archive(folder / "a", writing=False) as archive:
        return {post.url for blog in archive.library.blogs() for post in archive.library.posts(blog.id)}


def crawled(site: Site, folder: Path, **more: Any) -> CrawlReport:
    return crawl_blog(site.base, settings(folder, **more))


@pytest.mark.parametrize("most", [1, 3, 8])
def test_a_walk_keeps_so_many_posts_and_says_what_it_left(most: int, tmp_path: Path) -> None:
    with serve() as site:
        report = crawled(site, tmp_path, max_posts=most)
    told = f"the limit of {most} post{'s' if most > 1 else ''}"
    assert report.posts == most == len(kept(tmp_path))
    assert report.stopped == told
    assert report.completeness.stopped == told
    assert not report.completeness.complete
    assert told in report.completeness.missing.values() or most > 6, "the feed names six posts"


def test_fewer_pages_are_asked_for_than_without_the_limit(tmp_path: Path) -> None:
    blog = Blog(posts=60, sitemap=True)
    with serve_answers(answers(blog)) as site:
        report = crawl_blog(f"{site.base}{blog.folder}/", settings(tmp_path, max_posts=10))
        asked = len(site.asked)
    assert report.posts == 10
    assert asked < 40
    assert len(report.completeness.missing) == 50
    assert set(report.completeness.missing.values()) == {"the limit of 10 posts"}


def test_the_next_crawl_goes_on_until_all_are_there(tmp_path: Path) -> None:
    with serve() as site:
        counts = [crawled(site, tmp_path, max_posts=6).posts for _ in range(2)]
        assert counts[0] == 6
        assert len(kept(tmp_path)) == 12
        last = crawled(site, tmp_path, max_posts=6)
    assert len(kept(tmp_path)) == POSTS
    assert last.stopped is None


def test_a_limit_that_is_not_reached_says_nothing(tmp_path: Path) -> None:
    with serve() as site:
        report = crawled(site, tmp_path, max_posts=POSTS + 1)
    assert report.posts == POSTS
    assert report.stopped is None


@pytest.mark.parametrize("source", ["sitemap", "api"])
def test_an_update_takes_so_many_new_posts_and_the_next_one_the_rest(source: str, tmp_path: Path) -> None:
    blog = Blog(posts=20, linked=False, sitemap=source == "sitemap", api=source == "api")
    more = replace(blog, posts=30)
    with serve_answers(answers(blog)) as site:
        port = urlsplit(site.base).port or 0
        address = f"{site.base}{blog.folder}/"
        assert crawl_blog(address, settings(tmp_path)).posts == 20
    with serve_answers(answers(more), port=port):
        first = crawl_blog(address, settings(tmp_path, max_posts=4))
        assert first.update is not None
        assert first.update.new == 4
        assert first.stopped == first.completeness.stopped == "the limit of 4 posts"
        assert "the limit of 4 posts" in first.completeness.missing.values() or source == "api"
        second = crawl_blog(address, settings(tmp_path))
        assert second.update is not None
        assert second.update.new == 6
        assert second.stopped is None
    assert len(kept(tmp_path)) == 30


def test_the_command_counts_for_each_blog_of_a_list(tmp_path: Path) -> None:
    with serve() as one, serve() as other:
        (tmp_path / "blogs.txt").write_text(f"{one.base}\n{other.base}\n", encoding="utf-8")
        words = ("--from", "blogs.txt", "--archive", "a", "--allow-private", "--delay", "0", "--max-posts", "2")
        done = done_here("crawl", *words, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert len(kept(tmp_path)) == 4
    assert done.stdout.count("Stopped by the limit of 2 posts; the blog may have more.") == 2


def test_a_long_post_among_them_has_all_its_pages(tmp_path: Path) -> None:
    blog = Blog(posts=28, long=frozenset({27}))
    with serve_answers(answers(blog)) as site:
        report = crawl_blog(f"{site.base}{blog.folder}/", settings(tmp_path, max_posts=2))
        address = site.base + blog.path(27)
    assert report.posts == 2
    with open_archive(tmp_path / "a", writing=False) as archive:
        found = next(post for post in archive.library.posts(report.blog) if post.url == address)
    assert all(line in found.text for line in story(27))
