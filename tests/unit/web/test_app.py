"""Health, readiness, and errors as problems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.errors import ArchiveLocked, UsageError
from blogforever.portal.refusing import not_found
from blogforever.service.standing import Standing
from blogforever.web.app import make_app
from blogforever.web.problems import FAULT, MEDIA_TYPE

pytestmark = pytest.mark.usefixtures("records")


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    with open_archive(tmp_path, writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def app(standing: Standing) -> FastAPI:
    return make_app(standing, "1.2.3")


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, raise_server_exceptions=False)


def test_it_is_healthy_as_long_as_it_answers_and_ready_when_a_worker_lives(
    client: TestClient, standing: Standing
) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").status_code == 503
    with standing.archive.store.workers.join("one"):
        assert client.get("/ready").json() == {"status": "ready"}
        standing.draining = True
        assert "ending" in client.get("/ready").json()["detail"]


def test_every_error_is_a_problem_with_one_sentence(app: FastAPI, client: TestClient) -> None:
    raised = {
        "/locked": (ArchiveLocked("Somebody writes."), 409, "Somebody writes."),
        "/usage": (UsageError("So it cannot be."), 422, "So it cannot be."),
        "/missing": (not_found("There is no such post."), 404, "There is no such post."),
        "/fault": (ZeroDivisionError("secret"), 500, FAULT),
    }

    @app.get("/{name}")
    def fail(name: str, number: int = 0) -> None:
        raise raised[f"/{name}"][0]

    for path, (_, status, detail) in raised.items():
        answer = client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (status, MEDIA_TYPE)
        assert answer.json()["detail"] == detail
        assert answer.json()["status"] == status
    wrong = client.get("/usage?number=many")
    assert wrong.status_code == 422
    assert wrong.json()["detail"].startswith("query.number: ")
    assert client.get("/a/b/c").json()["title"] == "Not Found"


def test_the_description_of_the_api_is_where_it_was_promised(client: TestClient) -> None:
    told = client.get("/api/v1/openapi.json").json()
    assert told["info"]["version"] == "1.2.3"
    assert "/health" in told["paths"]


def test_every_request_has_a_name_that_stands_in_its_answer(standing: Standing) -> None:
    app = make_app(standing, "1")

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("oh")

    client = TestClient(app, raise_server_exceptions=False)
    assert client.get("/health", headers={"X-Request-ID": "mine-1"}).headers["x-request-id"] == "mine-1"
    assert client.get("/api/v1/blogs", headers={"X-Request-ID": "mine-2"}).headers["x-request-id"] == "mine-2"
    failed = client.get("/broken", headers={"X-Request-ID": "mine-3"})
    assert (failed.status_code, failed.headers["x-request-id"]) == (500, "mine-3")
    chosen = [client.get("/health", headers={"X-Request-ID": "a b" * 40}).headers["x-request-id"] for _ in range(2)]
    assert len(set(chosen)) == 2
    assert all(len(name) == 16 for name in chosen)
