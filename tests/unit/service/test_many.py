"""One deed for many blogs: done to those that are meant, written down once, done again from the journal."""

from __future__ import annotations

import pytest

from blogforever.errors import UsageError
from blogforever.service.desk import Desk
from blogforever.service.many import MOST_AT_ONCE, ManyRequest, chosen_ids, do_to_many
from blogforever.storage.decided import put_in_force
from blogforever.storage.deciding import AnyDecided, BatchAdded, read_decided, write_decided
from blogforever.storage.following import FollowedBlog, FollowedQuery, SourceBatch
from blogforever.storage.work import JobFilter
from blogforever.testing import MemoryStore

DAY = "2026-01-01T00:00:00+00:00"


class Lines:
    """A journal in memory."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, decision: AnyDecided) -> None:
        self.lines.append(write_decided(decision))


@pytest.fixture
def desk() -> Desk:
    made = Desk(MemoryStore(), Lines(), "ada")
    blogs = tuple(FollowedBlog(name, f"https://{name}/", DAY, next_look=DAY) for name in ("a.org", "b.org", "c.org"))
    made.decide(BatchAdded(at=DAY, batch=SourceBatch("one", DAY), blogs=blogs))
    return made


def again(desk: Desk) -> MemoryStore:
    """A store made anew from the journal."""
    assert isinstance(desk.journal, Lines)
    store = MemoryStore()
    for line in desk.journal.lines:
        put_in_force(store, read_decided(line))
    return store


def states(desk: Desk) -> str:
    return " ".join(blog.state for blog in desk.store.followed.page(FollowedQuery()).items)


def test_many_are_paused_and_go_on(desk: Desk) -> None:
    assert do_to_many(desk, ["a.org", "c.org", "gone.org"], ManyRequest("pause")) == 2
    assert states(desk) == "paused waiting paused"
    assert do_to_many(desk, ["a.org"], ManyRequest("resume")) == 1
    assert states(desk) == "waiting waiting paused"
    assert again(desk).followed.counts() == {"waiting": 2, "paused": 1}


def test_many_get_tags_and_lists_and_lose_them(desk: Desk) -> None:
    for deed, name in (("tag", " old  books "), ("list", "libraries"), ("tag", "x"), ("untag", "x")):
        do_to_many(desk, ["a.org", "b.org"], ManyRequest(deed, name))  # type: ignore[arg-type]  # each is a deed
    do_to_many(desk, ["b.org"], ManyRequest("unlist", "libraries"))
    for store in (desk.store, again(desk)):
        assert store.followed.listed() == {"libraries": 1}
        assert [blog.id for blog in store.followed.page(FollowedQuery(tag="old books")).items] == ["a.org", "b.org"]
    assert [one.name for one in desk.store.lists.all()] == ["libraries"]
    with pytest.raises(UsageError, match="which tag or list"):
        do_to_many(desk, ["a.org"], ManyRequest("tag", " "))


def test_many_are_blocked_with_one_reason(desk: Desk) -> None:
    assert do_to_many(desk, ["a.org", "b.org"], ManyRequest("block", reason="spam")) == 2
    assert states(desk) == "blocked blocked waiting"
    assert {(place.what, place.reason, place.by) for place in again(desk).blocked.all()} == {
        ("https://a.org/", "spam", "ada"),
        ("https://b.org/", "spam", "ada"),
    }
    assert again(desk).followed.counts() == {"blocked": 2, "waiting": 1}


def test_many_are_looked_at_now_but_none_that_rests(desk: Desk) -> None:
    do_to_many(desk, ["a.org"], ManyRequest("pause"))
    assert do_to_many(desk, ["a.org", "b.org"], ManyRequest("look")) == 1
    assert [job.blog for job in desk.store.jobs.newest(JobFilter(), 9)] == ["b.org"]
    assert do_to_many(desk, ["a.org"], ManyRequest("look")) == 0


def test_many_are_followed_no_more(desk: Desk) -> None:
    assert do_to_many(desk, ["a.org", "b.org"], ManyRequest("unfollow")) == 2
    assert states(desk) == "waiting"
    with pytest.raises(UsageError, match="tick some"):
        do_to_many(desk, ["a.org"], ManyRequest("pause"))


def test_all_that_a_question_finds_are_meant_but_not_more_than_one_deed_may_change(desk: Desk) -> None:
    assert chosen_ids(desk.store, FollowedQuery(q="b.", sort="title", limit=1)) == ("b.org",)
    many = [FollowedBlog(f"x{number}", f"https://x{number}.org/", DAY) for number in range(MOST_AT_ONCE)]
    desk.store.followed.add(many)
    with pytest.raises(UsageError, match="narrow the search"):
        chosen_ids(desk.store, FollowedQuery())
