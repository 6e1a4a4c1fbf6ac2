"""Which comment another one answers where comments are numbered by it: "#2.1" answers "#2"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.comments.items import CommentItem, own_places
from blogforever.page.view import PageView

_NUMBER = re.compile(r"#?\s?(\d{1,5}(?:\.\d{1,5}){0,12})\.?")
# Characters of a number of the deepest thread, and elements of a comment among which it stands;
# both bound the work.
_LONGEST = 60
_MOST_ELEMENTS = 60


def tie_by_numbers(tree: PageView, items: Sequence[CommentItem]) -> bool:
    """Give comments the parent that their numbers tell; whether they do, all of them."""
    numbers = [_number(tree, item) for item in items]
    places = {number: n for n, number in enumerate(numbers) if number}
    above = [number.rpartition(".")[0] for number in numbers]
    are_told = len(places) == len(items) and any(above) and all(number in places for number in above if number)
    if are_told:
        for item, number in zip(items, above, strict=True):
            item.parent = places[number] if number else None
    return are_told


def _number(tree: PageView, item: CommentItem) -> str:
    """The number that a comment shows as a link, or behind a number sign; empty where it has none."""
    for _n, i in zip(range(_MOST_ELEMENTS), own_places(tree, item), strict=False):
        if not tree.count(i) or tree.end[i] - tree.start[i] > _LONGEST:
            continue
        text = tree.text(i).strip()
        if tree.tags[i] != "a" and not text.startswith("#"):
            continue
        match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
        if match:
            return match[1]
    return ""
