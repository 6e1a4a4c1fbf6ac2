"""Measures how many empty jobs a second go through the engine on PostgreSQL, with 100,000 queued and a lock per blog.

    python tools/bench_engine.py [--queued 100000] [--seconds 20] [--write]

The server writes every commit through to the disk. Each blog has one job, due now; a worker takes them, carries out
nothing, and ends them, as it does with real ones. The same with a hundredth of the queue says what its length costs.
Fails below the limit; `--write` writes docs/engine.md.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from blogforever import clock
from blogforever.storage.work import JobRow
from blogforever.store.database import open_database, postgres_url
from blogforever.store.sqlstore import SqlStore
from blogforever.work.handling import Carried
from blogforever.work.worker import Worker, WorkerLimits
from labpostgres import LabPostgres

PAGE = Path(__file__).resolve().parents[1] / "docs/engine.md"
LEAST_A_SECOND = 150.0
# Jobs at a time: as many updates as a worker has under way by default.
AT_A_TIME = 200
FILL = """INSERT INTO jobs (kind, blog, priority, state, due, attempts, created, asked_by, input, cancel)
SELECT 'update', 'blog' || number, 2, 'waiting', :now, 0, :now, '', '', 0 FROM generate_series(1, :queued) AS number
"""
PAGE_TEXT = """# How fast the engine is

`python tools/bench_engine.py --write` writes this page. Empty jobs through the engine on PostgreSQL (Procrastinate), in
one worker; every commit reaches the disk (`fsync=on`), and every job holds the lock of its blog. Two cores, shared with
the server; ratios say more than seconds.

| queued | jobs a second |
|---|---|
| {few:,} | {at_few:.0f} |
| {many:,} | {at_many:.0f} |

A queue a hundred times as long makes a job {ratio:.2f} times as dear. Promised are {least:.0f} a second with 100,000
queued.
"""


@dataclass
class Nothing:
    """Carries out jobs without doing anything, and counts them."""

    ended: int = 0

    async def carry_out(self, _job: JobRow) -> Carried:
        """Nothing."""
        return Carried(write=self._count)

    def give_up(self, _job: JobRow, _error: str) -> None:
        """Never."""

    def _count(self) -> None:
        self.ended += 1


async def measured(store: SqlStore, engine: Engine, seconds: float) -> float:
    """Jobs that ended in a second; the first moments, in which everything begins, are left out."""
    handler = Nothing()
    worker = Worker("bench", store, {"update": handler}, WorkerLimits({"update": AT_A_TIME}))
    running = asyncio.create_task(worker.run())
    while handler.ended < AT_A_TIME:
        await asyncio.sleep(0.01)
    # The server does this by itself, in the first minute in which rows come and go.
    await asyncio.to_thread(vacuumed, engine, "ANALYZE procrastinate_jobs")
    first, begun = handler.ended, time.monotonic()
    await asyncio.sleep(seconds)
    speed = (handler.ended - first) / (time.monotonic() - begun)
    worker.drain()
    await running
    return speed


def filled(engine: Engine, queued: int) -> None:
    """So many jobs wait, and nothing else is there."""
    with engine.begin() as connection:
        for table in ("jobs", "counters", "procrastinate_jobs", "procrastinate_workers"):
            connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608  names of our own
        connection.exec_driver_sql(FILL, {"now": clock.stamp(), "queued": queued})
    vacuumed(engine, "VACUUM ANALYZE")


def vacuumed(engine: Engine, statement: str) -> None:
    """What the server does by itself from time to time."""
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql(statement)


def main() -> int:
    """Measure, print, judge."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--queued", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o755)
        server = LabPostgres(folder / "pg")
        engine = open_database(postgres_url(server.make()))
        store = SqlStore(engine, folder)
        speeds: dict[int, float] = {}
        try:
            # The short queue must not be emptied before the time is over.
            for queued in (max(given.queued // 100, 1000), given.queued):
                filled(engine, queued)
                seconds = given.seconds if queued == given.queued else min(given.seconds, 2.0)
                speeds[queued] = asyncio.run(measured(store, engine, seconds))
                print(f"{queued} queued: {speeds[queued]:.0f} jobs a second", flush=True)
        finally:
            store.close()
            server.stop()
    few, many = speeds
    figures = {"few": few, "many": many, "at_few": speeds[few], "at_many": speeds[many]}
    if given.write:
        PAGE.write_text(PAGE_TEXT.format(**figures, ratio=speeds[few] / speeds[many], least=LEAST_A_SECOND))
    print(f"promised: {LEAST_A_SECOND:.0f}; {'held' if speeds[many] >= LEAST_A_SECOND else 'MISSED'}")
    return 0 if speeds[many] >= LEAST_A_SECOND else 1


if __name__ == "__main__":
    sys.exit(main())
