"""Exports: what is made out of the archive for others, asked for and fetched."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import FileResponse, Response

from blogforever.errors import UsageError
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.errands import ExportFormat
from blogforever.service.exports import ExportWish, ask_for_export, fetched_export, list_exports
from blogforever.service.standing import Standing
from blogforever.storage.work import OPEN

from .asked import StandingNow
from .page import go, page, part
from .refusing import not_found
from .visitors import Curator, Viewer, note
from .words import N_, _

EXPORTS = "/exports"
SHOWN = 50
LONGEST = 300
FORMATS: dict[ExportFormat, str] = {
    "jsonl": N_("JSON Lines: every record whole"),
    "csv": N_("CSV: a table of posts"),
    "comments": N_("CSV: a table of comments"),
    "blogs": N_("CSV: a table of blogs"),
    "bibtex": N_("BibTeX: citations of posts"),
    "ris": N_("RIS: citations of posts"),
    "csl": N_("CSL-JSON: citations of posts"),
    "spider-xml": N_("XML, as the weblog spider wrote it"),
    "site": N_("A static copy that opens from disk"),
    "wacz": N_("WACZ: one blog, for replay"),
}


def export_routes() -> APIRouter:
    """`/exports`."""
    routes = APIRouter(prefix=EXPORTS)

    @routes.get("")
    def exports(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        return page(request, "exports.html", **_shown(standing, after))

    @routes.get("/now")
    def now(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        return part(request, "exportrows.html", **_shown(standing, after))

    @routes.post("")
    def create(
        request: Request,
        visitor: Curator,
        standing: StandingNow,
        form: Annotated[str, Form(alias="format", max_length=LONGEST)],
        blog: Annotated[str, Form(max_length=LONGEST)] = "",
    ) -> Response:
        ask_for_export(standing.archive, ExportWish(_known(form), blog.strip()), visitor.name)
        note(request, visitor, "export", blog.strip(), form)
        return go(request, EXPORTS, said=_("It is made now; fetch it here when it is done, within a day."))

    @routes.get("/{job}/file")
    def file(visitor: Viewer, standing: StandingNow, job: Annotated[int, Path(ge=1, le=2**62)]) -> Response:
        path = fetched_export(standing.archive, job)
        if path is None:
            raise not_found(_("This export is no longer here; ask for it once more."))
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")

    return routes


def _shown(standing: Standing, after: str) -> dict[str, Any]:
    found, following = list_exports(standing.archive, SHOWN, place_of(after, int))
    is_under_way = any(one.job.state in OPEN for one in found)
    return {
        "exports": found,
        "formats": FORMATS,
        "after": after,
        "next": cursor_of(following),
        "is_under_way": is_under_way,
    }


def _known(form: str) -> ExportFormat:
    for known in get_args(ExportFormat):
        if form == known:
            return known  # type: ignore[no-any-return]  # get_args does not say of what
    raise UsageError(_("There is no such form of export."))
