"""Workers and paused parts of the service, in the database; whether a worker lives, its lock file says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from blogforever.storage.work import SILENCE, PausedPart, WorkerRow

from . import schema
from .lock import living_workers, worker_lock
from .rows import Rows, columns_of

DROP = "DELETE FROM workers WHERE name = :name"
WORKERS = "SELECT * FROM workers ORDER BY name"
PAUSE = "INSERT INTO paused (part, since, by) VALUES (:part, :since, :by) ON CONFLICT (part) DO NOTHING"
RESUME = "DELETE FROM paused WHERE part = :part RETURNING part"
PAUSED = "SELECT part, since, by FROM paused ORDER BY part"


class SqlWorkers:
    """The workers of an archive."""

    def __init__(self, rows: Rows, folder: Path) -> None:
        self._rows, self._folder = rows, folder

    @contextmanager
    def join(self, name: str, silence: float = SILENCE) -> Iterator[None]:
        """Be alive under this name, until the end of the context or of the process."""
        lock = worker_lock(self._folder, name)
        self._drop_dead()
        try:
            yield
        finally:
            lock.remove()

    def _drop_dead(self) -> None:
        alive = self.alive()
        for row in self.told():
            if row.name not in alive:
                self._rows.write(DROP, name=row.name)

    def alive(self) -> frozenset[str]:
        """The names of those that live now."""
        return living_workers(self._folder)

    def tell(self, worker: WorkerRow) -> bool:
        """Say how it stands; its lock file says that it lives."""
        with self._rows.transaction():
            self._rows.gather("workers", columns_of(worker, schema.workers))
        return True

    def rows(self) -> list[WorkerRow]:
        """What those that live last told, by name."""
        alive = self.alive()
        return [row for row in self.told() if row.name in alive]

    def told(self) -> list[WorkerRow]:
        """What all told that were not yet dropped."""
        return [WorkerRow(**row._mapping) for row in self._rows.find_all(WORKERS)]


class SqlParts:
    """The paused parts of the service."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def pause(self, part: PausedPart) -> None:
        """Pause it, from now on."""
        self._rows.write(PAUSE, part=part.part, since=part.since, by=part.by)

    def resume(self, part: str) -> bool:
        """Let it run; whether it was paused."""
        return self._rows.write(RESUME, part=part) is not None

    def paused(self) -> list[PausedPart]:
        """Those that are paused, by name."""
        return [PausedPart(**row._mapping) for row in self._rows.find_all(PAUSED)]
