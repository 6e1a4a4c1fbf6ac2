"""Lists: what blogs belong to; made, described, dropped, and handed out as files."""

from __future__ import annotations

import io
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from blogforever.service.lists import (
    FILE_TYPES,
    LONGEST_NAME,
    ListFormat,
    all_lists,
    drop_list,
    export_list,
    file_name,
    keep_list,
)

from .asked import StoreNow
from .page import go, page
from .visitors import Curator, Viewer, desk_for, note
from .words import _

PATH = "/lists"
LONGEST_NOTE = 2000
Name = Annotated[str, Form(max_length=LONGEST_NAME)]


def list_routes() -> APIRouter:
    """`/lists`."""
    routes = APIRouter()

    @routes.get(PATH)
    def lists(request: Request, visitor: Viewer, store: StoreNow) -> Response:
        return page(request, "lists.html", lists=all_lists(store))

    @routes.post(PATH)
    def keep(
        request: Request,
        visitor: Curator,
        name: Name,
        remark: Annotated[str, Form(max_length=LONGEST_NOTE)] = "",
    ) -> Response:
        """Make a list, or say something else of it."""
        kept = keep_list(desk_for(request, visitor), name, remark)
        note(request, visitor, "keep list", kept.name)
        return go(request, PATH, _("The list %(name)s is kept.") % {"name": kept.name})

    @routes.post(f"{PATH}/drop")
    def drop(request: Request, visitor: Curator, name: Name) -> Response:
        dropped = drop_list(desk_for(request, visitor), name)
        note(request, visitor, "drop list", dropped.name)
        return go(request, PATH, _("The list %(name)s is no more; its blogs are followed as before.") % {"name": name})

    @routes.get(f"{PATH}/export")
    def export(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        name: Annotated[str, Query(alias="list", max_length=LONGEST_NAME)] = "",
        form: Annotated[ListFormat, Query(alias="format")] = "opml",
    ) -> Response:
        """A list, or all followed blogs, as a file."""
        out = io.BytesIO()
        export_list(store, name, form, out)
        named = {"Content-Disposition": f'attachment; filename="{file_name(name, form)}"'}
        return Response(out.getvalue(), media_type=FILE_TYPES[form], headers=named)

    return routes
