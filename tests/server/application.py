"""The web application for tests: one for all of a process, because its first request takes long to answer."""

from __future__ import annotations

from fastapi import FastAPI

from blogforever.service.origins import ReplayOrigin
from blogforever.service.standing import Standing
from blogforever.web.app import make_app

# What pages may load is said when an application is made, and names the origin of archived things.
_MADE: dict[ReplayOrigin, FastAPI] = {}


def app_for(standing: Standing) -> FastAPI:
    """The application, answering for this service from now on.

    Its /metrics are those of the service it was made for: tests of them, and tests that add to an application or
    need two at once, make their own.
    """
    app = _MADE.get(standing.replay)
    if app is None:
        app = _MADE[standing.replay] = make_app(standing, "1")
    app.state.standing = standing
    return app
