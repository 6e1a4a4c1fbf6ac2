"""One worker process of a service: `python -m blogforever.service.process`, started by the
supervisor.

Its options come over standard input, whose end says that the service is gone.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from secrets import token_hex

from blogforever import logs
from blogforever.archive.following import Follower
from blogforever.config import Config
from blogforever.errors import BlogForeverError
from blogforever.work.worker import Worker

from .supervising import heard_config
from .uploading import keep_sending
from .working import handlers_of, limits_of

# How much the workers stand back where others want the processor: the service must go on answering
# meanwhile.
NICENESS = 5
# As a shell counts what ended by an interrupt.
AT_ONCE = 130
log = logs.logger("service")


def main() -> int:
    """Work until told to end; the exit code."""
    line = sys.stdin.buffer.readline()
    if not line:
        return 0
    config = heard_config(line)
    logs.set_up(config.log_level, config.log_format)
    os.nice(NICENESS)
    try:
        asyncio.run(work(config))
    except BlogForeverError as error:
        log.error("%s", error)
        return error.exit_code
    return 0


async def work(config: Config) -> None:
    """Carry out jobs in one open archive with one running fetcher."""
    stopping = Stopping()
    async with Follower(config) as follower:
        worker = Worker(
            worker_name(), follower.archive.store, handlers_of(follower, config), limits_of(follower.archive, config)
        )
        stopping.tell(worker.drain)
        sending = asyncio.create_task(keep_sending(follower.archive))
        try:
            await worker.run()
        finally:
            sending.cancel()


def worker_name() -> str:
    """A name that no other worker ever has: what lies
    about a dead one must not be taken for this one.
    """
    return f"{os.getpid()}-{token_hex(4)}"


class Stopping:
    """Hears that the worker is to end: by signal, or because
    the service is gone. The second signal ends it at once.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._drain: Callable[[], None] | None = None
        self._asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._on_signal)
        self._loop.add_reader(sys.stdin, self._listen)

    def tell(self, drain: Callable[[], None]) -> None:
        """Whom to tell; at once, where it was heard before."""
        self._drain = drain
        if self._asked:
            drain()

    def _on_signal(self) -> None:
        if self._asked:
            # Nothing is lost by it: what was under way is taken up again.
            os._exit(AT_ONCE)
        self._stop()

    def _stop(self) -> None:
        self._asked = True
        if self._drain:
            self._drain()

    def _listen(self) -> None:
        """Nothing is ever said at the input after the options but that it has ended."""
        self._loop.remove_reader(sys.stdin)
        self._stop()


if __name__ == "__main__":
    sys.exit(main())
