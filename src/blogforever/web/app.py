"""The web application: made for one service, from routers that each know one part of it."""

from __future__ import annotations

from fastapi import FastAPI

from blogforever.service.standing import Standing

from .health import health_routes
from .problems import answer_with_problems

PREFIX = "/api/v1"


def make_app(standing: Standing, version: str) -> FastAPI:
    """The application; everything of the API stands below /api/v1."""
    described = f"{PREFIX}/openapi.json"
    app = FastAPI(title="BlogForever", version=version, openapi_url=described, docs_url=None, redoc_url=None)
    app.state.standing = standing
    answer_with_problems(app)
    app.include_router(health_routes(standing))
    return app
