"""Rules over the API: seen with examples, tried on pages, set, locked, unlocked, handed on, gone back to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.archive.ruling import import_rules
from blogforever.learn.rulefile import dump_rules
from blogforever.model import Rule, Rules, Template
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.following import FollowedBlog
from blogforever.store.folder import ArchiveFolder
from server.application import app_for
from server.smallarchive import BLOG, address, make_archive, words

RULES = Rules(
    BLOG,
    templates=(
        Template(Rule("p", "", confidence=0.9), fields={"title": (Rule("title", "", confidence=0.8),)}, pages=3),
    ),
    feed="https://b.example/feed",
)

pytestmark = pytest.mark.usefixtures("records")
PLACE = f"/blogs/{BLOG}/rules"


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    import_rules(make_archive(tmp_path), BLOG, dump_rules(RULES))
    with open_archive(tmp_path, writing=True) as archive:
        now = clock.stamp()
        archive.store.followed.add(
            [
                FollowedBlog(BLOG, f"https://{BLOG}/", now, blog=BLOG),
                FollowedBlog("new.example", "https://new.example/", now),
            ]
        )
        yield Standing(archive)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    return client_of(standing, "curate")


def client_of(standing: Standing, scope: str) -> TestClient:
    secret = create_token(standing.archive.store, f"a-{scope}", scope).secret
    headers = {"Authorization": f"Bearer {secret}"}
    return TestClient(app_for(standing), base_url="http://test/api/v1", headers=headers)


def told(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_rules_come_with_confidence_examples_and_history(client: TestClient) -> None:
    rules = told(client.get(PLACE))
    assert (rules["blog"], rules["title"], rules["feed"]) == (BLOG, "Lanterns", "https://b.example/feed")
    article, title = rules["templates"][0]["rules"]
    assert (article["field"], article["written"], article["confidence"], article["locked"]) == (
        "article",
        "p",
        0.9,
        False,
    )
    assert title["examples"][0] == {"url": address(2), "value": "Lantern 2"}
    assert (rules["locked"], [one["reason"] for one in rules["revisions"]]) == ([], ["imported by hand"])


def test_a_page_is_read_by_rules_that_are_only_proposed(client: TestClient) -> None:
    present = told(client.post(f"{PLACE}/try", json={"url": address(1)}))
    assert (present["is_post"], present["proposed"]) == (True, [])
    fields = {one["field"]: one for one in present["fields"]}
    assert (fields["title"]["before"], fields["title"]["after"], fields["title"]["by"]) == (
        "Lantern 1",
        "Lantern 1",
        "rule",
    )
    assert (fields["text"]["by"], fields["text"]["confidence"] is None) == ("rule", False)
    tried = told(client.post(f"{PLACE}/try", json={"url": address(1), "fields": {"title": ["h1", "p"]}}))
    fields = {one["field"]: one for one in tried["fields"]}
    assert (fields["title"]["before"], fields["title"]["after"]) == ("Lantern 1", words(1))
    assert [(one["written"], one["number"], one["value"]) for one in tried["proposed"]] == [
        ("h1", 0, None),
        ("p", 1, words(1)),
    ]
    assert told(client.get(PLACE))["locked"] == []


def test_what_is_set_is_locked_until_it_is_unlocked_and_all_of_it_is_history(
    client: TestClient, standing: Standing
) -> None:
    changed = told(client.put(PLACE, json={"fields": {"title": ["p"]}, "reason": "the head lies"}))
    assert changed["locked"] == ["title"]
    title = changed["templates"][0]["rules"][1]
    assert (title["written"], title["locked"], title["examples"][0]["value"]) == ("p", True, words(2))
    assert told(client.put(PLACE, json={"lock": ["article"]}))["locked"] == ["title", "article"]
    assert told(client.put(PLACE, json={"unlock": ["title", "article"]}))["locked"] == []
    reasons = [one["reason"] for one in told(client.get(PLACE))["revisions"]]
    assert reasons[-2:] == ["title locked by hand", "imported by hand"]
    back = told(client.put(PLACE, json={"revision": 1}))
    assert back["templates"][0]["rules"][1]["written"] == "title"
    decided = [(one.what, one.field, one.reason) for one in standing.archive.journal.decisions()]
    assert ("lock", "title", "the head lies") in decided
    deeds = standing.archive.store.audit.newest(10, None, "")
    assert [deed.detail for deed in deeds][-1] == "set title"


def test_rules_are_handed_on_as_a_file(client: TestClient) -> None:
    file = client.get(f"{PLACE}/revisions/1").text
    assert json.loads(file)["templates"][0]["article"]["css"] == "p"
    assert told(client.put(PLACE, json={"file": file.replace('"title"', '"h1"', 1)}))["revisions"][0]["number"] == 2
    assert client.get(f"{PLACE}/revisions/9").status_code == 404


IMPOSSIBLE: tuple[dict[str, Any], ...] = (
    {},
    {"fields": {"title": ["p:::x"]}},
    {"fields": {"title": []}},
    {"fields": {"heading": ["h1"]}},
    {"lock": ["tags"]},
    {"unlock": ["title"]},
    {"relearn": ["title"]},
    {"file": "no json"},
    {"revision": 9},
)


def test_what_cannot_be_done_is_said_in_a_sentence_and_changes_nothing(client: TestClient) -> None:
    before = client.get(PLACE).json()["templates"]
    for change in IMPOSSIBLE:
        answer = client.put(PLACE, json=change)
        assert (answer.status_code, "\n" in answer.json()["detail"]) == (422, False), change
    assert client.get(PLACE).json()["templates"] == before


def test_a_blog_that_is_being_written_is_not_waited_for(client: TestClient, standing: Standing) -> None:
    with ArchiveFolder(standing.archive.folder, writing=True, alone=False) as other:
        assert other.take(BLOG)
        answer = client.put(PLACE, json={"fields": {"title": ["p"]}})
        assert (answer.status_code, "try again" in answer.json()["detail"]) == (409, True)


def test_pages_that_are_not_there_blogs_without_a_harvest_and_readers_are_refused(
    client: TestClient, standing: Standing
) -> None:
    assert client.post(f"{PLACE}/try", json={"url": "https://b.example/nowhere/"}).status_code == 422
    assert "not harvested" in client.get("/blogs/new.example/rules").json()["detail"]
    assert client.get("/blogs/none.example/rules").status_code == 404
    assert client_of(standing, "read").put(PLACE, json={"lock": ["title"]}).status_code == 403
