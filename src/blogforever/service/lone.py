"""One more machine's worker: the same processes as those of a service, beside one that runs elsewhere."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from dataclasses import replace

from blogforever.archive.crawling import check
from blogforever.archive.outboxmissing import leave_outbox
from blogforever.config import Config, for_service
from blogforever.errors import UsageError
from blogforever.storage.work import JOB_KINDS
from blogforever.store.place import shared_database
from blogforever.store.spare import clear_left
from blogforever.work.limits import keep_to_cores

from .process import AT_ONCE
from .supervising import Supervisor

NOT_SHARED = (
    "A worker on its own needs a database that machines share: --database postgresql://user@host/name; on one machine"
    " `blogforever serve --workers N` has more of them."
)


def run_worker(config: Config, tell: Callable[[str], None]) -> int:
    """Work for the service of an archive whose records are on a server, until told to end; the exit
    code.
    """
    for queue in config.queue:
        if queue not in JOB_KINDS:
            raise UsageError(f"There is no queue called {queue!r}; there are {', '.join(JOB_KINDS)}.")
    place = shared_database(config.archive)
    if place is None:
        raise UsageError(NOT_SHARED)
    check((), config)
    leave_outbox(config.archive)
    clear_left()
    keep_to_cores(config.cores)
    return asyncio.run(_supervised(replace(for_service(config), workers=1), lambda: tell(place)))


async def _supervised(config: Config, begun: Callable[[], None]) -> int:
    supervisor, loop = Supervisor(config), asyncio.get_running_loop()
    signals: list[signal.Signals] = []

    def end(number: signal.Signals) -> None:
        signals.append(number)
        # The first lets what is under way go back in good order, the second does not wait for it.
        (supervisor.drain if len(signals) == 1 else supervisor.kill)()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end, number)
    begun()
    await supervisor.run()
    return 0 if len(signals) <= 1 else AT_ONCE
