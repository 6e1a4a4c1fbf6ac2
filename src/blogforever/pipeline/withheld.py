"""A handler around a crawl that lets nobody ask for what was erased: it is answered with 410 on the spot."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from blogforever.protocols import Answer, Ask, PageHandler

GONE = 410


class Withheld:
    """Passes everything on to the crawl, but requests for what was erased."""

    def __init__(self, handler: PageHandler, erased: Callable[[str], bool]) -> None:
        self._handler, self._erased = handler, erased

    def start(self) -> Iterable[Ask]:
        """The crawl's own first requests."""
        return self._allowed(self._handler.start())

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """What the crawl asks next."""
        return self._allowed(self._handler.handle(answer))

    def idle(self) -> Iterable[Ask]:
        """The crawl's own next step."""
        return self._allowed(self._handler.idle())

    def _allowed(self, asks: Iterable[Ask]) -> list[Ask]:
        waiting, allowed = deque(asks), list[Ask]()
        while waiting:
            ask = waiting.popleft()
            if self._erased(ask.url):
                waiting.extend(self._handler.handle(Answer(ask, GONE)))
            else:
                allowed.append(ask)
        return allowed
