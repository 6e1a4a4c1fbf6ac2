"""What a program meets that knows the description alone: names, nulls, days, and errors that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.records import BlogRecord
from blogforever.service import newspages
from blogforever.service.browsing import find_post
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.web import sources
from blogforever.web.made import PREFIX
from server.application import app_for
from server.somerecords import some_post

pytestmark = pytest.mark.usefixtures("records")

BLOG = "/blogs/a.example"


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    with open_archive(tmp_path, writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    headers = {"Authorization": f"Bearer {create_token(standing.archive.store, 'one', 'admin').secret}"}
    client = TestClient(app_for(standing), base_url=f"http://test{PREFIX}", headers=headers)
    assert client.post("/sources", json={"urls": ["a.example", "b.example"], "list": "first"}).status_code == 201
    return client


def changed(client: TestClient, **new: Any) -> dict[str, Any]:
    answer = client.patch(BLOG, json=new)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def problem(answer: Any, status: int) -> str:
    """What a problem says, in its own words."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    told: dict[str, Any] = answer.json()
    assert (told["status"], set(told)) == (status, {"type", "title", "status", "detail"})
    return str(told["detail"])


# ------------------------------------------------------------------ names


@pytest.mark.parametrize("name", ["state", "status"])
def test_blogs_are_chosen_by_the_name_that_their_state_has(client: TestClient, name: str) -> None:
    client.post(f"{BLOG}/pause")
    for state, blog in (("paused", "a.example"), ("waiting", "b.example")):
        items = client.get(f"/blogs?{name}={state}").json()["items"]
        assert [(one["id"], one["state"]) for one in items] == [(blog, state)]


def test_a_batch_and_an_export_are_found_by_themselves(client: TestClient) -> None:
    (batch,) = client.get("/batches").json()["items"]
    assert client.get(f"/batches/{batch['id']}").json() == batch
    asked = client.post("/exports", json={"format": "csv"}).json()
    assert client.get(f"/exports/{asked['job']['id']}").json() == asked
    look = client.post(f"{BLOG}/crawl").json()["id"]
    for path in ("/batches/none", "/exports/99", f"/exports/{look}"):
        assert "There is no" in problem(client.get(path), 404)


def with_posts(standing: Standing, *names: str) -> None:
    """Posts that a look has found, in this order, of the first blog."""
    store = standing.archive.store
    run, _ = store.runs.open("a.example")
    for name in names:
        store.posts.keep(run, some_post(id=name, blog="a.example", url=f"https://a.example/{name}/", title=name))
    store.blogs.keep(BlogRecord(id="a.example", url="https://a.example/", title="The letters"))
    store.followed.change("a.example", lambda one: replace(one, blog="a.example", title="The letters"))


def test_posts_of_a_blog_are_found_however_it_is_called(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "p1")
    for name in ("a.example", "https://a.example/", "http://www.a.example", "The letters"):
        assert [one["id"] for one in client.get("/posts", params={"blog": name}).json()["items"]] == ["p1"], name
    assert client.get("/posts?blog=b.example").json() == {"items": [], "next": None}, "nobody has harvested it yet"
    assert "There is no blog 'c.example'" in problem(client.get("/posts?blog=c.example"), 422)
    assert "'changed', 'commented'" in problem(client.get("/posts?is=nonsense"), 422)
    asked = client.post("/exports", json={"format": "csv", "blog": "https://a.example/"})
    assert asked.json()["blog"] == "a.example"


# ------------------------------------------------------------------ news


def told(client: TestClient, **wanted: Any) -> list[str]:
    """What a program hears that reads page by page, two at a time."""
    heard: list[str] = []
    after: str | None = ""
    while after is not None:
        page = client.get("/news", params={**wanted, "limit": 2, "after": after}).json()
        heard += [f"{one['number']} {one['event']} {one['post']['id']}" for one in page["items"]]
        after = page["next"]
    return heard


def test_news_are_read_page_by_page_and_from_where_one_was(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "p1", "p2", "p3")
    assert told(client) == ["1 post.new p1", "2 post.new p2", "3 post.new p3"]
    assert told(client, number=2) == ["3 post.new p3"]
    assert told(client, event="post.new", blog="a.example", list="first")[0] == "1 post.new p1"
    for nothing in (
        {"event": "gone"},
        {"list": "other"},
        {"blog": "b.example"},
        {"since": "2099-01-01"},
        {"number": 3},
    ):
        assert told(client, **nothing) == [], nothing
    for moment in ("yesterday", "0001-01-01T00:00:00+23:00"):
        assert "is no moment" in problem(client.get("/news", params={"since": moment}), 422)


