"""How far long work is, for whoever listens: said deep inside, heard at the terminal, and nowhere where nobody does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Headway:
    """So much is done of something; a total of 0 is not known."""

    doing: str
    done: int
    total: int = 0
    things: str = ""


class Listener(Protocol):
    """Who wants to hear."""

    def hear(self, headway: Headway) -> None:
        """So far it is; called often, and from any thread."""

    def interrupted(self, times: int, pages: int) -> None:
        """A person asked to stop, for this many times; so many pages are under way."""


_listeners: list[Listener] = []


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let this one hear for a while, in place of others."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(doing: str, done: int, total: int = 0, things: str = "") -> None:
    """Say how far it is."""
    if _listeners:
        _listeners[-1].hear(Headway(doing, done, total, things))


def told_of(items: Iterable[Item], doing: str, total: int = 0, things: str = "") -> Iterator[Item]:
    """These, with a word on each that is begun."""
    for done, item in enumerate(items):
        tell(doing, done, total, things)
        yield item


def tell_interrupt(times: int, pages: int) -> None:
    """Say that a person asked to stop."""
    if _listeners:
        _listeners[-1].interrupted(times, pages)
