"""Any store keeps verdicts on followed blogs, and what people say to them."""

from __future__ import annotations

from dataclasses import replace

from blogforever.analyse.values import HostVerdict, Sign
from blogforever.storage.decided import put_in_force
from blogforever.storage.deciding import VerdictDecided, read_decided, write_decided
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.storage.verdicts import VerdictRow

SHOP = HostVerdict("https://s.example/", "shop", 0.9, (Sign("cart", "it has a cart", "shop", 0.9),))
ROW = VerdictRow("s.example", "2026-01-01", SHOP, {"cart": True, "feed": False, "comments": None}, "abc")


def test_a_verdict_is_kept_with_what_it_was_made_of(store: Store) -> None:
    store.verdicts.keep(replace(ROW, pattern="old"))
    store.verdicts.keep(ROW)
    assert store.verdicts.find("s.example") == ROW
    assert list(store.verdicts.examples()) == []
    store.verdicts.drop("s.example")
    assert store.verdicts.find("s.example") is None


def test_what_people_say_of_one_pattern_is_counted(store: Store) -> None:
    store.verdicts.keep(replace(ROW, blog="a", decided="not-a-blog", by="ann"))
    store.verdicts.keep(replace(ROW, blog="b", decided="not-a-blog", by="ann"))
    store.verdicts.keep(replace(ROW, blog="c"))
    store.verdicts.keep(replace(ROW, blog="d", decided="not-a-blog", pattern="other"))
    assert store.verdicts.decisions("abc") == {"shop": 2}
    assert [row.blog for row in store.verdicts.examples()] == ["a", "b", "d"]


def test_a_decision_is_done_again_out_of_its_line(store: Store) -> None:
    store.followed.add([FollowedBlog("s.example", "https://s.example/", "2026-01-01", next_look="2026-01-01")])
    no = VerdictDecided(at="2026-01-02", by="ann", row=replace(ROW, decided="not-a-blog", by="ann"))
    put_in_force(store, read_decided(write_decided(no)))
    rejected = store.followed.find("s.example")
    assert rejected is not None
    assert (rejected.state, rejected.next_look, rejected.verdict, rejected.kind) == (
        "rejected",
        None,
        "not-a-blog",
        "shop",
    )
    yes = VerdictDecided(at="2026-01-03", by="ann", row=replace(ROW, decided="blog", by="ann"))
    put_in_force(store, read_decided(write_decided(yes)))
    back = store.followed.find("s.example")
    assert back is not None
    assert (back.state, back.next_look, back.verdict) == ("waiting", "2026-01-03", "blog")
