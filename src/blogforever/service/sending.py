"""Tells webhooks of news while the service runs: each by itself, so that a slow one delays nobody."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial

from blogforever.config import Config
from blogforever.errors import ArchiveError
from blogforever.fetch.guard import Names
from blogforever.fetch.posting import Posted, post
from blogforever.logs import logger
from blogforever.storage.hooks import Webhook
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder

from .browsing import find_post
from .letters import HookLetter, body_of, next_letter, note_answer
from .signing import signed_headers
from .supervising import pause

# Seconds between two looks at what is new.
LOOKING = 1.0
# Seconds that a webhook has to answer.
PATIENCE = 10.0
# The part of the service that tells webhooks.
WEBHOOKS = "webhooks"
log = logger("service")


@dataclass(slots=True)
class HookSender:
    """Sends what is new to every webhook; to each one letter at a time, in the order of the news."""

    archive: ArchiveFolder
    config: Config
    _names: Names = field(default_factory=Names)
    _sending: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    @property
    def _store(self) -> Store:
        return self.archive.store

    async def run(self, draining: asyncio.Event) -> None:
        """Until the service is drained; a letter under way is then sent again the next time."""
        self._names.allow_private = self.config.allow_private
        try:
            while not draining.is_set():
                await self.look()
                await pause(LOOKING, unless=draining)
        finally:
            for task in self._sending.values():
                task.cancel()
            await asyncio.gather(*self._sending.values(), return_exceptions=True)

    async def look(self) -> None:
        """Begin to tell those that nobody is telling."""
        self._sending = {hook: task for hook, task in self._sending.items() if not task.done()}
        try:
            hooks = await asyncio.to_thread(self._to_tell)
        except ArchiveError as error:
            log.error("no webhook could be told: %s", error)
            return
        for hook in hooks:
            if hook.id not in self._sending:
                self._sending[hook.id] = asyncio.create_task(self._tell(hook), name=f"webhook {hook.id}")

    def _to_tell(self) -> list[Webhook]:
        is_paused = any(part.part == WEBHOOKS for part in self._store.parts.paused())
        return [] if is_paused else self._store.hooks.all()

    async def _tell(self, hook: Webhook) -> None:
        """Send until there is nothing to send now, or it is not taken."""
        try:
            while letter := await asyncio.to_thread(next_letter, self._store, hook):
                posted = await self._send(letter)
                await asyncio.to_thread(note_answer, self._store, letter, posted)
                if posted is not None and not posted.is_taken:
                    log.warning("webhook %s was not told: %s", hook.id, posted.error or f"status {posted.status}")
                    return
        except ArchiveError as error:
            log.error("webhook %s was not told: %s", hook.id, error)

    async def _send(self, letter: HookLetter) -> Posted | None:
        body = await asyncio.to_thread(body_of, letter, partial(find_post, self.archive))
        if body is None:
            return None
        headers = signed_headers(letter.hook.secret, letter.name, body)
        return await post(self._names, letter.hook.url, headers, body, PATIENCE)
