"""Sources over the API: what is added answers at once, row by row; a batch can be undone."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.errors import UsageError
from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import ProblemError, not_found
from blogforever.service.adding import Added, AddRequest, add_sources, undo_batch
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.handedin import LARGEST_LIST
from blogforever.source.given import BlogMetadata, GivenRow
from blogforever.source.reading import given_as_addresses, given_in_file, given_in_paste
from blogforever.storage.following import SourceBatch, SourceRow
from blogforever.storage.tables import Store

from .access import Curator, Reader, desk_for, note
from .made import MADE, PREFIX
from .paging import USUAL, After, ItemPage, Limit
from .texts import LONGEST_NAME, MOST_NAMES, Name

# Bytes of a file that are kept in memory before it goes to the disk.
IN_MEMORY = 5_000_000


class NewSources(BaseModel):
    """What to add: a text as somebody would paste it,
    or addresses; and what is said of all of them.
    """

    model_config = ConfigDict(extra="forbid")

    text: str | None = None
    urls: tuple[str, ...] | None = None
    into: Name = Field(default="", alias="list")
    tags: tuple[Name, ...] = Field(default=(), max_length=MOST_NAMES)
    metadata: BlogMetadata = Field(default_factory=BlogMetadata)


class AddedRow(BaseModel):
    """What one row came to."""

    number: int
    input: str
    url: str
    verdict: str
    blog: str | None
    reason: str


class AddedBatch(BaseModel):
    """A batch as it was added, or would be: `batch` is null in a dry run."""

    batch: str | None
    verdicts: dict[str, int]
    items: list[AddedRow]


ANSWERS: dict[int | str, dict[str, Any]] = {
    **MADE,
    HTTPStatus.OK.value: {"model": AddedBatch, "description": "What would happen: nothing was changed."},
}
DryRun = Annotated[bool, Query(description="Say what would happen, and change nothing.")]


def source_routes() -> APIRouter:
    """Everything about what was added."""
    routes = APIRouter(tags=["sources"])
    _add_adding(routes)
    _add_batches(routes)
    return routes


def _add_adding(routes: APIRouter) -> None:
    @routes.post("/sources", response_model=AddedBatch, status_code=HTTPStatus.CREATED, responses=ANSWERS)
    def add(new: NewSources, standing: StandingNow, token: Curator, dry_run: DryRun = False) -> Response:
        request = AddRequest(_rows(new), "api", new.into, new.tags, new.metadata)
        added = add_sources(desk_for(standing, token), request, dry_run)
        if not dry_run:
            note(standing.archive.store, token, "add sources", added.batch.id, f"{len(added.rows)} rows")
        return _told(added)

    @routes.post("/sources/file", response_model=AddedBatch, status_code=HTTPStatus.CREATED, responses=ANSWERS)
    async def add_file(
        request: Request,
        standing: StandingNow,
        token: Curator,
        name: Annotated[str, Query(max_length=LONGEST_NAME, description="The file's name.")] = "",
        into: Annotated[str, Query(alias="list", max_length=LONGEST_NAME)] = "",
        tag: Annotated[tuple[Name, ...], Query(max_length=MOST_NAMES)] = (),
        dry_run: DryRun = False,
    ) -> Response:
        """Add the rows of a file, which is the body: CSV, XLSX, OPML or text, told by its bytes."""
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as data:
            size = 0
            async for piece in request.stream():
                size += len(piece)
                if size > LARGEST_LIST:
                    told = f"The file is larger than {LARGEST_LIST // 1_000_000} MB; give it in parts."
                    raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)
                data.write(piece)
            data.seek(0)
            asked = AddRequest(given_in_file(data, name), name or "api", into, tag)
            # Beside the event loop: a long list takes seconds, and others want answers meanwhile.
            added = await asyncio.to_thread(add_sources, desk_for(standing, token), asked, dry_run)
        if not dry_run:
            note(standing.archive.store, token, "add sources", added.batch.id, f"{len(added.rows)} rows of {name}")
        return await asyncio.to_thread(_told, added)


def _add_batches(routes: APIRouter) -> None:
    @routes.get("/sources")
    def rows(
        store: StoreNow,
        _token: Reader,
        batch: Annotated[str, Query(description="The id of a batch.")],
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[AddedRow]:
        _found_batch(store, batch)
        found = list(store.sources.rows(batch, place_of(after, int) or 0, limit + 1))
        following = found[limit - 1].number if len(found) > limit else None
        return ItemPage(items=[_row(row) for row in found[:limit]], next=cursor_of(following))

    @routes.get("/batches")
    def batches(store: StoreNow, _token: Reader, limit: Limit = USUAL, after: After = "") -> ItemPage[SourceBatch]:
        found = store.sources.batches(place_of(after, str), limit + 1)
        following = found[limit - 1].id if len(found) > limit else None
        return ItemPage(items=found[:limit], next=cursor_of(following))

    @routes.get("/batches/{batch}")
    def one(batch: str, store: StoreNow, _token: Reader) -> SourceBatch:
        """Whose it is, and whether it was undone; its rows are in `GET /sources`."""
        return _found_batch(store, batch)

    @routes.post("/batches/{batch}/undo")
    def undo(batch: str, standing: StandingNow, token: Curator) -> SourceBatch:
        _found_batch(standing.archive.store, batch)
        undone = undo_batch(desk_for(standing, token), batch)
        note(standing.archive.store, token, "undo batch", batch)
        return undone


def _found_batch(store: Store, batch: str) -> SourceBatch:
    found = store.sources.batch(batch)
    if found is None:
        raise not_found(f"There is no batch {batch!r}.")
    return found


def _rows(new: NewSources) -> Iterable[GivenRow]:
    if (new.text is None) == (new.urls is None):
        raise UsageError("Give either text or urls.")
    return given_in_paste(new.text) if new.text is not None else given_as_addresses(new.urls or ())


def _told(added: Added) -> Response:
    """The whole answer, made in the thread that asks for it: with many rows that takes a second."""
    batch = None if added.dry_run else added.batch.id
    told = AddedBatch(batch=batch, verdicts=dict(added.verdicts), items=[_row(row) for row in added.rows])
    status = HTTPStatus.OK if batch is None else HTTPStatus.CREATED
    place = {} if batch is None else {"Location": f"{PREFIX}/sources?batch={batch}"}
    return Response(told.model_dump_json(), status, place, media_type="application/json")


def _row(row: SourceRow) -> AddedRow:
    return AddedRow(
        number=row.number, input=row.input, url=row.url, verdict=row.verdict, blog=row.blog, reason=row.reason
    )
