"""Workers on PostgreSQL, on any machine: each gives a sign of life now and then, and who gives none
is taken for dead.

The time of these signs is that of the server alone. On its own machine a worker has a lock file,
too, which tells its death at once. A server that was down heard nobody: after its start everybody
has as long to give a sign as always.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.storage.work import SILENCE, WorkerRow

from .engine import Carrier
from .lock import fallen_workers, worker_lock
from .rows import Rows
from .workers import SqlWorkers

# Signs that may fail to come before a worker is taken for dead.
SIGNS = 3
# Says which running system this is: a name of a machine may be given twice.
BOOT = Path("/proc/sys/kernel/random/boot_id")
REGISTER = "INSERT INTO engine_workers (id, name, machine, silence) VALUES (:id, :name, :machine, :silence)"
NUMBER = "SELECT id FROM engine_workers WHERE name = :name"
NAMES = "SELECT name FROM engine_workers"
DROP_IDLE = """DELETE FROM procrastinate_workers WHERE id = (SELECT id FROM engine_workers WHERE name = :name)
AND NOT EXISTS (SELECT 1 FROM jobs WHERE state = 'running' AND worker = :name)
"""
HEARD = """SELECT name, machine FROM engine_workers JOIN procrastinate_workers USING (id)
WHERE greatest(last_heartbeat, pg_postmaster_start_time()) > clock_timestamp() - silence * INTERVAL '1 second'
"""
log = logger("store")


class EngineWorkers(SqlWorkers):
    """The workers of an archive whose records are in PostgreSQL."""

    def __init__(self, rows: Rows, folder: Path) -> None:
        super().__init__(rows, folder)
        self._machine = this_machine()

    @contextmanager
    def join(self, name: str, silence: float = SILENCE) -> Iterator[None]:
        """Be alive under this name, as long as signs of life come."""
        lock = worker_lock(self._folder, name)
        try:
            self._drop_dead()
            number = self._registered(name, silence)
            ending = Event()
            beating = Thread(target=self._beat, args=(number, silence / SIGNS, ending), name="heart", daemon=True)
            beating.start()
            try:
                yield
            finally:
                ending.set()
                beating.join()
                self._leave(number)
        finally:
            lock.remove()

    def alive(self) -> frozenset[str]:
        """The names of those that were heard of late, but for those whose death this machine knows."""
        fallen = fallen_workers(self._folder)
        heard = self._rows.find_all(HEARD)
        return frozenset(row.name for row in heard if row.machine != self._machine or row.name not in fallen)

    def tell(self, worker: WorkerRow) -> bool:
        """Say how it stands; whether nobody has given it up."""
        super().tell(worker)
        return self._rows.find(NUMBER, name=worker.name) is not None

    def _drop_dead(self) -> None:
        """Forget those that live no more, but for those whose jobs are still to be taken over."""
        super()._drop_dead()
        alive = self.alive()
        for row in self._rows.find_all(NAMES):
            if row.name not in alive:
                self._rows.write(DROP_IDLE, name=row.name)

    def _registered(self, name: str, silence: float) -> int:
        with self._rows.beside() as connection:
            number = Carrier(connection).register()
            values = {"id": number, "name": name, "machine": self._machine, "silence": silence}
            connection.exec_driver_sql(REGISTER, values)
            return number

    def _beat(self, number: int, pause: float, ending: Event) -> None:
        """Give signs of life, in a thread of its own: a worker that is busy lives."""
        while not ending.wait(pause):
            try:
                with self._rows.beside() as connection:
                    Carrier(connection).beat(number)
            except ArchiveError as error:
                log.warning("no sign of life could be given: %s", error)

    def _leave(self, number: int) -> None:
        # Where the server is away, the silence says it.
        with suppress(ArchiveError), self._rows.beside() as connection:
            Carrier(connection).leave(number)


def this_machine() -> str:
    """The running system on which this is."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
