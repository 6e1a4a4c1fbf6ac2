"""People over the API: who logs in to the portal, and as what."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.people import LONGEST_PASSWORD, SHORTEST_PASSWORD, add_user, remove_user
from blogforever.storage.people import Role, User
from blogforever.storage.tables import Store

from .access import Admin, note
from .made import MADE, made_at
from .paging import ItemPage, WantedPart
from .texts import LOGIN


class NewUser(BaseModel):
    """Somebody to be let in."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(pattern=LOGIN)
    role: Role = "viewer"
    password: str = Field(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)


class UserItem(BaseModel):
    """Somebody; nobody can read a password."""

    name: str
    role: Role
    created: str
    by: str
    seen: str | None


def user_routes() -> APIRouter:
    """The people of the service."""
    routes = APIRouter(prefix="/users", tags=["users"])

    @routes.get("")
    def users(store: StoreNow, _token: Admin, part: WantedPart) -> ItemPage[UserItem]:
        return part.of([_item(user) for user in store.users.all()], lambda one: one.name)

    @routes.get("/{name}")
    def one(name: str, store: StoreNow, _token: Admin) -> UserItem:
        return _item(_found(store, name))

    @routes.post("", status_code=HTTPStatus.CREATED, responses=MADE)
    def add(new: NewUser, store: StoreNow, token: Admin, request: Request, response: Response) -> UserItem:
        """The first one is an admin."""
        user = add_user(store, new.name, new.role, new.password, token.name)
        note(store, token, "add user", new.name, new.role)
        made_at(request, response, user.name)
        return _item(user)

    @routes.delete("/{name}", status_code=HTTPStatus.NO_CONTENT)
    def remove(name: str, store: StoreNow, token: Admin) -> None:
        """All sessions of his end."""
        _found(store, name)
        remove_user(store, name)
        note(store, token, "remove user", name)

    return routes


def _found(store: Store, name: str) -> User:
    found = store.users.find(name)
    if found is None:
        raise not_found(f"There is nobody called {name!r}.")
    return found


def _item(user: User) -> UserItem:
    return UserItem(name=user.name, role=user.role, created=user.created, by=user.by, seen=user.seen)
