"""Exchange over the API: files out and in, keys, and who may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.exchanging import ExchangeDesk, HandingWish, export, own_key
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.source.exchangefile import PARTS, read_exchange
from blogforever.source.reading import given_as_addresses
from blogforever.storage.people import Scope
from server.application import app_for

pytestmark = pytest.mark.usefixtures("records")


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    with open_archive(tmp_path / "ours", writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[ExchangeDesk]:
    with open_archive(tmp_path / "theirs", writing=True) as archive:
        at = ExchangeDesk(archive, "ben")
        add_sources(at.desk, AddRequest(given_as_addresses(["https://a.blog/"])))
        yield at


def client_of(standing: Standing, scope: Scope) -> TestClient:
    secret = create_token(standing.archive.store, f"a-{scope}", scope).secret
    headers = {"Authorization": f"Bearer {secret}"}
    return TestClient(app_for(standing), base_url="http://test/api/v1", headers=headers)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    return client_of(standing, "admin")


def test_a_file_is_trusted_taken_over_and_taken_back(client: TestClient, theirs: ExchangeDesk) -> None:
    data, _file = export(theirs, HandingWish("Ben"))
    refused = client.post("/exchange/import", content=data)
    assert refused.status_code == 422, refused.text
    assert "nobody here trusts" in refused.json()["detail"]
    dry = client.post("/exchange/import", content=data, params={"dry_run": True}).json()
    assert [(one["part"], one["taken"], one["counts"]) for one in dry["parts"]] == [("sources", False, {"new": 1})]

    key = own_key(theirs).key
    said = client.post("/exchange/keys", json={"key": key, "name": "Ben", "parts": ["sources"]})
    assert said.json()["parts"] == ["sources"]
    assert [one["key"] for one in client.get("/exchange/keys").json()["items"]] == [key]
    done = client.post("/exchange/import", content=data).json()
    assert client.get("/blogs/a.blog").json()["state"] == "waiting"
    (taken,) = client.get("/exchange").json()["items"]
    assert (taken["id"], taken["name"], taken["by"], taken["undone"]) == (done["batch"], "Ben", "a-admin", None)

    assert client.post(f"/exchange/{done['batch']}/undo").json()["sources"] == 1
    assert client.get("/blogs/a.blog").status_code == 404
    assert client.delete(f"/exchange/keys/{key}").status_code == 204
    assert client.delete(f"/exchange/keys/{key}").status_code == 404
    assert client.post("/exchange/nothing/undo").status_code == 404
    deeds = [one["what"] for one in client.get("/audit").json()["items"]]
    assert {"trust key", "take over", "take back", "distrust key"} <= set(deeds)


def test_what_we_hand_over_is_signed_by_our_key(client: TestClient, standing: Standing) -> None:
    client.post("/sources", json={"urls": ["https://some.blog/"], "list": "l"})
    client.post("/blocked", json={"what": "spam.example"})
    file = read_exchange(client.get("/exchange/export", params={"name": "Us"}).content)
    assert (file.key, file.name, file.parts()) == (own_key(ExchangeDesk(standing.archive)).key, "Us", PARTS[:2])
    file = read_exchange(client.get("/exchange/export", params={"part": "blocked"}).content)
    assert file.parts() == ("blocked",)


def test_what_is_no_such_file_is_a_problem_in_one_sentence(client: TestClient) -> None:
    answer = client.post("/exchange/import", content=b"{}")
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("The file is none of an exchange")


def test_who_may_what(standing: Standing) -> None:
    reader, curator = client_of(standing, "read"), client_of(standing, "curate")
    new = {"key": "ed25519:x", "name": "x", "parts": ["rules"]}
    assert reader.get("/exchange").status_code == 200
    assert reader.get("/exchange/export").status_code == 403
    assert reader.post("/exchange/import", content=b"{}").status_code == 403
    assert curator.get("/exchange/export").status_code == 200
    assert curator.post("/exchange/keys", json=new).status_code == 403
