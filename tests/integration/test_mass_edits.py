"""Many posts with one new date of change: the author's work, or a build that stamps them all; their pages tell."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import Changes, CrawlReport
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, send
from server.editedblog import EditedBlog, Route, Written, page_of, serve_edited

POSTS = 40
SOURCES = ("/feed.xml", "/sitemap.xml", "/robots.txt")
CHEAP = 0.1
"""Requests for each known post that an unchanged blog may cost."""
STAMP = "2023-05-01"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def crawl(blog: EditedBlog, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return crawl_blog(blog.base, Config(**(values | {"requisites": "none", "render": "never"} | more)))


def update(blog: EditedBlog, archive: Path, **more: Any) -> tuple[CrawlReport, Changes]:
    report = crawl(blog, archive, **more)
    assert report.update
    return report, report.update


def versions(archive: Path) -> dict[str, int]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.title or "": post.version for post in opened.library.posts(found.id)}


def beyond_sources(blog: EditedBlog, since: int) -> list[str]:
    assert blog.site
    return [path for path in blog.site.asked[since:] if path not in SOURCES]


def asked(blog: EditedBlog) -> int:
    assert blog.site
    return len(blog.site.asked)


def test_a_mass_of_real_edits_is_found_whole(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        assert crawl(blog, archive).posts == POSTS
        for post in blog.posts:
            blog.edit(post, lastmod=STAMP)
        # So much at once is for a person to look at, who then finds every edit.
        assert f"{POSTS} of its {POSTS}" in str(update(blog, archive)[1].frozen)
        report, changes = update(blog, archive, accept_changes=True)
    assert (changes.edited, report.completeness.complete) == (POSTS, True)
    assert set(versions(archive).values()) == {2}


def test_of_posts_with_one_new_date_none_is_left_out_where_they_were_edited(archive: Path) -> None:
    many = POSTS // 4 + 1
    with serve_edited(POSTS) as blog:
        crawl(blog, archive)
        for post in blog.posts[:many]:
            blog.edit(post, lastmod=STAMP)
        report, changes = update(blog, archive)
    assert (changes.frozen, changes.edited, report.completeness.complete) == (None, many, True)
    assert {title for title, number in versions(archive).items() if number == 2} == {
        post.title for post in blog.posts[:many]
    }


def test_a_build_that_stamps_every_post_stays_cheap_and_says_what_was_not_looked_at(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        crawl(blog, archive)
        for day in ("2023-05-01", "2023-05-02T10:00:00Z"):
            for post in blog.posts:
                post.lastmod = day
            since = asked(blog)
            report, changes = update(blog, archive)
            looked = beyond_sources(blog, since)
            assert changes.edited == 0
            assert 1 <= len(looked) <= CHEAP * POSTS
            assert not report.completeness.complete
            (bound,) = report.completeness.bounds
            assert f"{POSTS - len(looked)} were not looked at" in bound
        since = asked(blog)
        report, _changes = update(blog, archive)
        assert report.completeness.complete
        assert len(beyond_sources(blog, since)) <= CHEAP * POSTS
    assert set(versions(archive).values()) == {1}


def test_a_second_mass_of_edits_on_a_day_without_hours_is_found(archive: Path) -> None:
    many, today = POSTS // 4 + 1, datetime.now(UTC).date().isoformat()
    with serve_edited(POSTS) as blog:
        crawl(blog, archive)
        for post in blog.posts[:many]:
            blog.edit(post, lastmod=today)
        assert update(blog, archive)[1].edited == many
        for post in blog.posts[:many]:
            blog.clock += 1
            post.words, post.written = f"{post.words}<p>A line more in the evening.</p>", blog.clock * 3600
        assert update(blog, archive)[1].edited == many
    assert sorted(versions(archive).values()) == [1] * (POSTS - many) + [3] * many


def test_a_sample_that_cannot_be_had_proves_nothing(archive: Path) -> None:
    busy = Reply(b"<h1>busy</h1>", 503)
    with serve_edited(POSTS) as blog:
        crawl(blog, archive)
        many = POSTS // 4 + 1
        for post in blog.posts[:many]:
            blog.edit(post, lastmod=STAMP)
        blog.instead |= {post.path: lambda handler: send(handler, busy) for post in blog.posts}
        report, changes = update(blog, archive)
        assert (changes.edited, report.completeness.complete) == (0, False)
        blog.instead.clear()
        assert update(blog, archive)[1].edited == many


def test_pages_that_differ_at_every_look_are_no_mass_of_edits(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        crawl(blog, archive)

        def restless(post: Written) -> Route:
            def answer(handler: BaseHTTPRequestHandler) -> None:
                blog.clock += 1
                words = f"<p>Story {post.number} of the minute {blog.clock}: {blog.clock * 7} boats.</p>{post.words}"
                send(handler, Reply(page_of(replace(post, words=words))))

            return answer

        for post in blog.posts:
            post.lastmod = STAMP
            blog.instead[post.path] = restless(post)
        since = asked(blog)
        assert update(blog, archive)[1].edited == 0
        assert len(set(beyond_sources(blog, since))) <= CHEAP * POSTS
