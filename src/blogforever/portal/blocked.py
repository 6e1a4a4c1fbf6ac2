"""The block list: what nobody may add or follow; who blocked it, when and why; undone with a click."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from blogforever.service.blocking import LONGEST_REASON, block, unblock
from blogforever.storage.following import BlockKind

from .asked import StoreNow
from .fields import LONGEST, Text
from .page import go, page
from .refusing import not_found
from .visitors import Curator, Viewer, desk_for, note
from .words import _, plural

PATH = "/blocked"
# Entries on a page; of a long list the words in the search box choose.
SHOWN = 200


def blocked_routes() -> APIRouter:
    """`/blocked`."""
    routes = APIRouter()

    @routes.get(PATH)
    def blocked(
        request: Request, visitor: Viewer, store: StoreNow, q: Annotated[str, Query(max_length=LONGEST)] = ""
    ) -> Response:
        everything, words = store.blocked.all(), q.strip().lower()
        found = [one for one in reversed(everything) if words in f"{one.what} {one.reason} {one.by}".lower()]
        return page(request, "blocked.html", places=found[:SHOWN], found=len(found), total=len(everything), q=q)

    @routes.post(PATH)
    def add(
        request: Request,
        visitor: Curator,
        what: Text,
        kind: Annotated[str, Form(max_length=LONGEST)] = "",
        reason: Annotated[str, Form(max_length=LONGEST_REASON)] = "",
    ) -> Response:
        kinds: tuple[BlockKind, ...] = ("host", "address", "pattern")
        done = block(desk_for(request, visitor), what, reason, next((one for one in kinds if one == kind), None))
        note(request, visitor, "block", done.place.what, done.place.reason)
        rests = plural("%(num)s followed blog rests now.", "%(num)s followed blogs rest now.", done.blogs)
        told = _("%(what)s is blocked.") % {"what": done.place.what}
        return go(request, PATH, f"{told} {rests}" if done.blogs else told)

    @routes.post(f"{PATH}/undo")
    def undo(request: Request, visitor: Curator, store: StoreNow, entry: Text) -> Response:
        if store.blocked.find(entry) is None:
            raise not_found(_("This is not blocked any more."))
        done = unblock(desk_for(request, visitor), entry)
        note(request, visitor, "unblock", done.place.what)
        goes_on = plural("%(num)s blog goes on.", "%(num)s blogs go on.", done.blogs)
        told = _("%(what)s may come in again.") % {"what": done.place.what}
        return go(request, PATH, f"{told} {goes_on}" if done.blogs else told)

    return routes
