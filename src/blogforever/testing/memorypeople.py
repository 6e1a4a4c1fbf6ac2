"""Tokens, people, their sessions and the audit log of a store in memory."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.people import Deed, Session, Token, User

from .memorytables import MemoryTables


class MemoryTokens:
    """The tokens."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, token: Token) -> None:
        """Keep a token; one of the same name is replaced."""
        self._tables.check_open()
        self._tables.tokens[token.name] = token

    def find(self, name: str) -> Token | None:
        """The token of this name."""
        return self._tables.tokens.get(name)

    def with_digest(self, digest: str) -> Token | None:
        """The token whose secret has this digest."""
        return next((token for token in self._tables.tokens.values() if token.digest == digest), None)

    def all(self) -> list[Token]:
        """All tokens, by name."""
        return [token for _, token in sorted(self._tables.tokens.items())]

    def used(self, name: str, day: str) -> None:
        """It was used on this day."""
        self._tables.tokens[name] = replace(self._tables.tokens[name], used=day)

    def drop(self, name: str) -> bool:
        """It opens nothing any more; whether there was one."""
        return self._tables.tokens.pop(name, None) is not None


class MemoryUsers:
    """The people."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, user: User) -> None:
        """Keep somebody; who has the same name is replaced."""
        self._tables.check_open()
        self._tables.users[user.name] = user

    def find(self, name: str) -> User | None:
        """Who has this name."""
        return self._tables.users.get(name)

    def all(self) -> list[User]:
        """Everybody, by name."""
        return [user for _, user in sorted(self._tables.users.items())]

    def drop(self, name: str) -> bool:
        """Somebody logs in no more; whether there was one of this name."""
        return self._tables.users.pop(name, None) is not None


class MemorySessions:
    """The sessions."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, session: Session) -> None:
        """Keep a session; one with the same digest is replaced."""
        self._tables.check_open()
        self._tables.sessions[session.digest] = session

    def find(self, digest: str) -> Session | None:
        """The session with this digest."""
        return self._tables.sessions.get(digest)

    def of(self, user: str) -> list[Session]:
        """The sessions of somebody, the one used last first."""
        own = [session for session in self._tables.sessions.values() if session.user == user]
        by_digest = sorted(own, key=lambda session: session.digest)
        return sorted(by_digest, key=lambda session: session.used, reverse=True)

    def drop(self, digest: str) -> bool:
        """It opens nothing any more; whether there was one."""
        return self._tables.sessions.pop(digest, None) is not None

    def drop_all(self, user: str) -> int:
        """None of somebody's opens anything any more; how many there were."""
        return self._dropped([session for session in self._tables.sessions.values() if session.user == user])

    def drop_unused(self, since: str) -> int:
        """Those that nobody used since then open nothing any more; how many there were."""
        return self._dropped([session for session in self._tables.sessions.values() if session.used < since])

    def _dropped(self, sessions: list[Session]) -> int:
        for session in sessions:
            del self._tables.sessions[session.digest]
        return len(sessions)


class MemoryAudit:
    """The audit log."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, deed: Deed) -> None:
        """Write it down."""
        self._tables.check_open()
        number = len(self._tables.audit) + 1
        self._tables.audit[number] = replace(deed, id=number)

    def newest(self, limit: int, before: int | None = None, who: str = "", target: str = "") -> list[Deed]:
        """What was done last, newest first; by one, or to one, where it is said by or to whom."""
        deeds = [deed for _, deed in sorted(self._tables.audit.items(), reverse=True)]
        meant = [one for one in deeds if who in ("", one.who) and target in ("", one.target)]
        return [one for one in meant if before is None or one.id < before][:limit]
