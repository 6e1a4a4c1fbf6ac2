"""Fills the outbox while the service runs: news become files, wishes are fulfilled, what is old or hidden goes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic

from blogforever.archive.outbox import feed_outbox, fulfil, is_wanted, tell_hidden
from blogforever.archive.outboxfiles import put_away, sweep
from blogforever.archive.outboxmissing import make_missing
from blogforever.care.veil import Veil
from blogforever.errors import BlogForeverError
from blogforever.logs import logger
from blogforever.store.folder import ArchiveFolder
from blogforever.work.retrying import moment_after

from .supervising import pause

OUTBOX_PART = "outbox"
"""The part of the service that makes files for repositories."""
KEPT = 24 * 3600.0
"""Seconds that a file waits to be fetched, as the weblog spider had it: what is older can be asked
for again.
"""
REMEMBERED = 30 * 86_400.0
"""Seconds that is remembered which files there were: so long somebody can ask for what came after a
number.
"""
# Seconds between two looks at what is new, and at what is old.
LOOKING, TIDYING = 1.0, 60.0
# Old files that are put away in one go.
AT_ONCE = 500
log = logger("service")


@dataclass(slots=True)
class OutboxFeeder:
    """The one that makes files: there is one service for an archive at a time. Other machines may
    have added and ended some.
    """

    archive: ArchiveFolder
    _told: Veil | None = None
    _tidied: float | None = None
    _complete: int = 0

    async def run(self, draining: asyncio.Event) -> None:
        """Until the service is drained; trouble ends nothing, the next round tries again."""
        while not draining.is_set():
            try:
                has_more = await asyncio.to_thread(self.look)
            except BlogForeverError as error:
                log.error("the outbox could not be filled: %s", error)
                has_more = False
            await pause(0 if has_more else LOOKING, unless=draining)

    def look(self) -> bool:
        """Do what there is to do now; whether there is more."""
        self._complete = make_missing(self.archive, self._complete)
        self._tidy()
        is_paused = any(part.part == OUTBOX_PART for part in self.archive.store.parts.paused())
        if is_paused or not is_wanted(self.archive):
            return False
        self._tell_hidden()
        has_news = feed_outbox(self.archive) > 0
        return self._fulfil_one() or has_news

    def _tell_hidden(self) -> None:
        """Only where something else is hidden than the last time: then there is another veil."""
        self.archive.notice_decisions()
        veil = self.archive.veil
        if veil is not self._told:
            tell_hidden(self.archive)
            self._told = veil

    def _fulfil_one(self) -> bool:
        ask = self.archive.store.outbox_asks.open()
        if ask is not None:
            fulfil(self.archive, ask)
        return ask is not None

    def _tidy(self) -> None:
        if self._tidied is not None and monotonic() - self._tidied < TIDYING:
            return
        self._tidied = monotonic()
        sweep(self.archive)
        while old := self.archive.store.outbox.waiting(made_before=moment_after(-KEPT), limit=AT_ONCE):
            put_away(self.archive, old, "expired")
        self.archive.store.outbox.forget(moment_after(-REMEMBERED))
