"""Posts that share pages are posts: in a crawl, over time, read again, restored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.extracting import Request, extract_records
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.keeping import back_up
from blogforever.archive.rebuilding import restore
from blogforever.archive.reextracting import reextract
from blogforever.cli import run
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server.sharedblog import AUTHOR, FEED, THEMES, SharedBlog, Theme, Told, serve_shared

POSTS = 12


@pytest.fixture(params=THEMES, ids=[theme.name for theme in THEMES])
def blog(request: pytest.FixtureRequest) -> Iterator[SharedBlog]:
    with serve_shared(request.param, POSTS) as (made, _site):
        yield made


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def crawl(blog: SharedBlog, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return crawl_blog(f"{blog.base}/", Config(**(values | {"requisites": "none", "render": "never"} | more)))


def kept(archive: Path) -> dict[str, PostRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.url: post for post in opened.library.posts(found.id)}


def check(blog: SharedBlog, records: dict[str, PostRecord], posts: list[Told]) -> None:
    assert sorted(records) == sorted(blog.address(told) for told in posts)
    for told in posts:
        record = records[blog.address(told)]
        assert record.title == told.title
        # A line with title and date in one, of which neither has an element of its own, stays where it is.
        assert record.text == told.text or (told.text in record.text and blog.theme.name in ("rows", "terms"))
        assert (record.published or "").startswith(f"{told.day:%Y-%m-%d}")
        assert [author.name for author in record.authors] == [AUTHOR]


def test_each_of_them_is_a_post(blog: SharedBlog, archive: Path) -> None:
    report = crawl(blog, archive)
    check(blog, kept(archive), blog.posts)
    assert not any("share" in line for line in report.completeness.sentences())


def test_what_changes_on_a_shared_page_is_the_posts_own(blog: SharedBlog, archive: Path) -> None:
    crawl(blog, archive)
    new = blog.publish(POSTS)
    edited, gone = blog.posts[POSTS - 2], blog.posts[4]
    edited.lines[1] += " And then the rope gave way, and everybody laughed."
    blog.posts.remove(gone)
    changes = crawl(blog, archive, recheck=1.0).update
    assert changes is not None
    assert (changes.new, changes.edited, changes.moved, changes.frozen) == (1, 1, 0, None)
    records = kept(archive)
    check(blog, {url: record for url, record in records.items() if url != blog.address(gone)}, blog.posts)
    assert {url for url, record in records.items() if record.version > 1} == {blog.address(edited)}
    assert {url for url, record in records.items() if record.status != "active"} == {blog.address(gone)}
    assert records[blog.address(new)].version == 1
    again = crawl(blog, archive, recheck=1.0).update
    assert again is not None
    assert (again.new, again.edited) == (0, 0)


def test_they_are_asked_for_once_a_page(archive: Path) -> None:
    with serve_shared(THEMES[0], POSTS) as (blog, site):
        crawl(blog, archive)
        site.asked.clear()
        crawl(blog, archive, recheck=1.0)
        pages = [path for path in site.asked if path.startswith("/archives/")]
        assert len(pages) == len(set(pages))


def test_read_again_and_restored_they_are_the_same(blog: SharedBlog, archive: Path, tmp_path: Path) -> None:
    crawl(blog, archive)
    before = kept(archive)
    (report,) = reextract(archive)
    assert (report.posts, report.changed, report.new, report.doubtful, report.unread) == (POSTS, 0, [], [], [])
    back_up(archive, tmp_path / "b")
    restore(tmp_path / "b", tmp_path / "c")
    assert kept(tmp_path / "c") == before


SHOWN = [theme for theme in THEMES if theme.name in ("movable", "stream", "days")]


@pytest.mark.parametrize("theme", SHOWN, ids=[theme.name for theme in SHOWN])
def test_without_a_feed_their_own_links_and_days_tell(theme: Theme, archive: Path) -> None:
    with serve_shared(theme, POSTS) as (blog, _site):
        blog.has_feed = False
        crawl(blog, archive)
        records = kept(archive)
        assert sorted(records) == sorted(map(blog.address, blog.posts))
        for told in blog.posts:
            record = records[blog.address(told)]
            assert (record.title, record.text) == (told.title, told.text)
            assert (record.published or "").startswith(f"{told.day:%Y-%m-%d}")


def test_comments_are_those_of_the_post_they_stand_in(archive: Path) -> None:
    with serve_shared(THEMES[0], POSTS) as (blog, _site):
        blog.posts[5].comments = (("Bea", "I remember that rope well."), ("Cato", "So do I, and the laughter."))
        blog.posts[9].comments = (("Dora", "The ferry has never been the same since."),)
        crawl(blog, archive)
        records = kept(archive)
        check(blog, records, blog.posts)
        for told in blog.posts:
            said = [(one.author.name, one.text) for one in records[blog.address(told)].comments]
            assert said == list(told.comments)


def test_a_single_page_is_taken_apart(tmp_path: Path) -> None:
    with serve_shared(THEMES[0], POSTS) as (blog, _site):
        page, feed = (blog.answer(path) for path in ("/archives/2004_05.html", "/feed.xml"))
        assert page is not None
        assert feed is not None
        of_page = blog.posts[8:]
        for told_by in (None, feed.body):
            request = Request([("page.html", page.body)], f"{blog.base}/archives/2004_05.html", told_by)
            records = {record.url: record for record in extract_records(request)}
            assert sorted(records) == sorted(map(blog.address, of_page))
            assert [records[blog.address(told)].title for told in of_page] == [told.title for told in of_page]
        (one,) = extract_records(Request([("page.html", page.body)], blog.address(of_page[1])))
        assert (one.url, one.title) == (blog.address(of_page[1]), of_page[1].title)


def test_a_feed_may_name_the_home_page_while_posts_have_their_place_on_another(archive: Path) -> None:
    with serve_shared(THEMES[0], POSTS) as (blog, _site):
        blog.fed_at_home = True
        report = crawl(blog, archive)
        records = kept(archive)
        check(blog, records, blog.posts)
        assert all(blog.announced(told) in records[blog.address(told)].aliases for told in blog.posts[-FEED:])
        assert "announces 6 posts; 6 captured" in " ".join(report.completeness.sentences())
        blog.publish(POSTS)
        changes = crawl(blog, archive, recheck=1.0).update
        assert changes is not None
        assert (changes.new, changes.edited, changes.moved, changes.missing) == (1, 0, 0, 0)


def test_posts_that_only_a_list_shows_any_more_are_kept_there(archive: Path) -> None:
    with serve_shared(THEMES[0], POSTS) as (blog, _site):
        blog.fed_at_home = blog.lost = True
        crawl(blog, archive)
        told = blog.posts[-FEED:]
        records = kept(archive)
        assert {url: record.text for url, record in records.items()} == {blog.announced(one): one.text for one in told}


def test_one_of_them_can_be_erased_and_the_others_stay(archive: Path) -> None:
    with serve_shared(THEMES[0], POSTS) as (blog, _site):
        for told in blog.posts:
            # Words that no other post has, so that nothing of these is taken out with the one.
            told.lines = [" ".join(f"{word}{told.number}" for word in line.split()) for line in told.lines]
        crawl(blog, archive)
        gone = blog.posts[5]
        target = ["suppress", blog.address(gone), "--reason", "asked", "--erase", "--archive", str(archive)]
        assert run(target) == 0
        others = [told for told in blog.posts if told is not gone]
        check(blog, kept(archive), others)
        (report,) = reextract(archive)
        assert (report.new, report.unread, report.changed) == ([], [], 0)
        changes = crawl(blog, archive, recheck=1.0).update
        assert changes is not None
        assert (changes.new, changes.edited, changes.moved, changes.missing) == (0, 0, 0, 0)
        check(blog, kept(archive), others)
