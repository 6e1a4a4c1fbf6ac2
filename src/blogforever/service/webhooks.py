"""Webhooks, for people: made, listed, dropped; what could not be told, to be sent again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.fetch.posting import checked_target
from blogforever.storage.deciding import HookDropped, HookKept
from blogforever.storage.hooks import DeadLetter, HookStanding, Webhook, reader_of
from blogforever.storage.news import NEWS_KINDS, NewsKind
from blogforever.storage.tables import Store

from .desk import Desk, new_id
from .signing import new_secret

MOST_HOOKS = 100
"""Webhooks of one service: each is asked for its news every second."""


@dataclass(frozen=True, slots=True)
class HookWish:
    """What somebody wants to be told, and where."""

    url: str
    events: tuple[str, ...] = ()
    blog: str = ""
    list: str = ""
    tag: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ListedHook:
    """A webhook with how telling it goes, and how many news it has not looked at; nobody reads its
    secret again.
    """

    id: str
    url: str
    created: str
    by: str
    events: tuple[NewsKind, ...]
    blog: str
    list: str
    tag: str
    note: str
    waiting: int
    standing: HookStanding


def create_hook(desk: Desk, wish: HookWish) -> Webhook:
    """A webhook that is told what happens from now on; its secret is in it, this once."""
    if len(desk.store.hooks.all()) >= MOST_HOOKS:
        raise UsageError(f"There are {MOST_HOOKS} webhooks already; drop one first.")
    hook = Webhook(
        new_id(),
        checked_target(wish.url),
        new_secret(),
        clock.stamp(),
        desk.by,
        tuple(map(known_event, wish.events)),
        wish.blog.strip(),
        wish.list.strip(),
        wish.tag.strip(),
        wish.note.strip(),
    )
    desk.decide(HookKept(at=clock.stamp(), by=desk.by, hook=hook))
    return hook


def known_event(word: str) -> NewsKind:
    """One of the events there are; UsageError where it is none."""
    for kind in NEWS_KINDS:
        if word.removeprefix("post.") == kind:
            return kind
    raise UsageError(f"There is no event {word[:40]!r}; there are {', '.join(NEWS_KINDS)}.")


def list_hooks(store: Store) -> list[ListedHook]:
    """All webhooks, oldest first."""
    return [listed_hook(store, hook) for hook in store.hooks.all()]


def listed_hook(store: Store, hook: Webhook) -> ListedHook:
    """A webhook as people see it."""
    waiting = max(0, store.news.last() - store.news.reached(reader_of(hook.id)))
    stands = store.hooks.standing(hook.id)
    said = (hook.id, hook.url, hook.created, hook.by, hook.events, hook.blog, hook.list, hook.tag, hook.note)
    return ListedHook(*said, waiting, stands)


def drop_hook(desk: Desk, hook: str) -> None:
    """Tell it nothing more; UsageError where there is none."""
    if desk.store.hooks.find(hook) is None:
        raise UsageError(f"There is no webhook {hook!r}; `blogforever webhooks` lists those there are.")
    desk.decide(HookDropped(at=clock.stamp(), by=desk.by, hook=hook))


def send_again(store: Store, letter: int) -> DeadLetter:
    """Have a dead letter sent once more, at once; UsageError where there is none."""
    again = replace(_dead_letter(store, letter), again=True)
    store.hooks.bury(again)
    return again


def throw_away(store: Store, letter: int) -> None:
    """Nobody wants it told any more."""
    store.hooks.dig_up(_dead_letter(store, letter).id)


def _dead_letter(store: Store, letter: int) -> DeadLetter:
    found = store.hooks.letter(letter)
    if found is None:
        raise UsageError(f"There is no dead letter {letter}; `blogforever webhooks dead` lists those there are.")
    return found
