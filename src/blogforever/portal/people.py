"""People and tokens: who may use the service, and as what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.service.people import (
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    add_user,
    found_user,
    remove_user,
    set_password,
    set_role,
)
from blogforever.service.tokens import create_token, revoke_token
from blogforever.storage.people import SCOPES

from .asked import StandingNow, StoreNow
from .login import LONGEST_NAME
from .page import go, page
from .visitors import Administrator, note
from .words import _

PEOPLE, TOKENS = "/settings/people", "/settings/tokens"
Named = Annotated[str, Form(max_length=LONGEST_NAME)]


class NewPerson(BaseModel):
    """Somebody to be let in."""

    name: str = Field(max_length=LONGEST_NAME)
    role: str = Field(default="viewer", max_length=LONGEST_NAME)
    password: str = Field(max_length=LONGEST_PASSWORD)


def people_routes() -> APIRouter:
    """`/settings/people`."""
    routes = APIRouter(prefix=PEOPLE)

    @routes.get("")
    def people(request: Request, visitor: Administrator, standing: StandingNow) -> Response:
        store = standing.archive.store
        users = [(user, len(store.sessions.of(user.name))) for user in store.users.all()]
        told = {"shortest": SHORTEST_PASSWORD, "is_only_here": standing.names.is_only_here}
        return page(request, "people.html", users=users, **told)

    @routes.post("")
    def add(request: Request, visitor: Administrator, store: StoreNow, given: Annotated[NewPerson, Form()]) -> Response:
        user = add_user(store, given.name, given.role, given.password, visitor.name)
        note(request, visitor, "add user", user.name, user.role)
        told = {"name": user.name, "place": f"{request.base_url}login"}
        return go(request, PEOPLE, said=_("%(name)s can log in now at %(place)s, with the password you tell.") % told)

    @routes.post("/role")
    def change_role(request: Request, visitor: Administrator, store: StoreNow, name: Named, role: Named) -> Response:
        user = set_role(store, name, role)
        note(request, visitor, "set role", user.name, user.role)
        return go(request, PEOPLE, said=_("The role of %(name)s is changed.") % {"name": user.name})

    @routes.post("/password")
    def change_password(
        request: Request,
        visitor: Administrator,
        store: StoreNow,
        name: Named,
        password: Annotated[str, Form(max_length=LONGEST_PASSWORD)],
    ) -> Response:
        user = set_password(store, name, password)
        note(request, visitor, "set password", user.name)
        return go(request, PEOPLE, said=_("%(name)s has a new password, and is logged out.") % {"name": user.name})

    @routes.post("/logout")
    def log_out(request: Request, visitor: Administrator, store: StoreNow, name: Named) -> Response:
        user = found_user(store, name)
        store.sessions.drop_all(user.name)
        note(request, visitor, "log out", user.name, "everywhere")
        return go(request, PEOPLE, said=_("%(name)s is logged out everywhere.") % {"name": user.name})

    @routes.post("/remove")
    def remove(request: Request, visitor: Administrator, store: StoreNow, name: Named) -> Response:
        user = remove_user(store, name)
        note(request, visitor, "remove user", user.name)
        return go(request, PEOPLE, said=_("%(name)s can log in no more.") % {"name": user.name})

    return routes


def token_routes() -> APIRouter:
    """`/settings/tokens`."""
    routes = APIRouter(prefix=TOKENS)

    @routes.get("")
    def tokens(request: Request, visitor: Administrator, store: StoreNow) -> Response:
        return page(request, "tokens.html", tokens=store.tokens.all(), scopes=SCOPES, made=None)

    @routes.post("")
    def create(
        request: Request, visitor: Administrator, store: StoreNow, name: Named, scope: Named = "read"
    ) -> Response:
        """No redirect: the secret is shown on this page, once, and nowhere kept."""
        made = create_token(store, name, scope, visitor.name)
        note(request, visitor, "create token", name, scope)
        api = f"{request.base_url}api/v1"
        return page(request, "tokens.html", tokens=store.tokens.all(), scopes=SCOPES, made=made, api=api)

    @routes.post("/revoke")
    def revoke(request: Request, visitor: Administrator, store: StoreNow, name: Named) -> Response:
        revoke_token(store, name)
        note(request, visitor, "revoke token", name)
        return go(request, TOKENS, said=_("The token %(name)s opens nothing any more.") % {"name": name})

    return routes
