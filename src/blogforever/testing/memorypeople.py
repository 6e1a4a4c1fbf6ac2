"""Tokens and the audit log of a store in memory."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.people import Deed, Token

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


class MemoryAudit:
    """The audit log."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, deed: Deed) -> None:
        """Write it down."""
        self._tables.check_open()
        number = len(self._tables.audit) + 1
        self._tables.audit[number] = replace(deed, id=number)

    def newest(self, limit: int, before: int | None = None, who: str = "") -> list[Deed]:
        """What was done last, newest first; by one, where it is said by whom."""
        deeds = [deed for _, deed in sorted(self._tables.audit.items(), reverse=True)]
        return [one for one in deeds if (before is None or one.id < before) and who in ("", one.who)][:limit]
