"""Settings of one's own: password, sessions, language and theme; the first password of all."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.errors import UsageError
from blogforever.service.people import LONGEST_PASSWORD, SHORTEST_PASSWORD, add_user, checked_user, set_password

from .asked import StandingNow, StoreNow
from .login import LONGEST_NAME, let_in
from .page import go, page
from .visitors import Administrator, Viewer, note
from .words import _


class FirstPassword(BaseModel):
    """The first name and password of the service."""

    name: str = Field(max_length=LONGEST_NAME)
    password: str = Field(max_length=LONGEST_PASSWORD)
    again: str = Field(max_length=LONGEST_PASSWORD)


class OwnPassword(BaseModel):
    """Another password of one's own."""

    old: str = Field(max_length=LONGEST_PASSWORD)
    password: str = Field(max_length=LONGEST_PASSWORD)
    again: str = Field(max_length=LONGEST_PASSWORD)


def settings_routes() -> APIRouter:
    """`/settings`."""
    routes = APIRouter(prefix="/settings")

    @routes.get("")
    def own(request: Request, visitor: Viewer, store: StoreNow) -> Response:
        sessions = store.sessions.of(visitor.name)
        return page(request, "settings.html", sessions=sessions, shortest=SHORTEST_PASSWORD)

    @routes.post("/first")
    def first(
        request: Request, visitor: Administrator, standing: StandingNow, given: Annotated[FirstPassword, Form()]
    ) -> Response:
        """Whoever sits at the machine becomes the first admin; from now on everybody logs in."""
        store = standing.archive.store
        if store.users.all():
            raise UsageError(_("Somebody has a password already; add others under People."))
        _check_same(given.password, given.again)
        user = add_user(store, given.name, "admin", given.password, visitor.name)
        note(request, visitor, "add user", user.name, user.role)
        said = _("The password is set: you are logged in as %(name)s, and may let others in under People.")
        return let_in(request, standing, user, "/settings", said % {"name": user.name})

    @routes.post("/password")
    def change_password(
        request: Request, visitor: Viewer, standing: StandingNow, given: Annotated[OwnPassword, Form()]
    ) -> Response:
        """All sessions end, and one begins here."""
        store = standing.archive.store
        _check_same(given.password, given.again)
        if checked_user(store, visitor.name, given.old) is None:
            raise UsageError(_("The old password does not fit."))
        user = set_password(store, visitor.name, given.password)
        note(request, visitor, "set password", visitor.name)
        return let_in(
            request, standing, user, "/settings", _("Your password is changed; elsewhere you are logged out.")
        )

    @routes.post("/sessions/end")
    def end_session(
        request: Request, visitor: Viewer, store: StoreNow, digest: Annotated[str, Form(max_length=64)]
    ) -> Response:
        """Log out elsewhere: one session of one's own."""
        if digest in {session.digest for session in store.sessions.of(visitor.name)}:
            store.sessions.drop(digest)
            note(request, visitor, "log out", visitor.name)
        return go(request, "/settings", said=_("That session has ended."))

    return routes


def _check_same(password: str, again: str) -> None:
    if password != again:
        raise UsageError(_("The two passwords are not the same."))
