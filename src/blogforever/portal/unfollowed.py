"""Blogs of the archive that nobody follows: whoever stopped too early, or by mistake, finds them here, and goes on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response

from blogforever.records import BlogRecord
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.standing import Standing
from blogforever.source.given import GivenRow

from .add import PASTE
from .asked import StandingNow
from .fields import place
from .page import go, page
from .refusing import not_found
from .showing import told
from .visitors import Curator, Viewer, desk_for, note
from .words import _

PATH = "/unfollowed"
LONGEST_ID = 300
# Blogs on a page: the posts of each are counted.
SHOWN = 50


def left_blog(standing: StandingNow, blog: Annotated[str, Path(max_length=LONGEST_ID)]) -> BlogRecord:
    """The blog of the archive that an address names; one that is hidden is not there."""
    record = _shown_blog(standing, blog)
    if record is None:
        raise not_found(_("No blog %(name)s is followed. It may have been taken back.") % {"name": blog})
    return record


def _shown_blog(standing: Standing, name: str) -> BlogRecord | None:
    """A blog of the archive with an address to go on with; None where it is hidden."""
    record = standing.archive.store.blogs.find(name)
    return record if record and record.url and not standing.archive.veil.blog(name) else None


LeftBlog = Annotated[BlogRecord, Depends(left_blog)]


def unfollowed_routes() -> APIRouter:
    """`/unfollowed`, and the way back for one blog."""
    routes = APIRouter()

    @routes.get(PATH)
    def unfollowed(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        after: Annotated[str, Query(max_length=LONGEST_ID)] = "",
    ) -> Response:
        store = standing.archive.store
        found = store.followed.unfollowed(after, SHOWN + 1)
        shown = [record for name in found[:SHOWN] if (record := _shown_blog(standing, name))]
        blogs = [(one, sum(store.posts.months(one.id).values())) for one in shown]
        following = found[SHOWN - 1] if len(found) > SHOWN else ""
        return page(request, "unfollowed.html", blogs=blogs, next=following, first=PATH if after else "")

    @routes.post("/sources/{blog}/follow")
    def follow(request: Request, visitor: Curator, left: LeftBlog) -> Response:
        """Go on with it, under the title that it has."""
        row = GivenRow(1, left.url, left.url, title=left.title or "")
        added = add_sources(desk_for(request, visitor), AddRequest([row], PASTE))
        note(request, visitor, "add sources", added.batch.id, left.url)
        came_to = added.rows[0]
        if came_to.blog is None:
            return go(request, place(left.id), _("It is blocked: %(reason)s.") % {"reason": told(came_to.reason)})
        return go(request, place(came_to.blog), _("It is followed again, and looked at in its turn."))

    return routes
