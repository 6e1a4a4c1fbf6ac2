"""The whole service in one process with its workers beside it: answers, plans, and ends in good order."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI

from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.logs import logger
from blogforever.portal.replayorigin import make_replay_app
from blogforever.service.hosts import OwnNames
from blogforever.service.origins import ReplayOrigin
from blogforever.service.running import Running
from blogforever.work.limits import keep_to_cores

from .app import make_app

if TYPE_CHECKING:
    from .ftpserving import FtpServing

# Seconds that requests under way have when the service ends; the portal's and the API's take much
# less.
LAST_ANSWERS = 5
# Connections that wait to be answered.
BACKLOG = 256
# Seconds that a thread computes while another one waits for its turn: a request waits many times,
# once after each look into the database, and a long list that is added computes for seconds. With
# Python's usual 5 ms every answer would be slow then.
TAKING_TURNS = 0.001
PORTS = range(2**16)
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
    replay: FastAPI
    replay_listening: socket.socket
    ftp: FtpServing | None = None
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, tell: Callable[[str], None]) -> None:
        """Answer and work; tells its address as soon as it answers."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)
        servers = [QuietServer(_server_config(app)) for app in (self.app, self.replay)]
        sockets = (self.listening, self.replay_listening)
        pairs = zip(servers, sockets, strict=True)
        answering = [asyncio.create_task(server.serve(sockets=[own])) for server, own in pairs]
        for server, task in zip(servers, answering, strict=True):
            await _started(server, task)
        ended = asyncio.Event()
        fetching = [asyncio.create_task(self.ftp.run(ended))] if self.ftp else []
        tell(address_of(self.listening))
        try:
            await self.running.run()
        finally:
            ended.set()
            for server in servers:
                server.should_exit = True
            await asyncio.gather(*answering, *fetching)

    def _on_signal(self) -> None:
        if self.running.standing.draining:
            self.running.kill()
        else:
            log.warning("ending: what is under way is stopped in good order (once more ends it at once)")
            self.running.drain()


def serve(config: Config, version: str, tell: Callable[[str], None]) -> None:
    """Run the service until somebody ends it."""
    keep_to_cores(config.cores)
    sys.setswitchinterval(TAKING_TURNS)
    with Running.opened(config) as running:
        refuse_strangers(running.standing.names, running.is_guarded())
        with listen(config.host, config.port) as own, listen(config.host, replay_port(config)) as replay:
            running.standing.replay = _replay_origin(config, own, replay)
            app, beside = make_app(running.standing, version), make_replay_app(running.standing)
            set_program_aside()
            asyncio.run(Serving(running, app, own, beside, replay, _ftp_of(running)).run(tell))


def set_program_aside() -> None:
    """Let Python look no more for garbage in what was loaded, which stays until the process ends: all requests wait for
    it meanwhile, for a tenth of a second.
    """
    gc.collect()
    gc.freeze()


def _ftp_of(running: Running) -> FtpServing | None:
    """The FTP server, where one is asked for."""
    if not running.config.ftp_port:
        return None
    from .ftpserving import ftp_serving  # noqa: PLC0415  it takes a tenth of a second, and few ask for it

    return ftp_serving(running.standing)


def replay_port(config: Config) -> int:
    """Where archived pages are shown: the port after the service's own, unless another one is said;
    any free one where that of the service is.
    """
    return config.replay_port or (config.port + 1 if config.port else 0)


def _replay_origin(config: Config, own: socket.socket, replay: socket.socket) -> ReplayOrigin:
    return ReplayOrigin(
        host=config.host,
        port=replay.getsockname()[1],
        url=config.replay_url,
        portal_port=own.getsockname()[1],
    )


def refuse_strangers(names: OwnNames, is_guarded: bool) -> None:
    """UsageError where others could reach a service that anybody may use."""
    if is_guarded or names.is_only_here:
        return
    how = "first give somebody a password (blogforever users add NAME --role admin), or keep to 127.0.0.1"
    raise UsageError(f"At {names.public_url or names.host} everybody could use the service; {how}.")


def listen(host: str, port: int) -> socket.socket:
    """The socket that requests come to; UsageError where there can be none."""
    if port not in PORTS:
        raise UsageError(f"The service cannot listen at port {port}: there are only 0 to {PORTS[-1]}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise UsageError(f"The service cannot listen at {host}, port {port}: {error.strerror or error}.") from error
    # Connections take it over. Without it the body of a short answer waits until its head is
    # confirmed, which who keeps a connection does 40 ms later.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


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
