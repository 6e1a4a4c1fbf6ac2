"""Where hubs and clouds call us: they confirm what we asked for, and deliver what is new; without a token."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from urllib.parse import parse_qsl

from fastapi import FastAPI
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from blogforever.errors import UsageError
from blogforever.ping.calls import LARGEST_CALL
from blogforever.ping.rsscloud import TAKEN, is_called, told_by_call
from blogforever.service.pushed import LARGEST_DELIVERY, Answered, PushInbox
from blogforever.service.standing import Standing

XML = "text/xml; charset=utf-8"
MOST_FIELDS = 20
TOO_LARGE = Answered(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This is larger than any feed that is read here.")
CUT_OFF = Answered(HTTPStatus.BAD_REQUEST, "It did not come to its end.")


def add_push_routes(app: FastAPI) -> None:
    """Outside the API and its description: the W3C, and rssCloud, say how these are called."""

    async def hub(request: Request) -> Response:
        inbox, name = _inbox(request), request.path_params["name"]
        if request.method == "GET":
            return _told(await asyncio.to_thread(inbox.confirm, name, dict(request.query_params)))
        # Who is not asked for anything sends no body here, either.
        if refusal := await asyncio.to_thread(inbox.refusal, name):
            return _told(refusal)
        body = await _body(request, LARGEST_DELIVERY)
        if isinstance(body, Answered):
            return _told(body)
        signature, kind = request.headers.get("x-hub-signature", ""), request.headers.get("content-type", "")
        return _told(await asyncio.to_thread(inbox.deliver, name, body, signature, kind))

    async def cloud(request: Request) -> Response:
        inbox, name = _inbox(request), request.path_params["name"]
        if request.method == "GET":
            return _told(await asyncio.to_thread(inbox.confirm_cloud, name, dict(request.query_params)))
        if refusal := await asyncio.to_thread(inbox.refusal, name):
            return _told(refusal)
        body = await _body(request, LARGEST_CALL)
        if isinstance(body, Answered):
            return _told(body)
        answered = await asyncio.to_thread(inbox.notify, name, _feed_in(body))
        return Response(TAKEN, media_type=XML) if is_called(body) and not answered.text else _told(answered)

    app.add_route("/websub/{name}", hub, methods=["GET", "POST"], include_in_schema=False)
    app.add_route("/rsscloud/{name}", cloud, methods=["GET", "POST"], include_in_schema=False)


def _feed_in(body: bytes) -> str:
    """The feed that a cloud tells of; empty where it names none."""
    try:
        if is_called(body):
            return told_by_call(body)
        return dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)).get("url", "")
    except (UsageError, ValueError):
        return ""


async def _body(request: Request, most: int) -> bytes | Answered:
    """The whole body, or what is wrong with it."""
    pieces, length = [], 0
    try:
        async for piece in request.stream():
            pieces.append(piece)
            length += len(piece)
            if length > most:
                return TOO_LARGE
    except ClientDisconnect:
        return CUT_OFF
    return b"".join(pieces)


def _told(answered: Answered) -> Response:
    return PlainTextResponse(answered.text, answered.status)


def _inbox(request: Request) -> PushInbox:
    standing: Standing = request.app.state.standing
    return standing.pushes
