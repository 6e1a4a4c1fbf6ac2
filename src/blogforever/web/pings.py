"""Ping servers, filters and pings over the API."""

from __future__ import annotations

from dataclasses import fields
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.ping.filters import LONGEST_PATTERN, Conditions, PatternKind, PingFilter, Subject
from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.pinghooks import MadePingHook, add_hook
from blogforever.service.pings import (
    LONGEST_EVERY,
    OURS,
    SHORTEST_EVERY,
    FilterTrial,
    FilterWish,
    ListedFilter,
    ListedServer,
    ServerWish,
    add_server,
    change_server,
    drop_filter,
    drop_server,
    find_server,
    keep_filter,
    list_filters,
    list_servers,
    listed_server,
    try_filter,
)
from blogforever.service.subscriptions import ListedSubscription, list_subscriptions
from blogforever.storage.pings import PingRow, PingServer, PingState
from blogforever.storage.tables import Store

from .access import Curator, Reader, desk_for, note
from .made import MADE, made_at
from .paging import USUAL, After, ItemPage, Limit, WantedPart
from .texts import LONGEST_ADDRESS, LONGEST_NAME, MOST_NAMES, Name

Every = Annotated[int, Field(ge=SHORTEST_EVERY, le=LONGEST_EVERY)]


class NewServerRequest(BaseModel):
    """A server to take pings from: a file that is polled, or a stream at `host:port`."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    kind: Literal["changes", "stream"]
    url: str = Field(min_length=1, max_length=LONGEST_ADDRESS)
    every: Every = 300
    is_limited: bool = False


class NewPingHook(BaseModel):
    """A program that will post pings."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=60, description="Small letters, digits and hyphens.")


class ServerChange(BaseModel):
    """What is to be another with a server; what is left out stays."""

    model_config = ConfigDict(extra="forbid")

    is_on: bool | None = None
    is_limited: bool | None = Field(default=None, description="Only pings of blogs that are followed count.")
    every: Every | None = None


class ConditionsBody(BaseModel):
    """What a ping must be beside what the pattern says; empty is anything."""

    model_config = ConfigDict(extra="forbid")

    domains: tuple[Name, ...] = Field(default=(), max_length=MOST_NAMES)
    services: tuple[Name, ...] = Field(default=(), max_length=MOST_NAMES)
    has_feed: bool | None = None
    platforms: tuple[Name, ...] = Field(default=(), max_length=MOST_NAMES, description="wordpress, blogger, ...")
    languages: tuple[Name, ...] = Field(
        default=(), max_length=MOST_NAMES, description="de, pt-BR: known after the first harvest."
    )


class FilterBody(BaseModel):
    """A filter. One below another of its kind narrows it, one of the other kind is an exception of
    it.
    """

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    pattern: str = Field(min_length=1, max_length=LONGEST_PATTERN)
    kind: PatternKind = "words"
    subject: Subject = "address"
    excludes: bool = False
    parent: Name | None = None
    order: int = Field(default=0, ge=-(10**6), le=10**6)
    is_on: bool = True
    conditions: ConditionsBody = ConditionsBody()

    def wish(self) -> FilterWish:
        """The same as the service takes it."""
        said = self.model_dump() | {"conditions": Conditions(**self.conditions.model_dump())}
        return FilterWish(**said)


