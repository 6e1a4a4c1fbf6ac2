"""How many jobs and followed blogs stand how and why, and how many are in each list, kept by the
database itself: to count millions of rows takes long, and people and programs ask often.

Triggers write every change of a row down in the transaction that makes it, so nobody who changes
rows can forget it. SQLite has one row for each number. On PostgreSQL, where workers take jobs side
by side, a row that all of them change would let each wait for the others: there every change adds
rows with the difference it makes, a number is the sum of its rows, and they are put together now
and then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from .dialects import SQLITE, dialect_of


@dataclass(frozen=True, slots=True)
class KeptTally:
    """What is counted: rows of a table, by their state and by a kind; all of them, or those for
    which holds what is said of `row`. That must never change while a row is there.
    """

    what: str
    table: str
    kind: str
    state: str
    only: str = "true"


TABLE = "tallies"
NO_KIND = "''"
JOBS = KeptTally("jobs", "jobs", "kind", "state")
FOLLOWED = KeptTally("followed", "followed", NO_KIND, "state")
REASONS = KeptTally("reasons", "followed", "state", "reason")
LISTED = KeptTally("listed", "labels", NO_KIND, "name", "{row}.kind = 'list'")
# Those of the first version of the table, and all.
FIRST = (JOBS, FOLLOWED)
ALL = (*FIRST, REASONS, LISTED)
TALLIES = (
    "SELECT kind, state, sum(number) AS number FROM tallies WHERE what = :what"
    " GROUP BY kind, state HAVING sum(number) <> 0"
)
# What the numbers lack to be true, in one statement: on PostgreSQL it sees the rows and their
# numbers at the same moment, and whoever changes rows meanwhile writes his own difference down.
LACKING = """SELECT '{what}', kind, state, sum(number) FROM (
  SELECT {kind} AS kind, {state} AS state, count(*) AS number FROM {table} WHERE {of_table} GROUP BY 1, 2
  UNION ALL SELECT kind, state, -number FROM tallies WHERE what = '{what}'
) AS counted GROUP BY kind, state HAVING sum(number) <> 0"""
INTO = "INSERT INTO tallies (what, kind, state, number) "
ONE_ROW = " ON CONFLICT (what, kind, state) DO UPDATE SET number = number + excluded.number"
NONE_LEFT = "DELETE FROM tallies WHERE what = '{what}' AND number = 0"

SQLITE_TABLE = """CREATE TABLE tallies (
  what VARCHAR NOT NULL, kind VARCHAR NOT NULL, state VARCHAR NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (what, kind, state)
) WITHOUT ROWID"""
CAME = INTO + "VALUES ('{what}', {new_kind}, {new_state}, 1)" + ONE_ROW + ";"
# A number that is none any more goes with its words: they may be such as were erased.
WENT = (
    INTO
    + "VALUES ('{what}', {old_kind}, {old_state}, -1)"
    + ONE_ROW
    + "; "
    + NONE_LEFT
    + " AND kind = {old_kind} AND state = {old_state};"
)
CHANGED = "{of_new} AND ({old_state} <> {new_state} OR {old_kind} <> {new_kind})"
SQLITE_TRIGGERS = (
    f"CREATE TRIGGER {{what}}_came AFTER INSERT ON {{table}} WHEN {{of_new}} BEGIN {CAME} END",
    "CREATE TRIGGER {what}_changed AFTER UPDATE ON {table} WHEN " + CHANGED + f" BEGIN {WENT} {CAME} END",
    f"CREATE TRIGGER {{what}}_went AFTER DELETE ON {{table}} WHEN {{of_old}} BEGIN {WENT} END",
)

# Rows come and go, and what is gone is cleared away soon.
POSTGRES_TABLE = """CREATE TABLE tallies (
  what TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"""
# Reasons may be many, and who asks for the others should not have to pass them.
POSTGRES_INDEX = "CREATE INDEX tallies_by_what ON tallies (what)"
# Who puts rows together waits for nobody, and nobody for him: one at a time does, others go on.
# Once in a transaction, since rows that go with it stay to be looked at until its end: in one that
# changes a million rows each time would take longer than the one before. A number with one row is
# left as it is.
TOGETHER = """CREATE FUNCTION tally_together() RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('blogforever.tallied', true), '') = ''
        AND pg_try_advisory_xact_lock(hashtextextended(current_schema() || ' tallies', 0)) THEN
        PERFORM set_config('blogforever.tallied', 'yes', true);
        WITH several AS (
            SELECT what, kind, state FROM tallies GROUP BY 1, 2, 3 HAVING count(*) > 1 OR sum(number) = 0
        ), gone AS (
            DELETE FROM tallies USING several
            WHERE (tallies.what, tallies.kind, tallies.state) = (several.what, several.kind, several.state)
            RETURNING tallies.what, tallies.kind, tallies.state, number
        )
        INSERT INTO tallies SELECT what, kind, state, sum(number) FROM gone GROUP BY 1, 2, 3 HAVING sum(number) <> 0;
    END IF;
