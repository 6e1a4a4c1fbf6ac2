"""A Fetcher over WARC files: no network, no delays, no robots; what is not there answers 404."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import count

from blogforever.discover.blocked import diagnose
from blogforever.errors import OWN_TROUBLE, BadInput
from blogforever.model import Failure, Page
from blogforever.protocols import (
    PAGE_ROLES,
    REDIRECTS,
    Answer,
    Ask,
    Lane,
    Ref,
    Renderer,
    ResponseReader,
    Served,
    Wanted,
    why_cut,
)
from blogforever.urls import join, other_spellings

from .drawing import can_be_drawn, drawn_answer, drawn_before
from .interrupt import Interrupt

# As many redirects as browsers follow within reason; a ring has no end.
HOPS = 8
MOVED, NOT_THERE = 301, 404
DAMAGED = "damaged record"


class ReplayFetcher:
    """Serves a crawl from responses that somebody kept."""

    def __init__(
        self,
        reader: ResponseReader,
        renderer: Callable[[], Renderer] | None = None,
        own: ResponseReader | None = None,
        whole: bool = False,
    ) -> None:
        """`own` reads what lies in the archive: what was taken into it, and what was drawn.

        `whole` says that the responses are all that a crawl asked for: what is not among them was
        not there.
        """
        self._reader, self._renderer, self._whole = reader, renderer, whole
        self._own = reader if own is None else own

    def run(self, lanes: list[Lane]) -> list[str]:
        """One crawl after the other."""
        if self._renderer is None:
            return self._run_all(lanes, self._from_files)
        loop = asyncio.new_event_loop()
        renderer = loop.run_until_complete(_made(self._renderer))

        def drawn(lane: Lane, ask: Ask) -> Answer:
            return loop.run_until_complete(self._draw(ask, lane, renderer))

        try:
            return self._run_all(lanes, drawn)
        finally:
            loop.run_until_complete(renderer.close())
            loop.close()

    def _run_all(self, lanes: list[Lane], answer: Callable[[Lane, Ask], Answer]) -> list[str]:
        for lane in lanes:
            try:
                lane.ending = self._run(lane, partial(answer, lane))
            except OWN_TROUBLE:
                raise
            except Exception as error:  # raised when the others are done
                lane.fault = error
        faults = [lane.fault for lane in lanes if lane.fault]
        if faults:
            raise faults[0]
        return [lane.ending for lane in lanes]

    def _from_files(self, lane: Lane, ask: Ask) -> Answer:
        return self.answer(lane.source or self._reader, ask)

    def _run(self, lane: Lane, answer: Callable[[Ask], Answer]) -> str:
        """Answer every Ask, the most urgent first, until there are no more."""
        handler = lane.handler
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
                    lane.done()
                    return "finished"
                add(handler.handle(answer(heapq.heappop(queue)[2])))
        return "interrupted"

    def answer(self, source: ResponseReader, ask: Ask) -> Answer:
        """The kept response, or 404.

        With what was drawn of it, where that is asked for and kept.
        """
        answer = self._plain(source, ask)
        try:
            return drawn_before(answer, source) or answer
        except BadInput as error:
            return replace(answer, failure=Failure(ask.url, DAMAGED, str(error)))

    def _plain(self, source: ResponseReader, ask: Ask) -> Answer:
        try:
            ref = source.find(ask.url)
            if ref is None:
                return Answer(ask, NOT_THERE) if self._whole else self._elsewhere(source, ask)
            status, kept = source.response(ref)
        except BadInput as error:
            return Answer(ask, 0, failure=Failure(ask.url, DAMAGED, str(error)))
        page = Page(ask.url, kept.content, kept.headers, kept.captured)
        if cut := why_cut(kept.headers.get("warc-truncated"), kept.content):
            failure = Failure(ask.url, cut, "only a part of it was kept")
            return Answer(ask, status, ref=ref, failure=failure)
        if ask.role in PAGE_ROLES and (blocked := diagnose(page, status)):
            return Answer(ask, status, ref=ref, failure=blocked)
        return Answer(ask, status, page, kept.headers.get("location"), ref)

    @staticmethod
    def _elsewhere(source: ResponseReader, ask: Ask) -> Answer:
        """Where only another spelling of the address was kept, what its server would have said:
        that it is there.
        """
        kept = (other for other in other_spellings(ask.url) if source.find(other))
        there = next(kept, None)
        return Answer(ask, MOVED, location=there) if there else Answer(ask, NOT_THERE)

    def read(self, ref: Ref) -> Page:
        """A response read again."""
        return (self._reader if ref.outside else self._own).response(ref)[1]

    async def _draw(self, ask: Ask, lane: Lane, renderer: Renderer) -> Answer:
        source = lane.source or self._reader
        answer = self._plain(source, ask)
        if not can_be_drawn(answer):
            return answer
        return await drawn_answer(answer, renderer, partial(self._serve, source), lane.keep_drawn)

    async def _serve(self, source: ResponseReader, wanted: Wanted) -> Served | None:
        """What a browser loads comes out of the files, too, or not at all."""
        url = wanted.url
        for _ in range(HOPS):
            try:
                ref = source.find(url)
                if ref is None:
                    return None
                status, kept = source.response(ref)
            except BadInput:
                return None
            place = join(url, kept.headers.get("location", "")) if status in REDIRECTS else None
            if place is None:
                return Served(url, status, tuple(kept.headers.items()), kept.content)
            url = place
        return None


async def _made(renderer: Callable[[], Renderer]) -> Renderer:
    """A renderer belongs to the loop it is made in."""
    return renderer()
