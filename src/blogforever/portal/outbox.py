"""Outbox: where repositories fetch files by FTP, who may, what waits, what was fetched by whom, and asking again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.service.browsing import find_post
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.outbox import (
    AskWish,
    ListedFile,
    add_account,
    ask_again,
    choose_for_account,
    list_files,
    outbox_view,
    remove_account,
    set_account_password,
)
from blogforever.service.people import LONGEST_PASSWORD, SHORTEST_PASSWORD
from blogforever.service.standing import Standing
from blogforever.storage.outbox import AccountChoice
from blogforever.storage.searches import PostSearch

from .asked import StandingNow, StoreNow
from .fields import LONGEST
from .page import go, page, part
from .visitors import Administrator, Curator, Viewer, note
from .words import N_, _

PATH = "/outbox"
# Files on a page.
SHOWN = 50
# Letters of a title that a table shows.
LONGEST_TITLE = 120
# Letters of many names in one field.
LONGEST_CHOICE = 2000
STATES = {
    "waiting": N_("waiting"),
    "taken": N_("fetched and deleted"),
    "expired": N_("older than a day"),
    "withdrawn": N_("withdrawn"),
}
KINDS = {"post": N_("post"), "tombstone": N_("tombstone")}
Place = Annotated[str, Query(max_length=LONGEST_CURSOR)]
Word = Annotated[str, Query(max_length=LONGEST)]
Named = Annotated[str, Form(max_length=LONGEST)]
Password = Annotated[str, Form(max_length=LONGEST_PASSWORD)]


class Asked(BaseModel):
    """What somebody wants made once more."""

    after: str = Field(default="", max_length=18, pattern=r"^\d*$")
    account: str = Field(default="", max_length=LONGEST)
    blog: str = Field(default="", max_length=LONGEST)
    list: str = Field(default="", max_length=LONGEST)
    tag: str = Field(default="", max_length=LONGEST)
    words: str = Field(default="", max_length=LONGEST)
    since: str = Field(default="", max_length=40)

    def wish(self) -> AskWish:
        """The same as the outbox takes it."""
        tags = (self.tag.strip(),) if self.tag.strip() else ()
        search = PostSearch(self.words.strip(), self.blog.strip(), self.list, tags=tags, since=self.since)
        return AskWish(
            int(self.after) if self.after else None, None if search == PostSearch() else search, self.account
        )


class ChoiceForm(BaseModel):
    """Of which posts an account is to have files; several names of a kind with commas between them."""

    name: str = Field(max_length=LONGEST)
    blogs: str = Field(default="", max_length=LONGEST_CHOICE)
    lists: str = Field(default="", max_length=LONGEST_CHOICE)
    tags: str = Field(default="", max_length=LONGEST_CHOICE)
    languages: str = Field(default="", max_length=LONGEST)
    filters: str = Field(default="", max_length=LONGEST_CHOICE)

    def choice(self) -> AccountChoice:
        """The same as the outbox takes it."""
        kinds = (self.blogs, self.lists, self.tags, self.languages, self.filters)
        return AccountChoice(*map(_names, kinds))


class AccountForm(ChoiceForm):
    """Somebody who is to fetch files."""

    password: str = Field(max_length=LONGEST_PASSWORD)


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def outbox_routes() -> APIRouter:
    """`/outbox`."""
    routes = APIRouter(prefix=PATH)
    _add_reading(routes)
    _add_deeds(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get("")
    def outbox(
        request: Request, visitor: Viewer, standing: StandingNow, state: Word = "", after: Place = ""
    ) -> Response:
        return page(request, "outbox.html", **_shown(request, standing, state, after))

    @routes.get("/now")
    def now(request: Request, visitor: Viewer, standing: StandingNow, state: Word = "", after: Place = "") -> Response:
        return part(request, "outboxfiles.html", **_shown(request, standing, state, after))


def _add_deeds(routes: APIRouter) -> None:
    @routes.post("/ask")
    def ask(request: Request, visitor: Curator, standing: StandingNow, asked: Annotated[Asked, Form()]) -> Response:
        made = ask_again(standing.archive, asked.wish(), visitor.name)
        note(request, visitor, "ask for files", str(made.id), asked.account)
        return go(request, PATH, said=_("They are made now, and wait here in a moment."))

    @routes.post("/accounts")
    def add(
        request: Request, visitor: Administrator, standing: StandingNow, new: Annotated[AccountForm, Form()]
    ) -> Response:
        add_account(standing.archive, new.name, new.password, visitor.name, new.choice())
        note(request, visitor, "add ftp account", new.name)
        return go(request, PATH, said=_("%(name)s can fetch what is kept from now on.") % {"name": new.name})

    @routes.post("/accounts/choice")
    def choose(
        request: Request, visitor: Administrator, standing: StandingNow, chosen: Annotated[ChoiceForm, Form()]
    ) -> Response:
        choose_for_account(standing.archive, chosen.name, chosen.choice())
        note(request, visitor, "choose for ftp account", chosen.name)
        return go(request, PATH, said=_("%(name)s gets these posts from now on.") % {"name": chosen.name})

    @routes.post("/accounts/password")
    def change(request: Request, visitor: Administrator, store: StoreNow, name: Named, password: Password) -> Response:
        set_account_password(store, name, password)
        note(request, visitor, "set ftp password", name)
        return go(request, PATH, said=_("%(name)s has another password.") % {"name": name})

    @routes.post("/accounts/remove")
    def remove(request: Request, visitor: Administrator, store: StoreNow, name: Named) -> Response:
        remove_account(store, name)
        note(request, visitor, "remove ftp account", name)
        return go(request, PATH, said=_("%(name)s fetches no more.") % {"name": name})


def _titles(standing: Standing, files: Iterable[ListedFile]) -> dict[str, str]:
    """What posts are called that somebody may see, by their ids."""
    found = (find_post(standing.archive, post) for post in {file.post for file in files})
    return {post.id: (post.title or post.url)[:LONGEST_TITLE] for post in found if post}


def _chosen(choice: AccountChoice, filters: Mapping[str, str]) -> str:
    """What an account chose, in a line."""
    names = (*choice.blogs, *choice.lists, *choice.tags, *choice.languages)
    return ", ".join(filter(None, (*names, _filters_of(choice, filters))))


def _filters_of(choice: AccountChoice, filters: Mapping[str, str]) -> str:
    """The names of the filters that an account chose."""
    return ", ".join(filters.get(one, one) for one in choice.filters)


def _shown(request: Request, standing: Standing, state: str, after: str) -> dict[str, Any]:
    wanted = state if state in STATES else ""
    ftp = standing.ftp
    filters = {one.id: one.name for one in standing.archive.store.ping_filters.all()}
    files, following = list_files(standing.archive.store, SHOWN, place_of(after, int), wanted)
    return {
        "view": outbox_view(standing.archive, ftp.seen_from(request.url.hostname or ""), ftp.fingerprint, ftp.is_plain),
        "files": files,
        "titles": _titles(standing, files),
        "next": cursor_of(following),
        "after": after,
        "state": wanted,
        "states": STATES,
        "kinds": KINDS,
        "shortest": SHORTEST_PASSWORD,
        "lists": [("", _("all")), *((one.name, one.name) for one in standing.archive.store.lists.all())],
        "filters_of": partial(_filters_of, filters=filters),
        "chosen": partial(_chosen, filters=filters),
    }
