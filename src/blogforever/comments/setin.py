"""Answers in boxes beside the line and the text of what they answer, where nothing names any of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.comments.dated import is_label
from blogforever.elements import is_inline
from blogforever.page.view import PageView

# A line about an answer, and what it says.
_FEWEST = 2
_LISTS = frozenset({"ol", "ul"})


def boxes_of_answers(tree: PageView, places: Sequence[int]) -> list[int]:
    """Those of these elements that begin with a line with a date which is made as one among them is."""
    lines = (i for i in places if not tree.blocks[i] and is_label(tree, i))
    kinds = {_kind(tree, i) for i in lines}
    return [i for i in places if _holds_answers(tree, i, kinds)] if kinds else []


def lists_in_list(tree: PageView, places: Sequence[int]) -> list[int]:
    """Those of the parts of a list that are lists themselves, behind its first item: answers stand in them."""
    parts = iter(places)
    is_list = bool(places) and tree.tags[tree.parents[places[0]]] in _LISTS and tree.tags[next(parts)] == "li"
    return [i for i in parts if tree.tags[i] in _LISTS] if is_list else []


def boxes_after(tree: PageView, group: Sequence[int], stop: int) -> Iterator[int]:
    """The boxes of answers that follow the elements of a comment, up to another element."""
    kinds = {_kind(tree, i) for i in group if not tree.blocks[i] and is_label(tree, i)}
    following, end = tree.last[group[-1]], min(stop, tree.last[tree.parents[group[-1]]])
    while following < end:
        if _holds_answers(tree, following, kinds):
            yield following
        following = tree.last[following]


def _holds_answers(tree: PageView, box: int, kinds: set[tuple[str, str]]) -> bool:
    """Whether an element is made of a line of one of these kinds, and more."""
    if is_inline(tree.tags[box]) or not tree.blocks[box]:
        return False
    parts = [i for i in tree.children(box) if tree.count(i)]
    return len(parts) >= _FEWEST and _kind(tree, parts[0]) in kinds and is_label(tree, parts[0])


def _kind(tree: PageView, i: int) -> tuple[str, str]:
    return tree.tags[i], tree.attribute(i, "class")


__all__ = ["boxes_after", "boxes_of_answers"]
