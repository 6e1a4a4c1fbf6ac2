"""Sources in: each row answers at once; what is new is followed, and a batch can be taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.errors import UsageError
from blogforever.records import BlogRecord
from blogforever.service.adding import Added, AddRequest, add_sources, undo_batch
from blogforever.service.blocking import block, unblock
from blogforever.service.desk import Desk
from blogforever.service.following import change_followed, drop_followed, find_followed, judged_known
from blogforever.service.lists import all_lists, drop_list, keep_list
from blogforever.source.reading import given_as_addresses, given_in_paste
from blogforever.storage.decided import put_in_force, resting
from blogforever.storage.deciding import AnyDecided, FollowedChange, read_decided, write_decided
from blogforever.storage.following import FollowedQuery, WatchedAddress
from blogforever.storage.work import NewJob
from blogforever.testing import MemoryStore
from server.storedposts import post


class LinesInMemory:
    """A journal that is read again as it is written."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, decision: AnyDecided) -> None:
        self.lines.append(write_decided(decision))

    def again(self) -> MemoryStore:
        """A store that was made anew from the journal alone."""
        store = MemoryStore()
        for line in self.lines:
            put_in_force(store, read_decided(line))
        return store


@pytest.fixture
def journal() -> LinesInMemory:
    return LinesInMemory()


@pytest.fixture
def desk(journal: LinesInMemory) -> Desk:
    return Desk(MemoryStore(), journal, "ada")


def add(desk: Desk, *urls: str, dry_run: bool = False, **words: object) -> Added:
    request = AddRequest(given_as_addresses(urls), "command")
    return add_sources(desk, replace(request, **words), dry_run)  # type: ignore[arg-type]  # any field


def verdicts(added: Added) -> list[tuple[str, str | None]]:
    return [(row.verdict, row.blog) for row in added.rows]


def followed(desk: Desk) -> list[str]:
    return [blog.id for blog in desk.store.followed.page(FollowedQuery()).items]


def test_what_is_new_is_followed_and_waits(desk: Desk) -> None:
    added = add(desk, "https://some.blog/", "other.blog", list="first", tags=("x", " x", ""))
    assert verdicts(added) == [("new", "some.blog"), ("new", "other.blog")]
    blog = find_followed(desk.store, "http://www.some.blog")
    assert (blog.state, blog.lists, blog.tags, blog.next_look) == ("waiting", ("first",), ("x",), added.batch.created)
    assert [(one.list.name, one.list.owner, one.blogs) for one in all_lists(desk.store)] == [("first", "ada", 2)]
    assert list(desk.store.sources.rows(added.batch.id)) == list(added.rows)


def test_a_dry_run_says_the_same_and_changes_nothing(desk: Desk, journal: LinesInMemory) -> None:
    add(desk, "known.blog")
    lines = list(journal.lines)
    dry = add(desk, "known.blog", "new.blog", "no address", dry_run=True, list="l")
    assert [row.verdict for row in dry.rows] == ["known", "new", "invalid"]
    assert (journal.lines, followed(desk), all_lists(desk.store)) == (lines, ["known.blog"], [])
    assert dry.verdicts == {"known": 1, "new": 1, "invalid": 1}


def test_other_spellings_are_known(desk: Desk) -> None:
    add(desk, "https://some.blog/")
    again = ["http://some.blog", "www.some.blog/", "some.blog/feed/", "https://some.blog/feeds/posts/default"]
    again += ["https://some.blog/index.xml", "some.blog/?utm_source=x", "some.blog/category/cats/feed/"]
    assert verdicts(add(desk, *again)) == [("known", "some.blog")] * len(again)
    others = add(desk, "some.blog/other/", "a.some.blog", "some.blog/other/feed")
    assert [row.verdict for row in others.rows] == ["new", "new", "known"]


def test_feeds_of_a_known_blog_are_watched_by_themselves(desk: Desk) -> None:
    add(desk, "some.blog")
    add(desk, "some.blog/comments/feed/", "some.blog/tag/cats/feed", "some.blog/rss.xml")
    kinds = {address.url: address.kind for address in desk.store.followed.watched("some.blog")}
    assert kinds == {
        "https://some.blog/comments/feed/": "comments",
        "https://some.blog/tag/cats/feed": "category",
        "https://some.blog/rss.xml": "posts",
    }


def test_one_blog_twice_in_one_batch_is_one_blog(desk: Desk) -> None:
    added = add(desk, "some.blog", "http://www.some.blog/", "some.blog/feed")
    assert verdicts(added) == [("new", "some.blog"), ("known", "some.blog"), ("known", "some.blog")]
    assert added.rows[1].reason == "the same blog as some.blog"


def test_a_known_blog_says_how_it_stands(desk: Desk) -> None:
    add(desk, "some.blog")
    desk.store.followed.change("some.blog", lambda one: resting(one, "rejected", "a shop"))
    (row,) = add(desk, "some.blog").rows
    assert "rejected (a shop)" in row.reason


