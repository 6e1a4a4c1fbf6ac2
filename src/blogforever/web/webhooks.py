"""Webhooks over the API: made, listed, dropped; what they did not take, to be sent again."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.webhooks import (
    HookWish,
    ListedHook,
    create_hook,
    drop_hook,
    list_hooks,
    listed_hook,
    send_again,
    throw_away,
)
from blogforever.storage.hooks import DeadLetter, Webhook
from blogforever.storage.news import NEWS_KINDS
from blogforever.storage.tables import Store

from .access import Admin, desk_for, note
from .made import MADE, made_at
from .paging import USUAL, After, ItemPage, Limit, WantedPart
from .texts import LONGEST_NAME, LONGEST_NOTE, Event, Name

# No address is longer.
LONGEST_ADDRESS = 2000
LetterNumber = Annotated[int, Path(ge=1, le=2**62)]


class NewHookRequest(BaseModel):
    """A webhook to be made; what is left out means all."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(min_length=1, max_length=LONGEST_ADDRESS)
    events: tuple[Event, ...] = Field(default=(), max_length=len(NEWS_KINDS))
    blog: Name = ""
    in_list: Name = Field(default="", alias="list")
    tag: Name = ""
    note: str = Field(default="", max_length=LONGEST_NOTE)


class MadeHook(BaseModel):
    """A webhook that was just made, with the secret that signs what it is sent, this once."""

    webhook: ListedHook
    secret: str


def webhook_routes() -> APIRouter:
    """Who is told of news."""
    routes = APIRouter(prefix="/webhooks", tags=["webhooks"])
    _add_dead_letters(routes)
    _add_hooks(routes)
    return routes


def _add_hooks(routes: APIRouter) -> None:
    @routes.get("")
    def hooks(store: StoreNow, _token: Admin, part: WantedPart) -> ItemPage[ListedHook]:
        return part.of(list_hooks(store), lambda one: one.id)

    @routes.get("/{hook}")
    def one(hook: str, store: StoreNow, _token: Admin) -> ListedHook:
        return listed_hook(store, _found_hook(store, hook))

    @routes.post("", status_code=HTTPStatus.CREATED, responses=MADE)
    def create(
        new: NewHookRequest, standing: StandingNow, token: Admin, request: Request, response: Response
    ) -> MadeHook:
        """Tell an address of what becomes of posts from now on."""
        wish = HookWish(new.url, new.events, new.blog, new.in_list, new.tag, new.note)
        made = create_hook(desk_for(standing, token), wish)
        store = standing.archive.store
        note(store, token, "create webhook", made.id, made.url[:LONGEST_NAME])
        made_at(request, response, made.id)
        return MadeHook(webhook=listed_hook(store, made), secret=made.secret)

    @routes.delete("/{hook}", status_code=HTTPStatus.NO_CONTENT)
    def drop(hook: str, standing: StandingNow, token: Admin) -> None:
        """Tell it nothing more."""
        _found_hook(standing.archive.store, hook)
        drop_hook(desk_for(standing, token), hook)
        note(standing.archive.store, token, "drop webhook", hook)


def _add_dead_letters(routes: APIRouter) -> None:
    @routes.get("/dead")
    def dead(
        store: StoreNow,
        _token: Admin,
        hook: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[DeadLetter]:
        """What was not taken, however often it was sent; newest first."""
        found = store.hooks.dead(limit + 1, place_of(after, int), hook)
        following = found[limit - 1].id if len(found) > limit else None
        return ItemPage(items=found[:limit], next=cursor_of(following))

    @routes.post("/dead/{letter}/again", status_code=HTTPStatus.ACCEPTED)
    def again(letter: LetterNumber, store: StoreNow, token: Admin) -> DeadLetter:
        """Send it once more."""
        _found_letter(store, letter)
        note(store, token, "send dead letter again", str(letter))
        return send_again(store, letter)

    @routes.delete("/dead/{letter}", status_code=HTTPStatus.NO_CONTENT)
    def throw(letter: LetterNumber, store: StoreNow, token: Admin) -> None:
        """Nobody wants it told any more."""
        _found_letter(store, letter)
        throw_away(store, letter)
        note(store, token, "drop dead letter", str(letter))


def _found_hook(store: Store, hook: str) -> Webhook:
    found = store.hooks.find(hook)
    if found is None:
        raise not_found(f"There is no webhook {hook!r}.")
    return found


def _found_letter(store: Store, letter: int) -> None:
    if store.hooks.letter(letter) is None:
        raise not_found(f"There is no dead letter {letter}.")
