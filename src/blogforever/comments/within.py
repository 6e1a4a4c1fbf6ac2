"""Answers inside a comment that nothing names: known by lines with a date like the comment's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from blogforever.comments.dated import LONGEST_LABEL, is_label
from blogforever.elements import is_custom, is_inline
from blogforever.page.view import PageView

# Elements at the head of a comment among which its date stands.
_HEAD = 40
# Words that a comment says at least; with fewer the box of its answers may be the comment itself.
_FEWEST_SAID = 2


def answers_within(tree: PageView, places: Sequence[int]) -> list[int]:
    """The answers in these comments, where none of them stands in another: nothing named them."""
    return [answer for i in places for answer in _answers_in(tree, i)]


def _answers_in(tree: PageView, comment: int) -> list[int]:
    """The elements of one kind that are as many as there are dates behind a comment's own, each with one of them."""
    own = _date_of(tree, comment)
    dates = [] if own is None else list(_dates_like(tree, comment, own))
    if own is None or not dates:
        return []
    box = _box_without(tree, comment, dates[0], own)
    is_said = tree.count(comment) - tree.count(box) >= tree.count(own) + _FEWEST_SAID
    if not is_said or tree.last[box] <= dates[-1]:
        return []
    inside = [n for n in tree.ancestors(dates[0]) if n >= box]
    for around in reversed(inside):
        alike = _alike(tree, box, around)
        if _hold_one_each(tree, alike, dates):
            return alike
    return []


def _date_of(tree: PageView, comment: int) -> int | None:
    """The innermost element at the head of a comment that is a line with a date, and is called as
    others further on are: dates take long to look for.
    """
    kinds = Counter(_kind(tree, i) for i in range(comment + 1, tree.last[comment]))
    head = range(comment + 1, min(tree.last[comment], comment + _HEAD))
    named = (i for i in head if (tree.tags[i] == "time" or tree.classes(i)) and kinds[_kind(tree, i)] > 1)
    lines = [i for i in named if 0 < tree.count(i) <= LONGEST_LABEL and is_label(tree, i)]
    return next((i for i in lines if not any(i < n < tree.last[i] for n in lines)), None)


def _kind(tree: PageView, i: int) -> tuple[str, str]:
    return tree.tags[i], tree.attribute(i, "class")


def _dates_like(tree: PageView, comment: int, own: int) -> Iterator[int]:
    """The lines with a date further on in a comment that are called as its own is."""
    kind = _kind(tree, own)
    for i in range(tree.last[own], tree.last[comment]):
        if _kind(tree, i) == kind and is_label(tree, i):
            yield i


def _box_without(tree: PageView, comment: int, date: int, own: int) -> int:
    """The widest element around one date of a comment that does not hold another."""
    box = date
    while tree.parents[box] != comment and not tree.parents[box] <= own < tree.last[tree.parents[box]]:
        box = tree.parents[box]
    return box


def _alike(tree: PageView, box: int, i: int) -> list[int]:
    """The elements of a box, itself too, of the tag and name of one; none that stands in a line."""
    if is_inline(tree.tags[i]) and not is_custom(tree.tags[i]):
        return []
    kind = _kind(tree, i)
    return [n for n in range(box, tree.last[box]) if _kind(tree, n) == kind]


def _hold_one_each(tree: PageView, places: Sequence[int], dates: Sequence[int]) -> bool:
    """Whether each element begins its own comment: one date behind the beginning of each, before
    the next, and words beside it that are no links: those may only be what can be done to the
    comment.
    """
    if len(places) != len(dates):
        return False
    stops = [*places[1:], len(tree.tags)]
    are_dated = all(i < date < min(stop, tree.last[i]) for i, date, stop in zip(places, dates, stops, strict=True))
    said = (tree.count(i) - tree.links(i) - tree.count(date) for i, date in zip(places, dates, strict=True))
    return are_dated and all(words >= _FEWEST_SAID for words in said)


__all__ = ["answers_within"]
