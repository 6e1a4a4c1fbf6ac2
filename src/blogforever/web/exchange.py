"""Exchange with other installations over the API."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.errors import BadInput
from blogforever.portal.asked import StandingNow
from blogforever.portal.refusing import not_found
from blogforever.service.exchanging import (
    ExchangeDesk,
    HandingWish,
    KnownKey,
    distrust,
    export,
    known_keys,
    own_key,
    trust,
)
from blogforever.service.takingover import Returned, TakeOver, batches, take_back, take_over
from blogforever.source.exchangefile import LARGEST_FILE, PARTS, Part
from blogforever.storage.people import Token

from .access import Admin, Curator, Reader, note
from .made import made_at, made_or_changed
from .paging import ItemPage, WantedPart
from .texts import LONGEST_NAME, MOST_NAMES, Name

FILE = {"application/json": {"schema": {"type": "object"}}}
Parts = Annotated[tuple[Part, ...], Query(max_length=len(PARTS), description="sources, blocked, rules.")]


class NewTrust(BaseModel):
    """A key, whose it is, and what is taken from it."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(min_length=1, max_length=LONGEST_NAME)
    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    parts: tuple[Part, ...] = Field(min_length=1, max_length=len(PARTS))


class Keys(BaseModel):
    """Our own key, and those that are trusted."""

    own: str
    items: list[KnownKey]
    next: str | None


class TakenFile(BaseModel):
    """What was taken over of a file; `undone` is when it was taken back."""

    id: str
    at: str
    by: str
    key: str
    name: str
    made: str
    parts: tuple[Part, ...]
    sources: tuple[str, ...]
    blocked: tuple[str, ...]
    rules: tuple[str, ...]
    undone: str | None


def exchange_routes() -> APIRouter:
    """What is handed over, whom we trust, and what was taken over."""
    routes = APIRouter(prefix="/exchange", tags=["exchange"])
    _add_files(routes)
    _add_keys(routes)
    return routes


def _add_files(routes: APIRouter) -> None:
    @routes.get("")
    def taken(standing: StandingNow, token: Reader, part: WantedPart) -> ItemPage[TakenFile]:
        """What was taken over, newest first."""
        found = batches(_desk(standing, token))
        fields = [name for name in TakenFile.model_fields if name != "undone"]
        told = ({name: getattr(one.taken, name) for name in fields} | {"undone": one.undone} for one in found)
        return part.of([TakenFile(**one) for one in told], lambda one: one.id)

    @routes.get("/export", response_class=Response, responses={200: {"content": FILE}})
    def hand_over(
        standing: StandingNow,
        token: Curator,
        part: Parts = (),
        of_list: Annotated[tuple[Name, ...], Query(alias="list", max_length=MOST_NAMES)] = (),
        name: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
        notes: bool = False,
    ) -> Response:
        """What we follow, block and have learned, signed."""
        wish = HandingWish(name or token.name, part or PARTS, of_list, notes)
        data, _file = export(_desk(standing, token), wish)
        note(standing.archive.store, token, "hand over", "", ", ".join(wish.parts))
        return Response(data, media_type="application/json")

    @routes.post("/import", openapi_extra={"requestBody": {"content": FILE, "required": True}})
    async def bring(
        request: Request, standing: StandingNow, token: Curator, take: Parts = (), dry_run: bool = False
    ) -> TakeOver:
        """Take over a file, which is the body: the parts that its key is trusted with, and those that are named."""
        data = bytearray()
        async for piece in request.stream():
            data += piece
            if len(data) > LARGEST_FILE:
                raise BadInput(f"The file is larger than {LARGEST_FILE // 2**20} MB.")
        # Beside the event loop: a long list takes seconds, and others want answers meanwhile.
        done = await asyncio.to_thread(take_over, _desk(standing, token), bytes(data), take, dry_run)
        if not dry_run:
            note(standing.archive.store, token, "take over", done.batch, done.name)
        return done

    @routes.post("/{batch}/undo")
    def undo(batch: str, standing: StandingNow, token: Curator) -> Returned:
        """Take it back."""
        at = _desk(standing, token)
        if batch not in at.state().batches:
            raise not_found(f"Nothing was taken over as {batch!r}.")
        done = take_back(at, batch)
        standing.archive.read_decisions()
        note(standing.archive.store, token, "take back", batch)
        return done


def _add_keys(routes: APIRouter) -> None:
    @routes.get("/keys")
    def keys(standing: StandingNow, token: Reader, part: WantedPart) -> Keys:
        """Our own key, and those that are trusted."""
        at = _desk(standing, token)
        found = part.of(known_keys(at), lambda one: one.key)
        return Keys(own=own_key(at).key, items=found.items, next=found.next)

    @routes.get("/keys/{key}")
    def one_key(key: str, standing: StandingNow, token: Reader) -> KnownKey:
        found = [one for one in known_keys(_desk(standing, token)) if one.key == key]
        if not found:
            raise not_found(f"No key {key!r} is trusted.")
        return found[0]

    @routes.post("/keys", status_code=HTTPStatus.CREATED, responses=made_or_changed(KnownKey))
    def add(new: NewTrust, standing: StandingNow, token: Admin, request: Request, response: Response) -> KnownKey:
        """Take these parts of who has a key from now on."""
        before = {one.key for one in known_keys(_desk(standing, token))}
        one = trust(_desk(standing, token), new.key, new.name, new.parts)
        note(standing.archive.store, token, "trust key", one.key, ", ".join(one.parts))
        made_at(request, response, one.key, one.key not in before)
        return one

    @routes.delete("/keys/{key}", status_code=HTTPStatus.NO_CONTENT)
    def drop(key: str, standing: StandingNow, token: Admin) -> None:
        """Take nothing more of who has it."""
        at = _desk(standing, token)
        if key not in at.state().keys:
            raise not_found(f"No key {key!r} is trusted.")
        distrust(at, key)
        note(standing.archive.store, token, "distrust key", key)


def _desk(standing: StandingNow, token: Token) -> ExchangeDesk:
    return ExchangeDesk(standing.archive, token.name)
