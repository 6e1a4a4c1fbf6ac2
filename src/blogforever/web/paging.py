"""Lists as the API gives them: some items, and a cursor to those that come next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import BaseModel

from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of

Item = TypeVar("Item")
# Items of one answer: as many as are read at once, and as many as one answer should hold.
USUAL, MOST = 100, 1000

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
After = Annotated[str, Query(max_length=LONGEST_CURSOR, description="`next` of the page before.")]


class ItemPage(BaseModel, Generic[Item]):
    """Some items of a list; `next` is what `after` takes to go on, null at the end."""

    items: list[Item]
    next: str | None


@dataclass(frozen=True, slots=True)
class PartAsked:
    """Which part is asked for of a list that is read as a whole; all of it, where nothing is said."""

    limit: int | None = None
    after: str = ""

    def of(self, items: Sequence[Item], name: Callable[[Item], object]) -> ItemPage[Item]:
        """That part: behind the item that the page before ended with, or behind its place where it
        is gone.
        """
        last = place_of(self.after, tuple[int, str])
        begin = 0 if last is None else _behind(last, [str(name(item)) for item in items])
        end = len(items) if self.limit is None else begin + self.limit
        following = (end - 1, str(name(items[end - 1]))) if end < len(items) else None
        return ItemPage(items=[*items[begin:end]], next=cursor_of(following))


def _behind(last: tuple[int, str], names: list[str]) -> int:
    place, name = last
    return names.index(name) + 1 if name in names else max(place, 0)


async def part_asked(
    limit: Annotated[
        int | None, Query(ge=1, le=MOST, description="How many at most; all, where it is not said.")
    ] = None,
    after: After = "",
) -> PartAsked:
    """What a request says of it."""
    return PartAsked(limit, after)


WantedPart = Annotated[PartAsked, Depends(part_asked)]