END $$"""
# One of so many changes puts the rows together: often enough that a sum has some hundred rows,
# seldom enough that nobody notices it.
ONE_OF = 64
POSTGRES_FUNCTION = """CREATE FUNCTION tally_{what}() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO tallies VALUES ('{what}', {old_kind}, {old_state}, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO tallies VALUES ('{what}', {new_kind}, {new_state}, 1);
    END IF;
    IF random() * {one_of} < 1 THEN
        PERFORM tally_together();
    END IF;
    RETURN NULL;
END $$"""
EACH, THEN = " ON {table} FOR EACH ROW WHEN (", ") EXECUTE FUNCTION tally_{what}()"
POSTGRES_TRIGGERS = (
    "CREATE TRIGGER {what}_came AFTER INSERT" + EACH + "{of_new}" + THEN,
    "CREATE TRIGGER {what}_changed AFTER UPDATE" + EACH + CHANGED + THEN,
    "CREATE TRIGGER {what}_went AFTER DELETE" + EACH + "{of_old}" + THEN,
)
# By database: what is made once, and for each tally; and what takes that away.
NAMES = ("came", "changed", "went")
MADE = {
    "sqlite": ((SQLITE_TABLE,), SQLITE_TRIGGERS),
    "postgresql": ((POSTGRES_TABLE, POSTGRES_INDEX, TOGETHER), (POSTGRES_FUNCTION, *POSTGRES_TRIGGERS)),
}
DROPPED = {
    "sqlite": ([f"DROP TRIGGER {{what}}_{name}" for name in NAMES], ("DROP TABLE tallies",)),
    "postgresql": (
        [*(f"DROP TRIGGER {{what}}_{name} ON {{table}}" for name in NAMES), "DROP FUNCTION tally_{what}"],
        ("DROP FUNCTION tally_together", "DROP TABLE tallies"),
    ),
}


def making(database: str, tallies: Iterable[KeptTally] = ALL) -> list[str]:
    """The statements that make the table of numbers, and what keeps them; the numbers of what is
    there already are still to be counted.
    """
    once, each = MADE[database]
    return [*once, *_of_each(each, tallies)]


def unmaking(database: str, tallies: Iterable[KeptTally] = ALL) -> list[str]:
    """The statements that take all of it away."""
    each, once = DROPPED[database]
    return [*_of_each(each, tallies), *once]


def recount(connection: Connection, tallies: Iterable[KeptTally] = ALL) -> None:
    """Let every number be what it is, whatever others did to the database."""
    is_sqlite = dialect_of(connection) is SQLITE
    counting = [INTO + LACKING + ONE_ROW, NONE_LEFT] if is_sqlite else [INTO + LACKING]
    for statement in _of_each(counting, tallies):
        connection.exec_driver_sql(statement)
    if not is_sqlite:
        put_together(connection)


def put_together(connection: Connection) -> None:
    """On PostgreSQL: leave one row of each number, and nothing of what was counted and is no more."""
    connection.exec_driver_sql("SELECT tally_together()")


def miscounted(connection: Connection) -> list[str]:
    """The tables whose numbers are not those of their rows."""
    found = {tally.table: tally for tally in ALL if _lacks(connection, tally)}
    return list(found)


def _lacks(connection: Connection, tally: KeptTally) -> bool:
    (query,) = _of_each([LACKING + " LIMIT 1"], [tally])
    return connection.exec_driver_sql(query).first() is not None


def _of_each(statements: Iterable[str], tallies: Iterable[KeptTally]) -> list[str]:
    several = tuple(statements)
    return [statement.format(**_words(tally)) for tally in tallies for statement in several]


def _words(tally: KeptTally) -> dict[str, str | int]:
    """What stands in a statement about one of them."""
    columns = {name: getattr(tally, name) for name in ("what", "table", "kind", "state")}
    of_rows = {f"{row}_{name}": _of(row, columns[name]) for row in ("old", "new") for name in ("kind", "state")}
    only = {f"of_{row}": tally.only.format(row=row) for row in ("old", "new")}
    return columns | of_rows | only | {"of_table": tally.only.format(row=tally.table), "one_of": ONE_OF}


def _of(row: str, column: str) -> str:
    """A value of a row before or after a change; one that is the same for all needs no row."""
    return column if column == NO_KIND else f"{row}.{column}"
