"""Who may use the service, and what they did: tokens, people, their sessions, and the audit log.

The same seam as `tables.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Scope = Literal["read", "curate", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "curate", "admin")
"""What a token allows, each one all that those before it do."""

Role = Literal["viewer", "curator", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "curator", "admin")
SCOPE_OF_ROLE: dict[Role, Scope] = dict(zip(ROLES, SCOPES, strict=True))
"""What people of each role may do, in the words of tokens: nothing asks twice who may what."""
Theme = Literal["", "light", "dark"]
"""How somebody wants pages drawn; empty: as the machine he sits at is set."""


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
class User:
    """Somebody who logs in. Of the password only what argon2 makes of it is kept."""

    name: str
    role: Role
    password: str
    created: str
    by: str = ""
    language: str = ""
    """Empty: what the browser asks for."""
    theme: Theme = ""
    seen: str | None = None
    """The day of the last log-in."""

    @property
    def scope(self) -> Scope:
        """What this allows, as tokens say it."""
        return SCOPE_OF_ROLE[self.role]


@dataclass(frozen=True, slots=True)
class Session:
    """A log-in that lasts, also over a restart. Only the digest of what the browser keeps is here."""

    digest: str
    user: str
    created: str
    used: str
    agent: str = ""
    """What the browser calls itself, for somebody who looks where he is logged in."""


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


class UserTable(Protocol):
    """The people who may log in."""

    def keep(self, user: User) -> None:
        """Keep somebody; who has the same name is replaced."""

    def find(self, name: str) -> User | None:
        """Who has this name."""

    def all(self) -> list[User]:
        """Everybody, by name."""

    def drop(self, name: str) -> bool:
        """Somebody logs in no more; whether there was one of this name."""


class SessionTable(Protocol):
    """The log-ins that last."""

    def keep(self, session: Session) -> None:
        """Keep a session; one with the same digest is replaced."""

    def find(self, digest: str) -> Session | None:
        """The session with this digest."""

    def of(self, user: str) -> list[Session]:
        """The sessions of somebody, the one used last first."""

    def drop(self, digest: str) -> bool:
        """It opens nothing any more; whether there was one."""

    def drop_all(self, user: str) -> int:
        """None of somebody's opens anything any more; how many there were."""

    def drop_unused(self, since: str) -> int:
        """Those that nobody used since then open nothing any more; how many there were."""


class AuditTable(Protocol):
    """What was done, in order; nothing of it is ever changed."""

    def add(self, deed: Deed) -> None:
        """Write it down."""

    def newest(self, limit: int, before: int | None = None, who: str = "", target: str = "") -> list[Deed]:
        """What was done last, newest first; by one, or to one, where it is said by or to whom."""
