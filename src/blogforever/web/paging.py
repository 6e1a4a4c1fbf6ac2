"""Lists as the API gives them: some items, and a cursor to those that come next."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Generic, TypeVar

import msgspec
from fastapi import Query
from pydantic import BaseModel

from blogforever.errors import UsageError

Item = TypeVar("Item")
Place = TypeVar("Place")
# Items of one answer: as many as are read at once, and as many as one answer should hold.
USUAL, MOST = 100, 1000
LONGEST_CURSOR = 2000

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
After = Annotated[str, Query(max_length=LONGEST_CURSOR, description="`next` of the page before.")]


class ItemPage(BaseModel, Generic[Item]):
    """Some items of a list; `next` is what `after` takes to go on, null at the end."""

    items: list[Item]
    next: str | None


def cursor_of(place: object | None) -> str | None:
    """A place in a list as others hand it back to us."""
    if place is None:
        return None
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def place_of(after: str, kind: type[Place]) -> Place | None:
    """The place that a cursor stands for; UsageError where it was not made by us."""
    if not after:
        return None
    try:
        plain = base64.b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(plain, type=kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise UsageError("`after` is not the `next` of a page of this list.") from error
