"""The web application: made for one service, from routers that each know one part of it."""

from __future__ import annotations

from fastapi import FastAPI

from blogforever.service.standing import Standing

from .blogs import blog_routes
from .health import health_routes
from .lists import block_routes, list_routes
from .metrics import metric_routes
from .posts import blog_post_routes, post_routes
from .problems import OF_THE_API, answer_with_problems
from .sources import source_routes
from .system import job_routes, system_routes, token_routes

PREFIX = "/api/v1"
# The parts of the API, in the order in which its description tells of them.
PARTS = (
    source_routes,
    list_routes,
    block_routes,
    blog_routes,
    blog_post_routes,
    post_routes,
    job_routes,
    system_routes,
    token_routes,
)


def make_app(standing: Standing, version: str) -> FastAPI:
    """The application; everything of the API stands below /api/v1."""
    described = f"{PREFIX}/openapi.json"
    app = FastAPI(title="BlogForever", version=version, openapi_url=described, docs_url=None, redoc_url=None)
    app.state.standing = standing
    answer_with_problems(app)
    app.include_router(health_routes(standing))
    app.include_router(metric_routes(standing))
    for routes in PARTS:
        app.include_router(routes(), prefix=PREFIX, responses=OF_THE_API)
    return app
