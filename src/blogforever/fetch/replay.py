"""A Fetcher over WARC files: no network, no delays, no robots; what is not there answers 404."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count

from blogforever.discover.blocked import diagnose
from blogforever.model import Page
from blogforever.protocols import Answer, Ask, Lane, PageHandler, Ref, ResponseReader

from .interrupt import Interrupt

PAGES = frozenset({"home", "entry", "page"})


class ReplayFetcher:
    """Serves a crawl from responses that somebody kept."""

    def __init__(self, reader: ResponseReader) -> None:
        self._reader = reader

    def run(self, lanes: list[Lane]) -> list[str]:
        """One crawl after the other."""
        return [self._run(lane.handler) for lane in lanes]

    def _run(self, handler: PageHandler) -> str:
        """Answer every Ask, the most urgent first, until there are no more."""
        queue: list[tuple[int, int, Ask]] = []
        number = count()

        def add(asks: Iterable[Ask]) -> None:
            for ask in asks:
                heapq.heappush(queue, (-ask.priority, next(number), ask))

        with Interrupt() as interrupt:
            add(handler.start())
            while not interrupt.asked:
                if not queue:
                    add(handler.idle())
                if not queue:
                    return "finished"
                add(handler.handle(self.answer(heapq.heappop(queue)[2])))
        return "interrupted"

    def answer(self, ask: Ask) -> Answer:
        """The kept response, or 404."""
        ref = self._reader.find(ask.url)
        if ref is None:
            return Answer(ask, 404)
        status, kept = self._reader.response(ref)
        page = Page(ask.url, kept.content, kept.headers, kept.captured)
        if ask.role in PAGES and (blocked := diagnose(page, status)):
            return Answer(ask, status, ref=ref, failure=blocked)
        return Answer(ask, status, page, kept.headers.get("location"), ref)

    def read(self, ref: Ref) -> Page:
        """A response read again."""
        return self._reader.response(ref)[1]
