"""Webhooks: which programs are told what becomes of posts, how that goes, and what they did not take."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.service.output import blog_meant
from blogforever.service.searches import LONGEST_NAME
from blogforever.service.webhooks import HookWish, create_hook, drop_hook, list_hooks, send_again, throw_away
from blogforever.storage.news import NEWS_KINDS
from blogforever.storage.tables import Store

from .asked import StandingNow, StoreNow
from .page import go, page
from .visitors import Administrator, desk_for, note
from .words import N_, _

WEBHOOKS = "/settings/webhooks"
EVENTS = {
    "new": N_("a post is new"),
    "changed": N_("its author edits it"),
    "moved": N_("it gets another address"),
    "commented": N_("it gets comments"),
    "missing": N_("it is missing from its place"),
    "gone": N_("it is gone for good"),
    "back": N_("it is there again"),
}
# No address is longer; and letters that are shown, of those that were not taken.
LONGEST_ADDRESS, SHOWN_LETTERS = 2000, 50
Named = Annotated[str, Form(max_length=LONGEST_NAME)]
LetterNumber = Annotated[int, Form(ge=1, le=2**62)]


class NewHook(BaseModel):
    """Whom to tell, and of what; what is empty means all."""

    url: str = Field(max_length=LONGEST_ADDRESS)
    events: tuple[str, ...] = Field(default=(), max_length=len(NEWS_KINDS))
    blog: str = Field(default="", max_length=LONGEST_NAME)
    list: str = Field(default="", max_length=LONGEST_NAME)
    tag: str = Field(default="", max_length=LONGEST_NAME)
    note: str = Field(default="", max_length=LONGEST_NAME)


def webhook_screen_routes() -> APIRouter:
    """`/settings/webhooks`."""
    routes = APIRouter(prefix=WEBHOOKS)
    _add_letters(routes)

    @routes.get("")
    def webhooks(request: Request, visitor: Administrator, store: StoreNow) -> Response:
        return page(request, "webhooks.html", **_shown(store), made=None)

    @routes.post("")
    def make(
        request: Request, visitor: Administrator, standing: StandingNow, given: Annotated[NewHook, Form()]
    ) -> Response:
        """No redirect: the secret is shown on this page, once."""
        blog = blog_meant(standing.archive, given.blog.strip()) if given.blog.strip() else ""
        wish = HookWish(given.url, tuple(given.events), blog, given.list, given.tag, given.note)
        made = create_hook(desk_for(request, visitor), wish)
        note(request, visitor, "create webhook", made.id, made.url[:LONGEST_NAME])
        return page(request, "webhooks.html", **_shown(standing.archive.store), made=made)

    @routes.post("/drop")
    def drop(request: Request, visitor: Administrator, hook: Named) -> Response:
        drop_hook(desk_for(request, visitor), hook)
        note(request, visitor, "drop webhook", hook)
        return go(request, WEBHOOKS, said=_("The webhook is told nothing any more."))

    return routes


def _add_letters(routes: APIRouter) -> None:
    @routes.post("/again")
    def again(request: Request, visitor: Administrator, store: StoreNow, letter: LetterNumber) -> Response:
        send_again(store, letter)
        note(request, visitor, "send dead letter again", str(letter))
        return go(request, WEBHOOKS, said=_("It is sent once more, at once."))

    @routes.post("/throw")
    def throw(request: Request, visitor: Administrator, store: StoreNow, letter: LetterNumber) -> Response:
        throw_away(store, letter)
        note(request, visitor, "drop dead letter", str(letter))
        return go(request, WEBHOOKS, said=_("It is not sent any more."))


def _shown(store: Store) -> dict[str, Any]:
    hooks = list_hooks(store)
    addresses = {hook.id: hook.url for hook in hooks}
    letters = [(letter, addresses.get(letter.hook, letter.hook)) for letter in store.hooks.dead(SHOWN_LETTERS)]
    lists = [("", _("All"))] + [(one.name, one.name) for one in store.lists.all()]
    return {"hooks": hooks, "letters": letters, "events": EVENTS, "lists": lists}
