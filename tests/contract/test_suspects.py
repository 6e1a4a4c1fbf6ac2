"""Any store knows the same text again in another blog, and who is suspected of spam until a person has decided."""

from __future__ import annotations

from dataclasses import replace

from blogforever.analyse.experience import PEOPLE, Agreement
from blogforever.analyse.prints import PrintedPost, Twin
from blogforever.analyse.values import Sign
from blogforever.storage.following import FollowedBlog
from blogforever.storage.suspects import SpamDecision, Suspicion
from blogforever.storage.tables import Store

SIGN = Sign("copies", "4 of its posts were elsewhere before", "spam", 0.85)
SUSPICION = Suspicion("b.example", "2026-01-01T00:00:00+00:00", 0.85, (SIGN,))


def test_the_same_text_is_found_in_other_blogs_until_these_write_something_else(store: Store) -> None:
    store.prints.keep("a", [PrintedPost("p", "2026-01-02", (1, 2, 3)), PrintedPost("q", "", (7, 8, 9))], 5)
    store.prints.keep("b", [PrintedPost("r", "2026-01-01", (2, 3, 4)), PrintedPost("s", "", (7, 10, 11))], 5)
    store.prints.keep("c", [], None)
    assert store.prints.twins("a", 10) == [Twin("p", "2026-01-02", "b", "2026-01-01")]
    assert store.prints.twins("a", 0) == []
    assert store.prints.same_template("a", ["a", "b", "c"]) == {"b"}
    assert store.prints.same_template("c", ["a", "b"]) == frozenset()
    store.prints.keep("b", [PrintedPost("r", "2026-01-01", (12, 13))], None)
    assert store.prints.twins("a", 10) == []
    assert store.prints.same_template("a", ["b"]) == frozenset()


def test_suspicions_wait_until_somebody_has_decided(store: Store) -> None:
    store.suspicions.keep(replace(SUSPICION, likelihood=0.8))
    store.suspicions.keep(SUSPICION)
    store.suspicions.keep(replace(SUSPICION, blog="a.example"))
    store.suspicions.keep(replace(SUSPICION, blog="c.example", decided="not spam", by="ann"))
    assert store.suspicions.find("b.example") == SUSPICION
    assert [one.blog for one in store.suspicions.undecided("", 10)] == ["a.example", "b.example"]
    assert [one.blog for one in store.suspicions.undecided("a.example", 10)] == ["b.example"]
    assert [one.by for one in store.suspicions.some(["c.example", "d.example"])] == ["ann"]
    assert store.suspicions.number() == 2


def test_what_people_decided_is_counted_by_sign(store: Store) -> None:
    sold, copied = Sign("sold", "it sells", "spam", 0.5), Sign("copied", "it copies", "spam", 0.8)
    said = Sign(PEOPLE, "they said so", "spam", 0.1)
    rows: list[tuple[SpamDecision, tuple[Sign, ...]]] = [
        ("spam", (sold, copied, said)),
        ("not spam", (sold,)),
        ("let in", (sold, copied)),
        ("", (copied,)),
    ]
    assert store.suspicions.agreed() == {}
    for number, (decided, signs) in enumerate(rows):
        store.suspicions.keep(replace(SUSPICION, blog=f"{number}.example", decided=decided, signs=signs))
    assert store.suspicions.agreed() == {"sold": Agreement(1, 1), "copied": Agreement(1, 0)}


def test_who_is_followed_no_more_is_not_suspected_any_more(store: Store) -> None:
    store.followed.add([FollowedBlog("b.example", "http://b.example/", "2026")])
    store.suspicions.keep(SUSPICION)
    store.prints.keep("b.example", [PrintedPost("p", "", (1, 2))], None)
    store.prints.keep("c.example", [PrintedPost("r", "", (1, 2))], None)
    store.followed.drop(["b.example"])
    assert store.suspicions.find("b.example") is None
    assert store.prints.twins("c.example", 10) == []
