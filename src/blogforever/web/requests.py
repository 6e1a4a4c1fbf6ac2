"""Every request has a name: it stands in its answer and in every line that is logged on its way."""

from __future__ import annotations

import re
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from blogforever.logs import about, logger

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
# What others may call their requests; anything else could break a line of a log.
GIVEN = re.compile(r"[\w.-]{1,64}", re.ASCII)
# Under which the name is found by who answers in the place of the application.
PLACE = "blogforever.request"
log = logger("web")


class NamedRequests:
    """Names each request, as who asks calls it or by chance, and logs how it was answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        name = scope[PLACE] = _chosen_name(Headers(scope=scope).get(HEADER, ""))
        begun, status = monotonic(), 0

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        with about(request=name):
            try:
                await self._app(scope, receive, named)
            finally:
                took = 1000 * (monotonic() - begun)
                log.info("%s %s: %s in %.0f ms", scope["method"], scope["path"], status or "no answer", took)


def name_of(scope: Scope) -> str:
    """The name of a request that was named."""
    return str(scope.get(PLACE, ""))


def _chosen_name(given: str) -> str:
    return given if GIVEN.fullmatch(given) else token_hex(8)