def test_an_address_without_a_host_is_invalid_and_costs_no_other_row(desk: Desk) -> None:
    rows = given_in_paste("some.blog\nnot an address\nmailto:a@b.example\nother.blog")
    added = add_sources(desk, AddRequest(rows))
    assert [row.verdict for row in added.rows] == ["new", "invalid", "invalid", "new"]
    assert all(row.reason.endswith(".") for row in added.rows if row.verdict == "invalid")


def test_a_blog_of_the_archive_is_followed_from_now_on(desk: Desk) -> None:
    desk.store.blogs.keep(BlogRecord(id="kept", url="https://some.blog/"))
    (row,) = add(desk, "http://some.blog").rows
    assert row.verdict == "new"
    assert "archive" in row.reason
    assert find_followed(desk.store, "some.blog").blog == "kept"


def test_a_post_of_a_known_blog_has_it_looked_at(desk: Desk) -> None:
    add(desk, "https://b.example/")
    run, _ = desk.store.runs.open("b")
    desk.store.posts.keep(run, post(1))
    desk.store.followed.change("b.example", lambda one: replace(one, blog="b", state="following", next_look=None))
    desk.store.followed.change("b.example", lambda one: replace(one, title="Letters Home"))
    (row,) = add(desk, post(1).url).rows
    assert (row.verdict, row.blog) == ("known", "b.example")
    assert "a post of Letters Home, " in row.reason
    assert find_followed(desk.store, "b.example").next_look


def test_what_is_paused_is_not_looked_at_because_of_a_post(desk: Desk) -> None:
    add(desk, "https://b.example/")
    run, _ = desk.store.runs.open("b")
    desk.store.posts.keep(run, post(1))
    desk.store.followed.change("b.example", lambda one: replace(one, blog="b"))
    change_followed(desk, "b.example", FollowedChange(paused=True))
    add(desk, post(1).url)
    assert find_followed(desk.store, "b.example").next_look is None


# ------------------------------------------------------------------ undo


def test_a_batch_can_be_taken_back(desk: Desk) -> None:
    first = add(desk, "one.blog", "two.blog")
    second = add(desk, "two.blog", "three.blog", list="l", tags=("t",))
    assert undo_batch(desk, second.batch.id).undone
    assert followed(desk) == ["one.blog", "two.blog"]
    two = find_followed(desk.store, "two.blog")
    assert (two.lists, two.tags) == ((), ())
    assert all_lists(desk.store) == []
    undo_batch(desk, first.batch.id)
    assert followed(desk) == []
    with pytest.raises(UsageError, match="already"):
        undo_batch(desk, first.batch.id)
    with pytest.raises(UsageError, match="no batch"):
        undo_batch(desk, "none")


def test_what_nobody_follows_any_more_is_not_worked_on(desk: Desk) -> None:
    jobs = desk.store.jobs
    first, second = add(desk, "one.blog", "two.blog"), add(desk, "two.blog", "three.blog")
    for blog in followed(desk):
        jobs.put(NewJob("harvest", blog), "2024")
    (running,) = jobs.take("w", {"harvest": 1}, "2024")
    undo_batch(desk, first.batch.id)
    assert jobs.unwanted("w") == [running.id]
    assert jobs.busy() == {running.blog, "two.blog", "three.blog"}
    drop_followed(desk, ["two.blog", "three.blog"])
    assert jobs.busy() == {running.blog}
    assert second.batch.undone is None


def test_what_another_batch_wants_too_stays(desk: Desk) -> None:
    first = add(desk, "one.blog", tags=("mine", "ours"))
    add(desk, "one.blog", tags=("ours",))
    undo_batch(desk, first.batch.id)
    assert find_followed(desk.store, "one.blog").tags == ("ours",)


# ------------------------------------------------------------------ blocking


def test_what_is_blocked_is_rejected_with_the_reason(desk: Desk) -> None:
    add(desk, "spam.example/blog", "good.example")
    blocked = block(desk, "spam.example", "sells pills")
    assert blocked.blogs == 1
    resting = find_followed(desk.store, "spam.example/blog")
    assert (resting.state, resting.reason, resting.next_look) == ("blocked", "sells pills", None)
    (row,) = add(desk, "https://www.spam.example/other").rows
    assert (row.verdict, row.reason, row.blog) == ("blocked", "sells pills", None)
    assert unblock(desk, "spam.example").blogs == 1
    back = find_followed(desk.store, "spam.example/blog")
    assert back.state == "waiting"
    assert back.next_look


def test_what_two_entries_block_stays_blocked_when_one_goes(desk: Desk) -> None:
    add(desk, "casino.example")
    first, _second = block(desk, "casino.example"), block(desk, "*casino*")
    assert unblock(desk, first.place.id).blogs == 0
    with pytest.raises(UsageError, match="Nothing is blocked"):
        unblock(desk, "other.example")


def test_what_is_paused_stays_so_when_it_is_let_in_again(desk: Desk) -> None:
    add(desk, "spam.example")
    change_followed(desk, "spam.example", FollowedChange(paused=True))
    unblock(desk, block(desk, "spam.example").place.id)
    assert (find_followed(desk.store, "spam.example").state, desk.store.followed.due("9999", 9)) == ("paused", [])


