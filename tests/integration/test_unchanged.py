"""The update of an unchanged blog: what it announces is all that is asked for, and no record is read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy import Engine, event, select

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import Changes, CrawlReport
from blogforever.archive.rebuilding import restore
from blogforever.cli import run
from blogforever.config import Config
from blogforever.records import BlogRecord, PostRecord
from blogforever.storage.values import QuietRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.schema import runs
from blogforever.update.rechecks import LISTS_APART, TURNS_APART
from server.blogserver import Reply, send
from server.editedblog import IN_FEED, EditedBlog, Route, serve_edited

POSTS = 40
IN_TURN = 2
"""A twentieth of them: so many old posts are looked at in an update that finds the time for it."""
SOURCES = ["/feed.xml", "/robots.txt", "/sitemap.xml"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def crawl(blog: EditedBlog, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return crawl_blog(blog.base, Config(**(values | {"requisites": "none", "render": "never"} | more)))


def update(blog: EditedBlog, archive: Path, **more: Any) -> Changes:
    report = crawl(blog, archive, **more)
    assert report.update
    return report.update


@contextmanager
def settled(archive: Path) -> Iterator[EditedBlog]:
    """A blog that was crawled, and brought up to date until nothing was left to do."""
    with serve_edited(POSTS) as blog:
        assert crawl(blog, archive).posts == POSTS
        assert update(blog, archive).looked == IN_TURN
        yield blog


def asked(blog: EditedBlog, archive: Path, **more: Any) -> list[str]:
    """What an update asks for."""
    assert blog.site
    before = len(blog.site.asked)
    update(blog, archive, **more)
    return sorted(blog.site.asked[before:])


def wind_back(archive: Path, by: timedelta) -> None:
    """Let so much time have passed since the last update."""
    with ArchiveFolder(archive, writing=True) as opened:
        quiet = quiet_row(opened)
        earlier = {name: moved(getattr(quiet, name), by) for name in ("turned", "until")}
        opened.store.blogs.save_quiet(replace(quiet, **earlier))  # type: ignore[arg-type]  # two fields of one type
        for standing in opened.store.checks.of_blog(quiet.blog).values():
            if standing.check.checked:
                checked = moved(standing.check.checked, by)
                opened.store.checks.keep(structs.replace(standing.check, checked=checked))


def moved(moment: str, by: timedelta) -> str:
    return (datetime.fromisoformat(moment) - by).isoformat()


def quiet_row(opened: ArchiveFolder) -> QuietRow:
    (blog,) = opened.library.blogs()
    quiet = opened.store.blogs.quiet(blog.id)
    assert quiet
    return quiet


@contextmanager
def statements() -> Iterator[list[str]]:
    """Every question to the database."""
    told: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        told.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield told
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def reads_posts(told: list[str]) -> bool:
    """Whether records, checks or sightings of posts, or all addresses, are read."""
    of_posts = ("posts.record", "FROM checks", "FROM sightings", "DISTINCT captures.url")
    return any(part in one for one in told for part in of_posts)


def with_etag(reply: Reply, statuses: list[int]) -> Route:
    etag = f'"{hashlib.sha256(reply.body).hexdigest()[:12]}"'

    def answer(handler: BaseHTTPRequestHandler) -> None:
        status = 304 if handler.headers.get("If-None-Match") == etag else 200
        statuses.append(status)
        send(handler, Reply(b"" if status == 304 else reply.body, status, reply.headers | {"ETag": etag}))

    return answer


def test_an_unchanged_blog_is_asked_for_its_announcements_alone_and_no_record_is_read(archive: Path) -> None:
    with settled(archive) as blog:
        with statements() as told:
            assert asked(blog, archive) == SOURCES
        with ArchiveFolder(archive, writing=False) as opened:
            (found,) = opened.library.blogs()
            standing = opened.store.blogs.standing(found.id)
    assert not reads_posts(told)
    assert standing
    assert datetime.now(UTC) - datetime.fromisoformat(standing.checked) < timedelta(minutes=5)


def test_a_304_says_that_an_announcement_is_unchanged(archive: Path) -> None:
    statuses: list[int] = []
    with serve_edited(POSTS) as blog:
        answer = blog.answers(blog.base)
        pages = {path: answer(path) for path in ("/feed.xml", "/sitemap.xml")}
        blog.instead = {path: with_etag(page, statuses) for path, page in pages.items() if isinstance(page, Reply)}
        crawl(blog, archive)
        update(blog, archive)
        statuses.clear()
        assert asked(blog, archive) == SOURCES
    assert statuses == [304, 304]


def test_its_report_is_that_of_a_whole_update(archive: Path) -> None:
    with settled(archive) as blog:
        short = crawl(blog, archive)
        wind_back(archive, TURNS_APART)
        whole = crawl(blog, archive)
        with ArchiveFolder(archive, writing=False) as opened, opened.engine.connect() as connection:
            endings = list(connection.scalars(select(runs.c.ending)))
    assert short.update
    assert whole.update
    same = Changes(requests=0)
    assert replace(short.update, requests=0) == replace(whole.update, requests=0, looked=0) == same
    pages = {"run": 0, "pages": 0, "update": None}
    assert replace(short, **pages) == replace(whole, **pages)  # type: ignore[arg-type]  # as above
    assert short.completeness.complete
    assert endings == ["finished"] * 4


def test_an_edited_entry_of_the_feed_is_found(archive: Path) -> None:
    with settled(archive) as blog:
        blog.edit(blog.posts[-1])
        assert update(blog, archive).edited == 1
        # The update after it makes sure that nothing is left to do; then the short way is open again.
        update(blog, archive)
        assert asked(blog, archive) == SOURCES


def test_no_announcement_is_asked_for_twice_where_another_one_changed(archive: Path) -> None:
    with settled(archive) as blog:
        edited = blog.posts[-1]
        blog.edit(edited)
        assert asked(blog, archive) == sorted([*SOURCES, edited.path])


def test_a_brief_look_asks_for_the_feed_alone_and_every_third_day_for_everything(archive: Path) -> None:
    robots_and_feed = ["/feed.xml", "/robots.txt"]
    with settled(archive) as blog:
        assert asked(blog, archive, brief=True) == robots_and_feed
        assert asked(blog, archive, brief=True) == robots_and_feed
        blog.edit(blog.posts[3], lastmod="2023-05-01T08:00:00Z")
        assert crawl(blog, archive, brief=True).completeness.complete
        wind_back(archive, LISTS_APART)
        assert "/sitemap.xml" in asked(blog, archive, brief=True)
        assert asked(blog, archive, brief=True) == robots_and_feed


def test_a_brief_look_finds_new_posts_and_says_what_an_earlier_one_knew(archive: Path) -> None:
    with settled(archive) as blog:
        before = crawl(blog, archive, brief=True).completeness
        new = blog.publish()
        looked = asked(blog, archive, brief=True)
        after = crawl(blog, archive, brief=True).completeness
        whole = crawl(blog, archive).completeness
    assert (new.path in looked, "/sitemap.xml" in looked) == (True, False)
    assert [source.name for source in after.sources] == ["feed", "sitemap"]
    assert (after.complete, after.announced, after.captured) == (True, before.announced + 1, before.captured + 1)
    assert (whole.complete, whole.announced, whole.captured) == (after.complete, after.announced, after.captured)


def test_a_restored_archive_has_what_brief_looks_found(archive: Path) -> None:
    with settled(archive) as blog:
        blog.publish()
        update(blog, archive, brief=True)
        blog.edit(blog.posts[-1])
        assert update(blog, archive, brief=True).edited == 1
    kept = records(archive)
    (archive / "archive.db").unlink()
    restore(None, archive)
    assert records(archive) == kept


def records(archive: Path) -> tuple[BlogRecord | None, list[PostRecord]]:
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        return opened.store.blogs.find(blog.id), list(opened.library.posts(blog.id))


def test_a_brief_look_asks_for_the_rest_where_the_feed_does_not_go_on(archive: Path) -> None:
    with settled(archive) as blog:
        for _ in range(IN_FEED):
            blog.publish()
        assert "/sitemap.xml" in asked(blog, archive, brief=True)


def test_a_new_date_in_the_sitemap_is_found(archive: Path) -> None:
    with settled(archive) as blog:
        blog.edit(blog.posts[3], lastmod="2023-05-01T08:00:00Z")
        assert update(blog, archive).edited == 1


def test_old_posts_have_their_turn_once_a_day_however_often_the_blog_is_updated(archive: Path) -> None:
    with settled(archive) as blog:
        assert [update(blog, archive).looked for _ in range(2)] == [0, 0]
        wind_back(archive, TURNS_APART)
        assert update(blog, archive).looked == IN_TURN
        assert update(blog, archive).looked == 0


def test_a_change_does_not_bring_the_turn_of_old_posts_forward(archive: Path) -> None:
    with settled(archive) as blog:
        blog.edit(blog.posts[-1])
        assert update(blog, archive).looked == 1


def test_day_by_day_other_old_posts_have_their_turn(archive: Path) -> None:
    days = 4
    with settled(archive) as blog:
        looked: list[str] = []
        for _ in range(days):
            wind_back(archive, TURNS_APART)
            looked += [path for path in asked(blog, archive) if path not in SOURCES]
    assert len(set(looked)) == len(looked) == days * IN_TURN


@pytest.mark.parametrize("more", [{"full": True}, {"since": "2020-01-01"}, {"recheck": 1.0}, {"recheck": 0.1}])
def test_who_asks_for_more_gets_more(more: dict[str, Any], archive: Path) -> None:
    with settled(archive) as blog, statements() as told:
        crawl(blog, archive, **more)
    assert reads_posts(told)


def test_what_a_person_decided_ends_the_short_way_once(archive: Path) -> None:
    with settled(archive) as blog, statements() as told:
        assert asked(blog, archive) == SOURCES
        assert run(["note", blog.base, "Looked at by hand.", "--archive", str(archive)]) == 0
        told.clear()
        update(blog, archive)
    assert reads_posts(told)


def test_a_frozen_blog_is_looked_at_as_a_whole(archive: Path) -> None:
    with settled(archive) as blog:
        for post in blog.posts:
            blog.edit(post, lastmod="2023-05-01")
        assert update(blog, archive).frozen
        assert update(blog, archive).frozen
        assert update(blog, archive, accept_changes=True).edited == POSTS


def test_an_announced_post_that_could_not_be_had_is_asked_for_again(archive: Path) -> None:
    with settled(archive) as blog:
        new = blog.publish()
        blog.instead[new.path] = lambda handler: send(handler, Reply(b"<h1>busy</h1>", 503))
        assert update(blog, archive).new == 0
        assert new.path in asked(blog, archive)
        blog.instead.clear()
        assert update(blog, archive).new == 1
