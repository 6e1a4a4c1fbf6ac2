"""Who asks, and whether they may: bearer tokens with scopes; what writes is written into the audit log."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from blogforever import clock
from blogforever.portal.asked import StoreNow
from blogforever.portal.refusing import ProblemError
from blogforever.service.desk import Desk, desk_of
from blogforever.service.standing import Standing
from blogforever.service.tokens import may, token_of
from blogforever.storage.people import Deed, Scope, Token
from blogforever.storage.tables import Store

ASK_FOR_TOKEN = {"WWW-Authenticate": "Bearer"}
NEEDS_ONE = (
    "This needs a token: Authorization: Bearer ...; one is made in the portal under Settings, Tokens, or by blogforever"
    " token create NAME."
)
UNKNOWN = "There is no such token; it may have been revoked."
bearer = HTTPBearer(auto_error=False, description="A token of `blogforever token create NAME [--scope ...]`.")


def holder_of(store: Store, given: HTTPAuthorizationCredentials | None, scope: Scope) -> Token:
    """The token that was given, if it is good for this scope; a problem where it is not."""
    if given is None:
        raise ProblemError(HTTPStatus.UNAUTHORIZED, NEEDS_ONE, ASK_FOR_TOKEN)
    token = token_of(store, given.credentials)
    if token is None:
        raise ProblemError(HTTPStatus.UNAUTHORIZED, UNKNOWN, ASK_FOR_TOKEN)
    if not may(token.scope, scope):
        raise ProblemError(
            HTTPStatus.FORBIDDEN, f"The token {token.name!r} allows to {token.scope}; this needs {scope}."
        )
    return token


def needs(scope: Scope) -> Callable[..., Token]:
    """What asks for a token that is good for this scope."""

    def holder(
        store: StoreNow,
        given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
    ) -> Token:
        return holder_of(store, given, scope)

    return holder


Reader = Annotated[Token, Depends(needs("read"))]
Curator = Annotated[Token, Depends(needs("curate"))]
Admin = Annotated[Token, Depends(needs("admin"))]


def desk_for(standing: Standing, token: Token) -> Desk:
    """Where the holder of a token decides."""
    return desk_of(standing.archive, token.name)


def note(store: Store, token: Token, what: str, target: str = "", detail: str = "") -> None:
    """Write down what was done, and by whom."""
    store.audit.add(Deed(clock.stamp(), token.name, what, target, detail))
