"""Tokens and the audit log, in the database."""

from __future__ import annotations

from blogforever.storage.people import Deed, Token

from . import schema
from .rows import Rows, columns_of, written

TOKENS = "SELECT * FROM tokens ORDER BY name"
NAMED = "SELECT * FROM tokens WHERE name = :name"
WITH_DIGEST = "SELECT * FROM tokens WHERE digest = :digest"
USED = "UPDATE tokens SET used = :day WHERE name = :name"
DROP = "DELETE FROM tokens WHERE name = :name RETURNING name"
ADD = "INSERT INTO audit (at, who, what, target, detail) VALUES (:at, :who, :what, :target, :detail)"
NEWEST = "SELECT * FROM audit WHERE id < :before AND (:who = '' OR who = :who) ORDER BY id DESC LIMIT :limit"
# Above every number that a row can have.
LAST = 2**63 - 1


class SqlTokens:
    """The tokens of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, token: Token) -> None:
        """Keep a token; one of the same name is replaced."""
        with self._rows.transaction():
            self._rows.gather("tokens", columns_of(token, schema.tokens))

    def find(self, name: str) -> Token | None:
        """The token of this name."""
        return self._one(NAMED, name=name)

    def with_digest(self, digest: str) -> Token | None:
        """The token whose secret has this digest."""
        return self._one(WITH_DIGEST, digest=digest)

    def all(self) -> list[Token]:
        """All tokens, by name."""
        return [Token(**row._mapping) for row in self._rows.find_all(TOKENS)]

    def used(self, name: str, day: str) -> None:
        """It was used on this day."""
        self._rows.write(USED, name=name, day=day)

    def drop(self, name: str) -> bool:
        """It opens nothing any more; whether there was one."""
        return self._rows.write(DROP, name=name) is not None

    def _one(self, query: str, **values: str) -> Token | None:
        row = self._rows.find(query, **values)
        return Token(**row._mapping) if row else None


class SqlAudit:
    """The audit log of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, deed: Deed) -> None:
        """Write it down."""
        columns = {"at": deed.at, "who": deed.who, "what": deed.what, "target": deed.target, "detail": deed.detail}
        self._rows.write(ADD, **written(columns))

    def newest(self, limit: int, before: int | None = None, who: str = "") -> list[Deed]:
        """What was done last, newest first; by one, where it is said by whom."""
        found = self._rows.find_all(NEWEST, limit=limit, before=LAST if before is None else before, who=who)
        return [Deed(**row._mapping) for row in found]
