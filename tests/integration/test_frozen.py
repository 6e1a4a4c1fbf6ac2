"""A blog that was frozen: what was seen then is not taken for known, and becomes history only when it is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import Changes
from blogforever.archive.rebuilding import restore
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, layout, send
from server.editedblog import EditedBlog, serve_edited

POSTS, EDITED = 40, 26


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def update(blog: EditedBlog, archive: Path, **more: Any) -> Changes:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    report = crawl_blog(blog.base, Config(**(values | {"requisites": "none", "render": "never"} | more)))
    assert report.update
    return report.update


def first_crawl(blog: EditedBlog, archive: Path) -> None:
    config = Config(archive=archive, allow_private=True, delay=0.0, retries=0, requisites="none", render="never")
    assert crawl_blog(blog.base, config).posts == len(blog.posts)


def versions(archive: Path) -> dict[str, int]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.title or "": post.version for post in opened.library.posts(found.id)}


def status(archive: Path) -> str:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return found.record.status


@pytest.mark.parametrize("recheck", [1.0, 0.05], ids=["all posts are looked at", "few posts have their turn"])
@pytest.mark.parametrize(("by_date", "age"), [(False, ""), (True, ""), (False, "max-age=600000")])
def test_every_edit_seen_while_frozen_is_kept_once_it_is_accepted(
    recheck: float, by_date: bool, age: str, archive: Path
) -> None:
    with serve_edited(POSTS, by_date, age) as blog:
        first_crawl(blog, archive)
        for post in blog.posts[:EDITED]:
            blog.edit(post)
        # A server's word that nothing would change yet has run out.
        forget_promises(archive)
        assert update(blog, archive, recheck=1.0).frozen
        assert set(versions(archive).values()) == {1}
        accepted = update(blog, archive, recheck=recheck, accept_changes=True)
    assert accepted.edited == EDITED
    kept = versions(archive)
    assert {title for title, number in kept.items() if number == 2} == {p.title for p in blog.posts[:EDITED]}
    assert status(archive) == "active"


def forget_promises(archive: Path) -> None:
    change_rows(archive, "UPDATE conditions SET until = NULL")


def change_rows(archive: Path, statement: str) -> None:
    with ArchiveFolder(archive, writing=True) as opened, opened.engine.begin() as connection:
        connection.exec_driver_sql(statement)


def states(archive: Path) -> dict[str, str]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.title or "": post.status for post in opened.library.posts(found.id)}


def test_a_blog_stays_frozen_for_as_long_as_it_shows_what_froze_it(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        first_crawl(blog, archive)
        for post in blog.posts[:EDITED]:
            blog.edit(post)
        assert update(blog, archive, recheck=1.0).frozen
        asked = len(blog.statuses)
        assert update(blog, archive).frozen
        assert len(blog.statuses) - asked <= 2 * POSTS
    assert set(versions(archive).values()) == {1}


@pytest.mark.parametrize("by_date", [False, True])
def test_a_blog_that_was_restored_has_no_version_of_what_stood_there_meanwhile(by_date: bool, archive: Path) -> None:
    with serve_edited(POSTS, by_date) as blog:
        first_crawl(blog, archive)
        for post in blog.posts[:EDITED]:
            blog.edit(post)
        assert update(blog, archive, recheck=1.0).frozen
        for post in blog.posts[:EDITED]:
            blog.restore(post)
        after = update(blog, archive, recheck=1.0)
        assert (after.frozen, after.edited) == (None, 0)
        accepted = update(blog, archive, recheck=1.0, accept_changes=True)
        assert accepted.edited == 0
    assert set(versions(archive).values()) == {1}
    assert status(archive) == "active"


def test_a_post_published_while_the_blog_was_frozen_is_found_afterwards(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        first_crawl(blog, archive)
        for post in blog.posts[:EDITED]:
            blog.edit(post)
        new = blog.publish()
        assert update(blog, archive, recheck=1.0).frozen
        assert new.title not in versions(archive)
        assert update(blog, archive, accept_changes=True).new == 1
    assert versions(archive)[new.title] == 1


def test_a_restored_archive_has_the_same_history_of_a_blog_that_was_frozen(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        first_crawl(blog, archive)
        for post in blog.posts[:EDITED]:
            blog.edit(post)
        assert update(blog, archive, recheck=1.0).frozen
        update(blog, archive, accept_changes=True)
    kept = versions(archive)
    (archive / "archive.db").unlink()
    restore(None, archive)
    assert versions(archive) == kept
    assert sum(number == 2 for number in kept.values()) == EDITED


def test_what_was_not_there_while_the_blog_was_frozen_does_not_count_once_it_was_there_again(archive: Path) -> None:
    gone = Reply(b"<h1>Gone</h1>", 410)
    with serve_edited(POSTS) as blog:
        first_crawl(blog, archive)
        for year in (2020, 2021, 2022):
            blog.instead |= {post.path: lambda handler: send(handler, gone) for post in blog.posts}
            assert update(blog, archive, recheck=1.0).frozen
            change_rows(archive, f"UPDATE sightings SET checked = '{year}-01-01T00:00:00+00:00' WHERE checked > '2023'")
        blog.instead.clear()
        assert update(blog, archive, recheck=1.0).frozen is None
        blog.instead[blog.posts[0].path] = lambda handler: send(handler, gone)
        update(blog, archive, recheck=1.0)
    assert states(archive)[blog.posts[0].title] == "missing"


def test_another_page_in_a_posts_place_is_not_the_post_because_it_stayed_the_same(archive: Path) -> None:
    other = layout("Nothing here", "<h1>Nothing here</h1><p>The page you look for has sailed with the last boat.</p>")
    with serve_edited(POSTS) as blog:
        first_crawl(blog, archive)
        post = blog.posts[0]

        def answer(handler: Any) -> None:
            same = handler.headers.get("If-None-Match") == '"other"'
            headers = {"Content-Type": "text/html", "ETag": '"other"'}
            send(handler, Reply(b"" if same else other, 304 if same else 200, headers))

        blog.instead[post.path] = answer
        assert update(blog, archive, recheck=1.0).missing == 1
        assert update(blog, archive, recheck=1.0).back == 0
    assert states(archive)[post.title] == "missing"


def test_an_edit_that_a_limit_kept_from_being_looked_at_is_news_the_next_time(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        first_crawl(blog, archive)
        for number, post in enumerate(blog.posts[:5]):
            blog.edit(post, lastmod=f"2023-05-{number + 1:02}")
        cut_short = update(blog, archive, max_pages=4)
        assert cut_short.edited < 5
        assert cut_short.edited + update(blog, archive).edited == 5
