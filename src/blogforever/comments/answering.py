"""What a drawn page says beyond nesting: which comment a link names as the answered one, and what was a frame."""

from __future__ import annotations

from collections.abc import Sequence

from blogforever.comments.items import Item, own_places
from blogforever.comments.systems import Known
from blogforever.extract.apply import find_nodes
from blogforever.learn.pagetree import PageTree

_DEEPEST = 200


def tie_answers(tree: PageTree, items: Sequence[Item], known: Known) -> None:
    """Give comments the parent that a link in them names, where no thread runs in a circle by it."""
    if not known.parent:
        return
    numbers = {item.number: n for n, item in reversed(list(enumerate(items))) if item.number}
    for n, item in enumerate(items):
        links = (tree.attributes(i).get("href") or "" for i in own_places(tree, item) if i in known.parent)
        named = numbers.get(_number(next(links, "")))
        if named is not None and not _below(items, named, n):
            item.parent = named


def _below(items: Sequence[Item], n: int, top: int) -> bool:
    """Whether a comment is another one, or an answer somewhere below it; what is too deep to tell counts as such."""
    place: int | None = n
    for _level in range(_DEEPEST):
        if place is None or place == top:
            return place == top
        place = items[place].parent
    return True


def _number(href: str) -> str:
    """The number at the end of a link's fragment."""
    fragment = href.partition("#")[2]
    return fragment[len(fragment.rstrip("0123456789abcdef-")) :].lstrip("-")


def framed(tree: PageTree, places: Sequence[int]) -> list[bool]:
    """Which of these elements stand in the text of a frame that a browser has drawn."""
    frames = [place for node in find_nodes(tree.parser, "div[data-frame]") if (place := tree.place(node)) is not None]
    return [any(frame < place < tree.last[frame] for frame in frames) for place in places]
