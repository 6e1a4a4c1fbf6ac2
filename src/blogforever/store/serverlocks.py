"""Who may write what, between machines that share a database: advisory locks of one connection of
PostgreSQL.

They are held beside the lock files of the folder, in the same order. The server lets them go when
the connection ends, however that comes; that a machine is gone it knows after a minute. No
transaction is open meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DatabaseError

from blogforever.errors import ArchiveError

from .database import first_line, lock_engine, shown

# Another number than that of transactions which write: nobody waits for the wrong one.
KEY = "hashtextextended(current_schema() || ' ' || :name, 1)"
TRY = {True: f"SELECT pg_try_advisory_lock({KEY})", False: f"SELECT pg_try_advisory_lock_shared({KEY})"}
LET_GO = {True: f"SELECT pg_advisory_unlock({KEY})", False: f"SELECT pg_advisory_unlock_shared({KEY})"}


class ServerLocks:
    """What one command holds on a server; from any thread."""

    def __init__(self, url: URL) -> None:
        self._url, self._engine = url, lock_engine(url)
        self._connection: Connection | None = None
        self._held: dict[str, bool] = {}
        self._one_at_a_time = RLock()

    def take(self, name: str, alone: bool) -> bool:
        """Hold this, alone or with others, unless somebody else is in the way; whether it is held
        now.
        """
        with self._one_at_a_time:
            is_held = self._asked(lambda connection: _said(connection, TRY[alone], name))
            if is_held:
                self._held[name] = alone
            return is_held

    def let_go(self, name: str) -> None:
        """Let others have it."""
        with self._one_at_a_time:
            alone = self._held.pop(name, None)
            if alone is not None and self._connection is not None:
                self._asked(lambda connection: _said(connection, LET_GO[alone], name))

    def close(self) -> None:
        """Let everything go."""
        with self._one_at_a_time:
            self._held.clear()
            self._drop_connection()
            self._engine.dispose()

    def _asked(self, question: Callable[[Connection], bool]) -> bool:
        """The server's answer; where it was started anew meanwhile, everything is taken again
        first.
        """
        try:
            return question(self._connected())
        except DatabaseError:
            self._drop_connection()
        try:
            return question(self._connected())
        except DatabaseError as error:
            self._drop_connection()
            raise ArchiveError(f"The database {shown(self._url)} cannot be used: {first_line(error.orig)}.") from error

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
            for name, alone in self._held.items():
                if not _said(self._connection, TRY[alone], name):
                    lost = f"The connection to {shown(self._url)} was lost, and another command writes {name} now"
                    raise ArchiveError(f"{lost}; the next crawl goes on from here.")
        return self._connection

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _said(connection: Connection, question: str, name: str) -> bool:
    return bool(connection.exec_driver_sql(question, {"name": name}).scalar())
