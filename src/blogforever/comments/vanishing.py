"""Which comments a page showed once and shows no longer: found out by what it still shows, never by silence alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from blogforever.records import CommentRecord

Shown = Literal["all", "some", "unknown"]
"""How much of its list a page showed at a later look: all that it states, less than that, or it
states nothing.
"""


def no_longer_shown(
    older: Sequence[CommentRecord], again: Collection[str], new: int, shown: Shown = "unknown"
) -> set[str]:
    """The ids of those comments that were on the page and have left it.

    `again` has the ids of those the page still shows, `new` is how many came. What a list leaves
    out at its ends may stand on another page of it, or have made room for newer ones: there it is
    gone only if the page shows all that it states, or if the list became shorter. What is missing
    between two that are shown was taken out. A list without any of the earlier comments says
    nothing: its service may be down.
    """
    before = [comment for comment in older if "page" in comment.sources]
    absent = {comment.id for comment in before if comment.id not in again}
    if shown == "all":
        return absent
    places = [place for place, comment in enumerate(before) if comment.id in again]
    if not places:
        return set()
    inside = before[places[0] : places[-1]]
    became_shorter = shown == "unknown" and len(absent) > new
    return absent if became_shorter else absent.intersection(comment.id for comment in inside)
