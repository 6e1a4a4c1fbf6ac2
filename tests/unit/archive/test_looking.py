"""What faces are given to show: lists, a post, its versions, what a search found."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.archive.listing import PostHeading, list_blogs, list_posts
from blogforever.archive.reading import (
    HIGHLIGHT,
    post_versions,
    search_posts,
    show_post,
)
from blogforever.errors import UsageError
from blogforever.store.folder import ArchiveFolder
from server.writtenarchive import BLOG, HOME, blog_named, small_post, write_archive

COMMENTS = [
    {"id": "2", "parent": "1", "text": "Indeed.", "position": 2},
    {"id": "1", "text": "A fine ottersong.", "position": 1},
]
BOATS = small_post("boats", "Boats on the river.", published="2020-02-02", comments=COMMENTS)
OARS = small_post("oars", "Oars for a boat.", published="2021-03-03")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "a", BOATS, OARS)


def test_blogs_come_with_what_was_counted_of_them(archive: Path) -> None:
    (blog,) = list_blogs(archive)
    assert (blog.id, blog.url, blog.title, blog.standing) == (BLOG, HOME, "Small Things", None)
    assert blog.summary
    assert (blog.summary.kept, blog.summary.first, blog.summary.last) == (2, "2020-02-02", "2021-03-03")


def test_a_blog_whose_first_crawl_goes_on_has_nothing_counted_yet(archive: Path) -> None:
    with ArchiveFolder(archive, writing=True) as opened:
        opened.store.runs.open("new.example")
    known, new = list_blogs(archive)
    assert known.standing is None
    assert new.id == "new.example"
    assert new.summary is None
    assert new.standing
    assert (new.standing.read, new.standing.kept, new.standing.now) == (0, 0, False)


def test_an_archive_without_blogs_lists_none(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True):
        pass
    assert list_blogs(tmp_path) == []


@pytest.mark.parametrize("wanted", [BLOG, HOME, "b.example/", "small things"])
def test_posts_of_the_blog_that_is_meant_newest_first(archive: Path, wanted: str) -> None:
    assert list(list_posts(archive, wanted)) == [
        PostHeading("2021-03-03", "Oars", OARS.url),
        PostHeading("2020-02-02", "Boats", BOATS.url),
    ]


def test_a_name_that_means_no_blog_is_answered_with_those_there_are(archive: Path) -> None:
    with pytest.raises(UsageError, match=r"no blog 'other' in this archive; there is: b\.example \(Small Things\)\."):
        list(list_posts(archive, "other"))


def test_a_title_of_two_blogs_means_neither(archive: Path) -> None:
    write_archive(archive, blog=blog_named("c.example"))
    with pytest.raises(UsageError, match=r"may be 'Small Things'; say which by its id: b\.example, c\.example\."):
        list(list_posts(archive, "Small Things"))


@pytest.mark.parametrize("address", [BOATS.url, "b.example/boats", BOATS.id])
def test_a_post_is_shown_with_its_thread(archive: Path, address: str) -> None:
    shown = show_post(archive, address)
    assert shown.post.text == BOATS.text
    assert [(depth, comment.id) for depth, comment in shown.thread] == [(0, "1"), (1, "2")]


def test_an_address_that_no_post_has(archive: Path) -> None:
    with pytest.raises(UsageError, match=r"no post 'b\.example/nothing'"):
        show_post(archive, "b.example/nothing")


def test_versions_stand_beside_each_other(tmp_path: Path) -> None:
    edited = small_post("boats", "Boats on the lake.", version=2)
    archive = write_archive(tmp_path, small_post("boats", "Boats on the river."), edited)
    newest = post_versions(archive, BOATS.url)
    assert (newest.old.text, newest.new.text) == ("Boats on the river.", "Boats on the lake.")
    assert post_versions(archive, BOATS.url, 1, 2) == newest
    assert show_post(archive, BOATS.url, 1).post.text == "Boats on the river."
    with pytest.raises(UsageError, match=r"no version 7 of .*; the archive has the versions 1 to 2\."):
        show_post(archive, BOATS.url, 7)


def test_a_post_that_never_changed_has_its_one_version_twice(archive: Path) -> None:
    versions = post_versions(archive, OARS.url)
    assert versions.old == versions.new
    with pytest.raises(UsageError, match="version 1 only"):
        post_versions(archive, OARS.url, 1, 2)


def test_what_was_found_is_marked_in_the_words_that_show_it(archive: Path) -> None:
    found = search_posts(archive, "oars", None, 10)
    assert found.waiting == 0
    (hit,) = found.hits
    on, off = HIGHLIGHT
    assert (hit.title, hit.published, hit.url, hit.blog) == (f"{on}Oars{off}", "2021-03-03", OARS.url, BLOG)
    assert hit.snippet == f"{on}Oars{off} for a boat."


def test_words_of_a_comment_are_shown_where_only_it_has_them(archive: Path) -> None:
    (hit,) = search_posts(archive, "ottersong", BLOG, 10).hits
    assert "ottersong" in hit.snippet
    assert hit.url == BOATS.url


def test_a_phrase_is_found_in_its_order_and_words_can_be_left_out(archive: Path) -> None:
    assert [hit.url for hit in search_posts(archive, '"on the river"', None, 10).hits] == [BOATS.url]
    assert search_posts(archive, '"river the on"', None, 10).hits == []
    assert [hit.url for hit in search_posts(archive, "boat* -oars", None, 10).hits] == [BOATS.url]


def test_a_post_without_a_title_has_none(tmp_path: Path) -> None:
    archive = write_archive(tmp_path, small_post("untitled", "A lantern.", title=None))
    assert [hit.title for hit in search_posts(archive, "lantern", None, 10).hits] == [""]
