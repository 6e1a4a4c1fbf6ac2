"""Ping servers: where we hear of new posts, how that goes, and what became of the pings that came."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.pingagain import drop_letter, send_again_since, try_again
from blogforever.service.pinghooks import MadePingHook, add_hook
from blogforever.service.pings import (
    LONGEST_EVERY,
    SHORTEST_EVERY,
    ServerWish,
    add_server,
    change_server,
    drop_server,
    find_server,
    list_servers,
)
from blogforever.service.pingstats import PingStatistics, ServerFigures, ping_statistics
from blogforever.service.statistics import PeriodLength
from blogforever.service.subscriptions import view_hubs
from blogforever.storage.pings import ServerKind
from blogforever.storage.tables import Store

from .asked import StandingNow, StoreNow
from .charts import bar_chart
from .fields import LONGEST, Text
from .page import go, page
from .ranges import PERIODS, First, Last, in_range
from .spans import period_name
from .visitors import Curator, Viewer, desk_for, note
from .words import N_, _, plural

PATH = "/pings"
# Pings on a page.
SHOWN = 50
# The last pings that the first page shows, and dead letters that it counts; more are as bad.
LAST_FEW, MOST_DEAD = 8, 1000
LOG = f"{PATH}/log"
MaybeNumber = Annotated[int | None, Form(ge=1, le=2**62)]
STATES = {
    "waiting": N_("waiting"),
    "done": N_("followed up"),
    "dropped": N_("left out"),
    "failed": N_("failed"),
}


def ping_routes() -> APIRouter:
    """`/pings`."""
    routes = APIRouter()
    _add_reading(routes)
    _add_deeds(routes)
    _add_again(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get(PATH)
    def servers(
        request: Request, visitor: Viewer, store: StoreNow, first: First = "", last: Last = "", by: PeriodLength = "day"
    ) -> Response:
        return _screen(request, store, first, last, by)

    @routes.get(LOG)
    def log(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        server: Annotated[str, Query(max_length=LONGEST)] = "",
        state: Annotated[str, Query(max_length=LONGEST)] = "",
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        """The pings that came, one by one."""
        wanted = state if state in STATES else ""
        found = store.pings.newest(SHOWN + 1, place_of(after, int), server, wanted)
        following = found[SHOWN - 1].id if len(found) > SHOWN else None
        return page(
            request,
            "pinglog.html",
            servers=list_servers(store),
            pings=found[:SHOWN],
            next=cursor_of(following),
            after=after,
            server=server,
            state=wanted,
            states=STATES,
        )

    @routes.get(f"{PATH}/packages")
    def packages(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        """What came, package by package."""
        found = store.pings.packages(SHOWN + 1, place_of(after, int))
        following = found[SHOWN - 1].id if len(found) > SHOWN else None
        return page(
            request,
            "pingpackages.html",
            packages=found[:SHOWN],
            names={one.id: one.name for one in list_servers(store)},
            next=cursor_of(following),
            after=after,
        )


def _screen(
    request: Request,
    store: Store,
    first: str = "",
    last: str = "",
    by: PeriodLength = "day",
    made: MadePingHook | None = None,
) -> Response:
    found, wrong = in_range(first, last, by, partial(ping_statistics, store))
    figures = {one.server: one.figures for one in found.servers}
    public = request.app.state.standing.config.public_url
    here = public or f"{request.url.scheme}://{request.url.netloc}"
    return page(
        request,
        "pings.html",
        servers=list_servers(store),
        found=found,
        figures=figures,
        hubs=view_hubs(store, figures, public),
        called_at=f"{here.rstrip('/')}/RPC2",
        nothing=ServerFigures(),
        charts=[bar_chart(_(title), _values(found, value)) for title, value in CHARTS.items()],
        wrong=wrong,
        periods=PERIODS,
        pings=store.pings.newest(LAST_FEW),
        dead=len(store.pings.newest(MOST_DEAD, state="failed")),
        states=STATES,
        shortest=SHORTEST_EVERY,
        longest=LONGEST_EVERY,
        made=made,
    )


CHARTS: dict[str, Callable[[ServerFigures], float]] = {
    N_("Pings that came"): lambda figures: figures.received,
    N_("New posts that pings told of"): lambda figures: figures.posts,
    N_("New posts that pings missed"): lambda figures: figures.missed,
}
"""What is drawn over a range."""


def _values(found: PingStatistics, value: Callable[[ServerFigures], float]) -> list[tuple[str, float]]:
    return [(period_name(one.period), value(one.figures)) for one in found.periods]


def _add_deeds(routes: APIRouter) -> None:
    @routes.post(PATH)
    def add(
        request: Request,
        visitor: Curator,
        name: Text,
        url: Text,
        kind: Text = "changes",
        every: Annotated[int, Form(ge=SHORTEST_EVERY, le=LONGEST_EVERY)] = 300,
    ) -> Response:
        wanted: ServerKind = "stream" if kind == "stream" else "changes"
        made = add_server(desk_for(request, visitor), ServerWish(name, wanted, url, every))
        note(request, visitor, "add ping server", made.id, made.url)
        return go(request, PATH, _("%(name)s was added. It is off until you turn it on.") % {"name": made.name})

    @routes.post(f"{PATH}/hooks")
    def add_named(request: Request, visitor: Curator, store: StoreNow, name: Text) -> Response:
        """No redirect: the secret is shown on this page, once."""
        made = add_hook(desk_for(request, visitor), name)
        note(request, visitor, "add ping hook", made.server.id, made.server.name)
        return _screen(request, store, made=made)

    @routes.post(f"{PATH}/change")
    def change(
        request: Request, visitor: Curator, standing: StandingNow, server: Text, on: Text = "", limited: Text = ""
    ) -> Response:
        changed = change_server(desk_for(request, visitor), server, is_on=_said(on), is_limited=_said(limited))
        note(request, visitor, "change ping server", changed.id)
        return go(request, PATH, _("%(name)s was changed.") % {"name": changed.name})

    @routes.post(f"{PATH}/drop")
    def drop(request: Request, visitor: Curator, store: StoreNow, server: Text) -> Response:
        found = find_server(store, server)
        drop_server(desk_for(request, visitor), server)
        note(request, visitor, "drop ping server", server)
        return go(request, PATH, _("%(name)s is listened to no more.") % {"name": found.name})


def _add_again(routes: APIRouter) -> None:
    @routes.post(f"{PATH}/replay")
    def replay(request: Request, visitor: Curator, store: StoreNow, since: Text, server: Text = "") -> Response:
        sent = send_again_since(store, since, server)
        note(request, visitor, "send pings again", server, f"since {since}")
        told = _("Of %(read)s pings %(waiting)s wait now to be followed up.")
        return go(request, LOG, told % {"read": sent.read, "waiting": sent.waiting})

    @routes.post(f"{LOG}/again")
    def again(request: Request, visitor: Curator, store: StoreNow, number: MaybeNumber = None) -> Response:
        count = try_again(store, number)
        note(request, visitor, "try pings again", str(number or "all"))
        return go(request, LOG, plural("%(num)s ping is tried again.", "%(num)s pings are tried again.", count))

    @routes.post(f"{LOG}/drop")
    def drop(
        request: Request, visitor: Curator, store: StoreNow, number: Annotated[int, Form(ge=1, le=2**62)]
    ) -> Response:
        drop_letter(store, number, visitor.name)
        note(request, visitor, "drop ping", str(number))
        return go(request, LOG, _("The ping was dropped."))


def _said(word: str) -> bool | None:
    return {"yes": True, "no": False}.get(word)
