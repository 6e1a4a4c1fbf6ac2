"""Batches: what was added together, how far each row is, and undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from blogforever.service.adding import undo_batch
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.storage.following import FollowedBlog, SourceBatch
from blogforever.storage.tables import Store

from .asked import StoreNow
from .page import go, page, part
from .refusing import not_found
from .review import REPAIR_WORDS, REPAIRS
from .showing import UNDER_WAY
from .visitors import Curator, Viewer, desk_for, note
from .words import _

PATH = "/batches"
SHOWN = 50
# Batches on a page: the rows of each are counted.
BATCHES = 20
# Seconds between two looks of an open page at a batch: counting one of more than a page costs more.
OFTEN, SELDOM = 2, 10
# Long batches whose numbers are remembered.
REMEMBERED = 16
# What is offered beside a row of which nothing came; a frozen blog is looked at first.
MENDS = {state: REPAIRS[state][0] for state in ("failing", "rejected", "dead")}
Numbers = tuple[Mapping[str, int], Mapping[str, int]]
After = Annotated[str, Query(max_length=LONGEST_CURSOR)]


def batch_routes() -> APIRouter:
    """`/batches` and one batch."""
    routes = APIRouter()

    @routes.get(PATH)
    def batches(request: Request, visitor: Viewer, store: StoreNow, after: After = "") -> Response:
        found = store.sources.batches(place_of(after, str), BATCHES + 1)
        following = found[BATCHES - 1].id if len(found) > BATCHES else None
        shown = found[:BATCHES]
        verdicts = {batch.id: dict(store.sources.verdicts(batch.id)) for batch in shown}
        return page(request, "batches.html", batches=shown, verdicts=verdicts, next=cursor_of(following), after=after)

    @routes.get(f"{PATH}/{{batch}}")
    def one(request: Request, visitor: Viewer, store: StoreNow, batch: str, after: After = "") -> Response:
        return page(request, "batch.html", **_shown(store, _found(store, batch), after))

    @routes.get(f"{PATH}/{{batch}}/now")
    def now(request: Request, visitor: Viewer, store: StoreNow, batch: str, after: After = "") -> Response:
        return part(request, "batchrows.html", **_shown(store, _found(store, batch), after))

    @routes.post(f"{PATH}/{{batch}}/undo")
    def undo(request: Request, visitor: Curator, store: StoreNow, batch: str) -> Response:
        _found(store, batch)
        undo_batch(desk_for(request, visitor), batch)
        note(request, visitor, "undo batch", batch)
        said = _("The batch was taken back: what only it wanted is followed no more. What the archive has stays.")
        return go(request, f"{PATH}/{batch}", said)

    return routes


def _found(store: Store, batch: str) -> SourceBatch:
    found = store.sources.batch(batch)
    if found is None:
        raise not_found(_("There is no such batch; the page Add names the last ones."))
    return found


def _shown(store: Store, batch: SourceBatch, after: str) -> dict[str, Any]:
    rows = list(store.sources.rows(batch.id, place_of(after, int) or 0, SHOWN + 1))
    following = rows[SHOWN - 1].number if len(rows) > SHOWN else None
    blogs = list(store.followed.some(row.blog for row in rows if row.blog))
    is_long = following is not None or bool(after)
    states, verdicts = _counted_lately(store, batch.id) if is_long else _counted(store, batch.id)
    return {
        "batch": batch,
        "rows": rows[:SHOWN],
        "blogs": {blog.id: blog for blog in blogs},
        "pages": _pages_read(store, blogs),
        "next": cursor_of(following),
        "after": after,
        "states": states,
        "verdicts": verdicts,
        "is_under_way": not batch.undone and any(states.get(state) for state in UNDER_WAY),
        "repairs": MENDS,
        "repair_words": REPAIR_WORDS,
        "seconds": SELDOM if is_long else OFTEN,
    }


def _pages_read(store: Store, blogs: Iterable[FollowedBlog]) -> dict[str, int]:
    """How many pages were read so far of each blog that is harvested now."""
    harvested = {blog.blog or blog.id: blog.id for blog in blogs if blog.state == "harvesting"}
    done = store.runs.under_way(harvested) if harvested else {}
    return {harvested[name]: pages for name, (pages, _responses) in done.items()}


def _counted(store: Store, batch: str) -> Numbers:
    """How many blogs of a batch are in each state, and how many rows have each verdict."""
    return store.sources.states(batch), store.sources.verdicts(batch)


def _counted_lately(store: Store, batch: str) -> Numbers:
    """The same, counted once in a moment: of twenty thousand rows that takes long, and all who have
    it open ask.
    """
    return _counted_in(store, batch, int(monotonic() // OFTEN))  # type: ignore[arg-type]  # a store can be a key


@lru_cache(maxsize=REMEMBERED)
def _counted_in(store: Store, batch: str, moment: int) -> Numbers:
    del moment
    return _counted(store, batch)
