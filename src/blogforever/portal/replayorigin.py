"""The second origin: archived pages and files, and nothing else; no script runs there, no log-in
counts there.

Its own application, at a port of its own: whatever an archived page could do, it does it in an
origin in which nothing else is.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http import HTTPStatus
from importlib.resources import files
from typing import Annotated, Literal

from fastapi import FastAPI, Query, Request
from fastapi.responses import Response
from markupsafe import escape
from pydantic import BaseModel

from blogforever.service.picking import PickPlace, is_pick, page_to_pick
from blogforever.service.replaying import Replay, ReplayPlace, Showing, is_moment, known_use
from blogforever.service.standing import Standing

from .scripted import add_scripted
from .words import _, best_language, speak

# What is shown stays the same under its address, and is no business of anybody in between.
KEPT = "private, max-age=86400"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Robots-Tag": "noindex",
}
LONGEST_SHOWN = 300


class PickAsked(BaseModel):
    """A page to point at, as the portal signed it."""

    blog: str = ""
    url: str = ""
    rule: str = ""
    day: str = ""
    signed: str = ""


def make_replay_app(standing: Standing) -> FastAPI:
    """The application of the replay origin."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.standing = standing
    replay = Replay(standing.archive)
    if standing.config.replay_web:
        add_scripted(app, standing, replay, standing.config.replay_web)

    @app.get("/{signed}/{day}/{use}/{blog}/{moment}/{url:path}")
    def show(request: Request, signed: str, day: str, use: str, blog: str, moment: str, url: str) -> Response:
        speak(best_language(request.headers.get("accept-language", "")))
        if not standing.names.knows(request.url.hostname or ""):
            return _answer(standing, HTTPStatus.MISDIRECTED_REQUEST, _("This service does not answer to this name."))
        place = _place(use, blog, moment, url)
        if place is None or not replay.is_ours(signed, day, place):
            told = _("This address is no longer valid: open the archived page from the portal again.")
            return _answer(standing, HTTPStatus.FORBIDDEN, told)
        shown = replay.show(place)
        if shown is None:
            told = _("The archive does not have this, or may not show it:")
            return _answer(standing, HTTPStatus.NOT_FOUND, told, url)
        return _shown(standing, shown)

    _add_picking(app, standing)
    return app


def _add_picking(app: FastAPI, standing: Standing) -> None:
    """Pages to point at: the one script that runs there is our own, and only tells what was
    clicked.
    """

    @app.get("/pick")
    def pick(request: Request, asked: Annotated[PickAsked, Query()]) -> Response:
        speak(best_language(request.headers.get("accept-language", "")))
        place = PickPlace(asked.blog, asked.url, asked.rule)
        is_known = standing.names.knows(request.url.hostname or "")
        if not is_known or not is_pick(standing.archive, place, asked.day, asked.signed):
            told = _("This address is no longer valid: open the archived page from the portal again.")
            return _answer(standing, HTTPStatus.FORBIDDEN, told)
        shown = page_to_pick(standing.archive, place)
        if shown is None:
            told = _("The archive does not have this, or may not show it:")
            return _answer(standing, HTTPStatus.NOT_FOUND, told, asked.url)
        nonce = secrets.token_urlsafe(16)
        tools = f'<link rel="stylesheet" href="/picking.css"><script src="/picking.js" nonce="{nonce}" defer></script>'
        policy = content_policy(standing, {"sandbox": "allow-scripts", "script-src": f"'nonce-{nonce}'"})
        headers = HEADERS | {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
        return Response(f"{shown}{tools}", headers=headers, media_type="text/html; charset=utf-8")

    @app.get("/picking.{kind}")
    def tool(kind: Literal["js", "css"]) -> Response:
        content = files("blogforever.portal").joinpath("static", f"picking.{kind}").read_bytes()
        return Response(content, headers=HEADERS, media_type={"js": "text/javascript", "css": "text/css"}[kind])


def content_policy(standing: Standing, more: Mapping[str, str] | None = None) -> str:
    """Nothing runs, nothing is sent, and only this origin is loaded from; unless `more` is said."""
    rules = {
        "sandbox": "",
        "default-src": "'none'",
        "img-src": "'self' data:",
        "style-src": "'self' 'unsafe-inline'",
        "font-src": "'self' data:",
        "media-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": standing.replay.framed_by(),
    }
    return "; ".join(f"{name} {value}".strip() for name, value in (rules | dict(more or {})).items())


def _place(use: str, blog: str, moment: str, url: str) -> ReplayPlace | None:
    wanted = known_use(use)
    return ReplayPlace(wanted, blog, moment, url) if wanted and is_moment(moment) else None


def _shown(standing: Standing, shown: Showing) -> Response:
    headers = HEADERS | {"Content-Security-Policy": content_policy(standing), "Cache-Control": KEPT}
    if shown.type.startswith("font/"):
        # The page that asks for it is in a sandbox, and so has no origin.
        headers["Access-Control-Allow-Origin"] = "*"
    is_text = shown.type.startswith("text/")
    return Response(
        shown.content, headers=headers, media_type=f"{shown.type}; charset=utf-8" if is_text else shown.type
    )


def _answer(standing: Standing, status: int, told: str, url: str = "") -> Response:
    """A page in place of an archived one that says why."""
    address = f"<p><code>{escape(url[:LONGEST_SHOWN])}</code></p>" if url else ""
    text = f'<!doctype html><meta charset="utf-8"><title>{escape(told)}</title><p>{escape(told)}</p>{address}'
    headers = HEADERS | {"Content-Security-Policy": content_policy(standing), "Cache-Control": "no-store"}
    return Response(text, status, headers, "text/html; charset=utf-8")
