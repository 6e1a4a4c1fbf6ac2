"""Who may use the service, and what they did: tokens and the audit log. The same seam as `tables.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Scope = Literal["read", "curate", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "curate", "admin")
"""What a token allows, each one all that those before it do."""


@dataclass(frozen=True, slots=True)
class Token:
    """A key to the service. Only the digest of its secret is kept: who has lost it makes another."""

    name: str
    scope: Scope
    digest: str
    created: str
    by: str = ""
    used: str | None = None
    """The day it was last used."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody did, and to what."""

    at: str
    who: str
    what: str
    target: str = ""
    detail: str = ""
    id: int = 0


class TokenTable(Protocol):
    """The tokens there are."""

    def keep(self, token: Token) -> None:
        """Keep a token; one of the same name is replaced."""

    def find(self, name: str) -> Token | None:
        """The token of this name."""

    def with_digest(self, digest: str) -> Token | None:
        """The token whose secret has this digest."""

    def all(self) -> list[Token]:
        """All tokens, by name."""

    def used(self, name: str, day: str) -> None:
        """It was used on this day."""

    def drop(self, name: str) -> bool:
        """It opens nothing any more; whether there was one."""


class AuditTable(Protocol):
    """What was done, in order; nothing of it is ever changed."""

    def add(self, deed: Deed) -> None:
        """Write it down."""

    def newest(self, limit: int, before: int | None = None, who: str = "") -> list[Deed]:
        """What was done last, newest first; by one, where it is said by whom."""
