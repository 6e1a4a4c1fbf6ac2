"""Who asks for a page: somebody who is logged in, or, while nobody has a password, whoever sits at this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Request

from blogforever import clock
from blogforever.service.desk import Desk, desk_of
from blogforever.service.hosts import is_loopback
from blogforever.service.keys import service_key, signature
from blogforever.service.people import known_theme, session_of
from blogforever.service.standing import Standing
from blogforever.service.tokens import may
from blogforever.storage.people import Deed, Scope, Theme, User

from .asked import StandingNow, standing_of
from .refusing import LogInFirst, ProblemError
from .words import _, best_language, languages, speak

LOCAL = "local"
"""The name of whoever sits at this machine, as long as nobody has a password."""
# What the signatures are for.
FORM = "form"
NOBODY = "nobody"
# Cookies: a session; how somebody without a name of his own wants his pages (language and theme).
VIEW_COOKIE = "blogforever_view"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks for a page, and how he wants it."""

    name: str
    """Empty: nobody knows."""
    scope: Scope | None
    language: str
    theme: Theme
    form_token: str
    """What every form of his carries, so that no other site can send one for him."""
    user: User | None = None
    session: str = ""
    """The digest of the session."""

    @property
    def is_known(self) -> bool:
        """Whether he may see anything at all."""
        return self.scope is not None

    @property
    def is_local(self) -> bool:
        """Whether he is here only because nobody has a password yet."""
        return self.scope is not None and self.user is None

    def may(self, wanted: Scope) -> bool:
        """Whether he may do what needs this scope."""
        return self.scope is not None and may(self.scope, wanted)


def session_cookie(key: bytes) -> str:
    """The name of the cookie of a session: two services on one machine have each their own."""
    return "blogforever_" + signature(key, "cookie")[:8]


def key_of(standing: Standing) -> bytes:
    """The secret of the service."""
    return service_key(standing.archive.folder)


def visitor_of(request: Request, standing: StandingNow) -> Visitor:
    """Who asks."""
    key, store = key_of(standing), standing.archive.store
    secret = request.cookies.get(session_cookie(key), "")
    opened = session_of(store, secret) if secret else None
    language, theme = _wanted_view(request)
    if opened:
        session, user = opened
        token = signature(key, FORM, session.digest)
        return Visitor(
            user.name, user.scope, user.language or language, user.theme or theme, token, user, session.digest
        )
    token = signature(key, FORM, NOBODY)
    is_at_home = _is_at_this_machine(request) and not store.users.all()
    return Visitor(LOCAL if is_at_home else "", "admin" if is_at_home else None, language, theme, token)


async def greeted(request: Request, visitor: Annotated[Visitor, Depends(visitor_of)]) -> Visitor:
    """Who asks; from now on his language is spoken."""
    request.state.visitor = visitor
    speak(visitor.language)
    return visitor


def needs(scope: Scope) -> Callable[..., Awaitable[Visitor]]:
    """What asks for somebody who may do what needs this scope."""

    async def holder(visitor: Annotated[Visitor, Depends(greeted)]) -> Visitor:
        if not visitor.is_known:
            raise LogInFirst
        if not visitor.may(scope):
            raise ProblemError(HTTPStatus.FORBIDDEN, _("Your role does not allow this; an admin can change that."))
        return visitor

    return holder


Anybody = Annotated[Visitor, Depends(greeted)]
"""Whoever asks, known or not."""
Viewer = Annotated[Visitor, Depends(needs("read"))]
Curator = Annotated[Visitor, Depends(needs("curate"))]
Administrator = Annotated[Visitor, Depends(needs("admin"))]


def desk_for(request: Request, visitor: Visitor) -> Desk:
    """Where a visitor decides about blogs."""
    return desk_of(standing_of(request).archive, visitor.name)


def note(request: Request, visitor: Visitor, what: str, target: str = "", detail: str = "") -> None:
    """Write into the audit log what a visitor did."""
    standing_of(request).archive.store.audit.add(Deed(clock.stamp(), visitor.name, what, target, detail))


def _wanted_view(request: Request) -> tuple[str, Theme]:
    """Language and theme, by what was chosen here before, or by what the browser asks for."""
    language, _dot, theme = request.cookies.get(VIEW_COOKIE, "").partition(".")
    if language not in languages():
        language = best_language(request.headers.get("accept-language", ""))
    return language, known_theme(theme)


def _is_at_this_machine(request: Request) -> bool:
    """Whether a request was made at this machine, by its own name: no other site's name leads here
    by a trick.
    """
    came_from = request.client.host if request.client else ""
    return is_loopback(came_from) and is_loopback(request.url.hostname or "")
