"""What a page says beyond nesting: which comment a link names as the answered one, and what was a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.comments.items import CommentItem, own_places
from blogforever.comments.systems import RulePlaces
from blogforever.extract.apply import find_nodes
from blogforever.learn.pagetree import PageTree

_DEEPEST = 200
_HEAD = 20  # words in which a comment says what it answers
_MOST_MARKS = 3


def tie_answers(tree: PageTree, items: Sequence[CommentItem], by_rule: RulePlaces) -> None:
    """Give comments the parent that a link in them names, where no thread runs in a circle by it."""
    if not by_rule.parent:
        _tie_by_fragments(tree, items)
        return
    numbers = {item.number: n for n, item in reversed(list(enumerate(items))) if item.number}
    for n, item in enumerate(items):
        links = (tree.attributes(i).get("href") or "" for i in own_places(tree, item) if i in by_rule.parent)
        named = numbers.get(_number(next(links, "")))
        if named is not None and not _below(items, named, n):
            item.parent = named


def _tie_by_fragments(tree: PageTree, items: Sequence[CommentItem]) -> None:
    """In a list without nesting, let a link at the head of a comment to an earlier one say what it answers."""
    if any(item.parent is not None for item in items):
        return
    earlier: dict[str, int] = {}
    for n, item in enumerate(items):
        own = {mark for i in item.tops for mark in _marks(tree, i)}
        named = (earlier[mark] for mark in _linked(tree, item) if mark in earlier and mark not in own)
        item.parent = next(named, None)
        earlier |= dict.fromkeys(own, n)


def _marks(tree: PageTree, i: int) -> list[str]:
    """The names a link can lead to at the beginning of a comment: its own, and those of an anchor it begins with."""
    attributes = [tree.attributes(n) for n in range(i, min(i + _MOST_MARKS, tree.last[i]))]
    return [mark for one in attributes for mark in (one.get("id"), one.get("name")) if mark]


def _linked(tree: PageTree, item: CommentItem) -> Iterator[str]:
    """The places on the page that links at the head of a comment lead to."""
    first = tree.start[item.tops[0]]
    for i in own_places(tree, item):
        if tree.start[i] - first > _HEAD:
            return
        fragment = (tree.attributes(i).get("href") or "").partition("#")[2] if tree.tags[i] == "a" else ""
        if fragment:
            yield fragment


def _below(items: Sequence[CommentItem], n: int, top: int) -> bool:
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
