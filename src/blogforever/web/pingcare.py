"""Pings over the API, for who looks after them: packages, statistics, once more through the filters, dead letters."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.pingagain import SentAgain, drop_letter, send_again_since, try_again
from blogforever.service.pingstats import PingStatistics, ping_statistics
from blogforever.service.statistics import PeriodLength
from blogforever.storage.pings import PingPackage
from blogforever.storage.tables import Store

from .access import Curator, Reader, note
from .paging import USUAL, After, ItemPage, Limit
from .stats import Moment
from .texts import LONGEST_NAME, Name

PingNumber = Annotated[int, Path(ge=1, le=2**62)]
ServerName = Annotated[str, Query(max_length=LONGEST_NAME)]


class ReplayRequest(BaseModel):
    """From which moment on kept pings are sorted again, and of which server."""

    model_config = ConfigDict(extra="forbid")

    since: str = Field(min_length=4, max_length=40, description="2030-01-31 or 2030-01-31T09:30, in UTC.")
    server: Name = ""


class TriedAgain(BaseModel):
    """How many dead letters are tried again."""

    again: int


def ping_care_routes() -> APIRouter:
    """What came, in numbers; and what is done with it once more."""
    routes = APIRouter(prefix="/pings", tags=["pings"])
    _add_numbers(routes)
    _add_again(routes)
    return routes


def _add_numbers(routes: APIRouter) -> None:
    @routes.get("/packages")
    def packages(
        store: StoreNow, _token: Reader, server: ServerName = "", limit: Limit = USUAL, after: After = ""
    ) -> ItemPage[PingPackage]:
        """What came in each package: a file that was read, a minute of a stream or of an endpoint."""
        found = store.pings.packages(limit + 1, place_of(after, int), server)
        following = found[limit - 1].id if len(found) > limit else None
        return ItemPage(items=found[:limit], next=cursor_of(following))

    @routes.get("/statistics")
    def statistics(
        store: StoreNow,
        _token: Reader,
        first: Annotated[Moment, Query(alias="from")] = "",
        last: Annotated[Moment, Query(alias="to")] = "",
        by: PeriodLength = "day",
        server: ServerName = "",
    ) -> PingStatistics:
        """Of each server and each filter, over any range."""
        return ping_statistics(store, first, last, by, server)


def _add_again(routes: APIRouter) -> None:
    @routes.post("/replay")
    def replay(asked: ReplayRequest, standing: StandingNow, token: Curator) -> SentAgain:
        """Sort kept pings by the filters and the source list of today."""
        store = standing.archive.store
        sent = send_again_since(store, asked.since, asked.server)
        note(store, token, "send pings again", asked.server, f"since {asked.since}")
        return sent

    @routes.post("/again")
    def again_all(store: StoreNow, token: Curator) -> TriedAgain:
        """Try all dead letters again."""
        note(store, token, "try pings again")
        return TriedAgain(again=try_again(store))

    @routes.post("/{number}/again")
    def again(number: PingNumber, store: StoreNow, token: Curator) -> TriedAgain:
        """Try a dead letter again."""
        _check_letter(store, number)
        note(store, token, "try ping again", str(number))
        return TriedAgain(again=try_again(store, number))

    @routes.delete("/{number}", status_code=HTTPStatus.NO_CONTENT)
    def drop(number: PingNumber, store: StoreNow, token: Curator) -> None:
        """Nobody wants anything done with a dead letter."""
        _check_letter(store, number)
        drop_letter(store, number, token.name)
        note(store, token, "drop ping", str(number))


def _check_letter(store: Store, number: int) -> None:
    found = store.pings.find(number)
    if found is None or found.state != "failed":
        raise not_found(f"There is no dead letter {number}.")
