"""Comments that are looked for by words, authors and days."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from blogforever.archive.opening import open_archive
from blogforever.records import CommentAuthor, CommentRecord
from blogforever.service.commentsearch import found_comments
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder
from server.smallarchive import BLOG, make_archive, post

POST_DAYS = {"undated": None, "later": "2021-06-01", "usual": "2019-06-01"}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[ArchiveFolder]:
    """Posts of which each has one comment of January 2020."""
    folder = make_archive(tmp_path / "archive", posts=0)
    with ArchiveFolder(folder, writing=True) as opened:
        run, _ = opened.store.runs.open(BLOG)
        for n, (name, day) in enumerate(POST_DAYS.items()):
            said = CommentRecord(
                id=name, author=CommentAuthor(name="Ada Quill"), published=f"2020-01-0{n + 1}", text="A kite!"
            )
            opened.store.posts.keep(run, replace(post(n), published=day, comments=(said,)))
        opened.store.runs.close(run, "finished")
        opened.search.update()
    with open_archive(folder, writing=False) as reading:
        yield reading


@pytest.mark.parametrize("asked", [PostSearch(words="kite"), PostSearch(author="Ada Quill")])
def test_the_time_is_that_of_the_comment_not_of_its_post(archive: ArchiveFolder, asked: PostSearch) -> None:
    def found(since: str = "", until: str = "") -> set[str]:
        shown = found_comments(archive, dataclasses.replace(asked, since=since, until=until), None, 20)
        return {one.comment.id for one in shown.items}

    assert found() == set(POST_DAYS)
    assert found(until="2020-12-31") == set(POST_DAYS)
    assert found(since="2020-01-01", until="2020-12-31") == set(POST_DAYS)
    assert found(since="2020-01-02", until="2020-01-03") == {"later"}
    assert not found(until="2020-01-01")
    assert not found(since="2020-02-01")
