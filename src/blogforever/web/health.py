"""Whether the service lives, and whether it can work."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from blogforever.portal.asked import StandingNow

from .problems import Problem, problem_answer


class Health(BaseModel):
    """The answer of a part that is well."""

    status: str


def health_routes() -> APIRouter:
    """`/health` answers as long as the process does; `/ready` only while the service takes work."""
    routes = APIRouter(tags=["health"])

    @routes.get("/health")
    async def health() -> Health:
        return Health(status="ok")

    @routes.get("/ready", response_model=Health, responses={HTTPStatus.SERVICE_UNAVAILABLE: {"model": Problem}})
    def ready(standing: StandingNow) -> Health | JSONResponse:
        reasons = standing.not_ready()
        if reasons:
            return problem_answer(HTTPStatus.SERVICE_UNAVAILABLE, " ".join(reasons))
        return Health(status="ready")

    return routes
