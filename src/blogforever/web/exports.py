"""Exports over the API: asked for, listed, fetched for a day."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import FileResponse

from blogforever.portal.asked import StandingNow
from blogforever.portal.refusing import not_found
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.errands import ExportFormat
from blogforever.service.exports import (
    ExportWish,
    ListedExport,
    ask_for_export,
    fetched_export,
    file_name,
    list_exports,
    listed_export,
)
from blogforever.service.output import blog_meant
from blogforever.storage.searches import PostSearch

from .access import Curator, Reader, note
from .made import ASKED, job_at
from .paging import USUAL, After, ItemPage, Limit
from .posts import PostChoice

ExportNumber = Annotated[int, Path(ge=1, le=2**62)]


class NewExportRequest(PostChoice):
    """What to export: of one blog or of all, or only some posts."""

    format: ExportFormat = "jsonl"

    def wish(self) -> ExportWish:
        """The same as it is carried out."""
        search = replace(self.search(), blog="")
        return ExportWish(self.format, self.blog, None if search == PostSearch() else search)


def export_routes() -> APIRouter:
    """What is made out of the archive for others."""
    routes = APIRouter(prefix="/exports", tags=["exports"])

    @routes.get("")
    def exports(
        standing: StandingNow, _token: Reader, limit: Limit = USUAL, after: After = ""
    ) -> ItemPage[ListedExport]:
        """Newest first; `file` is there while an export can be fetched."""
        found, following = list_exports(standing.archive, limit, place_of(after, int))
        return ItemPage(items=found, next=cursor_of(following))

    @routes.post("", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def create(new: NewExportRequest, standing: StandingNow, token: Curator, response: Response) -> ListedExport:
        """Have something exported; it can be fetched for a day."""
        wish = new.wish()
        meant = blog_meant(standing.archive, wish.blog) if wish.blog else ""
        job = ask_for_export(standing.archive, replace(wish, blog=meant), token.name)
        note(standing.archive.store, token, "export", new.blog, new.format)
        job_at(response, job.id)
        return listed_export(standing.archive, job)

    @routes.get("/{job}")
    def one(job: ExportNumber, standing: StandingNow, _token: Reader) -> ListedExport:
        """One of them; its job says how it goes."""
        row = standing.archive.store.jobs.find(job)
        if row is None or row.kind != "export":
            raise not_found(f"There is no export {job}.")
        return listed_export(standing.archive, row)

    @routes.get("/{job}/file", response_class=FileResponse)
    def file(job: ExportNumber, standing: StandingNow, _token: Reader) -> FileResponse:
        """What was exported."""
        path = fetched_export(standing.archive, job)
        if path is None:
            raise not_found(f"There is no export {job} that can be fetched.")
        return FileResponse(path, filename=file_name(standing.archive, job), media_type="application/octet-stream")

    return routes
