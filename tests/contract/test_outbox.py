"""Any store keeps the files of the outbox, who took them, what was asked for, and who may."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.outbox import AccountChoice, FtpAccount, OutboxAsk, OutboxFigures, OutboxFile, SentPost, Taking
from blogforever.storage.searches import PostSearch
from blogforever.storage.tables import Store

FILE = OutboxFile("p1", "a.example", "post", "2026-01-01T00:00:00Z", 100, "d1", "f1")
TOLD = ("c1", "c\n2")
OTHER = replace(FILE, post="p2", made="2026-01-02T00:00:00Z", digest="d2", place="f2")


def test_a_file_waits_for_each_account_until_that_one_deletes_it(store: Store) -> None:
    first, second = store.outbox.add(FILE), store.outbox.add(replace(OTHER, account="ann"))
    assert (first.number, second.number) == (1, 2)
    assert store.outbox.find(1) == first
    assert store.outbox.waiting_for("ann", 0, 10) == [first, second]
    assert store.outbox.waiting_for("bob", 0, 10) == [first]
    store.outbox.take(Taking(1, "ann", fetched="then"))
    store.outbox.take(Taking(1, "ann", deleted="now"))
    assert store.outbox.takings([1, 2]) == [Taking(1, "ann", "then", "now")]
    assert store.outbox.waiting_for("ann", 0, 10) == [second]
    assert store.outbox.waiting_for("ann", 2, 10) == []
    assert store.outbox.waiting_for("bob", 0, 10) == [first]


def test_what_ended_waits_no_more_and_its_number_is_never_given_again(store: Store) -> None:
    assert store.outbox.add(replace(FILE, told=TOLD)).told == TOLD
    store.outbox.add(OTHER)
    assert [one.told for one in store.outbox.waiting(limit=9)] == [TOLD, ()]
    assert store.outbox.waiting(made_before="2026-01-02", limit=9)[0].post == "p1"
    assert [one.post for one in store.outbox.waiting(post="p2", limit=9)] == ["p2"]
    assert [one.number for one in store.outbox.waiting(after=1, limit=9)] == [2]
    store.outbox.end([1, 2], "expired", "2026-01-03")
    store.outbox.end([1], "taken", "later")
    assert store.outbox.waiting(limit=9) == []
    assert store.outbox.find(1) == replace(FILE, number=1, state="expired", ended="2026-01-03")
    assert [one.state for one in store.outbox.newest(9)] == ["expired", "expired"]
    assert not store.outbox.is_held("f1")
    assert store.outbox.forget("2026-01-04") == 2
    assert store.outbox.newest(9) == []
    assert store.outbox.last() == 2
    assert store.outbox.add(FILE).number == 3
    assert store.outbox.is_held("f1")


def test_what_came_after_a_number_is_told_once_a_post(store: Store) -> None:
    for file in (FILE, OTHER, FILE, replace(OTHER, post="p3", made="2026-02")):
        store.outbox.add(file)
    assert [(one.number, one.post) for one in store.outbox.between(0, 4, 9)] == [(2, "p2"), (3, "p1"), (4, "p3")]
    assert [one.number for one in store.outbox.between(0, 2, 9)] == [1, 2]
    assert [one.number for one in store.outbox.between(2, 4, 1)] == [3]
    assert store.outbox.number_at("2026-02") == 3
    assert store.outbox.number_at("2025") == 0


def test_what_was_sent_of_a_blog_is_known_with_what_was_hidden_of_it(store: Store) -> None:
    store.outbox.add(FILE)
    store.outbox.add(OTHER)
    store.outbox.add(replace(FILE, hidden="all", kind="tombstone"))
    assert store.outbox.sent("a.example", "", 9) == [SentPost("p1", "a.example", "all"), SentPost("p2", "a.example")]
    assert [one.post for one in store.outbox.sent("a.example", "p1", 9)] == ["p2"]
    assert store.outbox.sent_post("p2") == SentPost("p2", "a.example")
    assert store.outbox.sent_post("p3") is None
    assert store.outbox.marks() == {"a.example": ""}
    store.outbox.mark("a.example", "abc")
    store.outbox.add(OTHER)
    assert store.outbox.marks() == {"a.example": "abc"}
    assert store.outbox.figures() == OutboxFigures({"waiting": 4}, 400, FILE.made)


def test_a_wish_is_kept_until_it_has_ended(store: Store) -> None:
    asked = store.outbox_asks.keep(OutboxAsk("2026", "ann", "ftp", 3, 9))
    chosen = store.outbox_asks.keep(OutboxAsk("2026", search=PostSearch(blog="a.example", tags=("x",))))
    assert store.outbox_asks.open() == asked
    store.outbox_asks.keep(replace(asked, files=2, place="7", ended="2027"))
    assert store.outbox_asks.open() == chosen
    assert [one.files for one in store.outbox_asks.newest(9)] == [0, 2]
    assert [one.id for one in store.outbox_asks.newest(9, before=chosen.id)] == [asked.id]


def test_who_chooses_does_not_see_what_waits_already_nor_what_is_passed_over(store: Store) -> None:
    choice = AccountChoice(blogs=("b",), lists=("l",), tags=("t",), languages=("de",), filters=("f",))
    account = FtpAccount("ann", "digest", "2026", choice=choice)
    store.ftp_accounts.keep(account)
    assert store.ftp_accounts.find("ann") == account
    old, own = store.outbox.add(FILE), store.outbox.add(replace(FILE, account="ann"))
    store.outbox.pass_over("ann", "then")
    assert store.outbox.waiting_for("ann", 0, 9) == [own]
    assert store.outbox.waiting_for("bob", 0, 9) == [old]
    assert store.outbox.takings([old.number]) == [Taking(old.number, "ann", deleted="then", passed=True)]


def test_an_account_is_dropped_with_what_it_took(store: Store) -> None:
    account = FtpAccount("ann", "digest", "2026", "bob")
    store.ftp_accounts.keep(replace(account, seen="2025"))
    store.ftp_accounts.keep(account)
    file = store.outbox.add(FILE)
    store.outbox.take(Taking(file.number, "ann", "then"))
    assert store.ftp_accounts.all() == [account]
    assert store.ftp_accounts.find("ann") == account
    assert store.ftp_accounts.drop("ann")
    assert not store.ftp_accounts.drop("ann")
    assert store.outbox.takings([file.number]) == []
