"""Comments of several elements each that nothing announces, known by lines that a theme calls those about a comment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from blogforever.comments.dated import is_label
from blogforever.comments.margins import COMMENTS, outside_margins
from blogforever.comments.stated import read_count
from blogforever.comments.words import META, joined
from blogforever.elements import is_inline
from blogforever.page.view import PageView

# One of a kind proves nothing by itself: it may be the line of the post.
_FEW = 2
# A line, and what is said below it.
_FEWEST_PARTS = 2
_TEXTS = frozenset({"p", "blockquote", "pre", "ul", "ol"})


def groups_behind_named_lines(tree: PageView) -> list[list[int]]:
    """The elements of each comment: a dated line that is named so, and what follows it up to the next."""
    lines = [i for i in outside_margins(tree) if _is_named_line(tree, i)]
    if len(lines) < _FEW or len({tree.parents[i] for i in lines}) > 1:
        return []
    stops = [*lines[1:], tree.last[tree.parents[lines[0]]]]
    groups = [[first, *_said_behind(tree, first, stop)] for first, stop in zip(lines, stops, strict=True)]
    are_whole = all(len(group) >= _FEWEST_PARTS for group in groups)
    follow_each_other = all(tree.end[group[-1]] == tree.start[after[0]] for group, after in pairwise(groups))
    return groups if are_whole and follow_each_other else []


def _is_named_line(tree: PageView, i: int) -> bool:
    """Whether an element is dated, and called the line about a comment; one that counts comments is the post's."""
    names = [joined(token) for token in tree.classes(i)]
    is_named = any(name in META and COMMENTS.match(name) for name in names)
    return is_named and is_label(tree, i) and read_count(tree.text(i)) is None


def _said_behind(tree: PageView, line: int, stop: int) -> Iterator[int]:
    """The elements with words between a line and another place that are texts, or stand in one."""
    following = tree.last[line]
    while following < stop and (is_inline(tree.tags[following]) or tree.tags[following] in _TEXTS):
        if tree.count(following):
            yield following
        following = tree.last[following]


__all__ = ["groups_behind_named_lines"]
