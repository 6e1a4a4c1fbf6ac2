"""Pings by XML-RPC and by a form, kept before they are thanked for; servers and filters over the API."""

from __future__ import annotations

import xmlrpc.client
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.ping.calls import LARGEST_CALL, THANKS
from blogforever.ping.posted import LARGEST_POSTED
from blogforever.service.inbox import OFF
from blogforever.service.pushed import LARGEST_DELIVERY
from blogforever.service.signing import signed_headers
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.following import FollowedBlog
from blogforever.storage.pings import PingRow
from blogforever.storage.pushes import Subscription
from blogforever.web.app import make_app
from server.application import app_for

pytestmark = pytest.mark.usefixtures("records")

FILTER = {"name": "Science", "pattern": "science"}


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    with open_archive(tmp_path, writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    secret = create_token(standing.archive.store, "curator", "curate").secret
    headers = {"Authorization": f"Bearer {secret}"}
    return TestClient(app_for(standing), base_url="http://test/api/v1", headers=headers)


def call(client: TestClient, *values: str, method: str = "weblogUpdates.ping") -> dict[str, object]:
    answered = client.post("http://test/RPC2", content=xmlrpc.client.dumps(values, method))
    ((told,), _) = xmlrpc.client.loads(answered.content)
    assert isinstance(told, dict)
    return told


def kept(client: TestClient, state: str = "waiting") -> list[str]:
    return [row["url"] for row in client.get(f"/pings?state={state}").json()["items"]]


def find_new(client: TestClient) -> None:
    assert client.post("/filters", json=FILTER).status_code == 201
    assert client.patch("/pingservers/ours", json={"is_limited": False}).json()["is_limited"] is False


def test_a_blog_that_pings_is_thanked_and_its_ping_is_kept(client: TestClient) -> None:
    find_new(client)
    assert call(client, "A", "http://science.example/") == {"flerror": False, "message": THANKS}
    assert call(
        client, "B", "http://b-science.example/", "http://b-science.example/feed", method="weblogUpdates.extendedPing"
    )
    assert kept(client) == ["http://b-science.example/", "http://science.example/"]


def test_the_form_takes_pings_too(client: TestClient) -> None:
    find_new(client)
    assert client.get("http://test/ping?name=A&url=http://science.example/").text == THANKS
    assert client.post("http://test/ping", data={"name": "B", "url": "http://b-science.example/"}).text == THANKS
    assert len(kept(client)) == 2
    assert client.get("http://test/ping?name=A").status_code == 400


def test_what_is_not_let_in_is_told_why_in_the_log(client: TestClient) -> None:
    call(client, "A", "http://a.example/")
    (row,) = client.get("/pings").json()["items"]
    assert (row["state"], row["reason"]) == ("dropped", "it is not on the source list")


@pytest.mark.parametrize("body", [b"", b"junk", b"<methodCall/>", b"x" * (LARGEST_CALL + 9)])
def test_what_is_no_ping_is_answered_in_its_own_language(client: TestClient, body: bytes) -> None:
    ((told,), _) = xmlrpc.client.loads(client.post("http://test/RPC2", content=body).content)
    assert told["flerror"] is True  # type: ignore[index,call-overload]


def test_an_endpoint_that_is_off_says_so(client: TestClient) -> None:
    client.patch("/pingservers/ours", json={"is_on": False})
    assert call(client, "A", "http://a.example/") == {"flerror": True, "message": OFF}
    assert client.get("http://test/ping?url=http://a.example/").status_code == 503


def test_servers_are_added_turned_on_and_dropped(client: TestClient) -> None:
    made = client.post("/pingservers", json={"name": "W", "kind": "stream", "url": "ping.example:29999"}).json()
    assert made["is_on"] is False
    assert client.patch(f"/pingservers/{made['id']}", json={"is_on": True}).status_code == 422
    client.post("/filters", json=FILTER)
    assert client.patch(f"/pingservers/{made['id']}", json={"is_on": True}).json()["is_on"] is True
    assert [one["id"] for one in client.get("/pingservers").json()["items"]] == ["ours", made["id"]]
    assert client.delete(f"/pingservers/{made['id']}").status_code == 204
    assert client.delete(f"/pingservers/{made['id']}").status_code == 404


def test_filters_are_made_tried_changed_and_dropped(client: TestClient, standing: Standing) -> None:
    find_new(client)
    call(client, "A", "http://science.example/")
    call(client, "A", "http://other.example/")
    trial = client.post("/filters/try", json={"name": "Other", "pattern": "*other*", "kind": "wildcards"}).json()
    assert (trial["tried"], trial["taken"], trial["examples"]) == (2, 1, ["http://other.example/"])
    (one,) = client.get("/filters").json()["items"]
    assert one["hits"] == 1
    number = one["id"]
    assert client.patch(f"/filters/{number}", json=FILTER | {"excludes": True}).json()["excludes"] is True
    renamed = client.patch(f"/filters/{number}", json={"name": "Renamed"}).json()
    assert (renamed["name"], renamed["pattern"], renamed["excludes"]) == ("Renamed", FILTER["pattern"], True)
    assert client.patch(f"/filters/{number}", json={"name": None}).status_code == 422
    assert client.post("/filters", json=FILTER | {"kind": "expression", "pattern": "("}).status_code == 422
    below = client.post("/filters", json=FILTER | {"parent": number}).json()["id"]
    assert set(client.delete(f"/filters/{number}").json()["items"]) == {number, below}
    assert standing.archive.store.ping_filters.all() == []


def posted(client: TestClient, secret: str, body: bytes, delivery: str = "msg-1") -> int:
    return client.post(
        "http://test/hooks/gallery", content=body, headers=signed_headers(secret, delivery, body)
    ).status_code


def test_a_program_posts_signed_pings_to_a_hook(client: TestClient) -> None:
    find_new(client)
    made = client.post("/pingservers/hooks", json={"name": "gallery"}).json()
    assert "secret" not in str(client.get("/pingservers").json())
    assert client.patch(f"/pingservers/{made['server']['id']}", json={"is_limited": False}).status_code == 200
    body = b'[{"url": "http://science.example/", "name": "A"}, {"name": "no address"}, 7]'
    assert posted(client, made["secret"], body) == 202
    assert posted(client, made["secret"], body) == 409
    assert posted(client, "whsec_AAAA", body) == 401
    assert posted(client, made["secret"], b"junk", "msg-2") == 422
    assert posted(client, made["secret"], b"x" * (LARGEST_POSTED + 1), "msg-3") == 413
    assert kept(client) == ["http://science.example/"]
    (package,) = client.get("/pings/packages").json()["items"]
    assert (package["received"], package["malformed"], package["unknown"]) == (1, 2, 1)
    assert client.patch(f"/pingservers/{made['server']['id']}", json={"is_on": False}).status_code == 200
    assert posted(client, made["secret"], body, "msg-4") == 503


def test_what_was_posted_to_a_hook_is_not_taken_again_after_a_restart(client: TestClient, standing: Standing) -> None:
    secret = client.post("/pingservers/hooks", json={"name": "gallery"}).json()["secret"]
    body = b'{"url": "http://science.example/"}'
    assert posted(client, secret, body) == 202
    restarted = TestClient(make_app(Standing(standing.archive), "1"))
    assert posted(restarted, secret, body) == 409
    assert posted(restarted, secret, body, "msg-2") == 202


def test_kept_pings_are_sent_again_and_statistics_tell_of_them(client: TestClient) -> None:
    call(client, "A", "http://science.example/")
    find_new(client)
    assert client.post("/pings/replay", json={"since": "2000-01-01"}).json() == {"read": 1, "waiting": 1}
    assert client.post("/pings/replay", json={"since": "some day"}).status_code == 422
    told = client.get("/pings/statistics").json()
    assert (told["total"]["received"], told["servers"][0]["server"]) == (1, "ours")
    assert client.get("/pings/statistics?from=2026-99").status_code == 422


def test_dead_letters_are_tried_again_or_dropped(client: TestClient, standing: Standing) -> None:
    standing.archive.store.pings.add(
        [PingRow("2026", "ours", f"http://{one}.example/", state="failed") for one in "abc"]
    )
    third, second, first = (row["id"] for row in client.get("/pings?state=failed").json()["items"])
    assert client.post(f"/pings/{first}/again").json() == {"again": 1}
    assert client.post(f"/pings/{first}/again").status_code == 404
    assert client.delete(f"/pings/{second}").status_code == 204
    assert client.post("/pings/again").json() == {"again": 1}
    assert kept(client) == ["http://c.example/", "http://a.example/"]
    assert client.delete(f"/pings/{third}").status_code == 404


def test_filters_are_a_file_with_a_history(client: TestClient, standing: Standing) -> None:
    made = client.post("/filters", json=FILTER | {"conditions": {"languages": ["de"]}}).json()["id"]
    file = client.get("/filters/export").json()
    client.delete(f"/filters/{made}")
    assert client.post("/filters/import", json=file).json() == {"new": 1, "changed": 0, "same": 0}
    assert client.get("/filters/export").json() == file
    changes = client.get("/filters/history").json()["items"]
    assert len(changes) == 3
    assert client.post(f"/filters/history/{changes[0]['id']}/back").status_code == 200
    assert standing.archive.store.ping_filters.all() == []
    assert client.post("/filters/history/999/back").status_code == 404
    assert client.post("/filters/import", json={"filters": [], "version": 7}).status_code == 422


def test_subscriptions_are_listed_without_what_only_their_hubs_may_know(client: TestClient, standing: Standing) -> None:
    store = standing.archive.store
    store.followed.add([FollowedBlog("a.example", "http://a.example/", "2026")])
    for blog in ("a.example", "b.example"):
        hub = Subscription(f"id-of-{blog}", blog, "websub", "http://hub.example/", "http://x.example/", secret="hidden")
        store.subscriptions.add(hub)
    first = client.get("/subscriptions?limit=1").json()
    second = client.get(f"/subscriptions?limit=1&after={first['next']}").json()
    assert [one["blog"] for one in (*first["items"], *second["items"])] == ["a.example", "b.example"]
    assert second["next"] is None
    assert client.get("/blogs/a.example/subscriptions").json()["items"] == first["items"]
    assert "id-of" not in str(first)
    assert "hidden" not in str(first)


def test_a_delivery_that_is_too_large_is_not_kept(client: TestClient, standing: Standing) -> None:
    hub = Subscription("x", "b", "websub", "http://hub.example/", "http://x.example/", secret="s", granted="2026")
    standing.archive.store.subscriptions.add(hub)
    assert client.post("http://test/websub/x", content=b"x" * (LARGEST_DELIVERY + 1)).status_code == 413
    assert client.post("http://test/websub/x", content=b"x").status_code == 200
    assert kept(client) == []
