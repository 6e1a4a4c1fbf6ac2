"""Where blogs ping us: XML-RPC at /RPC2, a plain form at /ping; without a token, and thanked when
the ping is kept.

Thousands come in a second. So both stand before the application, as ASGI has them: what it does to
every request (a name, a line of the log, the search for a route among two hundred) costs more than
to keep a ping.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from blogforever.errors import UsageError
from blogforever.ping.calls import LARGEST_CALL, THANKS, answer, read_call
from blogforever.ping.notice import LONGEST_ADDRESS, LONGEST_NAME, Notice
from blogforever.service.inbox import TOO_MANY, PingInbox
from blogforever.service.standing import Standing

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

CALLS, FORMS = "/RPC2", "/ping"
XML, PLAIN = b"text/xml; charset=utf-8", b"text/plain; charset=utf-8"
# Fields of a form: the ping's own, and some that nobody reads.
MOST_FIELDS = 20
NO_BLOG = "A ping names a blog: /ping?name=...&url=...&rss=..."
ONLY_POSTED = "Pings are posted here by XML-RPC: weblogUpdates.ping, weblogUpdates.extendedPing."
# What came is told back to nobody, but a browser should not guess what it is.
NOT_GUESSED = (b"x-content-type-options", b"nosniff")
Answer = tuple[HTTPStatus, bytes, bytes]


class PingDoor:
    """Takes pings, and lets everything else through to the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_ping = scope["type"] == "http" and scope["path"] in (CALLS, FORMS)
        if not is_ping:
            await self._app(scope, receive, send)
            return
        status, kind, body = await (_called if scope["path"] == CALLS else _filled_in)(scope, receive)
        headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), NOT_GUESSED]
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            headers.append((b"allow", b"POST"))
        await send({"type": "http.response.start", "status": int(status), "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def _called(scope: Scope, receive: Receive) -> Answer:
    if scope["method"] != "POST":
        return HTTPStatus.METHOD_NOT_ALLOWED, PLAIN, ONLY_POSTED.encode()
    inbox = _inbox(scope)
    try:
        notice = read_call(await _body(receive))
    except UsageError as error:
        inbox.miscount()
        return HTTPStatus.OK, XML, answer(str(error), is_error=True)
    wrong = await inbox.take(notice, _sender(scope))
    return HTTPStatus.OK, XML, answer(wrong or THANKS, is_error=bool(wrong))


async def _filled_in(scope: Scope, receive: Receive) -> Answer:
    fields = _fields(scope["query_string"])
    if scope["method"] == "POST":
        fields |= _fields(await _body(receive))
    notice, inbox = _notice(fields), _inbox(scope)
    if notice is None:
        inbox.miscount()
        return HTTPStatus.BAD_REQUEST, PLAIN, NO_BLOG.encode()
    wrong = await inbox.take(notice, _sender(scope))
    status = HTTPStatus.TOO_MANY_REQUESTS if wrong == TOO_MANY else HTTPStatus.SERVICE_UNAVAILABLE
    return (status if wrong else HTTPStatus.OK), PLAIN, (wrong or THANKS).encode()


def _notice(fields: dict[str, str]) -> Notice | None:
    url = fields.get("url", "").strip()
    if not url or len(url) > LONGEST_ADDRESS:
        return None
    feed = fields.get("rss", "")[:LONGEST_ADDRESS]
    return Notice(url, fields.get("name", "")[:LONGEST_NAME], feed, "ping")


def _fields(form: bytes) -> dict[str, str]:
    try:
        return dict(parse_qsl(form.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS))
    except ValueError:
        return {}


async def _body(receive: Receive) -> bytes:
    """The body, up to where it is too large for any ping; nothing where the sender has gone."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        body += bytes(message.get("body", b""))
        if not message.get("more_body") or len(body) > LARGEST_CALL:
            return body


def _sender(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _inbox(scope: Scope) -> PingInbox:
    """That of the service for which the application answers."""
    standing: Standing = scope["app"].state.standing
    return standing.inbox
