"""Unknown hosts are judged before they are harvested; the verdict is kept, and a person has the last word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.analyse.looking import look
from blogforever.analyse.values import HostVerdict, SeenHost, Sign
from blogforever.errors import UsageError
from blogforever.service.desk import Desk
from blogforever.service.verdicts import (
    FEWEST_ALIKE,
    DecidedPatterns,
    Gatekeeper,
    decide_verdict,
    find_verdict,
    in_short,
    told_verdict,
    training_examples,
    wants_gate,
)
from blogforever.storage.deciding import AnyDecided
from blogforever.storage.following import FollowedBlog, SourceBatch, SourceRow
from blogforever.testing.memorystore import MemoryStore
from server.somesites import HOME, blog, fetch_from, page, shop

NOW = "2026-01-01T00:00:00+00:00"


class Journal:
    """Notes decisions."""

    def __init__(self) -> None:
        self.decided: list[AnyDecided] = []

    def add(self, decision: AnyDecided) -> None:
        self.decided.append(decision)


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.followed.add([FollowedBlog("site.example", f"{HOME}/", NOW, next_look=NOW)])
    return made


def seen(answers: dict[str, str]) -> SeenHost:
    return look(f"{HOME}/", fetch_from(answers))


def from_(store: MemoryStore, origin: str) -> None:
    row = SourceRow("1", 1, HOME, f"{HOME}/", "new", "site.example")
    store.sources.add(SourceBatch("1", NOW, origin=origin), [row])


def test_a_blog_is_let_in_and_a_shop_is_not_with_the_reason(store: MemoryStore) -> None:
    assert Gatekeeper(store, "site.example")(seen(blog())) == ""
    kept = store.followed.find("site.example")
    assert kept is not None
    assert (kept.verdict, kept.kind) == ("blog", "blog")
    from_(store, "ping")
    refused = Gatekeeper(store, "site.example")(seen(shop()))
    assert refused.startswith("no blog but shop: ")
    row = find_verdict(store, "site.example")
    assert (row.verdict.said, row.answers["cart"]) == ("not-a-blog", True)
    assert told_verdict(row.verdict)["class"] == "not-a-blog"


def test_what_a_person_asked_for_is_harvested_whatever_it_looks_like(store: MemoryStore) -> None:
    from_(store, "paste")
    assert Gatekeeper(store, "site.example")(seen(shop())) == ""
    assert find_verdict(store, "site.example").verdict.said == "not-a-blog"


def test_what_could_not_be_seen_is_for_the_harvest_to_say(store: MemoryStore) -> None:
    assert Gatekeeper(store, "site.example")(SeenHost(f"{HOME}/", failure="it did not answer")) == ""
    with pytest.raises(UsageError, match="not analysed yet"):
        find_verdict(store, "site.example")


@pytest.mark.parametrize(("origin", "is_let_in"), [("ping", False), ("paste", True)])
def test_what_nobody_can_tell_waits_for_a_person_where_a_ping_brought_it(
    store: MemoryStore, origin: str, is_let_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_(store, origin)
    unsure = replace(find_unsure(store), kind="not known")
    monkeypatch.setattr("blogforever.service.verdicts.judge", lambda *_all: unsure)
    refused = Gatekeeper(store, "site.example")(seen({"/": page("<p>words</p>")}))
    assert (refused == "") is is_let_in
    assert is_let_in or "cannot be told" in refused


def find_unsure(store: MemoryStore):  # type: ignore[no-untyped-def]
    Gatekeeper(store, "site.example")(seen(shop()))
    return find_verdict(store, "site.example").verdict


def test_a_persons_word_goes_before_and_is_learned_from(store: MemoryStore) -> None:
    Gatekeeper(store, "site.example")(seen(shop()))
    desk = Desk(store, journal := Journal(), "ann")
    assert wants_gate(store, "site.example")
    row = decide_verdict(desk, "site.example", "blog")
    assert (row.verdict.kind, row.verdict.by, row.decided, row.by) == ("blog", "person", "blog", "ann")
    assert not wants_gate(store, "site.example")
    back = store.followed.find("site.example")
    assert back is not None
    assert (back.state, back.verdict) == ("waiting", "blog")
    assert [example["blog"] for example in training_examples(store)] == [True]
    spam = decide_verdict(desk, "site.example", "spam")
    assert in_short(spam.verdict).startswith("no blog but likely spam")
    assert wants_gate(store, "site.example")
    assert len(journal.decided) == 2


def test_a_verdict_in_short_says_nothing_twice() -> None:
    marks = Sign("product marks+cart", "it marks products; it has a cart", "shop", 0.9)
    verdict = HostVerdict(HOME, "shop", 0.99, (marks, Sign("cart", "it has a cart", "shop", 0.7)))
    assert in_short(verdict) == "no blog but shop: it marks products; it has a cart"


def test_hosts_of_the_same_make_are_known_once_enough_people_said_the_same(store: MemoryStore) -> None:
    Gatekeeper(store, "site.example")(seen(shop()))
    row = replace(find_verdict(store, "site.example"), pattern="abc", decided="not-a-blog")
    for number in range(FEWEST_ALIKE):
        assert DecidedPatterns(store).known("abc") is None
        store.verdicts.keep(replace(row, blog=str(number)))
    assert DecidedPatterns(store).known("abc") == ("shop", FEWEST_ALIKE)
    store.verdicts.keep(replace(row, blog="other", verdict=replace(row.verdict, kind="forum")))
    assert DecidedPatterns(store).known("abc") is None
