"""Archived pages with their scripts, at the replay origin: ReplayWeb.page, for who has put it there."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from markupsafe import escape

from blogforever.service.replaying import Replay, ReplayPlace, is_moment
from blogforever.service.replayweb import ScriptedReplay
from blogforever.service.standing import Standing

FRAME = (
    '<!doctype html><meta charset="utf-8"><title>{url}</title>'
    "<style>body {{ margin: 0 }} replay-web-page {{ display: block; height: 100vh }}</style>"
    '<script src="/replay/ui.js"></script>'
    '<body data-source="{source}" data-url="{url}" data-moment="{moment}"><script src="/replay/frame.js"></script>'
)
HERE = Path(__file__).parent / "static" / "replayweb.js"
SCRIPT = "text/javascript"


def add_scripted(app: FastAPI, standing: Standing, replay: Replay, program: str) -> None:
    """Let the replay origin show pages with their scripts; they reach nothing but this origin."""
    scripted = ScriptedReplay(standing.archive, program)
    headers = {"Content-Security-Policy": content_policy(standing), "X-Content-Type-Options": "nosniff"}

    @app.get("/replay/{name}")
    def program_file(name: str) -> Response:
        if name == "frame.js":
            return FileResponse(HERE, media_type=SCRIPT, headers=headers)
        found = scripted.file(name)
        return FileResponse(found, media_type=SCRIPT, headers=headers) if found else _nothing()

    @app.get("/{signed}/{day}/scripted/{blog}/{moment}/{url:path}")
    def frame(signed: str, day: str, blog: str, moment: str, url: str) -> Response:
        place = ReplayPlace("scripted", blog, moment, url)
        if not is_moment(moment) or not replay.is_ours(signed, day, place):
            return _nothing()
        source = replay.path(ReplayPlace("wacz", blog, moment, "blog.wacz"))
        text = FRAME.format(source=escape(source), url=escape(url), moment=escape(moment))
        return Response(text, headers=headers, media_type="text/html; charset=utf-8")

    @app.get("/{signed}/{day}/wacz/{blog}/{moment}/blog.wacz")
    def wacz(signed: str, day: str, blog: str, moment: str) -> Response:
        place = ReplayPlace("wacz", blog, moment, "blog.wacz")
        packed = scripted.wacz(blog) if replay.is_ours(signed, day, place) else None
        return FileResponse(packed, media_type="application/wacz", headers=headers) if packed else _nothing()


def content_policy(standing: Standing) -> str:
    """Archived scripts run here, with all they do inside of pages; they load from nowhere else, and
    send nothing.
    """
    rules = {
        "default-src": "'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
        "base-uri": "'self'",
        "form-action": "'none'",
        "object-src": "'none'",
        "frame-ancestors": f"'self' {standing.replay.framed_by()}",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _nothing() -> Response:
    return Response(status_code=HTTPStatus.NOT_FOUND)
