"""Hide a post or a comment, with a way back; erase it, or a sentence, without one: first seen, then done."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.archive.suppressing import Meant
from blogforever.records import CommentRecord, PostRecord
from blogforever.service.hiding import erase_for_good, hide, seen_before_erasing
from blogforever.service.reading import title_of
from blogforever.service.standing import Standing

from .asked import StandingNow
from .finding import PostId, found_post
from .page import go, page
from .refusing import not_found
from .visitors import Administrator, Curator, note
from .words import _

LONGEST_REASON, LONGEST_ID = 1000, 200
# Letters of a passage: more is better erased as a whole post or comment.
LONGEST_PASSAGE = 4000
# Addresses of one kind that are shown before something is erased; of more, how many they are.
SHOWN = 20
HIDDEN = "/hidden"


class EraseForm(BaseModel):
    """What is to be erased: words, else a comment, else the post; `sure` once it was seen what goes."""

    reason: str = Field(max_length=LONGEST_REASON)
    comment: str = Field("", max_length=LONGEST_ID)
    passage: str = Field("", max_length=LONGEST_PASSAGE)
    sure: str = Field("", max_length=LONGEST_ID)

    def meant(self, post: PostRecord) -> Meant:
        """The same as the archive takes it."""
        words = self.passage.strip()
        return Meant(words, "words", post.blog) if words else meant_by(post, self.comment)


def meant_by(post: PostRecord, comment: str) -> Meant:
    """A comment, or where none is named the post."""
    return Meant(comment, "comment", post.blog) if comment else Meant(post.url, "url", post.blog)


def withholding_routes(routes: APIRouter) -> None:
    """`/posts/{id}/hide` and `/posts/{id}/erase`."""

    @routes.get("/{post}/hide")
    def ask(
        request: Request,
        visitor: Curator,
        standing: StandingNow,
        post: PostId,
        comment: Annotated[str, Query(max_length=LONGEST_ID)] = "",
    ) -> Response:
        """What can be done about it."""
        return page(request, "hide.html", **_about(standing, found_post(standing, post), comment))

    @routes.post("/{post}/hide")
    def hide_it(
        request: Request,
        visitor: Curator,
        standing: StandingNow,
        post: PostId,
        reason: Annotated[str, Form(max_length=LONGEST_REASON)] = "",
        until: Annotated[str, Form(max_length=10)] = "",
        comment: Annotated[str, Form(max_length=LONGEST_ID)] = "",
    ) -> Response:
        """Show it to nobody, for good or up to a day; the journal keeps the reason."""
        record = found_post(standing, post)
        hide(standing.archive, meant_by(record, comment), reason, until)
        note(request, visitor, "hide comment" if comment else "hide post", post, reason)
        told = _("The comment is hidden; the archive keeps it.") if comment else None
        return go(request, HIDDEN, told or _("The post is hidden; the archive keeps it."))

    @routes.post("/{post}/erase")
    def erase(
        request: Request,
        visitor: Administrator,
        standing: StandingNow,
        post: PostId,
        given: Annotated[EraseForm, Form()],
    ) -> Response:
        """Show what would go; once somebody is sure, take it out of the archive."""
        record = found_post(standing, post)
        meant = given.meant(record)
        if not given.sure:
            seen = seen_before_erasing(standing.archive, meant, given.reason)
            about = _about(standing, record, given.comment)
            return page(request, "erase.html", **about, given=given, seen=seen, shown=SHOWN)
        done = erase_for_good(standing.archive, meant, given.reason)
        # What was erased must not live on in the log either: neither its words nor why it went.
        note(request, visitor, "erase", post)
        numbers = {"pages": done.dropped + done.blanked, "posts": done.posts + done.records}
        told = _("Erased. Archived responses concerned: %(pages)s; posts: %(posts)s. Make backups and exports again.")
        return go(request, HIDDEN, told % numbers)


def _about(standing: Standing, record: PostRecord, comment: str) -> dict[str, Any]:
    chosen = _comment(record, comment) if comment else None
    return {"record": record, "blog": title_of(standing.archive, record.blog), "comment": chosen}


def _comment(record: PostRecord, wanted: str) -> CommentRecord:
    found = next((one for one in record.comments if one.id == wanted), None)
    if found is None:
        raise not_found(_("There is no such comment, or it must not be shown."))
    return found
