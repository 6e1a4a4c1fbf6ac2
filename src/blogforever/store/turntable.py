"""The turns of all machines, in PostgreSQL: one connection, on which each exchange is one short transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError, SQLAlchemyError

from blogforever.errors import ArchiveError
from blogforever.storage.turns import LASTING, BudgetNews, BudgetStanding, KnownRobots, TurnAnswer

from .database import first_line, shown, turns_engine
from .dialects import POSTGRES
from .place import address_in

Result = TypeVar("Result")
NOW = "extract(epoch FROM clock_timestamp())"
# Seconds for which a host draws on one budget, whoever asks: then its addresses may be others.
AGREED = 6 * 3600.0
# Seconds after which nobody remembers that a budget was asked.
FORGOTTEN = 24 * 3600.0
TAKE = "SELECT take_turns(:who, :called, :lasting, CAST(:said AS JSONB))"
LEAVE = "DELETE FROM turns_askers WHERE asker = :who"
ASKERS = f"SELECT asker, name FROM turns_askers WHERE expires > {NOW}"  # noqa: S608  nothing in it comes from outside
BURY = f"UPDATE turns_askers SET expires = {NOW} WHERE asker = :who AND expires > {NOW}"  # noqa: S608  as above
AGREE = f"""INSERT INTO turns_hosts AS h (host, key, expires) VALUES (:host, :key, {NOW} + :lasting)
ON CONFLICT (host) DO UPDATE SET
    key = CASE WHEN h.expires > {NOW} THEN h.key ELSE excluded.key END,
    expires = CASE WHEN h.expires > {NOW} THEN h.expires ELSE excluded.expires END
RETURNING h.key, h.expires - {NOW}"""  # noqa: S608  nothing in it comes from outside
ROBOTS = f"""SELECT said, trouble, again, expires - {NOW} FROM turns_robots
WHERE origin = :origin AND expires > {NOW}"""  # noqa: S608  as above
KEEP_ROBOTS = f"""INSERT INTO turns_robots (origin, said, trouble, again, expires)
VALUES (:origin, :said, :trouble, :again, {NOW} + :left) ON CONFLICT (origin) DO UPDATE SET
said = excluded.said, trouble = excluded.trouble, again = excluded.again, expires = excluded.expires"""  # noqa: S608
# Those that somebody else is about to use are left for the next time: nobody waits here.
TIDY = tuple(
    f"DELETE FROM {table} WHERE {column} IN (SELECT {column} FROM {table} WHERE {test} < {NOW} - :age"  # noqa: S608
    " FOR UPDATE SKIP LOCKED)"
    for table, column, test in (
        ("turns_askers", "asker", "expires"),
        ("turns_budgets", "key", "greatest(asked, until)"),
        ("turns_hosts", "host", "expires"),
        ("turns_robots", "origin", "expires"),
    )
)
STANDING = f"""SELECT b.key, {NOW} - b.asked, greatest(b.until - {NOW}, 0),
    (SELECT count(*) FROM turns_leases l JOIN turns_askers a ON a.asker = l.asker
     WHERE l.key = b.key AND a.expires > {NOW})
