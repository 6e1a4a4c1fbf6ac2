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


# What only looks at the request is a coroutine: anything else is handed to a thread, for which every answer
# would wait several times, and the longer the more people ask.
async def standing_now(request: Request) -> Standing:
    """The service that answers, for routes."""
    return standing_of(request)


StandingNow = Annotated[Standing, Depends(standing_now)]


async def store_now(standing: StandingNow) -> Store:
    """Its store, for routes."""
    return standing.archive.store


StoreNow = Annotated[Store, Depends(store_now)]
