"""Webhooks: who wants to be told what becomes of posts, how telling them goes, and what could not be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .news import NewsKind


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that is told of news: of some kinds or all, of all
    blogs or of one, of a list, of those with a tag.

    Its secret signs what is sent; it is kept as it is because nobody can sign with a digest.
    """

    id: str
    url: str
    secret: str
    created: str
    by: str = ""
    events: tuple[NewsKind, ...] = ()
    blog: str = ""
    list: str = ""
    tag: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class HookStanding:
    """How telling a webhook goes: how often it was told, when last; how often
    what is to be told now was tried in vain, up to which number of the news
    that goes, when it is tried again, and what was answered last.
    """

    hook: str
    sent: int = 0
    last_sent: str | None = None
    tries: int = 0
    until: int = 0
    next_try: str = ""
    status: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """News that a webhook did not take, however often they were sent: from
    one number to another. `again` says that somebody wants them sent once more.
    """

    hook: str
    first: int
    last: int
    at: str
    tries: int = 0
    status: int = 0
    error: str = ""
    again: bool = False
    id: int = 0


def reader_of(hook: str) -> str:
    """The name under which a webhook reads the news."""
    return f"webhook {hook}"


class HookTable(Protocol):
    """Webhooks with how they stand, and their dead letters."""

    def keep(self, hook: Webhook) -> None:
        """Keep a webhook; one of the same id is replaced."""

    def find(self, hook: str) -> Webhook | None:
        """The webhook with this id."""

    def all(self) -> list[Webhook]:
        """All, in the order of their ids."""

    def drop(self, hook: str) -> bool:
        """It is told nothing more, and its dead letters go; whether there was one."""

    def standing(self, hook: str) -> HookStanding:
        """How telling it goes."""

    def stand(self, standing: HookStanding) -> None:
        """So it goes now."""

    def bury(self, letter: DeadLetter) -> None:
        """Keep what could not be told; one with the same id is replaced, without an id it gets one."""

    def dead(self, limit: int, before: int | None = None, hook: str = "") -> list[DeadLetter]:
        """Dead letters, newest first; those of one webhook, where it is said whose."""

    def letter(self, letter: int) -> DeadLetter | None:
        """The dead letter with this id."""

    def wanted_again(self, hook: str) -> DeadLetter | None:
        """The oldest of a webhook that somebody wants sent again."""

    def dig_up(self, letter: int) -> bool:
        """It was told after all, or nobody wants it any more; whether there was one."""

    def forget_dead(self, before: str) -> int:
        """Drop those that died before that moment; how many."""
