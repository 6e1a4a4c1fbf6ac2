"""The outbox over the API and from the terminal: the same accounts, files and wishes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.cli import blogforever
from blogforever.service.outboxfeed import OutboxFeeder
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from server.application import app_for
from server.ftp import SECRET
from server.samplearchive import hash_cheaply
from server.writtenarchive import BLOG, small_post, write_archive

pytestmark = pytest.mark.usefixtures("records")


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    hash_cheaply()
    with open_archive(write_archive(tmp_path / "archive", small_post("bread", "Bread")), writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    secret = create_token(standing.archive.store, "all", "admin").secret
    headers = {"Authorization": f"Bearer {secret}"}
    return TestClient(app_for(standing), base_url="http://test/api/v1/outbox", headers=headers)


def fill(standing: Standing) -> None:
    feeder = OutboxFeeder(standing.archive)
    while feeder.look():
        pass


def test_files_are_asked_for_fetched_and_deleted_over_the_api(client: TestClient, standing: Standing) -> None:
    assert client.post("/asks", json={"after": 0}).status_code == 422
    made = client.post("/accounts", json={"name": "ann", "password": SECRET})
    assert (made.status_code, made.json()["name"]) == (201, "ann")
    assert "password" not in made.json()
    assert client.post("/asks", json={"blog": BLOG}).status_code == 202
    assert client.post("/asks", json={}).status_code == 422
    fill(standing)
    view = client.get("").json()
    assert (view["cursor"], view["figures"]["states"], view["address"]) == (1, {"waiting": 1}, "")
    answer = client.get("/files/1?account=ann")
    assert b"Bread" in answer.content
    assert answer.headers["content-type"] == "application/xml"
    assert client.delete("/files/1?account=ann").status_code == 204
    for path in ("/files/1", "/files/2"):
        assert client.get(path).status_code == 404
        assert client.delete(f"{path}?account=ann").status_code == 404
    (listed,) = client.get("/files?state=taken").json()["items"]
    assert [bool(listed["takings"][0][name]) for name in ("fetched", "deleted")] == [True, True]
    assert client.put("/accounts/ann/password", json={"password": SECRET * 2}).status_code == 200
    assert client.delete("/accounts/ann").status_code == 204
    assert client.delete("/accounts/ann").status_code == 404
    assert client.put("/accounts/ann/password", json={"password": SECRET}).status_code == 404


def test_an_account_chooses_posts_over_the_api_and_from_the_terminal(client: TestClient, standing: Standing) -> None:
    choice = {"languages": ["de"], "tags": ["sea"]}
    made = client.post("/accounts", json={"name": "ann", "password": SECRET, "choice": choice}).json()
    assert (made["choice"]["languages"], made["choice"]["lists"]) == (["de"], [])
    assert client.put("/accounts/ann/choice", json={"lists": ["none"]}).status_code == 422
    assert client.put("/accounts/bob/choice", json={}).status_code == 404
    assert client.put("/accounts/ann/choice", json={"blogs": [BLOG]}).json()["choice"]["blogs"] == [BLOG]
    call = ["outbox", "choose", "ann", "--language", "fr", "--archive", str(standing.archive.folder)]
    said = CliRunner().invoke(blogforever, call).output
    assert said == "ann gets posts by language fr, from now on.\n"


def test_the_same_from_the_terminal(standing: Standing) -> None:
    folder = standing.archive.folder

    def outbox(*words: str, given: str | None = None) -> str:
        done = CliRunner().invoke(blogforever, ["outbox", *words, "--archive", str(folder)], input=given)
        assert done.exception is None, done.output
        return done.output

    def told(*words: str, given: str | None = None) -> Any:
        return json.loads(outbox(*words, "--json", given=given))

    assert "Nobody fetches yet" in outbox()
    assert told("add", "ann", given=f"{SECRET}\n")["name"] == "ann"
    assert "can fetch" in outbox("add", "bob", given=f"{SECRET}\n")
    assert told("ask", "--blog", BLOG, "--account", "ann")["search"]["blog"] == BLOG
    fill(standing)
    (file,) = told("files")["items"]
    assert (file["number"], file["account"], file["state"]) == (1, "ann", "waiting")
    assert "waiting" in outbox("files", "--state", "waiting")
    assert "ann: 1 file to fetch, never here" in outbox()
    assert "Asked for" in outbox("ask", "--after", "0")
    assert len(told()["asks"]) == 2
    assert "another password" in outbox("password", "ann", given=f"{SECRET}2\n")
    assert "fetches no more" in outbox("remove", "ann")
    assert told("remove", "bob")["name"] == "bob"
    failed = CliRunner().invoke(blogforever, ["outbox", "ask", "--after", "1", "--archive", str(folder)])
    assert "Nobody has an account" in str(failed.exception)
