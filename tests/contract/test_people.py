"""Any store keeps tokens by their digests, and what was done in order."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.people import Deed, Session, Token, User
from blogforever.storage.tables import Store


def test_a_token_is_found_by_its_name_and_by_the_digest_of_its_secret(store: Store) -> None:
    token = Token("desk", "curate", "abc", "2024-01-01T00:00:00+00:00", "ann")
    store.tokens.keep(token)
    store.tokens.keep(Token("all", "admin", "def", "2024-01-02T00:00:00+00:00"))
    assert store.tokens.find("desk") == store.tokens.with_digest("abc") == token
    assert store.tokens.with_digest("") is None
    assert [one.name for one in store.tokens.all()] == ["all", "desk"]
    store.tokens.used("desk", "2024-02-01")
    assert [one.used for one in store.tokens.all()] == [None, "2024-02-01"]
    assert store.tokens.drop("desk")
    assert not store.tokens.drop("desk")
    assert store.tokens.find("desk") is store.tokens.with_digest("abc") is None


def test_what_was_done_is_told_newest_first_and_page_by_page(store: Store) -> None:
    for number in range(5):
        who = "ann" if number % 2 else "bob"
        store.audit.add(Deed("2024-01-01T00:00:00+00:00", who, "add", f"b{number}", "in one go"))
    told = store.audit.newest(3)
    assert [deed.target for deed in told] == ["b4", "b3", "b2"]
    assert [deed.target for deed in store.audit.newest(3, before=told[-1].id)] == ["b1", "b0"]
    assert [deed.target for deed in store.audit.newest(9, who="ann")] == ["b3", "b1"]
    assert [deed.target for deed in store.audit.newest(9, target="b2")] == ["b2"]
    assert store.audit.newest(9, who="ann", target="b2") == []


def test_people_are_kept_by_name_and_sessions_end_one_by_one_all_at_once_or_unused(store: Store) -> None:
    ann = User("ann", "curator", "$argon2id$...", "2024-01-01T00:00:00+00:00", "root", "de", "dark", "2024-02-01")
    store.users.keep(replace(ann, role="viewer"))
    store.users.keep(ann)
    store.users.keep(replace(ann, name="Bob", seen=None))
    assert store.users.find("ann") == ann
    assert [one.name for one in store.users.all()] == ["Bob", "ann"]
    used = ("2024-01-03", "2024-01-05", "2024-01-04")
    for number, day in enumerate(used):
        store.sessions.keep(Session(f"d{number}", "ann", "2024-01-01", day, "a browser"))
    store.sessions.keep(Session("d9", "Bob", "2024-01-01", "2024-01-09"))
    assert [one.digest for one in store.sessions.of("ann")] == ["d1", "d2", "d0"]
    assert store.sessions.find("d9") == Session("d9", "Bob", "2024-01-01", "2024-01-09")
    assert store.sessions.drop("d1")
    assert not store.sessions.drop("d1")
    assert store.sessions.drop_unused("2024-01-04") == 1
    assert store.sessions.drop_all("ann") == 1
    assert store.sessions.find("d2") is store.sessions.find("d0") is None
    assert store.sessions.find("d9")
    assert store.users.drop("Bob")
    assert not store.users.drop("Bob")
