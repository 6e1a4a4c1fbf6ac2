"""Routes are found where they are, and those elsewhere are not looked through."""

from __future__ import annotations

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.routing import Match
from starlette.types import Scope

from blogforever.portal.placed import PlacedRoutes


def placed(prefix: str, *paths: str) -> PlacedRoutes:
    routes = APIRouter()
    for path in paths:
        routes.add_api_route(path, lambda path=path: path)
    return PlacedRoutes(routes, prefix)


@pytest.mark.parametrize("prefix", ["", "/api/v1"])
def test_every_route_is_found(prefix: str) -> None:
    app = FastAPI()
    paths = ("/one", "/one/{name}", "/one.csv", "/two/more/{place:path}", "/")
    app.include_router(placed(prefix, *paths))
    app.include_router(placed(prefix, "/elsewhere"))
    app.include_router(placed(prefix, "/{name}"))
    client = TestClient(app)
    found = [client.get(prefix + path).json() for path in ("/one", "/one/x", "/one.csv", "/two/more/a/b", "/")]
    assert found == list(paths)
    assert client.get(f"{prefix}/elsewhere").json() == "/elsewhere"
    assert client.get(f"{prefix}/anything").json() == "/{name}"
    assert client.post(f"{prefix}/one").status_code == 405
    assert client.get(f"{prefix}/two").json() == "/{name}"
    assert client.get(f"{prefix}/two/less").status_code == 404
    assert client.get(f"{prefix}/one/x/").json() == "/one/{name}", "sent on to where it is"


def test_routes_that_begin_otherwise_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    usual = APIRoute.matches

    def noted(route: APIRoute, scope: Scope) -> tuple[Match, Scope]:
        tried.append(route.path)
        return usual(route, scope)

    monkeypatch.setattr(APIRoute, "matches", noted)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.include_router(placed("/api", "/one", "/one/{name}"))
    app.include_router(placed("", "/one"))
    assert TestClient(app).get("/one").json() == "/one"
    assert "/one" in tried
    assert "/one/{name}" not in tried
