"""Who is likely spam goes to Review with the evidence; a person decides, and what he decided holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from blogforever.analyse.experience import PEOPLE
from blogforever.analyse.spam import likelihood
from blogforever.analyse.values import SeenHost
from blogforever.archive.bloglook import BlogLook
from blogforever.archive.opening import open_archive
from blogforever.errors import UsageError
from blogforever.model import Entry, Feed, Page
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.desk import Desk, desk_of
from blogforever.service.repairing import repair
from blogforever.service.review import ReviewItem, ReviewPage, review_blogs, review_summary
from blogforever.service.standing import Standing
from blogforever.service.suspecting import decide_on_spam, look_for_spam, spam_signals
from blogforever.service.tokens import create_token
from blogforever.service.verdicts import Gatekeeper
from blogforever.source.given import GivenRow
from blogforever.storage.decided import put_in_force
from blogforever.storage.following import Cursor
from blogforever.storage.suspects import SpamDecision
from blogforever.store.folder import ArchiveFolder
from blogforever.testing import MemoryStore
from blogforever.web.app import make_app
from server.somerecords import some_post

pytestmark = pytest.mark.usefixtures("records")

SHOP = {"url": "http://shop.example/item?tag=me"}
TALE = "On day {0} of {1} the wind came from the sea and we went along the shore to where the old boat lies. " * 3


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[ArchiveFolder]:
    with open_archive(tmp_path, writing=True) as opened:
        yield opened


@pytest.fixture
def desk(archive: ArchiveFolder) -> Desk:
    return desk_of(archive, "ann")


def harvest(desk: Desk, archive: ArchiveFolder, host: str, origin: str = "paste", of: str = "", day: int = 1) -> None:
    """A blog that was added and harvested; it sells, or has the texts of another."""
    add_sources(desk, AddRequest([GivenRow(1, f"http://{host}/", f"http://{host}/")], origin))
    archive.store.followed.change(host, lambda one: replace(one, blog=host))
    run, _ = archive.store.runs.open(host)
    for number in range(5):
        post = some_post(
            id=f"{host}-{number}",
            blog=host,
            url=f"http://{host}/{number}",
            published=f"2026-01-0{day}",
            title=f"A day {number}" if of else f"Only ${number}",
            text=TALE.format(number, of or host),
            links=[] if of else [SHOP],
        )
        archive.store.posts.keep(run, post)
    look_for_spam(archive, host, BlogLook("finished", f"http://{host}/", host))


def suspected(archive: ArchiveFolder) -> tuple[ReviewItem, ...]:
    return review_blogs(archive.store, "spam").items


def test_what_a_person_added_is_followed_while_it_waits_and_what_a_ping_brought_is_held(
    archive: ArchiveFolder, desk: Desk
) -> None:
    harvest(desk, archive, "sold.example")
    harvest(desk, archive, "pinged.example", "ping")
    states = {blog.id: blog.state for blog in archive.store.followed.some(["sold.example", "pinged.example"])}
    assert states == {"sold.example": "waiting", "pinged.example": "rejected"}
    assert [(item.id, item.verdict) for item in suspected(archive)] == [
        ("pinged.example", "spam"),
        ("sold.example", "spam"),
    ]
    assert [sign.name for sign in suspected(archive)[0].signs] == ["selling titles", "links for sale"]
    assert [(group.state, group.number) for group in review_summary(archive.store).groups] == [("spam", 2)]
    assert archive.store.blocked.all() == []


def test_all_that_need_a_person_are_one_list_whose_last_page_says_so(archive: ArchiveFolder, desk: Desk) -> None:
    assert review_blogs(archive.store) == ReviewPage(())
    harvest(desk, archive, "dead.example", of="tale")
    archive.store.followed.change("dead.example", lambda one: replace(one, state="dead"))
    alone = review_blogs(archive.store, limit=1)
    assert ([item.id for item in alone.items], alone.next) == (["dead.example"], None)
    harvest(desk, archive, "sold.example")
    whole = review_blogs(archive.store)
    assert ([item.id for item in whole.items], whole.next) == (["dead.example", "sold.example"], None)
    first = review_blogs(archive.store, limit=1)
    second = review_blogs(archive.store, after=next_place(first), limit=2)
    assert ([item.id for item in second.items], second.next) == (["sold.example"], None)


def next_place(page: ReviewPage) -> Cursor:
    assert isinstance(page.next, Cursor)
    return page.next


def test_a_copy_is_found_whichever_of_the_two_is_seen_first(archive: ArchiveFolder, desk: Desk) -> None:
    harvest(desk, archive, "copy.example", of="tale", day=3)
    assert suspected(archive) == ()
    harvest(desk, archive, "first.example", of="tale", day=1)
    harvest(desk, archive, "later.example", of="tale", day=4)
    assert [item.id for item in suspected(archive)] == ["copy.example", "later.example"]
    assert "first.example" in suspected(archive)[0].reason


def test_what_is_no_spam_goes_on_and_is_not_suspected_again(archive: ArchiveFolder, desk: Desk) -> None:
    harvest(desk, archive, "pinged.example", "ping")
    assert repair(desk, archive.store.followed.some(["pinged.example"]), "not spam") == 1
    look_for_spam(archive, "pinged.example", BlogLook("finished", "http://pinged.example/", "pinged.example"))
    (blog,) = archive.store.followed.some(["pinged.example"])
    assert (blog.state, suspected(archive)) == ("following", ())


def test_who_blocks_says_that_it_is_spam_and_can_take_it_back(archive: ArchiveFolder, desk: Desk) -> None:
    harvest(desk, archive, "sold.example")
    repair(desk, archive.store.followed.some(["sold.example"]), "block")
    (blog,) = archive.store.followed.some(["sold.example"])
    suspicion = archive.store.suspicions.find("sold.example")
    assert (blog.state, suspicion and suspicion.decided, suspicion and suspicion.by) == ("blocked", "spam", "ann")
    assert decide_on_spam(desk, ["sold.example"], "") == 1
    assert [item.id for item in suspected(archive)] == ["sold.example"]


def test_what_only_pings_want_is_judged_before_its_harvest_unless_a_person_has_decided(
    archive: ArchiveFolder, desk: Desk
) -> None:
    harvest(desk, archive, "pinged.example", "ping", of="tale")
    harvest(desk, archive, "added.example", of="other")
    link = '<a href="http://shop.example/item?tag=me">buy</a>'
    entries = tuple(Entry(f"http://pinged.example/{n}", title=f"Only ${n}", html=TALE + link) for n in range(5))
    page = Page("http://pinged.example/", b"<h1>Only now</h1>")
    seen = SeenHost(page.url, page=page, feed=Feed("http://pinged.example/feed", "rss", entries=entries))
    gate = Gatekeeper(archive.store, "pinged.example", spam_signals(archive.store, "pinged.example"))
    assert "likely spam" in gate(seen)
    assert [item.id for item in suspected(archive)] == ["pinged.example"]
    assert spam_signals(archive.store, "added.example") == ()
    decide_on_spam(desk, ["pinged.example"], "not spam")
    assert spam_signals(archive.store, "pinged.example") == ()


def decide_on(archive: ArchiveFolder, desk: Desk, decided: SpamDecision) -> None:
    """Three shops, and what somebody says of all of them."""
    names = [f"shop{number}.example" for number in range(3)]
    for name in names:
        harvest(desk, archive, name)
    decide_on_spam(desk, names, decided)


def test_signs_that_people_disagreed_with_weigh_less_until_they_take_it_back(
    archive: ArchiveFolder, desk: Desk
) -> None:
    decide_on(archive, desk, "not spam")
    harvest(desk, archive, "next.example")
    assert suspected(archive) == (), "three others that sell in the same way were no spam"
    decide_on_spam(desk, ["shop1.example"], "")
    harvest(desk, archive, "later.example")
    assert {item.id for item in suspected(archive)} >= {"later.example", "shop1.example"}
    assert PEOPLE not in {sign.name for sign in suspected(archive)[0].signs}, "two may be slips"


def test_what_people_confirmed_is_a_reason_of_the_next_suspicion(archive: ArchiveFolder, desk: Desk) -> None:
    harvest(desk, archive, "early.example")
    decide_on(archive, desk, "spam")
    harvest(desk, archive, "next.example")
    for item in suspected(archive):
        assert item.signs[-1].name == PEOPLE
        assert "people decided before: of 3 blogs with “selling titles” 3 are spam" in item.reason
        assert likelihood(item.signs) > likelihood(item.signs[:-1])


def test_what_was_learned_is_in_the_journal(archive: ArchiveFolder, desk: Desk) -> None:
    decide_on(archive, desk, "spam")
    store = MemoryStore()
    for decision in archive.following.decisions():
        put_in_force(store, decision)
    assert store.suspicions.agreed() == archive.store.suspicions.agreed() != {}


def test_only_what_is_suspected_can_be_decided_on(desk: Desk) -> None:
    with pytest.raises(UsageError, match="suspected"):
        decide_on_spam(desk, ["a.example"], "spam")


def test_the_api_lists_it_behind_what_else_needs_a_person_and_takes_the_decision(
    archive: ArchiveFolder, desk: Desk
) -> None:
    harvest(desk, archive, "pinged.example", "ping")
    standing = Standing(archive)
    key = {"Authorization": f"Bearer {create_token(archive.store, 'a', 'curate').secret}"}
    client = TestClient(make_app(standing, "1"), base_url="http://test/api/v1", headers=key)
    page = client.get("/review").json()
    assert [(item["verdict"], item["id"]) for item in page["items"]] == [("spam", "pinged.example")]
    assert page["next"] is None
    answer = client.post("/review/spam", json={"blogs": ["pinged.example"], "decided": "let in"})
    assert answer.json() == {"decided": 1}
    assert client.get("/review", params={"state": "spam"}).json()["items"] == []
