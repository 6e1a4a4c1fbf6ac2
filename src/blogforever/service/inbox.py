"""Our own endpoint's pings: many are kept in one transaction, and each sender is thanked when his is kept."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from blogforever.ping.notice import Notice

from .pinged import PingReceiver
from .pings import own_endpoint
from .rations import Rations

# Pings of one sender: platforms send thousands in a second, and who sends more means no good.
MOST_AT_ONCE, ONE_MORE_EVERY = 5000, 1 / 2500
# Pings that wait to be kept; beyond that a sender is told to come again.
MOST_WAITING = 20_000
OFF = "Pings are not taken here at the moment."
TOO_MANY = "These are more pings than anybody needs; come again later."


@dataclass(slots=True)
class PingInbox:
    """Takes single pings, from many connections of one loop."""

    receiver: PingReceiver
    _rations: Rations = field(default_factory=lambda: Rations(MOST_AT_ONCE, ONE_MORE_EVERY))
    _waiting: list[tuple[Notice, asyncio.Future[str]]] = field(default_factory=list)
    _malformed: int = 0
    _writing: asyncio.Task[None] | None = None

    async def take(self, notice: Notice, sender: str) -> str:
        """Keep a ping; what is wrong where it was not, else nothing."""
        if self._rations.take(sender) or len(self._waiting) >= MOST_WAITING:
            return TOO_MANY
        kept: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((notice, kept))
        self._begin()
        return await kept

    def miscount(self) -> None:
        """Something came that is no ping; nobody waits until it is counted."""
        self._malformed += 1
        self._begin()

    def _begin(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Keep what waits; what comes meanwhile is kept next."""
        while self._waiting or self._malformed:
            batch, self._waiting = self._waiting, []
            malformed, self._malformed = self._malformed, 0
            told = await self._kept([notice for notice, _ in batch], malformed)
            for _, kept in batch:
                if not kept.done():
                    kept.set_result(told)

    async def _kept(self, notices: list[Notice], malformed: int) -> str:
        try:
            return await asyncio.to_thread(self._keep, notices, malformed)
        except Exception as error:  # whoever waits has to be told, whatever went wrong
            return f"It could not be kept: {error}"

    def _keep(self, notices: list[Notice], malformed: int) -> str:
        server = own_endpoint(self.receiver.store)
        if not server.is_on:
            return OFF
        self.receiver.receive(server, notices, malformed)
        return ""
