"""The looks of an update on their way: which address was asked for, and why."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.protocols import Ask
from blogforever.urls import without_mark

from .rechecks import Look

POST_PRIORITY, TURN_PRIORITY = 8, 4
"""What something speaks for comes before posts whose turn it only is."""


class LooksAsked:
    """Turns looks into requests, and knows of each answer which look it belongs to."""

    def __init__(self) -> None:
        self._looks: dict[str, Look] = {}
        self._pages: dict[str, list[Look]] = {}
        """The looks that each page was last asked for: at several of the posts that share it."""

    def __contains__(self, url: object) -> bool:
        return url in self._looks

    def ask(self, looks: Iterable[Look]) -> list[Ask]:
        """Requests for the addresses among these that were not asked for."""
        new = {look.url: look for look in looks if look.url not in self._looks}
        self._looks |= new
        return [Ask(page, "entry", max(map(_priority, on_page))) for page, on_page in self._by_page(new.values())]

    def ask_again(self, looks: Iterable[Look]) -> list[Ask]:
        """Requests for looks that some later step needs, whether their addresses were asked for or
        not.
        """
        wanted = list(looks)
        self._looks |= {look.url: look for look in wanted}
        return [Ask(page, "entry", TURN_PRIORITY) for page, _looks in self._by_page(wanted)]

    def _by_page(self, looks: Iterable[Look]) -> list[tuple[str, list[Look]]]:
        pages: dict[str, list[Look]] = {}
        for look in looks:
            pages.setdefault(without_mark(look.url), []).append(look)
        self._pages |= pages
        return list(pages.items())

    def looks_of(self, ask: Ask) -> list[Look]:
        """Why this was asked for."""
        return self._pages[ask.first]


def _priority(look: Look) -> int:
    return TURN_PRIORITY if look.why == "turn" else POST_PRIORITY
