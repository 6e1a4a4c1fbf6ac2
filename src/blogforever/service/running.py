"""A service at work: its archive, its scheduler, its workers; everything but the answers to requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Self

from blogforever.archive.crawling import check
from blogforever.archive.opening import open_archive
from blogforever.config import Config, for_service
from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import service_lock
from blogforever.store.spare import clear_left
from blogforever.work.caring import forget_old_jobs, forget_old_news

from .adopting import adopt_all
from .counting import count_news, note_blogs
from .desk import desk_of
from .exports import put_exports_away
from .listening import PingListener
from .outboxfeed import OutboxFeeder
from .pinged import MOST_DEAD, REMEMBERED
from .scheduling import enqueue_due
from .sending import HookSender
from .standing import Standing
from .subscribing import Subscriber
from .subscriptions import forget_ended
from .supervising import Supervisor, pause

# Seconds between two looks at what is due: a person who says "now" does not notice it.
PLANNING = 0.3
# Seconds between two rounds of putting things away.
TIDYING = 3600.0
# The part of the service that decides when to look.
SCHEDULER = "scheduler"
log = logger("service")


@dataclass(slots=True)
class Running:
    """The service of one archive, while it runs."""

    config: Config
    standing: Standing
    supervisor: Supervisor
    _tidied: float = field(default_factory=monotonic)
    _noted: str = ""
    _draining: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    @contextmanager
    def opened(cls, config: Config) -> Iterator[Self]:
        """The service of the archive that the options name, which is made where there is none."""
        config = for_service(config)
        check((), config)
        with (
            open_archive(config.archive, writing=True, min_free=config.min_free) as archive,
            service_lock(archive.folder),
        ):
            archive.store.recount()
            clear_left()
            adopt_all(archive.folder, desk_of(archive))
            yield cls(config, Standing(archive, config=config), Supervisor(config))

    @property
    def archive(self) -> ArchiveFolder:
        """The open archive."""
        return self.standing.archive

    async def run(self) -> None:
        """Plan and work until it is drained."""
        working = asyncio.create_task(self.supervisor.run())
        feeding = asyncio.create_task(OutboxFeeder(self.archive).run(self._draining))
        telling = asyncio.create_task(HookSender(self.archive, self.config).run(self._draining))
        listener = PingListener(self.archive, self.config, self.standing.inbox.receiver)
        listening = asyncio.create_task(listener.run(self._draining))
        subscribing = asyncio.create_task(Subscriber(self.archive, self.config).run(self._draining))
        try:
            while not self._draining.is_set():
                await asyncio.to_thread(self._plan)
                await pause(PLANNING, unless=self._draining)
        finally:
            self.drain()
            await working
            await telling
            await feeding
            await listening
            await subscribing

    def drain(self) -> None:
        """End in good order."""
        self.standing.draining = True
        self._draining.set()
        self.supervisor.drain()

    def kill(self) -> None:
        """End at once."""
        self.supervisor.kill()

    def is_guarded(self) -> bool:
        """Whether strangers would need a password or a token, and somebody has one."""
        return bool(self.archive.store.users.all() or self.archive.store.tokens.all())

    def _plan(self) -> None:
        """Put into the queue what is due; trouble with the
        archive ends nothing, the next round tries again.
        """
        try:
            store = self.archive.store
            self.archive.notice_decisions()
            if all(part.part != SCHEDULER for part in store.parts.paused()):
                enqueue_due(store)
            count_news(store)
            self._noted = note_blogs(store, self._noted)
            if monotonic() - self._tidied > TIDYING:
                self._tidied = monotonic()
                forget_old_jobs(store)
                forget_old_news(store)
                put_exports_away(self.archive)
                clear_left()
                store.pings.forget(REMEMBERED, MOST_DEAD)
                forget_ended(store)
        except ArchiveError as error:
            log.error("nothing could be planned: %s", error)
