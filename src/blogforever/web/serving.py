"""The whole service in one process with its workers beside it: answers, plans, and ends in good order."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from fastapi import FastAPI

from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.logs import logger
from blogforever.service.running import Running

from .app import make_app

# Seconds that requests under way have when the service ends; the portal's and the API's take much
# less.
LAST_ANSWERS = 5
# Connections that wait to be answered.
BACKLOG = 256
log = logger("web")


class QuietServer(uvicorn.Server):
    """Answers requests; who makes it decides what signals mean."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to others."""
        yield


@dataclass(slots=True)
class Serving:
    """A service that runs until it is told to end. The
    first signal drains it, the second ends it at once.
    """

    running: Running
    app: FastAPI
    listening: socket.socket
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, tell: Callable[[str], None]) -> None:
        """Answer and work; tells its address as soon as it answers."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)
        server = QuietServer(_server_config(self.app))
        answering = asyncio.create_task(server.serve(sockets=[self.listening]))
        await _started(server, answering)
        tell(address_of(self.listening))
        try:
            await self.running.run()
        finally:
            server.should_exit = True
            await answering

    def _on_signal(self) -> None:
        if self.running.standing.draining:
            self.running.kill()
        else:
            log.warning("ending: what is under way is stopped in good order (once more ends it at once)")
            self.running.drain()


def serve(config: Config, version: str, tell: Callable[[str], None]) -> None:
    """Run the service until somebody ends it."""
    with Running.opened(config) as running:
        refuse_strangers(config.host, running.is_guarded())
        with listen(config.host, config.port) as listening:
            app = make_app(running.standing, version)
            asyncio.run(Serving(running, app, listening).run(tell))


def refuse_strangers(host: str, is_guarded: bool) -> None:
    """UsageError where others could reach a service that anybody may use."""
    if is_guarded or is_loopback(host):
        return
    how = "first make a token (blogforever token create NAME --scope admin), or keep to 127.0.0.1"
    raise UsageError(f"At {host} everybody could use the service; {how}.")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """The socket that requests come to; UsageError where there can be none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"The service cannot listen at {host}, port {port}: {why}.") from error


def address_of(listening: socket.socket) -> str:
    """Where it answers."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _server_config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=LAST_ANSWERS)


async def _started(server: uvicorn.Server, answering: asyncio.Task[None]) -> None:
    """Until it answers; what kept it from that is raised."""
    while not server.started:
        if answering.done():
            answering.result()
            raise UsageError("The service could not begin to answer.")
        await asyncio.sleep(0.01)
