"""The second origin shows what the portal signed, harmless, and nothing else."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from blogforever.portal.replayorigin import make_replay_app
from blogforever.service.origins import ReplayOrigin
from blogforever.service.replaying import Replay, ReplayPlace
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery


@pytest.fixture
def origin(standing: Standing) -> TestClient:
    return TestClient(make_replay_app(standing), "http://127.0.0.1:8151")


@pytest.fixture
def place(standing: Standing) -> ReplayPlace:
    line = standing.archive.store.posts.page(PostQuery(limit=1)).items[0]
    record = standing.archive.store.posts.record(line.id)
    return ReplayPlace("page", record.blog, "20260101000000", record.url)


def test_what_the_portal_signed_is_shown_in_a_sandbox(
    origin: TestClient, standing: Standing, place: ReplayPlace
) -> None:
    answer = origin.get(Replay(standing.archive).path(place))
    policy = answer.headers["content-security-policy"]
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert policy.startswith("sandbox; default-src 'none'; ")
    assert "script-src" not in policy
    assert "frame-ancestors http://127.0.0.1:8150 http://localhost:8150" in policy
    assert "<script" not in answer.text
    assert "set-cookie" not in answer.headers


def test_what_nobody_signed_is_refused(origin: TestClient, standing: Standing, place: ReplayPlace) -> None:
    path = Replay(standing.archive).path(place)
    wrong = [
        path.replace("/page/", "/file/"),
        f"{path}x",
        "/x/1/page/b/2020/http",
        path.replace("20260101", "20260102"),
    ]
    assert {origin.get(one).status_code for one in wrong} == {403}
    assert origin.get("/").status_code == 404


def test_what_the_archive_has_not_is_said_with_its_address(
    origin: TestClient, standing: Standing, place: ReplayPlace
) -> None:
    missing = ReplayPlace("page", place.blog, place.moment, "https://b.example/<b>?a=1&b=2")
    answer = origin.get(Replay(standing.archive).path(missing), headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert "https://b.example/&lt;b&gt;?a=1&amp;b=2" in answer.text
    assert answer.headers["content-security-policy"].startswith("sandbox")


def test_another_name_is_not_answered_to(standing: Standing, place: ReplayPlace) -> None:
    client = TestClient(make_replay_app(standing), "http://evil.example:8151")
    assert client.get(Replay(standing.archive).path(place)).status_code == 421


def test_the_origin_is_named_as_the_service_is_called() -> None:
    here = ReplayOrigin(port=9)
    assert here.seen_from("localhost") == "http://localhost:9"
    assert here.for_policy() == "http://127.0.0.1:9 http://localhost:9"
    assert ReplayOrigin(host="::1", port=9).for_policy().endswith(" http://[::1]:9")
    assert ReplayOrigin(host="0.0.0.0", port=9).for_policy() == "http://*:9"
    proxied = ReplayOrigin(url="https://pages.example/", portal_url="https://blogs.example/")
    assert proxied.seen_from("blogs.example") == proxied.for_policy() == "https://pages.example"
    assert proxied.framed_by().endswith(" https://blogs.example")
