"""A fetcher and a renderer that answer from what they were given, and a clock that moves when it is told to."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count

from blogforever.discover.blocked import diagnose
from blogforever.model import Failure, Page
from blogforever.protocols import PAGE_ROLES, Answer, Ask, Drawing, Lane, PageHandler, Ref, Serve

NOT_THERE = 404
# When a clock begins that nobody has set: any day will do, as long as it is the same one.
BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)
HTML = {"content-type": "text/html"}


class FakeClock:
    """A clock that stands still until somebody moves it; called, it
    gives seconds as `time.monotonic` does.
    """

    def __init__(self, now: datetime = BEGINNING) -> None:
        self.now = now

    def __call__(self) -> float:
        """Seconds since some moment."""
        return self.now.timestamp()

    def move(self, seconds: float = 0, days: float = 0) -> None:
        """Let time pass."""
        self.now += timedelta(days=days, seconds=seconds)


@dataclass(frozen=True, slots=True)
class FakeReply:
    """What a server says."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: HTML)


# What comes for an address: a reply, the body of a usual one, why nothing came, or None for what
# is not there.
Reply = FakeReply | Failure | bytes | None


class FakeFetcher:
    """Answers a crawl from a dict of pages, or from a function that is given the address.

    `asked` has every address in the order of the requests. What `keep` is given, it can write down
    as a recorder does.
    """

    def __init__(
        self,
        replies: Mapping[str, Reply] | Callable[[str], Reply],
        now: Callable[[], datetime] = lambda: BEGINNING,
        keep: Callable[[Page, int, Ref], None] | None = None,
    ) -> None:
        self._reply = replies if callable(replies) else replies.get
        self._now, self._keep = now, keep
        self._pages: dict[str, Page] = {}
        self._bodies: dict[str, bytes] = {}
        self.asked: list[str] = []

    def run(self, lanes: list[Lane]) -> list[str]:
        """One crawl after the other."""
        for lane in lanes:
            self.drive(lane.handler)
            lane.done()
            lane.ending = "finished"
        return [lane.ending for lane in lanes]

    def drive(self, handler: PageHandler) -> None:
        """Answer all that a handler asks, the most urgent first, until it asks for nothing more."""
        queue: list[tuple[int, int, Ask]] = []
        number = count()

        def add(asks: Iterable[Ask]) -> None:
            for ask in asks:
                heapq.heappush(queue, (-ask.priority, next(number), ask))

        add(handler.start())
        while True:
            if not queue:
                add(handler.idle())
            if not queue:
                return
            add(handler.handle(self.answer(heapq.heappop(queue)[2])))

    def answer(self, ask: Ask) -> Answer:
        """What comes for one request."""
        self.asked.append(ask.url)
        reply = self._reply(ask.url)
        if reply is None:
            return Answer(ask, NOT_THERE)
        if isinstance(reply, Failure):
            return Answer(ask, 0, failure=reply)
        if isinstance(reply, bytes):
            reply = FakeReply(reply)
        page = Page(ask.url, reply.body, reply.headers, self._now())
        ref = self._kept(page, reply.status)
        if ask.role in PAGE_ROLES and (blocked := diagnose(page, reply.status)):
            return Answer(ask, reply.status, ref=ref, failure=blocked)
        return Answer(ask, reply.status, page, reply.headers.get("location"), ref)

    def _kept(self, page: Page, status: int) -> Ref:
        number = len(self._pages)
        digest = hashlib.sha256(page.content).hexdigest()
        ref = Ref("memory", number, f"urn:fake:{number}", digest)
        # Years of a blog bring the same bodies again and again; each is in memory once.
        body = self._bodies.setdefault(digest, page.content)
        self._pages[ref.record_id] = replace(page, content=body)
        if self._keep:
            self._keep(page, status, ref)
        return ref

    def read(self, ref: Ref) -> Page:
        """The page of an earlier answer."""
        return self._pages[ref.record_id]


class FakeRenderer:
    """Draws the pages it was told of as it was told; it refuses all others."""

    def __init__(self, drawings: Mapping[str, str | Drawing]) -> None:
        self._drawings = drawings
        self.drawn: list[str] = []
        self.closed = False

    async def draw(self, page: Page, serve: Serve) -> Drawing | Failure:
        """The page as it was said to look; nothing is asked of `serve`."""
        del serve
        self.drawn.append(page.url)
        drawing = self._drawings.get(page.url)
        if drawing is None:
            return Failure(page.url, "not drawn")
        return Drawing(drawing) if isinstance(drawing, str) else drawing

    async def close(self) -> None:
        """It is not asked again."""
        self.closed = True
