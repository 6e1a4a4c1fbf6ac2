"""What SQLite and PostgreSQL say differently, at one place: whoever writes SQL elsewhere writes
what both understand.

Statements in SQL as it is have `:name` for a value, as SQLite reads it; for PostgreSQL they are
rewritten on their way. Texts are compared byte by byte in both, and numbers have 64 bits in both.
PostgreSQL has no text with a NUL in it: a replacement character stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Engine, Integer, MetaData, String, Text, event
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex

# Literals and names are left as they stand, but for the sign that begins a value in the driver's
# own language.
TOKENS = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|::|:(?P<name>[a-zA-Z_]\w*)|(?P<place>\?)|%""")
# Statements of ours that are remembered in the driver's language; there are some hundreds.
STATEMENTS = 2000
ANYTHING = "*"
# A tree of PostgreSQL takes no value of more than 2,700 bytes, and a blog with a longer title or
# address could not be kept. So texts of any length that are looked up and never put in order have
# another kind of index there; one in which many rows are the same, or which has other columns too,
# holds a number made of the text in place of the text.
HASHED = frozenset({"posts_by_title", "captures_by_record"})
NUMBERED_TEXTS = {
    "captures_by_url": "url",
    "captures_by_address": "url",
    "captures_by_digest": "digest",
    "pages_by_blog": "url",
    "followed_by_reason": "reason",
}
TEXT_NUMBER = "hashtextextended({text}, 0)"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one kind of database says what the two say differently."""

    name: str
    lock: str
    """Begins a transaction that writes: nobody else writes until it ends."""
    is_ours: str
    """Finds a row where the database has a version of our tables."""
    highest: str
    """Finds `seq`, the highest number ever given in the `column` of a `table`, also where its row
    is gone.
    """
    fits: str
    """Whether an `address` fits the pattern `:address`."""
    pattern: Callable[[str], str]
    """An address in which `*` is anything, and all else means itself, as such a pattern."""
    same: str
    """Whether a `column` of `NUMBERED_TEXTS` has a `value`."""
    platform: str
    """The platform in the JSON of a `record`."""
    elements: str
    """The elements of a list in `json`, as rows of a table `name` with a column `value`."""


def _as_glob(address: str) -> str:
    return "".join(f"[{mark}]" if mark in "[?" else mark for mark in address)


def _as_like(address: str) -> str:
    literal = "".join(f"\\{mark}" if mark in "\\%_" else mark for mark in address)
    return literal.replace(ANYTHING, "%")


SQLITE = Dialect(
    name="sqlite",
    lock="BEGIN IMMEDIATE",
    is_ours="SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'",
    highest="SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
    fits="{address} GLOB :address",
    pattern=_as_glob,
    same="{column} = {value}",
    platform="json_extract({record}, '$.platform')",
    elements="json_each({json}) AS {name}",
)
POSTGRES = Dialect(
    name="postgresql",
    # One writer at a time, as in SQLite: so the numbers of news come in the order in which they can
    # be seen. Who has died, or is cut off, keeps the others waiting for a minute at most.
    lock=(
        "SELECT set_config('idle_in_transaction_session_timeout', '60000', true),"
        " pg_advisory_xact_lock(hashtextextended(current_schema(), 0))"
    ),
    is_ours="SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL",
    highest="SELECT last_value AS seq FROM {table}_{column}_seq WHERE is_called",
    fits="{address} LIKE :address",
    pattern=_as_like,
    same=f"{TEXT_NUMBER.format(text='{column}')} = {TEXT_NUMBER.format(text='{value}')} AND {{column}} = {{value}}",
    platform="CAST({record} AS json) ->> 'platform'",
    elements="json_array_elements(CAST({json} AS json)) AS {name}(value)",
)
DIALECTS = {dialect.name: dialect for dialect in (SQLITE, POSTGRES)}


class ByteText(Text):
    """A text of PostgreSQL that is compared byte by byte, whatever language the database was made
    for.
    """


@compiles(ByteText, "postgresql")
def _byte_text(_type: ByteText, _compiler: object, **_more: object) -> str:
    return 'TEXT COLLATE "C"'


@compiles(CreateIndex, "postgresql")
def _same_index(create: CreateIndex, compiler: Any, **more: object) -> str:
    """An index of the same part of the rows. It is told to PostgreSQL only when it is made there:
    what is said for a dialect earlier loads the dialect, which takes longer than all our tables.
    """
    index = create.element
    index.dialect_options[POSTGRES.name]["where"] = index.dialect_options[SQLITE.name]["where"]
    if index.name in HASHED:
        index.dialect_options[POSTGRES.name]["using"] = "hash"
    statement: str = compiler.visit_create_index(create, **more)
    column = NUMBERED_TEXTS.get(str(index.name))
    if column is None:
        return statement
    table, opening, columns = statement.rpartition("(")
    return table + opening + columns.replace(column, TEXT_NUMBER.format(text=column))


def dialect_of(database: Engine | Connection) -> Dialect:
    """How this database says it."""
    return DIALECTS[database.dialect.name]


def understood_by_both(metadata: MetaData) -> None:
    """Let these tables be the same in both: texts in the order of their bytes, numbers of 64
    bits.
    """
    for table in metadata.tables.values():
        for column in table.columns:
            _same_column(column)


def _same_column(column: Column[Any], *_parent: object) -> None:
    kind: Any = column.type
    if isinstance(kind, Integer):
        column.type = Integer().with_variant(BigInteger(), POSTGRES.name)
    elif isinstance(kind, String):
        column.type = type(kind)().with_variant(ByteText(), POSTGRES.name)


@contextmanager
def migrating() -> Iterator[None]:
    """Let the same hold for tables and columns that migrations make meanwhile."""
    event.listen(Column, "after_parent_attach", _same_column)
    try:
        yield
    finally:
        event.remove(Column, "after_parent_attach", _same_column)


def speak_postgres(engine: Engine) -> None:
    """Let our statements be understood on this engine."""
    event.listen(engine, "before_cursor_execute", _rewritten, retval=True)
    event.listen(engine, "connect", _adapted)


def _rewritten(
    _connection: object, _cursor: object, statement: str, parameters: Any, context: Any, _many: bool
) -> tuple[str, Any]:
    # What SQLAlchemy made is in the driver's language already.
    is_ours = context.compiled is None
    return (in_driver_words(statement) if is_ours else statement), parameters


@lru_cache(STATEMENTS)
def in_driver_words(statement: str) -> str:
    """A statement of ours as psycopg reads it."""
    return TOKENS.sub(_driver_word, statement)


def _driver_word(found: re.Match[str]) -> str:
    if found["name"]:
        return f"%({found['name']})s"
    return "%s" if found["place"] else found[0].replace("%", "%%")


def _adapted(connection: Any, _record: object) -> None:
    from psycopg.adapt import Loader  # noqa: PLC0415  only who uses PostgreSQL has it
    from psycopg.types.string import StrDumperUnknown  # noqa: PLC0415  as above

    class AnyText(StrDumperUnknown):
        """Hostile text, too: neither NUL nor half a character can be written."""

        def dump(self, obj: str) -> bytes:
            return obj.encode("utf-8", "replace").replace(b"\0", "\ufffd".encode())

    class WholeNumber(Loader):
        """Sums of whole numbers, which PostgreSQL gives as decimals."""

        def load(self, data: Any) -> int | float:
            said = bytes(data)
            return float(said) if b"." in said else int(said)

    connection.adapters.register_dumper(str, AnyText)
    connection.adapters.register_loader("numeric", WholeNumber)
