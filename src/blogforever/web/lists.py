"""Lists and the block list over the API."""

from __future__ import annotations

import io
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.blocking import block, unblock
from blogforever.service.lists import FILE_TYPES, ListFormat, all_lists, drop_list, export_list, keep_list
from blogforever.storage.following import BlockedPlace, BlockKind, BlogList

from .access import Curator, Reader, desk_for, note
from .paging import ItemPage
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
    def lists(store: StoreNow, _token: Reader) -> ItemPage[ListItem]:
        return ItemPage(items=[_item(one.list, one.blogs) for one in all_lists(store)], next=None)

    @routes.post("")
    def keep(new: NewList, standing: StandingNow, token: Curator) -> ListItem:
        kept = keep_list(desk_for(standing, token), new.name, new.note, new.owner)
        note(standing.archive.store, token, "keep list", kept.name)
        numbers = standing.archive.store.followed.listed()
        return _item(kept, numbers.get(kept.name, 0))

    @routes.delete("/{name}", status_code=HTTPStatus.NO_CONTENT)
    def drop(name: str, standing: StandingNow, token: Curator) -> None:
        if standing.archive.store.lists.find(name) is None:
            raise not_found(f"There is no list {name!r}.")
        drop_list(desk_for(standing, token), name)
        note(standing.archive.store, token, "drop list", name)

    @routes.get("/{name}/export", response_class=Response)
    def export(
        name: str, store: StoreNow, _token: Reader, form: Annotated[ListFormat, Query(alias="format")] = "opml"
    ) -> Response:
        """The list as a file."""
        if store.lists.find(name) is None:
            raise not_found(f"There is no list {name!r}.")
        out = io.BytesIO()
        export_list(store, name, form, out, in_file=False)
        return Response(out.getvalue(), media_type=FILE_TYPES[form])

    return routes


def block_routes() -> APIRouter:
    """What nobody may add or follow."""
    routes = APIRouter(prefix="/blocked", tags=["block list"])

    @routes.get("")
    def blocked(store: StoreNow, _token: Reader) -> ItemPage[BlockedPlace]:
        return ItemPage(items=store.blocked.all(), next=None)

    @routes.post("")
    def add(new: NewBlock, standing: StandingNow, token: Curator) -> BlockAnswer:
        done = block(desk_for(standing, token), new.what, new.reason, new.kind)
        note(standing.archive.store, token, "block", done.place.what, done.place.reason)
        place = done.place
        return BlockAnswer(
            id=place.id,
            kind=place.kind,
            what=place.what,
            reason=place.reason,
            by=place.by,
            at=place.at,
            blogs=done.blogs,
        )

    @routes.delete("/{entry}", status_code=HTTPStatus.NO_CONTENT)
    def drop(entry: str, standing: StandingNow, token: Curator) -> None:
        found = standing.archive.store.blocked.find(entry)
        if found is None:
            raise not_found(f"Nothing is blocked under the id {entry!r}.")
        unblock(desk_for(standing, token), entry)
        note(standing.archive.store, token, "unblock", found.what)

    return routes


def _item(one: BlogList, blogs: int) -> ListItem:
    return ListItem(name=one.name, created=one.created, owner=one.owner, note=one.note, blogs=blogs)
