"""What keeps strangers' pages from using ours: names we answer to, forms only from our pages, headers, limits."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from blogforever.service.keys import is_signed

from .asked import StandingNow
from .refusing import ProblemError
from .visitors import FORM, NOBODY, Visitor, greeted, key_of
from .words import _

READING = ("GET", "HEAD", "OPTIONS")
TOKEN_FIELD, TOKEN_HEADER = "form_token", "x-form-token"
# Bytes of a request: the largest list of addresses that is taken in, and what stands around it.
LARGEST = 220_000_000
TOO_LARGE = "What was sent is larger than {limit} MB; send it in parts."
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# Addresses whose answers may be kept: they change their name when they change.
STATIC = "/static/"
KEPT = "public, max-age=31536000, immutable"


async def known_name(request: Request, standing: StandingNow) -> None:
    """Refuse requests for a name that is not ours: somebody else's name may have been made to lead
    here.
    """
    name = request.url.hostname or ""
    if not standing.names.knows(name):
        told = _("This service does not answer to the name %(name)s; --public-url says which it has.")
        raise ProblemError(HTTPStatus.MISDIRECTED_REQUEST, told % {"name": name[:100]})


async def from_our_form(request: Request, standing: StandingNow, visitor: Annotated[Visitor, Depends(greeted)]) -> None:
    """Refuse what writes unless a page of ours sent it: by its origin, and by a token that only our
    pages know.
    """
    if request.method in READING:
        return
    given = request.headers.get(TOKEN_HEADER) or await _field(request)
    is_ours = is_signed(key_of(standing), given, FORM, visitor.session or NOBODY)
    if not is_ours or not _is_own_origin(request):
        told = _(
            "This form is no longer valid, or came from another page. Go back, load the page again, and try again."
        )
        raise ProblemError(HTTPStatus.FORBIDDEN, told)


GUARDS = [Depends(known_name), Depends(from_our_form)]
"""What every route of the portal asks for first."""


async def _field(request: Request) -> str:
    is_form = request.headers.get("content-type", "").startswith(
        ("application/x-www-form-urlencoded", "multipart/form-data")
    )
    given = (await request.form()).get(TOKEN_FIELD, "") if is_form else ""
    return given if isinstance(given, str) else ""


def _is_own_origin(request: Request) -> bool:
    """Whether the page that sent this is at our own address; browsers tell so with everything that
    writes.
    """
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return urlsplit(origin).netloc == request.headers.get("host")


class Guarded:
    """Secure headers on every answer, and a limit to what is taken in."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app, self._policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_to(MutableHeaders(scope=message), scope["path"])
            await send(message)

        await self._app(scope, limited(receive, Headers(scope=scope)), send_with_headers)

    def _add_to(self, headers: MutableHeaders, path: str) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("Content-Security-Policy", self._policy)
        headers.setdefault("Cache-Control", KEPT if path.startswith(STATIC) else "no-store")


def limited(receive: Receive, headers: Headers) -> Receive:
    """What is received, up to a limit; beyond it the request ends."""
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if max(taken, _announced(headers)) > LARGEST:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE.format(limit=LARGEST // 1_000_000))
        return message

    return receive_limited


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


def content_policy(frames: str = "") -> str:
    """What pages of the portal may load: only what is ours, no script or style inside a page;
    frames and pictures also from the origin that archived things come from.
    """
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "img-src": f"'self' {frames}",
        "media-src": frames or "'none'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "frame-src": f"'self' {frames}",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value.strip()}" for name, value in rules.items())