def test_news_of_what_nobody_may_see_are_passed_over(
    client: TestClient, standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_posts(standing, "p1", "p2", "p3")
    monkeypatch.setattr(
        newspages, "find_post", lambda archive, post: None if post == "p3" else find_post(archive, post)
    )
    assert told(client) == ["1 post.new p1", "2 post.new p2"]


def test_an_event_is_called_as_news_call_it_too(client: TestClient) -> None:
    made = client.post("/webhooks", json={"url": "https://told.example/", "events": ["post.new", "gone"]}).json()
    assert made["webhook"]["events"] == ["new", "gone"]


# ------------------------------------------------------------------ nulls and days


def test_what_is_null_is_taken_back(client: TestClient) -> None:
    plain = client.get(BLOG).json()
    said = {"title": "A", "tags": ["x"], "notes": "n", "metadata": {"topic": "t"}, "policy": {"every": 3600}}
    assert changed(client, **said, list="second", until="2030-01-01")["policy"]["every"] == 3600
    after = changed(client, **dict.fromkeys(said), list=None, until=None)
    assert after | {"lists": ["first"]} == plain
    changed(client, policy={"every": 3600})
    assert changed(client, schedule=None)["policy"]["every"] is None


def test_what_is_not_given_of_the_metadata_stays(client: TestClient) -> None:
    changed(client, metadata={"topic": "birds", "author": "Ann"})
    metadata = changed(client, metadata={"author": None, "language": "de"})["metadata"]
    assert (metadata["topic"], metadata["author"], metadata["language"]) == ("birds", "", "de")


def test_names_are_kept_as_they_are_looked_for(client: TestClient) -> None:
    client.post("/lists", json={"name": "ports", "note": "of the north"})
    blog = changed(client, title=" A ", tags=["a ", "a", " "], lists=[" ports", "ports"])
    assert (blog["title"], blog["tags"], blog["lists"]) == ("A", ["a"], ["ports"])
    assert client.get("/lists/ports").json()["note"] == "of the north"
    assert "needs a name" in problem(client.patch(BLOG, json={"list": " "}), 422)


def test_two_words_for_one_thing_are_refused_where_they_differ(client: TestClient) -> None:
    assert "either list or lists" in problem(client.patch(BLOG, json={"list": "a", "lists": ["b"]}), 422)
    assert changed(client, list="a", lists=["a"])["lists"] == ["a"]


@pytest.mark.parametrize("name", ["until", "harvest_by"])
def test_a_day_that_is_in_no_calendar_is_refused(client: TestClient, name: str) -> None:
    assert "is no day" in problem(client.patch(BLOG, json={name: "2030-02-31"}), 422)
    assert changed(client, **{name: "2030-02-28"})[name] == "2030-02-28"


@pytest.mark.parametrize("said", ["2030-13", "2030-02-31", "2030-01-31T25:00", "2030-01-31Tnoon"])
def test_posts_of_a_moment_that_never_is_are_not_looked_for(client: TestClient, said: str) -> None:
    assert "there is no such moment" in problem(client.get(f"/posts?since={said}"), 422)


@pytest.mark.parametrize("said", ["2030", "2030-02", "2030-02-28", "2030-01-31T09:00:00Z", "2030-01-31T09:00:00+01:00"])
def test_posts_are_looked_for_since_any_moment_though_nobody_escaped_its_plus(client: TestClient, said: str) -> None:
    assert client.get(f"/posts?since={said}").json() == {"items": [], "next": None}


def test_sentences_stay_no_longer_than_what_they_say(client: TestClient) -> None:
    paused = client.post(f"{BLOG}/pause").json()
    assert (paused["reason"], [one["text"] for one in paused["said"]]) == ("paused by one", ["paused by {who}"])
    resumed = client.post(f"{BLOG}/resume").json()
    assert (resumed["state"], resumed["reason"], resumed["said"]) == ("waiting", "", [])


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("PUT", "/blogs", 405)])
def test_what_the_api_does_not_have_is_said_in_a_sentence(
    client: TestClient, method: str, path: str, status: int
) -> None:
    told = problem(client.request(method, path), status)
    assert told == f"The API has no {method} {PREFIX}{path}; {PREFIX}/openapi.json says what it has."


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"urls": ["a.example"', "The body is no JSON: Expecting ',' delimiter, at character 21."),
        (b'{"urls": "a.example"}', "body.urls: this is a list: [...]."),
        (b'{"url": "a.example"}', "body.url: there is nothing of this name."),
    ],
)
def test_a_wrong_body_is_told_in_words(client: TestClient, body: bytes, told: str) -> None:
    answer = client.post("/sources", content=body, headers={"Content-Type": "application/json"})
    assert problem(answer, 422) == told


def test_a_body_of_which_nobody_says_that_it_is_json_is_told_so(client: TestClient) -> None:
    """As curl sends it where it is not told otherwise."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    told = problem(client.post("/sources", content=b'{"urls": ["a.example"]}', headers=form), 422)
    assert told == "body: this is an object: {...}, sent as Content-Type: application/json."


def test_what_is_missing_in_a_request_is_named(client: TestClient) -> None:
    assert problem(client.get("/sources"), 422) == "query.batch: this must be given."


def test_a_file_that_is_too_large_is_told_so_by_its_status(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LARGEST_LIST", 10)
    assert "give it in parts" in problem(client.post("/sources/file", content=b"https://long.example/"), 413)
