"""What requests are answered with: the standing service and its store, for the API and the portal alike."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from blogforever.service.standing import Standing
from blogforever.storage.tables import Store


def standing_of(request: Request) -> Standing:
    """The service that answers."""
    standing: Standing = request.app.state.standing
    return standing


def store_of(standing: Annotated[Standing, Depends(standing_of)]) -> Store:
    """Its store."""
    return standing.archive.store


StoreNow = Annotated[Store, Depends(store_of)]
StandingNow = Annotated[Standing, Depends(standing_of)]
