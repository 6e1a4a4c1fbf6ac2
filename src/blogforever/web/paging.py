"""Lists as the API gives them: some items, and a cursor to those that come next."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel

from blogforever.service.cursors import LONGEST_CURSOR

Item = TypeVar("Item")
# Items of one answer: as many as are read at once, and as many as one answer should hold.
USUAL, MOST = 100, 1000

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
After = Annotated[str, Query(max_length=LONGEST_CURSOR, description="`next` of the page before.")]


class ItemPage(BaseModel, Generic[Item]):
    """Some items of a list; `next` is what `after` takes to go on, null at the end."""

    items: list[Item]
    next: str | None
