"""Any store keeps tokens by their digests, and what was done in order."""

from __future__ import annotations

from blogforever.storage.people import Deed, Token
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
