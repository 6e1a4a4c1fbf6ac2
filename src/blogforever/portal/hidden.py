"""What is hidden: with its reason, until when, and the way back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from blogforever.service.hiding import hidden_things, show_again

from .asked import StandingNow
from .page import go, page
from .visitors import Curator, note
from .words import _

PATH = "/hidden"
Text = Annotated[str, Form(max_length=4000)]


def hidden_routes() -> APIRouter:
    """`/hidden`."""
    routes = APIRouter()

    @routes.get(PATH)
    def hidden(request: Request, visitor: Curator, standing: StandingNow) -> Response:
        return page(request, "hidden.html", hidden=hidden_things(standing.archive))

    @routes.post(f"{PATH}/show")
    def show(
        request: Request, visitor: Curator, standing: StandingNow, target: Text, kind: Text, reason: Text = ""
    ) -> Response:
        """Show it again."""
        show_again(standing.archive, target, kind, reason)
        note(request, visitor, "show again", target, reason)
        return go(request, PATH, _("It is shown again."))

    return routes
