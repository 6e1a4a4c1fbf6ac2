"""Comments in a box that is named after them, known by the lines about them, or because they repeat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from blogforever.comments.announcing import closes_list
from blogforever.comments.dated import LONGEST_LABEL, has_date, is_label
from blogforever.comments.forms import places_to_write
from blogforever.comments.headed import comment_runs
from blogforever.comments.margins import is_margin, names_comments
from blogforever.comments.stated import says_none
from blogforever.comments.words import HEADING
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

# Elements that may be the box of all comments.
_BOXES = frozenset({"div", "section", "aside", "footer", "ol", "ul", "td", "table", "tbody"})
_ENDS = frozenset({"form", "nav", "footer", "aside"})
# Boxes of one page that are looked into, and boxes in one another: themes have two or three. Both
# bound the work.
_MOST_BOXES = 12
_LEVELS = 4


def groups_in_box(tree: PageView) -> list[list[int]]:
    """The elements of each comment in the first box that is named after comments and holds some."""
    for i in islice(_named_boxes(tree), _MOST_BOXES):
        groups = [] if _holds_article(tree, i) else _groups_in(tree, i)
        if groups and not any(is_margin(tree, n) for n in tree.ancestors(i)):
            return (_twins(tree, i) if len(groups) == 1 else []) or groups
    return []


def _named_boxes(tree: PageView) -> Iterator[int]:
    """The filled boxes that are named after comments, and are no fields to write one."""
    fields = places_to_write(tree)
    return (i for i in range(len(tree.tags)) if i not in fields and is_named_box(tree, i))


def is_named_box(tree: PageView, i: int) -> bool:
    """Whether an element with words may be the box of all comments, and is named after them."""
    return tree.tags[i] in _BOXES and tree.count(i) > 0 and _is_named(tree, i)


def _twins(tree: PageView, box: int) -> list[list[int]]:
    """The boxes of one comment each, where others of its name stand beside one that holds no more."""
    kind = tree.tags[box], tree.attribute(box, "class")
    beside = (i for i in tree.children(tree.parents[box]) if (tree.tags[i], tree.attribute(i, "class")) == kind)
    twins = [i for i in beside if kind[1] and tree.count(i)]
    return [[i] for i in twins] if len(twins) > 1 and all(has_date(tree, i) for i in twins) else []


def _is_named(tree: PageView, i: int) -> bool:
    return names_comments([tree.attribute(i, "id"), *tree.classes(i)]) and not is_margin(tree, i)


def _holds_article(tree: PageView, i: int) -> bool:
    """Whether an element holds the title of the page: then it is the page, whatever a theme calls
    it.
    """
    return "h1" in tree.tags[i : tree.last[i]]


def _groups_in(tree: PageView, box: int) -> list[list[int]]:
    """The comments among the elements of a box, or of the largest box in it."""
    place = box
    for _level in range(_LEVELS):
        inner = _without_forms(tree, tree.children(place))
        framed = _without_frame(tree, inner)
        if framed and says_none(tree, framed[0]):
            return []
        groups = comment_runs(tree, framed, None)
        if groups or not inner:
            return groups
        place = max(inner, key=tree.count)
    return []


def _without_forms(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements with words that are neither a form nor little else than the box around one."""
    return [i for i in places if tree.count(i) and tree.tags[i] not in _ENDS and not _is_form(tree, i)]


def _is_form(tree: PageView, i: int) -> bool:
    forms = [n for n in range(i, tree.last[i]) if tree.tags[n] == "form"]
    return bool(forms) and 2 * max(map(tree.count, forms)) >= tree.count(i)


def _without_frame(tree: PageView, places: Sequence[int]) -> Sequence[int]:
    """The elements without the heading of all comments, and without a last line that speaks of
    commenting.
    """
    inner = _without_heading(tree, places)
    while len(inner) > 1 and closes_list(tree, inner[-1]):
        inner = inner[:-1]
    return inner


def _without_heading(tree: PageView, places: Sequence[int]) -> Sequence[int]:
    """The elements without the heading of all comments."""
    first = places[0] if places else 0
    if not places or tree.count(first) > LONGEST_LABEL or is_label(tree, first):
        return places
    is_only_one = sum(tree.tags[i] == tree.tags[first] for i in places) == 1
    is_heading = tree.tags[first] in HEADINGS and is_only_one
    return places[1:] if is_heading or HEADING.match(tree.text(first)) else places


__all__ = ["groups_in_box", "is_named_box"]
