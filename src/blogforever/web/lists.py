"""Lists and the block list over the API."""

from __future__ import annotations

import io
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.blocking import block, unblock
from blogforever.service.lists import FILE_TYPES, ListFormat, all_lists, drop_list, export_list, keep_list
from blogforever.storage.following import BlockedPlace, BlockKind, BlogList
from blogforever.storage.tables import Store

from .access import Curator, Reader, desk_for, note
from .made import made_at, made_or_changed
from .paging import ItemPage, WantedPart
from .texts import LONGEST_NAME, LONGEST_NOTE


class NewList(BaseModel):
    """A list to be made, or what is said of it now."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    note: str | None = Field(default=None, max_length=LONGEST_NOTE)
    owner: str | None = Field(default=None, max_length=LONGEST_NAME)


class ListItem(BaseModel):
    """A list, and how many blogs belong to it."""

    name: str
    created: str
    owner: str
    note: str
    blogs: int


class NewBlock(BaseModel):
    """What to block: a host, an address with what lies below it, or a pattern with `*`."""

    model_config = ConfigDict(extra="forbid")

    what: str = Field(min_length=1, max_length=LONGEST_NAME)
    kind: BlockKind | None = None
    reason: str = Field(default="", max_length=LONGEST_NOTE)


class BlockAnswer(BaseModel):
    """An entry of the block list, and how many followed blogs rest because of it."""

    id: str
    kind: BlockKind
    what: str
    reason: str
    by: str
    at: str
    blogs: int


def list_routes() -> APIRouter:
    """The lists that blogs belong to."""
    routes = APIRouter(prefix="/lists", tags=["lists"])

    @routes.get("")
    def lists(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[ListItem]:
        return part.of([_item(one.list, one.blogs) for one in all_lists(store)], lambda one: one.name)

    @routes.post("", status_code=HTTPStatus.CREATED, responses=made_or_changed(ListItem))
    def keep(new: NewList, standing: StandingNow, token: Curator, request: Request, response: Response) -> ListItem:
        """Make a list, or say something else of the one that has this name."""
        store = standing.archive.store
        before = {one.name for one in store.lists.all()}
        kept = keep_list(desk_for(standing, token), new.name, new.note, new.owner)
        note(store, token, "keep list", kept.name)
        made_at(request, response, kept.name, kept.name not in before)
        return _counted(store, kept)

    @routes.get("/{name:path}/export", response_class=Response)
    def export(
        name: str, store: StoreNow, _token: Reader, form: Annotated[ListFormat, Query(alias="format")] = "opml"
    ) -> Response:
        """The list as a file."""
        _found(store, name)
        out = io.BytesIO()
        export_list(store, name, form, out, in_file=False)
        return Response(out.getvalue(), media_type=FILE_TYPES[form])

    @routes.get("/{name:path}")
    def one(name: str, store: StoreNow, _token: Reader) -> ListItem:
        return _counted(store, _found(store, name))

    @routes.delete("/{name:path}", status_code=HTTPStatus.NO_CONTENT)
    def drop(name: str, standing: StandingNow, token: Curator) -> None:
        """Its blogs stay, and belong to it no more."""
        _found(standing.archive.store, name)
        drop_list(desk_for(standing, token), name)
        note(standing.archive.store, token, "drop list", name)

    return routes


def block_routes() -> APIRouter:
    """What nobody may add or follow."""
    routes = APIRouter(prefix="/blocked", tags=["block list"])

    @routes.get("")
    def blocked(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[BlockedPlace]:
        return part.of(store.blocked.all(), lambda one: one.id)

    @routes.post("", status_code=HTTPStatus.CREATED, responses=made_or_changed(BlockAnswer))
    def add(new: NewBlock, standing: StandingNow, token: Curator, request: Request, response: Response) -> BlockAnswer:
        """Block something, or give another reason where it is blocked."""
        before = {one.id for one in standing.archive.store.blocked.all()}
        done = block(desk_for(standing, token), new.what, new.reason, new.kind)
        note(standing.archive.store, token, "block", done.place.what, done.place.reason)
        place = done.place
        made_at(request, response, place.id, place.id not in before)
        return BlockAnswer(
            id=place.id,
            kind=place.kind,
            what=place.what,
            reason=place.reason,
            by=place.by,
            at=place.at,
            blogs=done.blogs,
        )

    @routes.get("/{entry}")
    def one(entry: str, store: StoreNow, _token: Reader) -> BlockedPlace:
        return _found_block(store, entry)

    @routes.delete("/{entry}", status_code=HTTPStatus.NO_CONTENT)
    def drop(entry: str, standing: StandingNow, token: Curator) -> None:
        found = _found_block(standing.archive.store, entry)
        unblock(desk_for(standing, token), entry)
        note(standing.archive.store, token, "unblock", found.what)

    return routes


def _found(store: Store, name: str) -> BlogList:
    found = store.lists.find(name)
    if found is None:
        raise not_found(f"There is no list {name!r}.")
    return found


def _found_block(store: Store, entry: str) -> BlockedPlace:
    found = store.blocked.find(entry)
    if found is None:
        raise not_found(f"Nothing is blocked under the id {entry!r}.")
    return found


def _counted(store: Store, one: BlogList) -> ListItem:
    numbers = store.followed.listed()
    return _item(one, numbers.get(one.name, 0))


def _item(one: BlogList, blogs: int) -> ListItem:
    return ListItem(name=one.name, created=one.created, owner=one.owner, note=one.note, blogs=blogs)
