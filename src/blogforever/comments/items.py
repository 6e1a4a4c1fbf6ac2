"""One comment on a page: the elements it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from blogforever.page.view import PageView

# Elements in a comment whose tags are compared with those in another.
_SHAPE = 4


@dataclass
class CommentItem:
    """One comment on a page: the elements it stands in, and those of the answers nested in them."""

    tops: list[int]
    number: str | None = None
    nested: list[int] = field(default_factory=list)
    parent: int | None = None  # place of the item it is nested in
    is_blogs: bool = False  # the blog's own answer, in the element of what it answers


def parts_of(tree: PageView, i: int) -> list[int]:
    """The elements that something begun by one stands in: a term goes on in the definitions after
    it.
    """
    parts = [i]
    if tree.tags[i] != "dt":
        return parts
    stop = tree.last[tree.parents[i]]
    following = tree.last[i]
    while following < stop and tree.tags[following] == "dd":
        parts.append(following)
        following = tree.last[following]
    return parts


def shape_of(tree: PageView, i: int) -> tuple[str, ...]:
    """The tags of the first elements in an element."""
    tags: list[str] = []
    child = i + 1
    while child < tree.last[i] and len(tags) < _SHAPE:
        tags.append(tree.tags[child])
        child = tree.last[child]
    return tuple(tags)


def own_places(tree: PageView, item: CommentItem) -> Iterator[int]:
    """The elements of a comment, without those of its answers."""
    if item.nested:
        return _places_around(tree, item, sorted(item.nested))
    return chain.from_iterable(range(top, tree.last[top]) for top in item.tops)


def _places_around(tree: PageView, item: CommentItem, nested: list[int]) -> Iterator[int]:
    """The elements of a comment around those that hold its answers, which come in order."""
    for top in item.tops:
        i = top
        while i < tree.last[top]:
            while nested and nested[0] < i:
                nested.pop(0)
            if nested and nested[0] == i:
                i = tree.last[nested.pop(0)]
                continue
            yield i
            i += 1


__all__ = ["CommentItem", "own_places", "parts_of", "shape_of"]
