"""How PostgreSQL would answer what it is asked: which large tables it would have to read whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Engine, event

LARGE = tuple(
    "posts captures versions checks addresses comments conditions sightings extractions moments facets jobs"
    " followed aliases watched labels looks news pings searchable posts_search".split()
)
READS = re.compile(r"\s*(SELECT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)
# As many rows as a large archive has of each.
ROWS = 2_000_000
# What it costs at least to go through so many, as PostgreSQL counts.
NOTHING = ROWS / 1000
BY_INDEX = ("Index Scan", "Index Only Scan")
# What gives nothing before it has everything.
TAKES_ALL = ("Sort", "Aggregate", "Hash", "WindowAgg", "Materialize")


class Statements:
    """Hears every statement that a database gets."""

    def __init__(self, engine: Engine) -> None:
        self.heard: list[tuple[str, Any]] = []
        event.listen(engine, "before_cursor_execute", self._hear)

    def _hear(self, _connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        self.heard.append((statement, values[0] if many else values))

    def taken(self) -> list[tuple[str, Any]]:
        """What was heard since this was last asked, each once."""
        heard, self.heard = self.heard, []
        return list({statement: (statement, values) for statement, values in heard}.values())


def pretend_large(engine: Engine) -> None:
    """Let the database plan as if the large tables were large: on small ones reading all is the quickest way."""
    with engine.begin() as connection:
        names = ", ".join(f"'{table}'" for table in LARGE)
        ours = f"SELECT oid FROM pg_class WHERE relname IN ({names})"
        connection.exec_driver_sql(f"DELETE FROM pg_statistic WHERE starelid IN ({ours})")
        connection.exec_driver_sql(f"UPDATE pg_class SET relpages = 1, reltuples = {ROWS} WHERE oid IN ({ours})")


def read_whole(engine: Engine, statement: str, values: Any) -> set[str]:
    """The large tables that a statement would go through from one end to the other."""
    if not READS.match(statement):
        return set()
    with engine.connect() as connection:
        cursor = connection.connection.cursor()
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", values or None)
        plan = cursor.fetchall()[0][0][0]["Plan"]
    return {table for table in _gone_through(plan) if table in LARGE}


def _gone_through(plan: dict[str, Any]) -> Iterator[str]:
    """The tables of which nothing says where to begin, unless somebody above stops after a few rows."""
    waiting = [(plan, False)]
    while waiting:
        node, is_stopped = waiting.pop()
        kind = node["Node Type"]
        is_stopped = kind == "Limit" or (is_stopped and kind not in TAKES_ALL)
        is_whole = kind == "Seq Scan" or (kind in BY_INDEX and "Index Cond" not in node)
        # An empty table is read at once.
        is_whole = is_whole and node["Total Cost"] > NOTHING
        if is_whole and not is_stopped:
            yield node["Relation Name"]
        waiting += [(below, is_stopped) for below in node.get("Plans", ())]
