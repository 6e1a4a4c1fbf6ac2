"""Keys to the service: made once, shown once, kept as a digest."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.people import SCOPES, Scope, Token
from blogforever.storage.tables import Store

# What a secret begins with, so that it is known for what it is where it turns up in a file or a
# log.
MARK = "bf_"
# Bytes of chance in a secret: nobody guesses them, and so a plain digest keeps them well enough.
SECRET_BYTES = 32
NAME = re.compile(r"[\w.@-]{1,64}")


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made, with the secret that nobody can read again."""

    token: Token
    secret: str


def create_token(store: Store, name: str, scope: str = "read", by: str = "") -> NewToken:
    """Make a token; UsageError where its name is taken or is none."""
    if not NAME.fullmatch(name):
        raise UsageError(f"{name[:64]!r} cannot be the name of a token: letters, digits and . _ @ - can, up to 64.")
    if store.tokens.find(name):
        raise UsageError(f"There is a token {name!r} already; revoke it first, or choose another name.")
    secret = MARK + secrets.token_urlsafe(SECRET_BYTES)
    token = Token(name, known_scope(scope), digest_of(secret), clock.stamp(), by)
    store.tokens.keep(token)
    return NewToken(token, secret)


def revoke_token(store: Store, name: str) -> None:
    """Let a token open nothing any more."""
    if not store.tokens.drop(name):
        raise UsageError(f"There is no token {name!r}.")


def token_of(store: Store, secret: str) -> Token | None:
    """The token that this secret belongs to; that it was used is noted once a day."""
    token = store.tokens.with_digest(digest_of(secret))
    today = clock.today().isoformat()
    if token and token.used != today:
        store.tokens.used(token.name, today)
    return token


def may(scope: Scope, wanted: Scope) -> bool:
    """Whether whoever has this scope, by a token or by his role, may do what needs that one."""
    return SCOPES.index(scope) >= SCOPES.index(wanted)


def known_scope(word: str) -> Scope:
    """One of the scopes there are; UsageError where it is none."""
    for scope in SCOPES:
        if word == scope:
            return scope
    raise UsageError(f"There is no scope {word!r}; there are {', '.join(SCOPES)}.")


def digest_of(secret: str) -> str:
    """As which a secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
