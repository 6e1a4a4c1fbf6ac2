"""One blog's crawl: asks what its handler wants asked, a few at a time, and hands it the answers
one by one.

Nothing here knows a network. Several of these run in one event loop; each ends on its own.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import count
from typing import Literal, Protocol
from urllib.parse import urlsplit

from blogforever.protocols import Answer, Ask, Lane

from .aside import Aside
from .services import budget_of

Ending = Literal["finished", "interrupted", "lost"]

SILENCE = frozenset({"connection", "no such host", "timeout"})
"""Reasons of failures behind which there may be no network at all."""
# So many failures in a row may be a coincidence of dead links; more make us look whether the blog
# is still there.
LOST_AFTER = 15
# Where nothing else is to be asked, the crawl would end here: a short row is enough to look.
LOST_AFTER_LAST = 3
GOOD = 200
# Seconds that who stops waits for what is under way: most of that has not been asked yet, and waits
# for the turn of its host behind others.
GRACE = 10.0


class AnswerSource(Protocol):
    """Where answers come from.

    What cannot be had is an answer, too, and what is raised is trouble of our own.
    """

    async def answer(self, lane: Lane, ask: Ask) -> Answer:
        """What comes back for this."""

    async def reachable(self, lane: Lane, url: str) -> bool:
        """Whether a page that once came still comes."""


class AskQueue:
    """What is still to be asked: of the host that is asked least at this moment, the most urgent
    first.

    So a host that is slow, or has a delay, does not keep what lies elsewhere waiting.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, list[tuple[int, int, Ask]]] = {}
        self._asked: Counter[str] = Counter()
        self._numbers = count()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, ask: Ask) -> None:
        """Queue behind everything that is as urgent."""
        waiting = self._waiting.setdefault(_place(ask), [])
        heapq.heappush(waiting, (-ask.priority, next(self._numbers), ask))

    def take(self) -> Ask:
        """The next one; it counts for its host until it is `done`."""
        place = min(self._waiting, key=lambda name: (self._asked[name], self._waiting[name][0]))
        ask = heapq.heappop(self._waiting[place])[2]
        if not self._waiting[place]:
            del self._waiting[place]
        self._asked[place] += 1
        return ask

    def done(self, ask: Ask) -> None:
        """It was answered."""
        place = _place(ask)
        self._asked[place] -= 1
        if not self._asked[place]:
            del self._asked[place]


def _place(ask: Ask) -> str:
    try:
        return budget_of(urlsplit(ask.url).hostname or "")
    except ValueError:
        # No address at all: the answer will say so.
        return ""


class LaneCrawl:
    """The crawl of one blog from its handler's first request to its last."""

    def __init__(self, lane: Lane, source: AnswerSource, aside: Aside, share: Callable[[], int]) -> None:
        """`share` says how many requests of this blog may be under way at this moment."""
        self._lane, self._source, self._aside, self._share = lane, source, aside, share
        self._queue = AskQueue()
        self._under_way: set[asyncio.Task[Answer]] = set()
        self._looking: set[asyncio.Task[bool]] = set()
        """The look whether the blog is still there."""
        self._arrived: asyncio.Queue[asyncio.Task[Answer]] = asyncio.Queue()
        self._lost = False
        self._good: str | None = None
        self._silent = 0

    @property
    def under_way(self) -> int:
        """How many requests wait for their answer."""
        return len(self._under_way)

    def stop(self) -> None:
        """Ask nothing more; what is under way is still handed over, unless it takes too long."""
        self._lane.stopped = True
        asyncio.get_running_loop().call_later(GRACE, self._leave)

    def _leave(self) -> None:
        """Wait no longer for what has not come: the next crawl asks for it."""
        for task in (*self._under_way, *self._looking):
            task.cancel()

    async def run(self) -> Ending:
        """As `_run` has it; the lane says afterwards how it ended, or what its handler raised."""
        try:
            ending = await self._run()
        except Exception as error:
            self._lane.fault = error
            raise
        self._lane.ending = ending
        return ending

    async def _run(self) -> Ending:
        """Until the handler is satisfied, nothing can be reached any more, or somebody stops it;
        how it ended.

        What the handler raises, and trouble of our own, is raised here. Its long steps, between
        which nothing is under way, are done beside the event loop, so that other crawls go on
        meanwhile.
        """
        handler = self._lane.handler
        try:
            self._add(await self._aside.do(lambda: list(handler.start())))
            while True:
                self._send()
                if self._under_way:
                    if answer := await self._next_answer():
                        await self._hand_over(answer)
                elif self._lane.stopped:
                    return "interrupted"
                elif self._lost:
                    return "lost"
                elif asks := await self._aside.do(lambda: list(handler.idle())):
                    self._add(asks)
                else:
                    await self._aside.do(self._lane.done)
                    return "finished"
        finally:
            for task in self._under_way:
                task.cancel()

    def _add(self, asks: Iterable[Ask]) -> None:
        for ask in asks:
            self._queue.add(ask)

    def _send(self) -> None:
        if self._lane.stopped or self._lost:
            return
        while self._queue and len(self._under_way) < self._share():
            task = asyncio.ensure_future(self._source.answer(self._lane, self._queue.take()))
            task.add_done_callback(self._arrived.put_nowait)
            self._under_way.add(task)

    async def _next_answer(self) -> Answer | None:
        """What came next; None where it is waited for no longer."""
        task = await self._arrived.get()
        self._under_way.discard(task)
        if task.cancelled():
            return None
        answer = task.result()
        self._queue.done(answer.ask)
        return answer

    async def _hand_over(self, answer: Answer) -> None:
        await self._look_for_loss(answer)
        if not self._lost:
            self._add(self._lane.handler.handle(answer))

    async def _look_for_loss(self, answer: Answer) -> None:
        """After a row of failures: whether a page that once came still comes, or the network is
        gone for now.
        """
        if answer.status:
            self._silent = 0
            if answer.status == GOOD and self._good is None:
                self._good = answer.ask.url
        elif answer.failure and answer.failure.reason in SILENCE:
            self._silent += 1
            is_over = self._lost or self._lane.stopped
            if self._good and not is_over and self._silent >= self._enough():
                self._silent = 0
                self._lost = not await self._still_comes(self._good)

    async def _still_comes(self, url: str) -> bool:
        """Whether a page that once came still comes; who stops meanwhile does not wait to know."""
        look = asyncio.ensure_future(self._source.reachable(self._lane, url))
        self._looking.add(look)
        try:
            await asyncio.wait([look])
            return look.cancelled() or look.result()
        finally:
            self._looking.discard(look)
            look.cancel()

    def _enough(self) -> int:
        is_last = not self._queue and not self._under_way
        return LOST_AFTER_LAST if is_last else LOST_AFTER
