"""Log in and out; choose language and theme."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever import clock
from blogforever.service.people import LONGEST_PASSWORD, begin_session, checked_user, known_theme, set_view
from blogforever.service.standing import Standing
from blogforever.storage.people import Deed, User

from .asked import StandingNow, StoreNow
from .page import go, own_path, page, set_cookie
from .visitors import VIEW_COOKIE, Anybody, Viewer, key_of, note, session_cookie
from .words import _, languages

SESSION_SECONDS, VIEW_SECONDS = 30 * 86_400, 365 * 86_400
LONGEST_NAME, LONGEST_PATH = 64, 2000


class LogIn(BaseModel):
    """What the form of the log-in sends."""

    name: str = Field(default="", max_length=LONGEST_NAME)
    password: str = Field(default="", max_length=LONGEST_PASSWORD)
    following: str = Field(default="/", alias="next", max_length=LONGEST_PATH)


class ViewChoice(BaseModel):
    """What the switch of language and theme sends; what is not given stays."""

    language: str = Field(default="", max_length=LONGEST_NAME)
    theme: str = Field(default="", max_length=LONGEST_NAME)
    following: str = Field(default="/", alias="next", max_length=LONGEST_PATH)


def login_routes() -> APIRouter:
    """`/login`, `/logout` and `/view`."""
    routes = APIRouter()

    @routes.get("/login")
    def ask(
        request: Request,
        visitor: Anybody,
        following: Annotated[str, Query(alias="next", max_length=LONGEST_PATH)] = "/",
    ) -> Response:
        return go(request, own_path(following)) if visitor.is_known else _door(request, LogIn(next=following))

    @routes.post("/login")
    def log_in(request: Request, standing: StandingNow, given: Annotated[LogIn, Form()]) -> Response:
        store = standing.archive.store
        keys = (f"name {given.name}", f"from {request.client.host if request.client else ''}")
        # Each try counts under both, also where one of them has nothing left.
        waits = [standing.log_ins.take(key) for key in keys]
        if any(waits):
            return _door(request, given, _("Too many tries; wait a few minutes."), HTTPStatus.TOO_MANY_REQUESTS)
        user = checked_user(store, given.name, given.password)
        if user is None:
            store.audit.add(Deed(clock.stamp(), given.name, "log-in refused"))
            return _door(request, given, _("Name and password do not fit."), HTTPStatus.UNAUTHORIZED)
        for key in keys:
            standing.log_ins.fill(key)
        return let_in(request, standing, user, given.following)

    @routes.post("/logout")
    def log_out(
        request: Request, visitor: Viewer, standing: StandingNow, everywhere: Annotated[str, Form(max_length=5)] = ""
    ) -> Response:
        store = standing.archive.store
        if everywhere:
            store.sessions.drop_all(visitor.name)
        else:
            store.sessions.drop(visitor.session)
        note(request, visitor, "log out", detail="everywhere" if everywhere else "")
        answer = go(request, "/login", said=_("You are logged out."))
        answer.delete_cookie(session_cookie(key_of(standing)))
        return answer

    @routes.post("/view")
    def choose_view(
        request: Request, visitor: Anybody, store: StoreNow, given: Annotated[ViewChoice, Form()]
    ) -> Response:
        """In which language, and how dark."""
        language = given.language if given.language in languages() else visitor.language
        theme = known_theme(given.theme or visitor.theme)
        if visitor.user:
            set_view(store, visitor.name, language, theme)
        answer = go(request, own_path(given.following))
        set_cookie(request, answer, VIEW_COOKIE, f"{language}.{theme}", VIEW_SECONDS)
        return answer

    return routes


def _door(request: Request, given: LogIn, wrong: str = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
    """The form; where nobody has a password yet it says how the first one is given."""
    standing: Standing = request.app.state.standing
    is_new = not standing.archive.store.users.all()
    shown = {"name": given.name, "following": own_path(given.following), "wrong": wrong, "is_new": is_new}
    return page(request, "login.html", status=status, **shown)


def let_in(request: Request, standing: Standing, user: User, following: str, said: str = "") -> Response:
    """Begin a session, with a new secret each time: one that somebody else put into the browser
    opens nothing.
    """
    store = standing.archive.store
    begun = begin_session(store, user, request.headers.get("user-agent", ""))
    store.audit.add(Deed(clock.stamp(), user.name, "log in"))
    answer = go(request, own_path(following), said)
    set_cookie(request, answer, session_cookie(key_of(standing)), begun.secret, SESSION_SECONDS)
    return answer
