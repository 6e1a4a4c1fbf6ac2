"""Filters: which pings of unknown blogs are let in; tried on what came before anything is kept."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.errors import UsageError
from blogforever.ping.filters import LONGEST_PATTERN, Conditions, PatternKind, PingFilter
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.filterfiles import LARGEST_FILE, export_json, import_filters, read_filters, take_back
from blogforever.service.pings import (
    FilterTrial,
    FilterWish,
    ListedFilter,
    drop_filter,
    find_filter,
    keep_filter,
    list_filters,
    try_filter,
)
from blogforever.service.pingstats import PingStatistics, ping_statistics
from blogforever.service.statistics import PeriodLength
from blogforever.storage.tables import Store

from .asked import StandingNow, StoreNow
from .charts import bar_chart
from .fields import LONGEST, Text, split_names
from .page import go, page
from .ranges import PERIODS, First, Last, in_range
from .spans import period_name
from .visitors import Curator, Viewer, desk_for, note
from .words import N_, _, plural

PATH = "/filters"
# Changes on a page.
SHOWN = 50
KINDS: dict[PatternKind, str] = {
    "words": N_("any of these words"),
    "wildcards": N_("the whole address, with * and ?"),
    "expression": N_("a regular expression"),
}
FEEDS = {"": N_("with a feed or without"), "yes": N_("only with a feed"), "no": N_("only without a feed")}


class FilterForm(BaseModel):
    """A filter as the form says it."""

    name: str = Field(default="", max_length=LONGEST)
    pattern: str = Field(default="", max_length=LONGEST_PATTERN)
    kind: str = Field(default="words", max_length=LONGEST)
    subject: str = Field(default="address", max_length=LONGEST)
    excludes: str = Field(default="", max_length=LONGEST)
    parent: str = Field(default="", max_length=LONGEST)
    order: int = Field(default=0, ge=-(10**6), le=10**6)
    off: str = Field(default="", max_length=LONGEST)
    domains: str = Field(default="", max_length=LONGEST)
    feed: str = Field(default="", max_length=LONGEST)
    platforms: str = Field(default="", max_length=LONGEST)
    languages: str = Field(default="", max_length=LONGEST)
    deed: str = Field(default="keep", max_length=LONGEST)
    changed: str = Field(default="", max_length=LONGEST)

    def wish(self) -> FilterWish:
        """The same as the service takes it."""
        words: PatternKind = "words"
        kind = next((one for one in KINDS if one == self.kind), words)
        return FilterWish(
            self.name,
            self.pattern,
            kind,
            "name" if self.subject == "name" else "address",
            bool(self.excludes),
            self.parent or None,
            self.order,
            not self.off,
            self.conditions(),
        )

    def conditions(self) -> Conditions:
        """What a ping must be beside its pattern."""
        return Conditions(
            domains=split_names(self.domains),
            has_feed={"yes": True, "no": False}.get(self.feed),
            platforms=tuple(name.casefold() for name in split_names(self.platforms)),
            languages=split_names(self.languages),
        )


def filter_routes() -> APIRouter:
    """`/filters`."""
    routes = APIRouter()

    @routes.get(PATH)
    def filters(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        change: Annotated[str, Query(max_length=LONGEST)] = "",
        first: First = "",
        last: Last = "",
        by: PeriodLength = "day",
    ) -> Response:
        shown = form_of(find_filter(store, change)) if change else FilterForm()
        found = in_range(first, last, by, partial(ping_statistics, store))
        return _screen(request, store, shown, found)

    @routes.post(PATH)
    def keep(
        request: Request, visitor: Curator, standing: StandingNow, form: Annotated[FilterForm, Form()]
    ) -> Response:
        store = standing.archive.store
        try:
            if form.deed == "try":
                return _screen(request, store, form, trial=try_filter(store, form.wish(), form.changed or None))
            kept = keep_filter(desk_for(request, visitor), form.wish(), form.changed or None)
        except UsageError as error:
            return _screen(request, store, form, wrong=str(error))
        standing.inbox.receiver.forget()
        note(request, visitor, "keep filter", kept.id, kept.name)
        return go(request, PATH, _("The filter %(name)s acts from now on.") % {"name": kept.name})

    @routes.post(f"{PATH}/drop")
    def drop(request: Request, visitor: Curator, standing: StandingNow, one: Text) -> Response:
        dropped = drop_filter(desk_for(request, visitor), one)
        standing.inbox.receiver.forget()
        note(request, visitor, "drop filter", one)
        return go(request, PATH, plural("%(num)s filter was dropped.", "%(num)s filters were dropped.", len(dropped)))

    return routes


def filter_file_routes() -> APIRouter:
    """Filters as a file, and their history."""
    routes = APIRouter()

    @routes.get(f"{PATH}/filters.json")
    def export(visitor: Viewer, store: StoreNow) -> Response:
        headers = {"Content-Disposition": 'attachment; filename="filters.json"'}
        return Response(export_json(store), media_type="application/json", headers=headers)

    @routes.post(f"{PATH}/import")
    def bring(request: Request, visitor: Curator, standing: StandingNow, file: UploadFile) -> Response:
        given = read_filters(file.file.read(LARGEST_FILE + 1))
        brought = import_filters(desk_for(request, visitor), given)
        standing.inbox.receiver.forget()
        note(request, visitor, "import filters", "", str(len(given.filters)))
        told = _("Filters of the file: %(new)s new, %(changed)s changed, %(same)s as before.")
        numbers = {"new": brought.new, "changed": brought.changed, "same": brought.same}
        return go(request, PATH, told % numbers)

    @routes.get(f"{PATH}/history")
    def history(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        found = store.ping_filters.changes(SHOWN + 1, place_of(after, int))
        following = found[SHOWN - 1].id if len(found) > SHOWN else None
        return page(
            request, "filterhistory.html", changes=found[:SHOWN], kinds=KINDS, next=cursor_of(following), after=after
        )

    @routes.post(f"{PATH}/history/back")
    def back(
        request: Request, visitor: Curator, standing: StandingNow, number: Annotated[int, Form(ge=1, le=2**62)]
    ) -> Response:
        change = take_back(desk_for(request, visitor), number)
        standing.inbox.receiver.forget()
        note(request, visitor, "take back filter", change.filter, str(number))
        return go(request, PATH, _("The filter is as it was before that change."))

    return routes


def _screen(
    request: Request,
    store: Store,
    form: FilterForm,
    found: tuple[PingStatistics, str] | None = None,
    trial: FilterTrial | None = None,
    wrong: str = "",
) -> Response:
    listed = list_filters(store)
    figures, wrong_range = found or (ping_statistics(store), "")
    return page(
        request,
        "filters.html",
        tree=in_tree(listed),
        parents_named=[(one.id, one.name) for one in listed if one.id != form.changed],
        form=form,
        found=figures,
        figures={one.filter: one for one in figures.filters},
        chart=bar_chart(_("Pings that filters took"), [(period_name(one.period), one.hits) for one in figures.periods]),
        wrong_range=wrong_range,
        periods=PERIODS,
        trial=trial,
        wrong=wrong,
        kinds=KINDS,
        feeds=FEEDS,
    )


def in_tree(listed: list[ListedFilter]) -> list[tuple[int, int, ListedFilter]]:
    """Filters as a tree is read: each with its depth and how many stand below it."""
    ids = {one.id for one in listed}
    below: dict[str, list[ListedFilter]] = {}
    for one in listed:
        parent = one.parent if one.parent in ids else ""
        below.setdefault(parent or "", []).append(one)

    def lines(parent: str, depth: int) -> list[tuple[int, int, ListedFilter]]:
        found = []
        for one in below.get(parent, []):
            under = lines(one.id, depth + 1)
            found += [(depth, len(under), one), *under]
        return found

    return lines("", 0)


def form_of(one: PingFilter) -> FilterForm:
    """A filter as the form shows it."""
    return FilterForm(
        name=one.name,
        pattern=one.pattern,
        kind=one.kind,
        subject=one.subject,
        excludes="yes" if one.excludes else "",
        parent=one.parent or "",
        order=one.order,
        off="" if one.is_on else "yes",
        domains=", ".join(one.conditions.domains),
        feed={True: "yes", False: "no", None: ""}[one.conditions.has_feed],
        platforms=", ".join(one.conditions.platforms),
        languages=", ".join(one.conditions.languages),
        changed=one.id,
    )
