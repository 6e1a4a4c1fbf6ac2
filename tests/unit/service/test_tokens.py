"""Tokens: shown once, good for what they were made for, gone when revoked."""

from __future__ import annotations

import pytest

from blogforever.errors import UsageError
from blogforever.service.tokens import MARK, create_token, may, revoke_token, token_of
from blogforever.testing import MemoryStore


def test_a_token_opens_what_its_scope_may_until_it_is_revoked() -> None:
    store = MemoryStore()
    made = create_token(store, "desk", "curate", "ann")
    assert made.secret.startswith(MARK)
    assert made.secret not in repr(store.tokens.all())
    found = token_of(store, made.secret)
    assert found
    assert (found.name, found.by) == ("desk", "ann")
    assert [may(found.scope, scope) for scope in ("read", "curate", "admin")] == [True, True, False]
    used = store.tokens.find("desk")
    assert used
    assert used.used
    revoke_token(store, "desk")
    assert token_of(store, made.secret) is None


def test_secrets_differ_and_nothing_else_opens() -> None:
    store = MemoryStore()
    secrets = {create_token(store, f"t{number}").secret for number in range(5)}
    assert len(secrets) == 5
    assert token_of(store, "") is token_of(store, "bf_\ud800") is token_of(store, "t1") is None


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 65, "\n"])
def test_a_name_is_one_word(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name"):
        create_token(MemoryStore(), name)


def test_a_name_is_taken_once_and_scopes_are_known_ones() -> None:
    store = MemoryStore()
    create_token(store, "desk")
    with pytest.raises(UsageError, match="already"):
        create_token(store, "desk")
    with pytest.raises(UsageError, match="no scope 'all'"):
        create_token(store, "other", "all")
    with pytest.raises(UsageError, match="no token 'none'"):
        revoke_token(store, "none")
