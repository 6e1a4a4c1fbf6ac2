"""How many jobs and followed blogs stand how, kept by the database itself: to count millions of
rows takes long, and people and programs ask often.

Triggers write every change of a row down in the transaction that makes it, so nobody who changes
rows can forget it. SQLite has one row for each number. On PostgreSQL, where workers take jobs side
by side, a row that all of them change would let each wait for the others: there every change adds
rows with the difference it makes, a number is the sum of its rows, and they are put together now
and then.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from .dialects import SQLITE, dialect_of

TABLE = "tallies"
# Whose rows are counted by their state, and by which kind.
KINDS = {"jobs": "kind", "followed": "''"}
TALLIES = (
    "SELECT kind, state, sum(number) AS number FROM tallies WHERE what = :what"
    " GROUP BY kind, state HAVING sum(number) <> 0"
)
# What the numbers lack to be true, in one statement: on PostgreSQL it sees the rows and their
# numbers at the same moment, and whoever changes rows meanwhile writes his own difference down.
LACKING = """SELECT '{what}', kind, state, sum(number) FROM (
  SELECT {kind} AS kind, state, count(*) AS number FROM {what} GROUP BY 1, 2
  UNION ALL SELECT kind, state, -number FROM tallies WHERE what = '{what}'
) AS counted GROUP BY kind, state HAVING sum(number) <> 0"""
INTO = "INSERT INTO tallies (what, kind, state, number) "
ONE_ROW = " ON CONFLICT (what, kind, state) DO UPDATE SET number = number + excluded.number"

SQLITE_TABLE = """CREATE TABLE tallies (
  what VARCHAR NOT NULL, kind VARCHAR NOT NULL, state VARCHAR NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (what, kind, state)
) WITHOUT ROWID"""
CAME = INTO + "VALUES ('{what}', {new_kind}, new.state, 1)" + ONE_ROW + ";"
WENT = INTO + "VALUES ('{what}', {old_kind}, old.state, -1)" + ONE_ROW + ";"
CHANGED = "old.state <> new.state OR {old_kind} <> {new_kind}"
SQLITE_TRIGGERS = (
    f"CREATE TRIGGER {{what}}_came AFTER INSERT ON {{what}} BEGIN {CAME} END",
    "CREATE TRIGGER {what}_changed AFTER UPDATE ON {what} WHEN " + CHANGED + f" BEGIN {WENT} {CAME} END",
    f"CREATE TRIGGER {{what}}_went AFTER DELETE ON {{what}} BEGIN {WENT} END",
)

# Rows come and go, and what is gone is cleared away soon.
POSTGRES_TABLE = """CREATE TABLE tallies (
  what TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"""
# Who puts rows together waits for nobody, and nobody for him: one at a time does, others go on.
# Once in a transaction, since rows that go with it stay to be looked at until its end: in one that
# changes a million rows each time would take longer than the one before.
TOGETHER = """CREATE FUNCTION tally_together() RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('blogforever.tallied', true), '') = ''
        AND pg_try_advisory_xact_lock(hashtextextended(current_schema() || ' tallies', 0)) THEN
        PERFORM set_config('blogforever.tallied', 'yes', true);
        WITH gone AS (DELETE FROM tallies RETURNING what, kind, state, number)
        INSERT INTO tallies SELECT what, kind, state, sum(number) FROM gone GROUP BY 1, 2, 3 HAVING sum(number) <> 0;
    END IF;
END $$"""
# One of so many changes puts the rows together: often enough that a sum has some hundred rows,
# seldom enough that nobody notices it.
ONE_OF = 64
POSTGRES_FUNCTION = """CREATE FUNCTION tally_{what}() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO tallies VALUES ('{what}', {old_kind}, old.state, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO tallies VALUES ('{what}', {new_kind}, new.state, 1);
    END IF;
    IF random() * {one_of} < 1 THEN
        PERFORM tally_together();
    END IF;
    RETURN NULL;
END $$"""
THEN = " EXECUTE FUNCTION tally_{what}()"
POSTGRES_TRIGGERS = (
    "CREATE TRIGGER {what}_came AFTER INSERT ON {what} FOR EACH ROW" + THEN,
    "CREATE TRIGGER {what}_changed AFTER UPDATE ON {what} FOR EACH ROW WHEN (" + CHANGED + ")" + THEN,
    "CREATE TRIGGER {what}_went AFTER DELETE ON {what} FOR EACH ROW" + THEN,
)
# By database: what is made once, and for each table whose rows are counted; and what takes that
# away.
NAMES = ("came", "changed", "went")
MADE = {
    "sqlite": ((SQLITE_TABLE,), SQLITE_TRIGGERS),
    "postgresql": ((POSTGRES_TABLE, TOGETHER), (POSTGRES_FUNCTION, *POSTGRES_TRIGGERS)),
}
DROPPED = {
    "sqlite": ([f"DROP TRIGGER {{what}}_{name}" for name in NAMES], ("DROP TABLE tallies",)),
    "postgresql": (
        [*(f"DROP TRIGGER {{what}}_{name} ON {{what}}" for name in NAMES), "DROP FUNCTION tally_{what}"],
        ("DROP FUNCTION tally_together", "DROP TABLE tallies"),
    ),
}


def making(database: str) -> list[str]:
    """The statements that make the table of numbers, and what keeps them; the numbers of what is
    there already are still to be counted.
    """
    once, each = MADE[database]
    return [*once, *_of_each(each)]


def unmaking(database: str) -> list[str]:
    """The statements that take all of it away."""
    each, once = DROPPED[database]
    return [*_of_each(each), *once]


def recount(connection: Connection) -> None:
    """Let every number be what it is, whatever others did to the database."""
    is_sqlite = dialect_of(connection) is SQLITE
    for statement in _of_each([INTO + LACKING + (ONE_ROW if is_sqlite else "")]):
        connection.exec_driver_sql(statement)
    if not is_sqlite:
        connection.exec_driver_sql("SELECT tally_together()")


def miscounted(connection: Connection) -> list[str]:
    """The tables whose numbers are not those of their rows."""
    return [row[0] for query in _of_each([LACKING + " LIMIT 1"]) for row in connection.exec_driver_sql(query)]


def _of_each(statements: Iterable[str]) -> list[str]:
    return [
        statement.format(what=what, kind=kind, old_kind=_of("old", kind), new_kind=_of("new", kind), one_of=ONE_OF)
        for what, kind in KINDS.items()
        for statement in statements
    ]


def _of(row: str, kind: str) -> str:
    """The kind of a row before or after a change; one that is the same for all needs no row."""
    return kind if kind.startswith("'") else f"{row}.{kind}"