def test_the_same_place_is_blocked_once(desk: Desk) -> None:
    block(desk, "spam.example", "first")
    block(desk, "http://www.spam.example/", "second")
    assert [(one.what, one.reason) for one in desk.store.blocked.all()] == [("spam.example", "second")]


# ------------------------------------------------------------------ changing, analysis, lists


def test_a_change_sets_what_is_given_and_leaves_the_rest(desk: Desk) -> None:
    add(desk, "some.blog", tags=("t",))
    change_followed(desk, "some.blog", FollowedChange(notes="mine", lists=("l",)))
    blog = change_followed(desk, "some.blog", FollowedChange(notes=""))
    assert (blog.notes, blog.lists, blog.tags) == ("", ("l",), ("t",))


def test_who_pauses_a_blog_can_let_it_go_on(desk: Desk) -> None:
    add(desk, "some.blog")
    paused = change_followed(desk, "some.blog", FollowedChange(paused=True))
    assert (paused.state, paused.next_look) == ("paused", None)
    going = change_followed(desk, "some.blog", FollowedChange(paused=False))
    assert going.state == "waiting"
    assert going.next_look


def test_analysis_may_find_that_two_are_one(desk: Desk) -> None:
    add(desk, "old.blog")
    second = add(desk, "new.blog", tags=("t",), list="l")
    desk.store.followed.watch(WatchedAddress("new.blog", "https://new.blog/feed"))
    judged_known(desk.store, "new.blog", "old.blog", "redirects to old.blog")
    assert followed(desk) == ["old.blog"]
    old = find_followed(desk.store, "https://new.blog/feed")
    assert (old.id, old.tags, old.lists) == ("old.blog", ("t",), ("l",))
    (row,) = desk.store.sources.rows(second.batch.id)
    assert (row.verdict, row.blog, row.reason) == ("known", "old.blog", "redirects to old.blog")
    undo_batch(desk, second.batch.id)
    old = find_followed(desk.store, "old.blog")
    assert (old.tags, old.lists) == ((), ())


def test_analysis_of_what_is_gone_changes_nothing(desk: Desk) -> None:
    add(desk, "old.blog")
    judged_known(desk.store, "gone.blog", "old.blog", "x")
    judged_known(desk.store, "old.blog", "old.blog", "x")
    judged_known(desk.store, "old.blog", "gone.blog", "x")
    assert followed(desk) == ["old.blog"]


def test_lists_are_made_described_and_dropped(desk: Desk) -> None:
    keep_list(desk, " By  2011 ", note="from the library")
    kept = keep_list(desk, "By 2011", owner="eve")
    assert (kept.name, kept.note, kept.owner) == ("By 2011", "from the library", "eve")
    add(desk, "some.blog", list="By 2011")
    drop_list(desk, "By 2011")
    assert find_followed(desk.store, "some.blog").lists == ()
    with pytest.raises(UsageError, match="no list"):
        drop_list(desk, "By 2011")
    with pytest.raises(UsageError, match="name"):
        keep_list(desk, "  ")


def test_a_batch_of_many_is_added_and_taken_back_in_parts(desk: Desk) -> None:
    urls = [f"b{number}.blog" for number in range(600)]
    batch = add(desk, *urls, tags=("t",)).batch.id
    assert len(list(desk.store.sources.rows(batch))) == 600
    add(desk, "b599.blog")
    undo_batch(desk, batch)
    assert followed(desk) == ["b599.blog"]
    assert find_followed(desk.store, "b599.blog").tags == ()


def test_who_is_dropped_is_followed_no_more(desk: Desk) -> None:
    add(desk, "some.blog")
    drop_followed(desk, ["https://some.blog/"], "moved to paper")
    with pytest.raises(UsageError, match="is followed"):
        find_followed(desk.store, "some.blog")


# ------------------------------------------------------------------ the journal


def test_the_journal_gives_the_same_again(desk: Desk, journal: LinesInMemory) -> None:
    add(desk, "one.blog", "nonsense", list="l", tags=("t",))
    second = add(desk, "one.blog", "two.blog", "three.blog", tags=("u",))
    add(desk, "four.blog", "five.blog")
    change_followed(desk, "three.blog", FollowedChange(notes="kept", paused=True))
    change_followed(desk, "one.blog", FollowedChange(notes=""))
    block(desk, "four.blog", "spam")
    unblock(desk, block(desk, "five.blog").place.id)
    undo_batch(desk, second.batch.id)
    drop_list(desk, "l")
    drop_followed(desk, ["one.blog"])
    keep_list(desk, "m", "note")
    again = journal.again()
    # Who was killed over the last decision may do it once more.
    put_in_force(again, read_decided(journal.lines[-1]))
    everything = FollowedQuery()
    assert again.followed.page(everything) == desk.store.followed.page(everything)
    assert followed(desk) == ["five.blog", "four.blog"]
    assert again.sources.batches() == desk.store.sources.batches()
    assert list(again.sources.rows(second.batch.id)) == list(desk.store.sources.rows(second.batch.id))
    assert again.lists.all() == desk.store.lists.all()
    assert again.blocked.all() == desk.store.blocked.all()
