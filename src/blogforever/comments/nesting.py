"""Which comment another one answers, by where both stand on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from blogforever.comments.items import CommentItem, parts_of
from blogforever.comments.levels import tie_by_levels
from blogforever.comments.numbering import tie_by_numbers
from blogforever.comments.words import ANSWER, ANSWERS, is_called
from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of as parts_of_name

# Elements around a comment among which a box of answers is looked for, and comments before the box
# that it may answer: both bound the search, which is made for each comment.
_ANSWER_LEVELS = 3
_ANSWER_REACH = 200
# Boxes in one another that are around answers and nothing else.
_BOX_LEVELS = 4
# Elements of a comment before the blog's answer in it: the line about it, and what it says.
_FEWEST = 2
# Words of a line "The author's answer:".
_LONGEST_LINE = 8
_LISTS = frozenset({"ol", "ul"})


def threaded(tree: PageView, single: dict[int, str | None]) -> list[CommentItem]:
    """The comments, each with the one it is nested in or stands as an answer beside."""
    items: list[CommentItem] = []
    open_items: list[int] = []
    for i, number in single.items():
        while open_items and tree.last[items[open_items[-1]].tops[-1]] <= i:
            open_items.pop()
        item = CommentItem(parts_of(tree, i), number)
        if open_items:
            item.parent = open_items[-1]
            items[item.parent].nested.extend(item.tops)
        else:
            item.parent = _answered(tree, i, items)
        open_items.append(len(items))
        items.append(item)
    if not any(item.parent is not None for item in items) and not tie_by_numbers(tree, items):
        tie_by_levels(tree, items)
    for item in items:
        item.nested = _in_boxes(tree, item)
    return items


def _in_boxes(tree: PageView, item: CommentItem) -> list[int]:
    """The answers nested in a comment, or the boxes around them that hold no words but theirs."""
    nested = item.nested
    for _level in range(_BOX_LEVELS):
        words: Counter[int] = Counter()
        for i in nested:
            words[tree.parents[i]] += tree.count(i)
        boxes = {box for box, count in words.items() if box not in item.tops and _holds_only(tree, box, count)}
        if not boxes:
            break
        nested = sorted(boxes.union(i for i in nested if tree.parents[i] not in boxes))
    return nested


def _holds_only(tree: PageView, box: int, count: int) -> bool:
    """Whether an element holds no words but those of the answers in it, so many; one to be unfolded
    says besides what is folded in it: "Show 3 replies".
    """
    own = tree.count(box) - count
    return own == 0 or (own <= _LONGEST_LINE and tree.tags[box] == "details")


def _answered(tree: PageView, i: int, items: Sequence[CommentItem]) -> int | None:
    """The comment before a box of answers that stands beside it, not in it."""
    for place, _level in zip(tree.ancestors(i), range(_ANSWER_LEVELS), strict=False):
        if _holds_answers(tree, place):
            return _last_beside(tree, place, items)
    return None


def _last_beside(tree: PageView, box: int, items: Sequence[CommentItem]) -> int | None:
    """The last comment before a box, in the same element, that is in no other box of answers there."""
    around = tree.parents[box]
    farthest = max(-1, len(items) - _ANSWER_REACH)
    for n in range(len(items) - 1, farthest, -1):
        top = items[n].tops[0]
        if top < around:
            return None
        if top < box and not _is_in_answers(tree, top, around):
            return n
    return None


def _is_in_answers(tree: PageView, i: int, around: int) -> bool:
    """Whether a box of answers stands between an element and one around it, or too many elements to
    tell.
    """
    for place, _level in zip(tree.ancestors(i), range(_ANSWER_LEVELS), strict=False):
        if place == around:
            return False
        if _holds_answers(tree, place):
            return True
    return True


def _holds_answers(tree: PageView, i: int) -> bool:
    """Whether an element is a box of answers: called so, or a list right in another one, behind an item of it."""
    is_in_list = tree.tags[i] in _LISTS and tree.parents[i] >= 0 and tree.tags[tree.parents[i]] in _LISTS
    return is_in_list or _is_called_answers(tree, i)


def _is_called_answers(tree: PageView, i: int) -> bool:
    """Whether an element is called a box of answers, by all of a name or by its last word: "comment-reply-child"."""
    names = tree.classes(i)
    return is_called(names, ANSWERS) or any(not ANSWERS.isdisjoint(parts_of_name(name)[-1:]) for name in names)


def parted(tree: PageView, items: Sequence[CommentItem]) -> list[CommentItem]:
    """The comments, each without the answer of the blog that stands in it below a line which says
    so.
    """
    shown: list[CommentItem] = []
    places: list[int] = []
    for item in items:
        places.append(len(shown))
        parent = None if item.parent is None else places[item.parent]
        said, answer = _said_and_answered(tree, item)
        shown.append(replace(item, tops=said, parent=parent))
        if answer:
            shown.append(CommentItem(answer, parent=places[-1], is_blogs=True))
    return shown


def _said_and_answered(tree: PageView, item: CommentItem) -> tuple[list[int], list[int]]:
    """The elements of what a reader said, and those of the blog's answer to it."""
    top = item.tops[0]
    parts = [i for i in tree.children(top) if tree.count(i)]
    has_loose_words = sum(map(tree.count, parts)) < tree.count(top)
    line = next((n for n, i in enumerate(parts) if _announces_answer(tree, i)), 0)
    if line < _FEWEST or has_loose_words or item.nested or len(item.tops) > 1:
        return item.tops, []
    return parts[:line], parts[line + 1 :]


def _announces_answer(tree: PageView, i: int) -> bool:
    if tree.count(i) > _LONGEST_LINE:
        return False
    line = tree.text(i).strip()
    return line.endswith((":", "：")) and ANSWER.search(line) is not None


__all__ = ["parted", "threaded"]
