"""The worker processes of a service: started, started again when they die, drained at the end."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

import msgspec

from blogforever.config import Config, make_config
from blogforever.logs import logger

# Seconds until a worker that died at once is started again; twice as many each time, up to the
# longest.
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
# Seconds after which a worker that dies did not die of how it was started.
LIVED = 60.0
PROCESS = "blogforever.service.process"
log = logger("service")


def told_config(config: Config) -> bytes:
    """The options as a line that a worker process reads:
    flags could be read by everybody on the machine.
    """
    values = msgspec.to_builtins(config, enc_hook=str)
    values["policy"] = [{name: value for name, value in one.items() if value is not None} for one in values["policy"]]
    return json.dumps(values).encode() + b"\n"


def heard_config(line: bytes) -> Config:
    """The options out of such a line."""
    return make_config(json.loads(line))


@dataclass(slots=True)
class Supervisor:
    """Keeps so many worker processes alive. Each ends by
    itself when this process does: it hears so at its input.
    """

    config: Config
    _processes: dict[int, Process] = field(default_factory=dict)
    _draining: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Until the service is drained and all have ended."""
        await asyncio.gather(*(self._keep(number) for number in range(1, self.config.workers + 1)))

    def drain(self) -> None:
        """Let all end in good order."""
        if self._draining.is_set():
            # A second signal would end them at once.
            return
        self._draining.set()
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Let all end at once; what they had under way is taken up again the next time."""
        self._draining.set()
        self._signal(signal.SIGKILL)

    async def _keep(self, number: int) -> None:
        wait = FIRST_WAIT
        while not self._draining.is_set():
            begun = monotonic()
            code = await self._run_one(number)
            if self._draining.is_set():
                return
            wait = FIRST_WAIT if monotonic() - begun >= LIVED else min(2 * wait, LONGEST_WAIT)
            log.warning("worker process %d ended (%s); the next one starts in %.0f s", number, said(code), wait)
            await pause(wait, unless=self._draining)

    async def _run_one(self, number: int) -> int:
        """One process from its start to its end; its exit code."""
        # In a session of its own: Ctrl-C in a terminal is for the service, which then tells its
        # workers, once.
        command = (sys.executable, "-m", PROCESS)
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, start_new_session=True)
        self._processes[number] = process
        assert process.stdin
        # One that died before it could listen says so by its exit code.
        with suppress(ConnectionError):
            process.stdin.write(told_config(self.config))
            await process.stdin.drain()
        if self._draining.is_set() and process.returncode is None:
            process.send_signal(signal.SIGTERM)
        code = await process.wait()
        del self._processes[number]
        process.stdin.close()
        return code

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes.values():
            if process.returncode is None:
                process.send_signal(number)


async def pause(seconds: float, unless: asyncio.Event) -> None:
    """Wait so long, or until this happens."""
    with suppress(TimeoutError):
        await asyncio.wait_for(unless.wait(), seconds)


def said(code: int) -> str:
    """How a process ended, for people."""
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return "replaced" if code == 0 else f"exit code {code}"
