"""Pages that were asked for and have not come yet, and the redirects that lead to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from blogforever.protocols import Answer, Ask

Redirect = tuple[Answer, str]
"""An answer that leads on, and where it leads."""
PAGES = frozenset({"page", "entry"})


class UnderWay:
    """No page is asked for a second time only because another address leads to it meanwhile."""

    def __init__(self) -> None:
        self._asked: set[str] = set()
        self._leading: defaultdict[str, list[Redirect]] = defaultdict(list)

    def __contains__(self, url: str) -> bool:
        return url in self._asked

    def asked(self, asks: Iterable[Ask]) -> None:
        """These were asked for now."""
        self._asked.update(ask.url for ask in asks if ask.role in PAGES)

    def wait_for(self, target: str, answer: Answer) -> None:
        """An address leads to a page that is under way: what it means is seen when that has come."""
        self._leading[target].append((answer, target))

    def came(self, ask: Ask) -> list[Redirect]:
        """This one was answered: the redirects that waited for it."""
        self._asked.discard(ask.url)
        return self._leading.pop(ask.url, [])
