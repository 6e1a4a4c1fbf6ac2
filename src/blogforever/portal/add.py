"""Add: one address at once from the box of every screen, or a list that is looked through before anything happens."""

from __future__ import annotations

import io
from http import HTTPStatus
from typing import IO, Annotated

from fastapi import APIRouter, Form, Query, Request, UploadFile
from fastapi.responses import Response
from pydantic import Field

from blogforever.errors import UsageError
from blogforever.service.adding import Added, AddRequest, add_sources
from blogforever.service.handedin import LARGEST_LIST, ListDraft
from blogforever.source.given import BlogMetadata
from blogforever.source.reading import given_in_paste
from blogforever.storage.following import SourceRow
from blogforever.storage.tables import Store

from .asked import StandingNow, StoreNow
from .fields import LONGEST, LONGEST_TEXT, METADATA, MetadataForm, Text, place, split_names
from .output import PATH as OUTPUT
from .page import address, go, page
from .showing import told
from .visitors import Curator, desk_for, note
from .words import _, plural

PATH = "/add"
PASTE = "paste"
# Characters of the box of every screen: whoever pastes more has a list.
LONGEST_QUICK = 2000
# Batches that are named below the form.
SHOWN_BATCHES = 5
IntoList = Annotated[str, Query(alias="list", max_length=LONGEST)]


def add_routes() -> APIRouter:
    """`/add` and what leads on from there."""
    routes = APIRouter()
    _add_asking(routes)
    _add_looking_through(routes)
    return routes


def _add_asking(routes: APIRouter) -> None:
    @routes.get(PATH)
    def ask(
        request: Request, visitor: Curator, standing: StandingNow, draft: str = "", into: IntoList = ""
    ) -> Response:
        """An empty form, for a list where one is named; or what somebody pasted and looked through, to be changed."""
        try:
            found = standing.drafts.find(draft, visitor.name) if draft else None
        except UsageError:
            found = None
        text = found.path.read_text(encoding="utf-8", errors="replace") if found and is_pasted(found) else ""
        return _form(request, standing.archive.store, text, given=found.request if found else AddRequest((), list=into))

    @routes.post(f"{PATH}/quick")
    def quick(
        request: Request,
        visitor: Curator,
        store: StoreNow,
        text: Annotated[str, Form(max_length=LONGEST_QUICK)] = "",
    ) -> Response:
        """Add what stands in the box of every screen, at once."""
        rows = list(given_in_paste(text))
        if not any(row.url for row in rows):
            wrong = rows[0].problem if rows else _("Write the address of a blog.")
            return _form(request, store, text, wrong, sought=text.strip())
        added = add_sources(desk_for(request, visitor), AddRequest(rows, PASTE))
        note(request, visitor, "add sources", added.batch.id, f"{len(added.rows)} rows")
        if len(added.rows) > 1:
            return go(request, f"/batches/{added.batch.id}")
        return _after_one(request, store, added.rows[0])


def _done(added: Added) -> str:
    """What came of a list, in a sentence."""
    new = added.verdicts["new"]
    if not new:
        return _("Nothing of it was new; list and tags were taken over.")
    return plural("%(num)s new blog is followed from now on.", "%(num)s new blogs are followed from now on.", new)


def _after_one(request: Request, store: Store, row: SourceRow) -> Response:
    """Where somebody goes who has added one address."""
    reason = {"reason": told(row.reason)}
    if row.blog is None:
        return _form(request, store, row.input, _("It is blocked: %(reason)s.") % reason)
    if row.verdict == "known":
        return go(request, place(row.blog), _("It is known already: %(reason)s.") % reason)
    return go(request, place(row.blog), _("It is followed from now on; its first harvest begins in its turn."))


def is_pasted(draft: ListDraft) -> bool:
    """Whether a list was pasted, so that it can be changed in the form; a file is changed where it lies."""
    return draft.request.origin == PASTE


def _form(
    request: Request, store: Store, text: str = "", wrong: str = "", given: AddRequest | None = None, sought: str = ""
) -> Response:
    """The form; `sought` is what somebody wrote who may have meant to search for it."""
    batches = store.sources.batches(limit=SHOWN_BATCHES)
    return page(
        request,
        "add.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        text=text,
        wrong=wrong,
        search=address(OUTPUT, {"q": sought[:LONGEST]}) if sought else "",
        lists=[one.name for one in store.lists.all()],
        batches=batches,
        verdicts={batch.id: dict(store.sources.verdicts(batch.id)) for batch in batches},
        metadata=METADATA,
        given=given or AddRequest(()),
        is_described=given is not None and given.metadata != BlogMetadata(),
        megabytes=LARGEST_LIST // 1_000_000,
    )


class ListForm(MetadataForm):
    """A list that somebody pastes or uploads, and what is said of all of it."""

    into: str = Field("", alias="list", max_length=LONGEST)
    tags: str = Field("", max_length=LONGEST_TEXT)
    text: str = ""
    file: UploadFile | None = None

    def request(self) -> AddRequest:
        """What is said of all rows, which are still to be read."""
        origin = self.file.filename if self.file and self.file.filename else PASTE
        return AddRequest((), origin[:LONGEST], self.into.strip(), split_names(self.tags), self.metadata())

    def data(self) -> IO[bytes] | None:
        """What was handed over; nothing, where neither a file was chosen nor anything pasted."""
        if self.file and self.file.filename:
            return self.file.file
        return io.BytesIO(self.text.encode("utf-8", "replace")) if self.text.strip() else None


def _add_looking_through(routes: APIRouter) -> None:
    @routes.post(f"{PATH}/preview")
    def hand_over(
        request: Request, visitor: Curator, standing: StandingNow, given: Annotated[ListForm, Form()]
    ) -> Response:
        """Take a list, and show what would come of it."""
        data = given.data()
        if data is None:
            return _form(request, standing.archive.store, wrong=_("Paste some addresses, or choose a file."))
        draft = standing.drafts.hand_over(desk_for(request, visitor), data, given.request())
        return go(request, f"{PATH}/preview/{draft.id}")

    @routes.get(f"{PATH}/preview/{{draft}}")
    def look_through(request: Request, visitor: Curator, standing: StandingNow, draft: str) -> Response:
        try:
            found = standing.drafts.find(draft, visitor.name)
        except UsageError:
            return go(request, PATH, _("That list is no longer here: hand it over once more."))
        return page(
            request,
            "preview.html",
            draft=found,
            preview=found.preview,
            asked=found.request,
            pasted=is_pasted(found),
            metadata=METADATA,
        )

    @routes.post(f"{PATH}/confirm")
    def confirm(
        request: Request, visitor: Curator, standing: StandingNow, draft: Text, answer: Text = "add"
    ) -> Response:
        """Let it happen, or not."""
        found: ListDraft = standing.drafts.find(draft, visitor.name)
        if answer != "add":
            standing.drafts.drop(found)
            return go(request, PATH, _("Nothing was added."))
        added = standing.drafts.add(desk_for(request, visitor), found)
        note(request, visitor, "add sources", added.batch.id, f"{len(added.rows)} rows of {added.batch.origin}")
        return go(request, f"/batches/{added.batch.id}", _done(added))
