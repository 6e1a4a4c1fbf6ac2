"""Tokens, people, their sessions and the audit log, in the database."""

from __future__ import annotations

from blogforever.storage.people import Deed, Session, Token, User

from . import schema
from .rows import Rows, columns_of, written

TOKENS = "SELECT * FROM tokens ORDER BY name"
NAMED = "SELECT * FROM tokens WHERE name = :name"
WITH_DIGEST = "SELECT * FROM tokens WHERE digest = :digest"
USED = "UPDATE tokens SET used = :day WHERE name = :name"
DROP = "DELETE FROM tokens WHERE name = :name RETURNING name"
USERS = "SELECT * FROM users ORDER BY name"
USER = "SELECT * FROM users WHERE name = :name"
DROP_USER = "DELETE FROM users WHERE name = :name RETURNING name"
SESSION = "SELECT * FROM sessions WHERE digest = :digest"
SESSIONS = 'SELECT * FROM sessions WHERE "user" = :user ORDER BY used DESC, digest'
DROP_SESSION = "DELETE FROM sessions WHERE digest = :digest RETURNING digest"
SESSIONS_OF = 'SELECT count(*) FROM sessions WHERE "user" = :user'
DROP_SESSIONS_OF = 'DELETE FROM sessions WHERE "user" = :user'
UNUSED = "SELECT count(*) FROM sessions WHERE used < :since"
DROP_UNUSED = "DELETE FROM sessions WHERE used < :since"
ADD = "INSERT INTO audit (at, who, what, target, detail) VALUES (:at, :who, :what, :target, :detail)"
NEWEST = "SELECT * FROM audit WHERE id < :before {} ORDER BY id DESC LIMIT :limit"
BY_ONE, TO_ONE = "AND who = :who", "AND target = :target"
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


class SqlUsers:
    """The people of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, user: User) -> None:
        """Keep somebody; who has the same name is replaced."""
        with self._rows.transaction():
            self._rows.gather("users", columns_of(user, schema.users))

    def find(self, name: str) -> User | None:
        """Who has this name."""
        row = self._rows.find(USER, name=name)
        return User(**row._mapping) if row else None

    def all(self) -> list[User]:
        """Everybody, by name."""
        return [User(**row._mapping) for row in self._rows.find_all(USERS)]

    def drop(self, name: str) -> bool:
        """Somebody logs in no more; whether there was one of this name."""
        return self._rows.write(DROP_USER, name=name) is not None


class SqlSessions:
    """The sessions of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, session: Session) -> None:
        """Keep a session; one with the same digest is replaced."""
        with self._rows.transaction():
            self._rows.gather("sessions", columns_of(session, schema.sessions))

    def find(self, digest: str) -> Session | None:
        """The session with this digest."""
        row = self._rows.find(SESSION, digest=digest)
        return Session(**row._mapping) if row else None

    def of(self, user: str) -> list[Session]:
        """The sessions of somebody, the one used last first."""
        return [Session(**row._mapping) for row in self._rows.find_all(SESSIONS, user=user)]

    def drop(self, digest: str) -> bool:
        """It opens nothing any more; whether there was one."""
        return self._rows.write(DROP_SESSION, digest=digest) is not None

    def drop_all(self, user: str) -> int:
        """None of somebody's opens anything any more; how many there were."""
        return self._dropped(SESSIONS_OF, DROP_SESSIONS_OF, user=user)

    def drop_unused(self, since: str) -> int:
        """Those that nobody used since then open nothing any more; how many there were."""
        return self._dropped(UNUSED, DROP_UNUSED, since=since)

    def _dropped(self, counting: str, dropping: str, **values: str) -> int:
        with self._rows.transaction():
            number: int = self._rows.find(counting, **values)[0]
            self._rows.write(dropping, **values)
        return number


class SqlAudit:
    """The audit log of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, deed: Deed) -> None:
        """Write it down."""
        columns = {"at": deed.at, "who": deed.who, "what": deed.what, "target": deed.target, "detail": deed.detail}
        self._rows.write(ADD, **written(columns))

    def newest(self, limit: int, before: int | None = None, who: str = "", target: str = "") -> list[Deed]:
        """What was done last, newest first; by one, or to one, where it is said by or to whom."""
        # Said only where it is meant, so that the index of what is meant is used.
        wanted = " ".join([BY_ONE] * bool(who) + [TO_ONE] * bool(target))
        named = {name: value for name, value in (("who", who), ("target", target)) if value}
        found = self._rows.find_all(
            NEWEST.format(wanted), limit=limit, before=LAST if before is None else before, **named
        )
        return [Deed(**row._mapping) for row in found]