FROM turns_budgets b WHERE b.asked > 0
ORDER BY greatest(b.until - {NOW}, 0) DESC, b.asked DESC LIMIT :most"""  # noqa: S608  as above


class PostgresTurns:
    """Whose turn it is to ask a service, over all machines with this database; from any thread."""

    def __init__(self, url: URL) -> None:
        self._url, self._engine = url, turns_engine(url)
        self._connection: Connection | None = None
        self._one_at_a_time = Lock()

    def can_be_used(self) -> bool:
        """Whether the database has these tables for us; one that cannot be reached may have them."""
        try:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("DELETE FROM turns_askers WHERE false")
        except ProgrammingError:
            return False
        except DBAPIError as error:
            # A server that only reads, as a copy of another does, says so in words of its own.
            return isinstance(error, OperationalError)
        return True

    def exchange(self, asker: str, name: str, news: Sequence[BudgetNews]) -> Mapping[str, TurnAnswer] | None:
        """Tell the news of some budgets and hear of the wishes, by budget."""
        said = json.dumps([_said(one) for one in news])
        values = {"who": asker, "called": name, "lasting": LASTING, "said": said}
        told = self._asked(lambda connection: connection.exec_driver_sql(TAKE, values).scalar())
        if told is None:
            return None
        return {
            key: TurnAnswer(True) if word is True else TurnAnswer(False, word or None) for key, word in told.items()
        }

    def leave(self, asker: str) -> None:
        """Give back all that somebody has."""
        self._asked(lambda connection: connection.exec_driver_sql(LEAVE, {"who": asker}))

    def askers(self) -> list[tuple[str, str]]:
        """Who asks, and what he calls himself."""
        rows = self._asked(lambda connection: connection.exec_driver_sql(ASKERS).all())
        return [(str(asker), str(name)) for asker, name in rows]

    def bury(self, asker: str) -> None:
        """Somebody has died just now."""
        self._asked(lambda connection: connection.exec_driver_sql(BURY, {"who": asker}))

    def agreed(self, host: str, key: str) -> tuple[str, float]:
        """The budget that all draw on for a host, and for how many seconds."""
        values = {"host": host, "key": key, "lasting": AGREED}
        row = self._asked(lambda connection: connection.exec_driver_sql(AGREE, values).one())
        return str(row[0]), float(row[1])

    def robots(self, origin: str) -> KnownRobots | None:
        """What somebody was told by a host, if that is believed still."""
        row = self._asked(lambda connection: connection.exec_driver_sql(ROBOTS, {"origin": origin}).first())
        return KnownRobots(row[0], row[1], row[2], float(row[3])) if row else None

    def keep_robots(self, origin: str, known: KnownRobots) -> None:
        """Let others know it."""
        said = {"origin": origin, "said": known.said, "trouble": known.trouble}
        values = said | {"again": known.again, "left": known.left}
        self._asked(lambda connection: connection.exec_driver_sql(KEEP_ROBOTS, values))

    def tidy(self) -> None:
        """Forget what was long ago."""
        for statement in TIDY:
            self._asked(partial(_execute, statement=statement))

    def close(self) -> None:
        """Let go of the connection."""
        with self._one_at_a_time:
            self._drop_connection()
            self._engine.dispose()

    def _asked(self, question: Callable[[Connection], Result]) -> Result:
        """The server's answer; a connection that breaks is not used again."""
        with self._one_at_a_time:
            try:
                if self._connection is None:
                    self._connection = self._engine.connect()
                return question(self._connection)
            except SQLAlchemyError as error:
                self._drop_connection()
                why = f"The database {shown(self._url)} cannot be used: {first_line(getattr(error, 'orig', error))}."
                raise ArchiveError(why) from error

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _execute(connection: Connection, statement: str) -> None:
    connection.exec_driver_sql(statement, {"age": FORGOTTEN})


def turn_table(folder: Path) -> PostgresTurns | None:
    """The turns in the database that an archive has its records in; None where it has none, or none
    that we may take.
    """
    address = address_in(folder)
    table = PostgresTurns(address) if address else None
    if table and not table.can_be_used():
        table.close()
        return None
    return table


def read_budgets(engine: Engine, most: int) -> list[BudgetStanding] | None:
    """The budgets as they stand, those that rest first, then those asked last; None where machines
    take no turns in this database.
    """
    if engine.dialect.name != POSTGRES.name:
        return None
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(STANDING, {"most": most}).all()
    return [BudgetStanding(str(key), float(asked), float(rests), int(number)) for key, asked, rests, number in rows]


def _said(news: BudgetNews) -> dict[str, Any]:
    wish = news.wish
    wanted = {"wanted": wish.number, "apart": wish.apart, "at_once": wish.at_once} if wish else {}
    return {
        "key": news.key,
        "started": news.started,
        "ended": news.ended,
        "asked": news.asked,
        "rests": news.rests,
        **wanted,
    }
