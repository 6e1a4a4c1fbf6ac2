"""Where programs post pings that they sign: /hooks/NAME, without a token; the secret of the hook is one."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request

from blogforever.errors import BadInput
from blogforever.ping.posted import LARGEST_POSTED, MOST_POSTED
from blogforever.portal.asked import StandingNow
from blogforever.portal.refusing import ProblemError
from blogforever.service.pinghooks import IS_OFF, TWICE, PostedPings, RefusedError

from .problems import Problem

# By what a delivery is refused, and as what; anything else is not signed as it should be.
STATUSES = {TWICE: HTTPStatus.CONFLICT, IS_OFF: HTTPStatus.SERVICE_UNAVAILABLE}
PING = {
    "type": "object",
    "required": ["url"],
    "properties": {name: {"type": "string"} for name in ("url", "feed", "name")},
}
BODY: dict[str, Any] = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {"anyOf": [PING, {"type": "array", "items": PING, "maxItems": MOST_POSTED}]},
            "example": {"url": "https://blog.example/2026/new/", "feed": "https://blog.example/feed", "name": "A blog"},
        }
    },
}
HEADERS = [
    {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    int(status): {"model": Problem}
    for status in (
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.CONFLICT,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
}


def hook_routes() -> APIRouter:
    """`/hooks`."""
    routes = APIRouter(prefix="/hooks", tags=["pings"])

    @routes.post(
        "/{name}",
        status_code=HTTPStatus.ACCEPTED,
        responses=PROBLEMS,
        openapi_extra={"requestBody": BODY, "parameters": HEADERS},
    )
    async def post(name: Annotated[str, Path(max_length=60)], request: Request, standing: StandingNow) -> PostedPings:
        """Tell of one new post or of many. Signed as https://www.standardwebhooks.com has it:
        HMAC-SHA256 over id, time and body; nothing is taken twice, or five minutes after it was
        signed. What is answered is kept.
        """
        body = await _body(request)
        try:
            return await asyncio.to_thread(standing.hooks.take, name, request.headers, body)
        except RefusedError as error:
            raise ProblemError(STATUSES.get(str(error), HTTPStatus.UNAUTHORIZED), str(error)) from error
        except BadInput as error:
            raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error

    return routes


async def _body(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_POSTED:
            told = f"A delivery has {LARGEST_POSTED // 2**20} MB at most."
            raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)
    return body
