"""The people of the service: who may log in, as what, and the sessions in which they are."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.people import ROLES, Role, Session, Theme, User
from blogforever.storage.tables import Store

from .tokens import NAME, SECRET_BYTES, digest_of

# As NIST SP 800-63B asks of passwords that people choose: length counts, and nothing else is
# demanded.
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
# Days after which a session that nobody used has ended.
SESSION_DAYS = 30
# Seconds between two notes of when a session was last used: a page a second need not write a row a
# second.
NOTED_AGAIN = 600
# Letters kept of what a browser calls itself.
LONGEST_AGENT = 200
hasher = PasswordHasher()
# Compared with where there is nobody of the name, so that nobody learns from the time it takes who
# there is.
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$cav7FcpyXnD4ScOyhAHS1A$XKFYOpXHpLLpoaLXQFwoFJqFB2wWZ4VOEbP+v+KAy+U"


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that has just begun, with the secret that the browser keeps."""

    session: Session
    secret: str


def add_user(store: Store, name: str, role: str, password: str, by: str = "") -> User:
    """Let somebody log in; UsageError where the name is taken or is none, or the password is too
    short.
    """
    if not NAME.fullmatch(name):
        raise UsageError(f"{name[:64]!r} cannot be somebody's name: letters, digits and . _ @ - can, up to 64.")
    if store.users.find(name):
        raise UsageError(f"There is somebody called {name!r} already; choose another name.")
    user = User(name, known_role(role), password_digest(password), clock.stamp(), by)
    if user.role != "admin" and not store.users.all():
        raise UsageError("The first who gets a password must be an admin: otherwise nobody could add others.")
    store.users.keep(user)
    return user


def set_password(store: Store, name: str, password: str) -> User:
    """Give somebody another password; all sessions of his end."""
    user = replace(found_user(store, name), password=password_digest(password))
    store.users.keep(user)
    store.sessions.drop_all(name)
    return user


def set_role(store: Store, name: str, role: str) -> User:
    """Let somebody do more, or less; UsageError where nobody would be left who may everything."""
    user = replace(found_user(store, name), role=known_role(role))
    if user.role != "admin":
        _keep_an_admin(store, name)
    store.users.keep(user)
    return user


def set_view(store: Store, name: str, language: str, theme: str) -> User:
    """In which language and how dark somebody wants his pages."""
    user = replace(found_user(store, name), language=language, theme=known_theme(theme))
    store.users.keep(user)
    return user


def remove_user(store: Store, name: str) -> User:
    """Somebody logs in no more, and what he has open ends."""
    user = found_user(store, name)
    _keep_an_admin(store, name)
    store.users.drop(name)
    store.sessions.drop_all(name)
    return user


def found_user(store: Store, name: str) -> User:
    """Who has this name; UsageError where nobody does."""
    user = store.users.find(name)
    if user is None:
        raise UsageError(f"There is nobody called {name[:64]!r}.")
    return user


def known_role(word: str) -> Role:
    """One of the roles there are; UsageError where it is none."""
    for role in ROLES:
        if word == role:
            return role
    raise UsageError(f"There is no role {word[:64]!r}; there are {', '.join(ROLES)}.")


def known_theme(word: str) -> Theme:
    """How dark somebody wants his pages; any other word means as his machine is set."""
    return "light" if word == "light" else "dark" if word == "dark" else ""


def checked_user(store: Store, name: str, password: str) -> User | None:
    """Who this name and password belong to; takes as long where there is nobody of that name."""
    user = store.users.find(name)
    if not password_fits(user.password if user else None, password) or user is None:
        return None
    if hasher.check_needs_rehash(user.password):
        user = replace(user, password=hasher.hash(password))
    store.users.keep(user)
    return user


def begin_session(store: Store, user: User, agent: str = "") -> NewSession:
    """Log somebody in; what nobody used for long ends with this."""
    now = clock.now()
    store.sessions.drop_unused((now - timedelta(days=SESSION_DAYS)).isoformat(timespec="seconds"))
    secret, at = secrets.token_urlsafe(SECRET_BYTES), clock.stamp()
    session = Session(digest_of(secret), user.name, at, at, agent[:LONGEST_AGENT])
    store.sessions.keep(session)
    _note_seen(store, user.name)
    return NewSession(session, secret)


def _note_seen(store: Store, name: str) -> None:
    """Somebody was here today."""
    today = clock.today().isoformat()
    with store.transaction():
        user = store.users.find(name)
        if user is not None and user.seen != today:
            store.users.keep(replace(user, seen=today))


def session_of(store: Store, secret: str) -> tuple[Session, User] | None:
    """The session that this secret opens, and whose it is; None where it has ended."""
    session = store.sessions.find(digest_of(secret))
    user = store.users.find(session.user) if session else None
    if session is None or user is None:
        return None
    unused = clock.now() - datetime.fromisoformat(session.used)
    if unused > timedelta(days=SESSION_DAYS):
        store.sessions.drop(session.digest)
        return None
    if unused.total_seconds() > NOTED_AGAIN:
        store.sessions.keep(replace(session, used=clock.stamp()))
        _note_seen(store, user.name)
    return session, user


def end_session(store: Store, secret: str) -> None:
    """Log out here."""
    store.sessions.drop(digest_of(secret))


def _keep_an_admin(store: Store, without: str) -> None:
    admins = [user.name for user in store.users.all() if user.role == "admin"]
    if admins == [without]:
        raise UsageError(f"{without} is the only admin; make somebody else one first.")


def password_digest(password: str) -> str:
    """What is kept of a password; UsageError where it is too short or too long."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise UsageError(f"A password has {SHORTEST_PASSWORD} letters or more, and at most {LONGEST_PASSWORD}.")
    return hasher.hash(password)


def password_fits(digest: str | None, password: str) -> bool:
    """Whether it is the password of which this was kept; takes as long where nothing was."""
    if len(password) > LONGEST_PASSWORD:
        return False
    try:
        hasher.verify(digest or _NOBODY, password)
    except (Argon2Error, InvalidHashError):
        return False
    return digest is not None
