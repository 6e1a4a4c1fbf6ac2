"""When a crawl stops early: so many pages, seconds or bytes; counted here once for a walk and for an update."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from blogforever.protocols import Answer, Ask

from .waiting import Order


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """When to stop early; 0 is never."""

    pages: int = 0
    seconds: float = 0.0
    size: int = 0
    only: Literal["", "root", "offers"] = ""
    order: Order = "knn"
    at_once: int = 4
    """Requests under way while walking; more would be asked for before what is under way has taught anything."""
    vain_costs: bool = True
    """Whether a request that leads nowhere costs anything: out of WARC files it does not, and none is spared."""


class Limited:
    """What a crawl has asked for so far, and why it asks for no more."""

    def __init__(self, limits: CrawlLimits) -> None:
        self.asked = self.answered = self.size = 0
        self.stopped: str | None = None
        self._limits = limits
        self._started = time.monotonic()

    def count(self, answer: Answer) -> None:
        """An answer came; what was kept before and still holds did not come again."""
        self.size += len(answer.page.content) if answer.page and not answer.unchanged else 0

    def admitted(self, asks: Iterable[Ask]) -> list[Ask]:
        """The asks that are still within the limits, the most urgent first."""
        wanted = list(asks)
        self.stopped = self.stopped or self._over()
        if self.stopped:
            return []
        most = self._limits.pages
        if most and self.asked + len(wanted) > most:
            wanted = sorted(wanted, key=lambda ask: -ask.priority)[: most - self.asked]
            self.stopped = f"the limit of {most} pages"
        self.asked += len(wanted)
        return wanted

    def _over(self) -> str | None:
        limits = self._limits
        if limits.seconds and time.monotonic() - self._started > limits.seconds:
            return f"the time limit of {limits.seconds:g} s"
        if limits.size and self.size > limits.size:
            return f"the size limit of {limits.size:,} bytes"
        return None
