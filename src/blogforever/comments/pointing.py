"""Comments that nothing names or announces, known by what each of them has once: a control to answer it, or an anchor
that links to itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from blogforever.comments.buttons import LONGEST_BUTTON, asks_for_answer
from blogforever.comments.dated import has_date
from blogforever.comments.margins import outside_margins
from blogforever.comments.proving import has_linked_title
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

# One of a kind proves nothing by itself.
_FEW = 2
# Controls of one page that are looked at, and elements around one: both bound the work.
MOST_POINTS = 20_000
_LEVELS = 12
# Words between two comments: "Show 3 answers".
_MOST_BETWEEN = 8
# Words of a name and a date, beside which a comment says something.
_BARE_LINE = 4

_Kind = tuple[str, str]
"""Tag and class of an element."""


def groups_around_points(tree: PageView) -> list[list[int]]:
    """The dated elements of one kind that hold one control to answer each, or one anchor; those of
    answers, too.
    """
    found = _around(tree, _controls(tree)) or _around(tree, _places_of_buttons(tree))
    return found or _around(tree, _own_anchors(tree))


def _controls(tree: PageView) -> list[int]:
    """The elements that say nothing but "Reply", the outermost of those in one another."""
    found: list[int] = []
    for i in outside_margins(tree):
        is_new = not found or i >= tree.last[found[-1]]
        if is_new and 0 < tree.count(i) <= LONGEST_BUTTON and asks_for_answer(tree.text(i)):
            found.append(i)
    return found[:MOST_POINTS]


def _places_of_buttons(tree: PageView) -> list[int]:
    """The elements with a button to answer: what it says is none of the page's words."""
    buttons = tree.tree.css("button")[:MOST_POINTS]
    places = {tree.place(button.parent) for button in buttons if asks_for_answer(button.text())}
    return sorted(place for place in places if place is not None)


def _own_anchors(tree: PageView) -> list[int]:
    """The anchors with a number that link to themselves; the sign beside a heading is the
    heading's.
    """
    found: list[int] = []
    for i in outside_margins(tree):
        name = tree.attribute(i, "id") or tree.attribute(i, "name")
        is_numbered = name[-1:].isdigit() and not name[:1].isdigit()
        is_own = is_numbered and tree.tags[i] == "a" and tree.attribute(i, "href") == f"#{name}"
        if is_own and tree.tags[tree.parents[i]] not in HEADINGS:
            found.append(i)
    return found[:MOST_POINTS]


def _around(tree: PageView, points: Sequence[int]) -> list[list[int]]:
    """The elements of one kind around each of these, where all are dated and none is of another
    post.
    """
    if len(points) < _FEW:
        return []
    kinds = Counter(_kind(tree, i) for i in _only_holders(tree, points))
    kind = kinds.most_common(1)[0][0] if kinds else None
    found = [i for i in (_nearest(tree, point, kind) for point in points) if i is not None]
    is_each = len(set(found)) == len(points) and _stand_together(tree, sorted(found))
    are_comments = is_each and all(_may_be_comment(tree, i) for i in found)
    return [[i] for i in sorted(found)] if are_comments else []


def _stand_together(tree: PageView, places: Sequence[int]) -> bool:
    """Whether no more than a line stands between elements: what is quoted in an article stands
    apart.
    """
    gaps = (tree.start[after] - tree.end[i] for i, after in pairwise(places))
    return all(gap <= _MOST_BETWEEN for gap in gaps)


def _kind(tree: PageView, i: int) -> _Kind:
    return tree.tags[i], tree.attribute(i, "class")


def _only_holders(tree: PageView, points: Sequence[int]) -> Iterator[int]:
    """The widest element around each point that holds no other one, without boxes around it that
    hold nothing else; where it is dated and says something it is a whole comment.
    """
    stops = [*points[1:], len(tree.tags)]
    before = -1
    for point, after in zip(points, stops, strict=True):
        holder = point
        for around, _level in zip(tree.ancestors(point), range(_LEVELS), strict=False):
            if around <= before or tree.last[around] > after:
                break
            holder = around
        holder = _unwrapped(tree, holder, point)
        if tree.last[holder] <= after and _may_be_comment(tree, holder):
            yield holder
        before = point


def _unwrapped(tree: PageView, holder: int, point: int) -> int:
    """The innermost element with all words of one."""
    inner = holder
    while inner < point and tree.count(inner + 1) == tree.count(holder):
        inner += 1
    return inner


def _nearest(tree: PageView, point: int, kind: _Kind | None) -> int | None:
    """The nearest element of a kind around a point."""
    around = zip((point, *tree.ancestors(point)), range(_LEVELS), strict=False)
    return next((i for i, _level in around if _kind(tree, i) == kind), None)


def _may_be_comment(tree: PageView, i: int) -> bool:
    return tree.count(i) > _BARE_LINE and has_date(tree, i) and not has_linked_title(tree, [i])


__all__ = ["groups_around_points"]
