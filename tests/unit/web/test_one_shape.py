"""Lists and what is posted to them answer alike, whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.service.people import add_user
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.web.app import make_app
from blogforever.web.made import PREFIX
from blogforever.web.paging import PartAsked

pytestmark = pytest.mark.usefixtures("records")

SECRET = "a long enough secret"
# What is posted to each list, and whether the same again changes what is there.
POSTED: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("/lists", {"name": "Sea/Air & more"}, True),
    ("/blocked", {"what": "spam.example"}, True),
    ("/searches", {"name": "either/or", "q": "boats"}, True),
    ("/tagrules", {"tag": "sea", "words": "boats"}, False),
    ("/pingservers", {"name": "W", "kind": "stream", "url": "ping.example:29999"}, False),
    ("/filters", {"name": "Science", "pattern": "science"}, False),
    ("/users", {"name": "ada", "password": SECRET}, False),
    ("/tokens", {"name": "another"}, False),
    ("/webhooks", {"url": "https://told.example/"}, False),
    ("/outbox/accounts", {"name": "library", "password": SECRET}, False),
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with open_archive(tmp_path, writing=True) as archive:
        add_user(archive.store, "first", "admin", SECRET, "tests")
        headers = {"Authorization": f"Bearer {create_token(archive.store, 'one', 'admin').secret}"}
        yield TestClient(make_app(Standing(archive), "1"), base_url="http://test", headers=headers)


def operations(client: TestClient, method: str) -> dict[str, dict[str, Any]]:
    """What the description says of each path that has this method."""
    paths = client.get(f"{PREFIX}/openapi.json").json()["paths"]
    return {path: told[method] for path, told in paths.items() if method in told}


def is_list(told: dict[str, Any]) -> bool:
    content = told["responses"].get("200", {}).get("content", {}).get("application/json", {})
    named = str(content.get("schema", {}).get("$ref", "")).rpartition("/")[2]
    return named.startswith(("ItemPage", "PostItems"))


def test_every_list_takes_limit_and_after(client: TestClient) -> None:
    lists = {path: told for path, told in operations(client, "get").items() if is_list(told)}
    assert len(lists) > len(POSTED)
    for path, told in lists.items():
        assert {"limit", "after"} <= {one["name"] for one in told.get("parameters", ())}, path


def test_what_is_posted_to_a_list_says_that_it_was_made_and_where(client: TestClient) -> None:
    lists = {path for path, told in operations(client, "get").items() if is_list(told)}
    for path, told in operations(client, "post").items():
        if path in lists:
            made = told["responses"].get("201") or told["responses"]["202"]
            assert "Location" in made["headers"], path


def test_what_is_deleted_leaves_nothing_to_say(client: TestClient) -> None:
    others = {path for path, told in operations(client, "delete").items() if "204" not in told["responses"]}
    # Those that went with it are told.
    assert others == {f"{PREFIX}/filters/{{one}}"}


@pytest.mark.parametrize(("path", "new", "may_be_there"), POSTED, ids=[path for path, *_ in POSTED])
def test_what_was_made_is_where_the_answer_says(
    client: TestClient, path: str, new: dict[str, Any], may_be_there: bool
) -> None:
    made = client.post(PREFIX + path, json=new)
    assert made.status_code == 201, made.text
    place = made.headers["location"]
    assert place.startswith(f"{PREFIX}{path}/")
    there = client.get(place).json()
    assert there in client.get(PREFIX + path).json()["items"]
    if may_be_there:
        again = client.post(PREFIX + path, json=new)
        assert (again.status_code, again.headers["location"]) == (200, place)
    assert client.delete(place).status_code in (200, 204)
    assert client.get(place).status_code == 404
    assert client.delete(place).status_code == 404


def test_a_batch_is_made_where_something_is_added_and_not_in_a_dry_run(client: TestClient) -> None:
    new = {"urls": ["https://a.example/"]}
    tried = client.post(f"{PREFIX}/sources?dry_run=1", json=new)
    assert (tried.status_code, tried.headers.get("location")) == (200, None)
    made = client.post(f"{PREFIX}/sources", json=new)
    assert made.status_code == 201
    assert [row["input"] for row in client.get(made.headers["location"]).json()["items"]] == ["https://a.example/"]
    assert client.post(f"{PREFIX}/sources/file", content=b"https://b.example/").status_code == 201


def test_what_is_asked_for_is_a_job_that_can_be_looked_at(client: TestClient) -> None:
    client.post(f"{PREFIX}/sources", json={"urls": ["https://a.example/"]})
    for path, new in (("/blogs/a.example/crawl", None), ("/exports", {"format": "csv"})):
        asked = client.post(PREFIX + path, json=new)
        assert asked.status_code == 202, asked.text
        assert client.get(asked.headers["location"]).json()["id"] > 0


def test_a_whole_list_is_given_in_parts_to_who_wants_them(client: TestClient) -> None:
    for name in "abcde":
        client.post(f"{PREFIX}/lists", json={"name": name})
    first = client.get(f"{PREFIX}/lists?limit=2").json()
    assert [one["name"] for one in first["items"]] == ["a", "b"]
    client.delete(f"{PREFIX}/lists/a")
    second = client.get(f"{PREFIX}/lists?limit=2&after={first['next']}").json()
    assert [one["name"] for one in second["items"]] == ["c", "d"]
    client.delete(f"{PREFIX}/lists/d")
    last = client.get(f"{PREFIX}/lists?limit=2&after={second['next']}").json()
    assert ([one["name"] for one in last["items"]], last["next"]) == (["e"], None)
    assert client.get(f"{PREFIX}/lists?after=nonsense").status_code == 422


def test_a_part_behind_the_end_is_empty() -> None:
    asked = PartAsked(2, PartAsked(1).of(["a", "b"], str).next or "")
    assert (asked.of([], str).items, asked.of([], str).next) == ([], None)
