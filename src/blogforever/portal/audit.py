"""The audit log: what was done, by whom, to what."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of

from .asked import StoreNow
from .fields import place
from .login import LONGEST_NAME
from .page import address, page
from .visitors import Administrator

AUDIT = "/settings/audit"
SHOWN = 50


def audit_routes() -> APIRouter:
    """`/settings/audit`."""
    routes = APIRouter(prefix=AUDIT)

    @routes.get("")
    def audit(
        request: Request,
        visitor: Administrator,
        store: StoreNow,
        who: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        found = store.audit.newest(SHOWN + 1, place_of(after, int), who)
        following = cursor_of(found[SHOWN - 1].id) if len(found) > SHOWN else None
        here = address(AUDIT, {"who": who})
        first = here if after else ""
        people = [user.name for user in store.users.all()]
        blogs = store.followed.some({deed.target for deed in found[:SHOWN] if deed.target})
        known: dict[str, Any] = {"deeds": found[:SHOWN], "who": who, "people": people, "list": here}
        known["targets"] = {blog.id: (place(blog), blog.title or blog.id) for blog in blogs}
        return page(request, "audit.html", **known, next=following, first=first)

    return routes
