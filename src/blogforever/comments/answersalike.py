"""Answers that are made like the comments they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from blogforever.comments.dated import has_date, is_label
from blogforever.comments.items import shape_of
from blogforever.page.view import PageView

_LISTS = frozenset({"ol", "ul", "li"})
# Words of an item that holds nothing but a date.
_BARE_DATE = 3
# Elements by which a part of a comment is known as made like the comment.
_TELLING_SHAPE = 3
# Words of a box beside the answers in it: "2 replies".
_MOST_BESIDE = 4


def with_answers_alike(tree: PageView, places: Sequence[int], stated: int | None) -> list[int]:
    """Elements of one comment each, and those made like them inside, which are answers: of few
    parts where so many comments are there as the page states.
    """
    made = _HowMade.of(tree, places)
    found: list[int] = []
    telling: list[int] = []
    for i in places:
        found.append(i)
        telling.append(i)
        for n in (*_of_tag_inside(tree, i), *_in_lists_after(tree, i)):
            shape = shape_of(tree, n)
            is_sure = _is_surely_alike(tree, n, shape, made)
            if not is_sure and not (shape in made.shapes and has_date(tree, n)):
                continue
            found.append(n)
            if is_sure or len(shape) >= _TELLING_SHAPE:
                telling.append(n)
    return found if len(found) == stated else telling


def without_boxes(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements of one comment each, for one called otherwise than the first those in it which are called as that
    is, where it says nothing else: it is a box of answers.
    """
    if not tree.attribute(places[0], "class"):
        return list(places)
    first = _kind(tree, places[0])
    found: list[int] = []
    for i in places:
        inner = [] if _kind(tree, i) == first else list(_outermost(tree, i, first))
        is_box = bool(inner) and tree.count(i) <= sum(map(tree.count, inner)) + _MOST_BESIDE
        found.extend(inner if is_box else [i])
    return found


def _outermost(tree: PageView, box: int, kind: tuple[str, str]) -> Iterator[int]:
    """The elements of a kind inside one, each in no other of them."""
    n = box + 1
    while n < tree.last[box]:
        is_one = _kind(tree, n) == kind
        if is_one:
            yield n
        n = tree.last[n] if is_one else n + 1


def _kind(tree: PageView, i: int) -> tuple[str, str]:
    return tree.tags[i], tree.attribute(i, "class")


class _HowMade(NamedTuple):
    """How comments are made: the tags of their parts, what they are called, and the tags of their first lines."""

    shapes: set[tuple[str, ...]]
    names: set[str]
    heads: set[str]

    @classmethod
    def of(cls, tree: PageView, places: Sequence[int]) -> _HowMade:
        """How these are made."""
        shapes = {shape_of(tree, i) for i in places}
        return cls(shapes, {tree.attribute(i, "class") for i in places}, _heads_of(tree, places))


def _is_surely_alike(tree: PageView, i: int, shape: tuple[str, ...], made: _HowMade) -> bool:
    """Whether an element inside a comment is called as all are, or is the item of a list that is made as they are."""
    is_alike = _is_called_so(tree, i, made.names) or _is_item_below(tree, i, shape, made.shapes)
    return is_alike or _is_headed_below(tree, i, made.heads)


def _of_tag_inside(tree: PageView, i: int) -> Iterator[int]:
    """The elements inside one that have its tag."""
    return (n for n in range(i + 1, tree.last[i]) if tree.tags[n] == tree.tags[i])


def _in_lists_after(tree: PageView, i: int) -> Iterator[int]:
    """The items of the lists that follow the item of a list right in that, which are answers to it."""
    stop = tree.last[tree.parents[i]]
    following = tree.last[i]
    while tree.tags[i] == "li" and following < stop and tree.tags[following] in _LISTS - {"li"}:
        yield from (n for n in range(following + 1, tree.last[following]) if tree.tags[n] == "li")
        following = tree.last[following]


def _is_item_below(tree: PageView, i: int, shape: tuple[str, ...], shapes: set[tuple[str, ...]]) -> bool:
    """Whether an item of a list inside a comment is dated and made of the same, but for a list of answers to it."""
    if tree.tags[i] != "li" or tree.count(i) <= _BARE_DATE:
        return False
    own = _without_lists(shape)
    return bool(own) and own in map(_without_lists, shapes) and has_date(tree, i)


def _is_headed_below(tree: PageView, i: int, heads: set[str]) -> bool:
    """Whether an item of a list inside comments that all begin with a line about them begins with such a line, too:
    it may have more paragraphs than any of them.
    """
    first = next((n for n in tree.children(i) if tree.count(n)), None) if tree.tags[i] == "li" and heads else None
    return (
        first is not None
        and {tree.tags[first]} == heads
        and tree.count(first) < tree.count(i)
        and is_label(tree, first)
    )


def _heads_of(tree: PageView, places: Sequence[int]) -> set[str]:
    """The tags of the lines with a date with which all comments begin; none where one does not."""
    firsts = [next((n for n in tree.children(i) if tree.count(n)), i) for i in places]
    are_lines = all(first != i and is_label(tree, first) for i, first in zip(places, firsts, strict=True))
    return {tree.tags[first] for first in firsts} if are_lines else set()


def _without_lists(shape: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(tag for tag in shape if tag not in _LISTS)


def _is_called_so(tree: PageView, i: int, names: set[str]) -> bool:
    """Whether an element has the one class name of all these."""
    name = tree.attribute(i, "class")
    return bool(name) and names == {name}


__all__ = ["with_answers_alike", "without_boxes"]
