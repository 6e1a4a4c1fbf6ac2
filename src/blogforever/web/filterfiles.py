"""Filters as a file, over the API: handed over, brought back; what was done to them, and taken back."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from blogforever.ping.filters import MOST_FILTERS, Conditions, PingFilter
from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.filterfiles import (
    LONGEST_ID,
    FilterFile,
    ImportedFilters,
    export_filters,
    import_filters,
    take_back,
)
from blogforever.storage.pings import FilterChange

from .access import Curator, Reader, desk_for, note
from .paging import USUAL, After, ItemPage, Limit
from .pings import FilterBody
from .texts import LONGEST_NAME


class FiledFilter(FilterBody):
    """A filter of a file, with the id by which others stand below it."""

    id: str = Field(min_length=1, max_length=LONGEST_ID)
    created: str = Field(default="", max_length=LONGEST_ID)

    def filed(self) -> PingFilter:
        """The same as the service takes it."""
        said = self.model_dump() | {"conditions": Conditions(**self.conditions.model_dump())}
        return PingFilter(**said)


class FilterFileRequest(BaseModel):
    """Filters as they were handed over."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    filters: list[FiledFilter] = Field(max_length=MOST_FILTERS)


def filter_file_routes() -> APIRouter:
    """Filters as a file, and their history."""
    routes = APIRouter(prefix="/filters", tags=["pings"])

    @routes.get("/export")
    def export(store: StoreNow, _token: Reader) -> FilterFile:
        """All filters, to be kept elsewhere."""
        return export_filters(store)

    @routes.post("/import")
    def bring(given: FilterFileRequest, standing: StandingNow, token: Curator) -> ImportedFilters:
        """Make the filters of a file; those of the same id are changed. All of them, or none where
        one is wrong.
        """
        file = FilterFile(tuple(one.filed() for one in given.filters))
        brought = import_filters(desk_for(standing, token), file)
        standing.inbox.receiver.forget()
        note(standing.archive.store, token, "import filters", "", str(len(file.filters)))
        return brought

    @routes.get("/history")
    def history(
        store: StoreNow,
        _token: Reader,
        one: Annotated[str, Query(alias="filter", max_length=LONGEST_NAME)] = "",
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[FilterChange]:
        """Who changed what, newest first."""
        found = store.ping_filters.changes(limit + 1, place_of(after, int), one)
        following = found[limit - 1].id if len(found) > limit else None
        return ItemPage(items=found[:limit], next=cursor_of(following))

    @routes.post("/history/{number}/back")
    def back(number: Annotated[int, Path(ge=1, le=2**62)], standing: StandingNow, token: Curator) -> FilterChange:
        """Have a filter as it was before this change."""
        found = standing.archive.store.ping_filters.changes(1, number + 1)
        if not found or found[0].id != number:
            raise not_found(f"There is no change {number} of a filter.")
        change = take_back(desk_for(standing, token), number)
        standing.inbox.receiver.forget()
        note(standing.archive.store, token, "take back filter", change.filter, str(number))
        return change

    return routes
