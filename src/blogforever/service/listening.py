"""Listens to ping servers while the service runs, and follows up what they told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

from blogforever import clock
from blogforever.archive.fetchers import own_version, user_agent
from blogforever.config import Config, WayOut
from blogforever.errors import ArchiveError
from blogforever.fetch.connecting import Proxy
from blogforever.fetch.guard import Names
from blogforever.fetch.tailing import NotThereError, read_file, read_stream
from blogforever.fetch.ways import WaysOut
from blogforever.logs import logger
from blogforever.ping.changes import ChangesReader
from blogforever.storage.pings import PingServer
from blogforever.store.folder import ArchiveFolder

from .desk import desk_of
from .pinged import PingReceiver, follow_up
from .supervising import pause

# Seconds between two looks at what waits, and at which servers there are.
LOOKING = 0.5
# Seconds a server may be silent: a busy stream never is, and a quiet one is connected to again.
PATIENCE = 120.0
# Seconds before a server that failed is tried again: the first time, and at most.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
# The part of the service that listens.
PINGS = "pings"
log = logger("service")


@dataclass(slots=True)
class PingListener:
    """Reads every server that is on, each by itself, and has what they tell looked at."""

    archive: ArchiveFolder
    config: Config
    receiver: PingReceiver
    _names: Names = field(default_factory=Names)
    _proxy: Proxy | None = None
    _reading: dict[PingServer, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self, draining: asyncio.Event) -> None:
        """Until the service is drained."""
        self._names.allow_private = self.config.allow_private
        self._proxy = Proxy.of(self.config.proxy)
        self._names.ways = WaysOut(WayOut(proxy=self.config.proxy))
        try:
            while not draining.is_set():
                if not await self._look():
                    await pause(LOOKING, unless=draining)
        finally:
            for task in self._reading.values():
                task.cancel()
            await asyncio.gather(*self._reading.values(), return_exceptions=True)

    async def _look(self) -> bool:
        """Follow up what waits, and read those servers that are on now; whether more may wait."""
        try:
            found = await asyncio.to_thread(self._follow_up)
            wanted = await asyncio.to_thread(self._wanted)
        except ArchiveError as error:
            log.error("pings could not be followed up: %s", error)
            return False
        for server in [*self._reading]:
            if server not in wanted or self._reading[server].done():
                self._reading.pop(server).cancel()
        for server in wanted:
            if server not in self._reading:
                self._reading[server] = asyncio.create_task(self._read(server), name=f"pings of {server.name}")
        return found > 0

    def _follow_up(self) -> int:
        return 0 if self._is_paused() else follow_up(desk_of(self.archive, PINGS))

    def _wanted(self) -> list[PingServer]:
        servers = [] if self._is_paused() else self.archive.store.ping_servers.all()
        return [server for server in servers if server.is_on and server.kind in ("changes", "stream")]

    def _is_paused(self) -> bool:
        return any(part.part == PINGS for part in self.archive.store.parts.paused())

    async def _read(self, server: PingServer) -> None:
        """Read a server again and again, more seldom while that fails."""
        tries = 0
        while True:
            error = await self._read_once(server)
            tries = tries + 1 if error else 0
            await asyncio.to_thread(self._stand, server, tries, error)
            if error:
                log.warning("pings of %s: %s", server.name, error)
            waits = min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE) if error else self._pause_of(server)
            await asyncio.sleep(waits)

    def _pause_of(self, server: PingServer) -> float:
        return float(server.every) if server.kind == "changes" else FIRST_PAUSE

    async def _read_once(self, server: PingServer) -> str:
        """Read a file, or a stream until it ends; what was wrong."""
        reader = ChangesReader()
        # A file is one package; of a stream, what comes in a minute is.
        package = clock.stamp() if server.kind == "changes" else ""
        try:
            async for piece in self._pieces(server):
                malformed = reader.malformed
                notices = reader.feed(piece)
                if notices or reader.malformed > malformed:
                    broken = reader.malformed - malformed
                    await asyncio.to_thread(self.receiver.receive, server, notices, broken, package)
        except TimeoutError:
            return f"It was silent for {PATIENCE:.0f} seconds."
        except NotThereError as error:
            return str(error)
        except (OSError, ValueError) as error:
            return f"It cannot be reached: {error}."
        except ArchiveError as error:
            return str(error)
        return ""

    def _pieces(self, server: PingServer) -> AsyncIterator[bytes]:
        if server.kind == "stream":
            return read_stream(self._names, server.url, PATIENCE, self._proxy)
        agent = user_agent(self.config.contact, own_version())
        return read_file(self._names, server.url, agent, PATIENCE, self._proxy)

    def _stand(self, server: PingServer, tries: int, error: str) -> None:
        store = self.archive.store
        before = store.ping_servers.standing(server.id)
        last_read = before.last_read if error else clock.stamp()
        store.ping_servers.stand(replace(before, last_read=last_read, tries=tries, error=error))
