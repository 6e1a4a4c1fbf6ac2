"""blogforever users: people let in, changed and sent away from the terminal; a password is never an option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner, Result

from blogforever.cli import blogforever
from blogforever.service import people


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def test_people_are_let_in_changed_and_sent_away(tmp_path: Path) -> None:
    def users(*words: str, given: str | None = None) -> Result:
        return CliRunner().invoke(blogforever, ["users", *words, "--archive", str(tmp_path)], input=given)

    def told(*words: str) -> Any:
        return json.loads(users(*words, "--json").output)

    assert isinstance(users("add", "ann", given="the long shelf\n").exception, Exception), "the first one is an admin"
    assert "ann" in users("add", "ann", "--role", "admin", given="the long shelf\n").output
    users("add", "bob", given="the long shelf\n")
    assert [(one["name"], one["role"]) for one in told("list")["items"]] == [("ann", "admin"), ("bob", "viewer")]
    assert "password" not in told("list")["items"][0]
    assert told("role", "bob", "curator")["role"] == "curator"
    assert "bob" in users("password", "bob", given="another shelf\n").output
    assert told("logout", "bob") == {"ended": 0}
    assert told("remove", "bob")["name"] == "bob"
    assert "ann" in users().output
    assert "--password" not in users("add", "--help").output