class FilterEdit(BaseModel):
    """What is to be another with a filter; what is left out stays."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="", min_length=1, max_length=LONGEST_NAME)
    pattern: str = Field(default="", min_length=1, max_length=LONGEST_PATTERN)
    kind: PatternKind = "words"
    subject: Subject = "address"
    excludes: bool = False
    parent: Name | None = None
    order: int = Field(default=0, ge=-(10**6), le=10**6)
    is_on: bool = True
    conditions: ConditionsBody = ConditionsBody()

    def wish(self, before: PingFilter) -> FilterWish:
        """The filter as it is, but for what was given."""
        said: dict[str, Any] = {one.name: getattr(before, one.name) for one in fields(FilterWish)}
        given = {name: getattr(self, name) for name in self.model_fields_set}
        if "conditions" in given:
            given["conditions"] = Conditions(**self.conditions.model_dump())
        return FilterWish(**(said | given))


def ping_server_routes() -> APIRouter:
    """Where pings come from."""
    routes = APIRouter(prefix="/pingservers", tags=["pings"])

    @routes.get("")
    def servers(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[ListedServer]:
        """Our own endpoint, then all others."""
        return part.of(list_servers(store), lambda one: one.id)

    @routes.get("/{server}")
    def one(server: str, store: StoreNow, _token: Reader) -> ListedServer:
        _check_server(store, server)
        return listed_server(store, find_server(store, server))

    @routes.post("", status_code=HTTPStatus.CREATED, responses=MADE)
    def add(
        new: NewServerRequest, standing: StandingNow, token: Curator, request: Request, response: Response
    ) -> PingServer:
        """Add a server, which is off until it is turned on."""
        made = add_server(desk_for(standing, token), ServerWish(new.name, new.kind, new.url, new.every, new.is_limited))
        note(standing.archive.store, token, "add ping server", made.id, made.url[:LONGEST_NAME])
        made_at(request, response, made.id)
        return made

    @routes.post("/hooks", status_code=HTTPStatus.CREATED)
    def add_named(new: NewPingHook, standing: StandingNow, token: Curator) -> MadePingHook:
        """Add a hook at /hooks/NAME, with the secret that signs what is posted to it, this once."""
        made = add_hook(desk_for(standing, token), new.name)
        note(standing.archive.store, token, "add ping hook", made.server.id, made.server.name)
        return made

    @routes.patch("/{server}")
    def change(server: str, change: ServerChange, standing: StandingNow, token: Curator) -> PingServer:
        """Turn it on or off; limit it to followed blogs, or have it find new ones."""
        _check_server(standing.archive.store, server)
        changed = change_server(desk_for(standing, token), server, **change.model_dump())
        note(standing.archive.store, token, "change ping server", server)
        return changed

    @routes.delete("/{server}", status_code=HTTPStatus.NO_CONTENT)
    def drop(server: str, standing: StandingNow, token: Curator) -> None:
        """Listen to it no more."""
        _check_server(standing.archive.store, server)
        drop_server(desk_for(standing, token), server)
        note(standing.archive.store, token, "drop ping server", server)

    return routes


def ping_filter_routes() -> APIRouter:
    """Which pings are listened to."""
    routes = APIRouter(prefix="/filters", tags=["pings"])
    _add_filters(routes)

    @routes.post("/try")
    def attempt(body: FilterBody, store: StoreNow, _token: Reader) -> FilterTrial:
        """What it would have done with the pings that came last; nothing is kept."""
        return try_filter(store, body.wish())

    return routes


def _add_filters(routes: APIRouter) -> None:
    @routes.get("")
    def filters(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[ListedFilter]:
        """All in their order, each with how often it took a ping."""
        return part.of(list_filters(store), lambda one: one.id)

    @routes.get("/{one}")
    def one_filter(one: str, store: StoreNow, _token: Reader) -> ListedFilter:
        _check_filter(store, one)
        return next(listed for listed in list_filters(store) if listed.id == one)

    @routes.post("", status_code=HTTPStatus.CREATED, responses=MADE)
    def add(
        body: FilterBody, standing: StandingNow, token: Curator, request: Request, response: Response
    ) -> PingFilter:
        """Make a filter; it acts at once."""
        made = keep_filter(desk_for(standing, token), body.wish())
        standing.inbox.receiver.forget()
        note(standing.archive.store, token, "add filter", made.id, made.name)
        made_at(request, response, made.id)
        return made

    @routes.patch("/{one}")
    def change(one: str, body: FilterEdit, standing: StandingNow, token: Curator) -> PingFilter:
        """Change what is given; the rest stays as it is."""
        before = _check_filter(standing.archive.store, one)
        changed = keep_filter(desk_for(standing, token), body.wish(before), one)
        standing.inbox.receiver.forget()
        note(standing.archive.store, token, "change filter", one, changed.name)
        return changed

    @routes.delete("/{one}")
    def drop(one: str, standing: StandingNow, token: Curator) -> ItemPage[str]:
        """Drop it and those below it; their ids."""
        _check_filter(standing.archive.store, one)
        dropped = drop_filter(desk_for(standing, token), one)
        standing.inbox.receiver.forget()
        note(standing.archive.store, token, "drop filter", one)
        return ItemPage(items=list(dropped), next=None)


def ping_routes() -> APIRouter:
    """The pings that came."""
    routes = APIRouter(prefix="/pings", tags=["pings"])

    @routes.get("")
    def pings(
        store: StoreNow,
        _token: Reader,
        server: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
        state: PingState | None = None,
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[PingRow]:
        """What came last and what became of it, newest first."""
        found = store.pings.newest(limit + 1, place_of(after, int), server, state or "")
        following = found[limit - 1].id if len(found) > limit else None
        return ItemPage(items=found[:limit], next=cursor_of(following))

    return routes


def subscription_routes() -> APIRouter:
    """Hubs and clouds that were asked to tell us of new posts."""
    routes = APIRouter(prefix="/subscriptions", tags=["pings"])

    @routes.get("")
    def subscriptions(
        store: StoreNow, _token: Reader, limit: Limit = USUAL, after: After = ""
    ) -> ItemPage[ListedSubscription]:
        """How each stands, by blog; those of up to `limit` blogs."""
        found = list_subscriptions(store, limit + 1, place_of(after, str) or "")
        blogs = list(dict.fromkeys(one.blog for one in found))
        following = blogs[limit - 1] if len(blogs) > limit else None
        shown = [one for one in found if one.blog in set(blogs[:limit])]
        return ItemPage(items=shown, next=cursor_of(following))

    return routes


def _check_server(store: Store, server: str) -> None:
    if server != OURS and store.ping_servers.find(server) is None:
        raise not_found(f"There is no ping server {server!r}.")


def _check_filter(store: Store, one: str) -> PingFilter:
    found = store.ping_filters.find(one)
    if found is None:
        raise not_found(f"There is no filter {one!r}.")
    return found
