"""Exports: what is made out of the archive for others, asked for and fetched."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import Field

from blogforever.errors import UsageError
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.errands import ExportFormat
from blogforever.service.exports import (
    WHOLE_BLOGS,
    ExportWish,
    ask_for_export,
    fetched_export,
    file_name,
    list_exports,
    size_of_file,
)
from blogforever.service.standing import Standing
from blogforever.storage.following import FollowedQuery
from blogforever.storage.searches import PostSearch
from blogforever.storage.work import OPEN

from .asked import StandingNow
from .output import EXPORTS, OutputAsked
from .page import go, page, part
from .refusing import not_found
from .searches import told_search, values_of
from .visitors import Curator, Viewer, note
from .words import N_, _

SHOWN = 50
LONGEST = 300
# Blogs whose names the form offers; others are found by their words.
OFFERED = 100
# Blogs that are named where words mean more than one.
SEVERAL = 5
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


class ExportGiven(OutputAsked):
    """What somebody wants exported, as the form has it: a blog, all of them, or posts that fit."""

    form: Annotated[str, Field(alias="format", max_length=LONGEST)]

    def chosen(self) -> PostSearch | None:
        """Which posts; None where all are meant."""
        return _chosen(self)


def export_routes() -> APIRouter:
    """`/exports`."""
    routes = APIRouter(prefix=EXPORTS)

    @routes.get("")
    def exports(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        asked: Annotated[OutputAsked, Query()],
    ) -> Response:
        """All exports, and a form for another: of blogs, or of the posts that the address asks for."""
        return page(request, "exports.html", **_shown(standing, asked.after), **_form(standing, asked))

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
        given: Annotated[ExportGiven, Form()],
    ) -> Response:
        try:
            wish = ExportWish(_known(given.form), _meant(standing, given.blog.strip()), given.chosen())
            ask_for_export(standing.archive, wish, visitor.name)
        except UsageError as error:
            filled = _form(standing, given, form=given.form, wrong=str(error))
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            return page(request, "exports.html", status=status, **_shown(standing, ""), **filled)
        note(request, visitor, "export", given.blog.strip(), given.form)
        return go(request, EXPORTS, said=_("It is made now; fetch it here when it is done, within a day."))

    @routes.get("/{job}/file")
    def file(visitor: Viewer, standing: StandingNow, job: Annotated[int, Path(ge=1, le=2**62)]) -> Response:
        path = fetched_export(standing.archive, job)
        if path is None:
            raise not_found(_("This export is no longer here; ask for it once more."))
        return FileResponse(path, filename=file_name(standing.archive, job), media_type="application/octet-stream")

    return routes


def _chosen(asked: OutputAsked) -> PostSearch | None:
    """The posts that are asked for, of whatever blog; None where that is all of them."""
    search = replace(asked.search(), blog="")
    return None if search == PostSearch() else search


def _form(standing: Standing, asked: OutputAsked, form: str = "", wrong: str = "") -> dict[str, Any]:
    """What the form shows: what was filled in, what was wrong with it, names of blogs to choose
    from, and where some posts are asked for, which, and what can hold them.
    """
    offered = standing.archive.store.followed.page(FollowedQuery(sort="title", limit=OFFERED)).items
    search = _chosen(asked)
    return {
        "blogs": [one for one in offered if one.blog],
        "blog": asked.blog,
        "form": form,
        "wrong": wrong,
        "offered": [one for one in FORMATS if search is None or one not in WHOLE_BLOGS],
        "chosen": told_search(search) if search else [],
        "fields": [(name, value) for name, value in values_of(search).items() if name != "blog"] if search else [],
    }


def _meant(standing: Standing, wanted: str) -> str:
    """The blog that somebody means: by its id, or by words of its address or title that no other has."""
    store = standing.archive.store
    if not wanted or store.followed.find(wanted) or store.blogs.find(wanted):
        return wanted
    found = [one for one in store.followed.page(FollowedQuery(wanted, limit=SEVERAL)).items if one.blog]
    if len(found) > 1:
        names = ", ".join(one.title or one.id for one in found)
        raise UsageError(_("Several blogs are called so: %(names)s. Say which.") % {"names": names})
    return found[0].id if found else wanted


def _shown(standing: Standing, after: str) -> dict[str, Any]:
    found, following = list_exports(standing.archive, SHOWN, place_of(after, int))
    is_under_way = any(one.job.state in OPEN for one in found)
    followed = standing.archive.store.followed
    titles = {one.blog: followed.in_archive(one.blog) for one in found if one.blog}
    return {
        "exports": found,
        "names": {blog: ones[0].title or blog for blog, ones in titles.items() if ones},
        "size_of": lambda one: size_of_file(standing.archive, one),
        "formats": FORMATS,
        "told_search": told_search,
        "after": after,
        "next": cursor_of(following),
        "is_under_way": is_under_way,
    }


def _known(form: str) -> ExportFormat:
    for known in get_args(ExportFormat):
        if form == known:
            return known  # type: ignore[no-any-return]  # get_args does not say of what
    raise UsageError(_("There is no such form of export."))
