"""The step machine under crawl and update: named steps, limits, redirects, second tries, a reader
for each role.

A PageHandler: the fetcher brings answers, this says what to ask next. Each time nothing is left to
fetch, the next step begins; what a step asks for, and what a page of some role means, say the crawl
and the update that stand on it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from blogforever.logs import logger
from blogforever.model import Page, Rules
from blogforever.protocols import Answer, Ask, Ref, Role
from blogforever.urls import url_key

from .hostedcounts import HostedCounts
from .learning import SeenPage, Tools
from .limits import CrawlLimits
from .page import Knowledge
from .redirects import followed, is_redirect, target_of, why_not_followed
from .rendering import Rendering
from .scope import Scope
from .secondtry import MOST, SecondTry

log = logger("steps")

Reader = Callable[[Answer, Page], Iterable[Ask]]
"""What a page that came in some role means: what to ask for next."""


@dataclass(slots=True)
class NamedStep:
    """One step: run each time nothing is left to fetch, until it asks for nothing.

    `once` ends it after one run.
    """

    name: str
    run: Callable[[], Iterable[Ask]]
    once: bool = False
    _ran: bool = False

    def asks(self) -> list[Ask]:
        """What this step asks for now."""
        if self.once and self._ran:
            return []
        self._ran = True
        return list(self.run())


class StepMachine(ABC):
    """One blog: what was asked and answered so far, and the steps that are left."""

    counts: HostedCounts

    def __init__(
        self,
        url: str,
        blog: str,
        tools: Tools,
        limits: CrawlLimits,
        rendering: Rendering | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.asked = self.answered = self.size = 0
        self.stopped: str | None = None
        """Why nothing more is asked for."""
        self.scope = Scope(url)
        self.rendering = rendering or Rendering()
        shared = rules.shared if rules else None
        self.known = Knowledge(
            blog, tools.extract, tools.read, self.rendering, rules, comments=tools.comments, shared=shared
        )
        self.known.erased = tools.erased
        self.guard = tools.guard
        self.seen: dict[str, SeenPage] = {}
        self.reasons: dict[str, str] = {}
        """Why addresses were not captured, by their keys."""
        self.home_failure: str | None = None
        self.home_ref: Ref | None = None
        self._tools, self._limits = tools, limits
        self._started = time.monotonic()
        self._second = SecondTry()
        self._steps: list[NamedStep] = []
        self._readers: Mapping[Role, Reader] = {}
        self._never_answered = 0

    # ------------------------------------------------------------------ the PageHandler

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """One answer: a redirect is followed, a failure noted, a page read according to its role."""
        self.answered += 1
        answer = self._understood(answer)
        entry = self.known.entries.get(url_key(answer.ask.url))
        ready, to_draw = self.rendering.receive(answer, entry)
        self.asked += len(to_draw)
        asks = list(to_draw)
        for answer_ready in ready:
            asks += self._limited(self._handled(answer_ready))
        return asks

    def _handled(self, answer: Answer) -> Iterable[Ask]:
        self._count(answer)
        if is_redirect(answer):
            return self._redirected(answer, target_of(answer))
        if self._second.hung(answer):
            self._note_hung(answer.ask)
            return []
        page = answer.page
        if page is None or not 200 <= answer.status < 300:
            return self._failed(answer)
        reader = self._readers.get(answer.ask.role)
        return reader(answer, page) if reader else []

    def idle(self) -> Iterable[Ask]:
        """Nothing is left to fetch: the next step that has something to ask.

        A step is over when it asks nothing.
        """
        self._never_answered = self.asked - self.answered
        while self._steps and self._goes_on():
            step = self._steps[0]
            asks = self._limited(self._asks_of(step)) or self._limited(self._ask_again())
            if asks:
                log.debug("%s: %s asks %d", self.known.blog, step.name, len(asks))
                return asks
            # A step may have ended the machine.
            del self._steps[:1]
        if self.stopped:
            self._ask_again()
        return []

    def _ask_again(self) -> list[Ask]:
        """What hung is tried once more, when this step has nothing else to ask."""
        asks, given_up = self._second.take(self._room())
        for answer in given_up:
            asks += self._failed(answer)
        return asks

    # ------------------------------------------------------------------ limits

    @property
    def under_way(self) -> int:
        """Requests that may still be answered: what was not when nothing was left to fetch never
        will be.
        """
        return self.asked - self.answered - self._never_answered

    def _count(self, answer: Answer) -> None:
        """What was kept before and still holds did not come again."""
        if answer.page and not answer.unchanged:
            self.size += len(answer.page.content)

    def _limited(self, asks: Iterable[Ask]) -> list[Ask]:
        """The asks that are still within the limits, the most urgent first."""
        wanted = self._with_waiting(list(asks))
        self.stopped = self.stopped or self._over()
        if self.stopped:
            return []
        most = self._limits.pages
        if most and self.asked + len(wanted) > most:
            wanted = sorted(wanted, key=lambda ask: -ask.priority)[: most - self.asked]
            self.stopped = f"the limit of {most} pages"
        self.asked += len(wanted)
        return self.rendering.marked(wanted, self.known.lists.is_guess)

    def _room(self) -> int:
        """How many second tries there may be."""
        if self.stopped:
            return 0
        return max(self._limits.pages - self.asked, 0) if self._limits.pages else MOST

    def _over(self) -> str | None:
        limits = self._limits
        if limits.seconds and time.monotonic() - self._started > limits.seconds:
            return f"the time limit of {limits.seconds:g} s"
        if limits.size and self.size > limits.size:
            return f"the size limit of {limits.size:,} bytes"
        return None

    # ------------------------------------------------------------------ redirects and comments

    def _redirected(self, answer: Answer, target: str | None) -> list[Ask]:
        """An address leads to another one: that is asked for in its place, unless the chain must
        end here.
        """
        ended = why_not_followed(answer.ask, target)
        if target is None or ended:
            return self._failed(answer, ended or "")
        instead = self._instead_of_following(answer, target)
        return [followed(answer.ask, target)] if instead is None else instead

    def _read_comments(self, answer: Answer, page: Page) -> list[Ask]:
        """Comments of posts came: how many there are, what a browser drew, a page or a feed of
        them.
        """
        if self.counts.has_asked(answer.ask):
            self.counts.arrived(answer.ask, page)
            return []
        if not answer.ask.draw:
            return self.known.threads.arrived(answer, page)
        if ref := self.rendering.drawn_thread(answer):
            self.known.threads.add_drawn(page.url, ref)
        return []

    # ------------------------------------------------------------------ what crawl and update say

    def _go_through(self, steps: Sequence[NamedStep], last: str = "") -> None:
        """The steps in their order, up to the one with this name."""
        names = [step.name for step in steps]
        self._steps = list(steps[: names.index(last) + 1] if last else steps)

    @abstractmethod
    def _failed(self, answer: Answer, why: str = "") -> list[Ask]:
        """An address could not be had: `why`, or for what the answer itself says."""

    def _instead_of_following(self, answer: Answer, target: str) -> list[Ask] | None:
        """What is asked for instead of the target of a redirect.

        None where it is to be followed.
        """
        return None

    def _understood(self, answer: Answer) -> Answer:
        """An answer as it is meant."""
        return answer

    def _note_hung(self, ask: Ask) -> None:
        """An address hung and will be tried once more."""
        log.debug("%s hung", ask.url)

    def _with_waiting(self, asks: list[Ask]) -> list[Ask]:
        """The asks, with those that were waiting for room."""
        return asks

    def _asks_of(self, step: NamedStep) -> list[Ask]:
        return step.asks()

    def _goes_on(self) -> bool:
        """Whether steps are taken still: one that was stopped asks for nothing, but may learn from
        what it has.
        """
        return True
