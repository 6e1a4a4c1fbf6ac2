"""What was crawled by hand is listed by the service, and rests until somebody wants it followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.records import BlogRecord, CompletenessRecord, LeftOut
from blogforever.service.adding import AddRequest, add_sources, undo_batch
from blogforever.service.adopting import BY_HAND, adopt_all, adopt_crawled
from blogforever.service.desk import Desk, opened_desk
from blogforever.service.following import change_followed, find_followed
from blogforever.source.reading import given_as_addresses
from blogforever.storage.deciding import FollowedChange

STATED = CompletenessRecord(announced=9, captured=7, missing=(LeftOut("https://x/1", "http-404"),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with opened_desk(tmp_path) as desk:
        keep(desk, "one.blog", "two.blog")
    return tmp_path


def keep(desk: Desk, *blogs: str) -> None:
    for blog in blogs:
        record = BlogRecord(id=blog, url=f"https://{blog}/", title=blog.upper(), posts=7, completeness=STATED)
        desk.store.blogs.keep(record)


def listed(desk: Desk) -> list[tuple[str, str]]:
    found = desk.store.followed.some(["one.blog", "two.blog", "three.blog", "given.blog"])
    return [(blog.id, blog.state) for blog in found]


def test_what_an_archive_has_is_listed_when_it_is_first_served(folder: Path) -> None:
    with opened_desk(folder) as desk:
        adopt_all(folder, desk)
        assert listed(desk) == [("one.blog", "paused"), ("two.blog", "paused")]
        one = find_followed(desk.store, "one.blog")
        assert (one.blog, one.title, one.total, one.reason, one.next_look) == ("one.blog", "ONE.BLOG", 7, BY_HAND, None)
        assert (one.completeness, one.missing) == ("incomplete", 1)
        keep(desk, "three.blog")
        adopt_all(folder, desk)
        # It may be one that the service is just harvesting.
        assert ("three.blog", "paused") not in listed(desk)
        resumed = change_followed(desk, "one.blog", FollowedChange(paused=False))
        assert (resumed.state, bool(resumed.next_look)) == ("following", True)


def test_a_crawl_lists_its_blog_where_there_is_a_service(folder: Path) -> None:
    adopt_crawled(folder, ["one.blog"])
    with opened_desk(folder) as desk:
        assert listed(desk) == []
        add_sources(desk, AddRequest(given_as_addresses(["given.blog", "https://two.blog/"]), "command"))
    adopt_crawled(folder, ["one.blog", "two.blog", "nobody.example"], "ada")
    with opened_desk(folder) as desk:
        assert listed(desk) == [("given.blog", "waiting"), ("one.blog", "paused"), ("two.blog", "waiting")]
        batch = desk.store.sources.batches()[0]
        assert (batch.origin, batch.by) == ("crawl", "ada")
        undo_batch(desk, batch.id)
        assert ("one.blog", "paused") not in listed(desk)
