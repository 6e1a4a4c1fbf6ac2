"""Which comment another one answers where answers are only set in, or stand deeper on the page, in no named box."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, islice, takewhile

from blogforever.comments.items import CommentItem
from blogforever.comments.words import ANSWERS, REPLYING, has_token
from blogforever.page.view import PageView

_NAMED = re.compile(
    r"(?:depth|level|lvl|indent|nest(?:ed|ing)?|deep|tier|nivel|niveau|ebene|livello|poziom|uroven)[-_]{0,2}(\d{1,2})$",
    re.IGNORECASE,
)
_ATTRIBUTES = ("data-depth", "data-level", "data-indent", "aria-level")
# A length, or how many times over one that is named elsewhere.
_SET_IN = re.compile(
    r"(?:margin|padding)-(?:left|inline-start)\s{0,4}:\s{0,4}(?:calc\([^;*]{1,60}\*\s{0,4})?(\d{1,4}(?:\.\d{1,4})?)",
    re.IGNORECASE,
)
_FOURTH = re.compile(
    r"(?:margin|padding)\s{0,4}:(?:\s{0,4}[\w.%-]{1,12}\s){3}\s{0,4}(\d{1,4}(?:\.\d{1,4})?)", re.IGNORECASE
)
"""The last of four lengths is that on the left."""
_MOVED = re.compile(
    r"(?:^|[\s;])(?:left|--[\w-]{0,20}(?:depth|level|indent|nest)[\w-]{0,20})\s{0,4}:\s{0,4}(\d{1,4}(?:\.\d{1,4})?)",
    re.IGNORECASE,
)
"""How far something is moved to the right, or a number of its level for the style."""
_WIDTH = re.compile(r"(?:^|[\s;])width\s{0,4}:\s{0,4}(\d{1,3}(?:\.\d{1,4})?)\s{0,4}%", re.IGNORECASE)
_SHARE = re.compile(r"(\d{1,3})%")
_WHOLE = 100
_STEP_IN = re.compile(r"(?:[mp][ls]|(?:col-(?:[a-z]{2}-)?)?offset)-\[?(\d{1,3})")
"""How frameworks of classes set something in: ml-6, ps-3, offset-2."""
_INVISIBLE = re.compile(r"(?:spacer|blank|pixel|transparent|clear|shim|dot)[^/]{0,20}$", re.IGNORECASE)
_IN_TURN = re.compile(r"^(?:odd|even)$", re.IGNORECASE)
# Elements around a comment that are looked at: themes wrap it two or three times.
_REACH = 8


def tie_by_levels(tree: PageView, items: Sequence[CommentItem]) -> None:
    """Give comments the parent that a number of their level, an indent or their place among the
    others tells.
    """
    boxes = _own_boxes(tree, [item.tops[0] for item in items])
    for level_of in (_named_level, _indent, _spaced, _empty_cells, _narrowed, _called_answer):
        told = [level_of(tree, own) for own in boxes]
        # What has no level answers none: pingbacks among comments, say.
        least = min((level for level in told if level is not None), default=0)
        levels = [least if level is None else level for level in told]
        if _tell_threads(levels):
            _tie(items, levels)
            return
    _Places(tree, items).tie()


def _tell_threads(levels: Sequence[float]) -> bool:
    """Whether levels differ, and the first comment is one that answers none."""
    return len(set(levels)) > 1 and levels[0] == min(levels)


def _tie(items: Sequence[CommentItem], levels: Sequence[float]) -> None:
    """Let each comment answer the last one before it that stands less deep."""
    above: list[int] = []
    for n, level in enumerate(levels):
        while above and levels[above[-1]] >= level:
            above.pop()
        items[n].parent = above[-1] if above else None
        above.append(n)


def _named_level(tree: PageView, boxes: Sequence[int]) -> float | None:
    """The number of the level that an element, or one around it, is called by."""
    for place in _with_around(tree, boxes):
        for name in _ATTRIBUTES:
            value = tree.attribute(place, name)
            if value.isdecimal():
                return int(value)
        for token in tree.classes(place):
            match = _NAMED.search(token)
            if match:
                return int(match[1])
    return None


def _own_boxes(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Of each element the list of it, and of those around it that hold none of the others."""
    found: list[list[int]] = []
    for n, i in enumerate(places):
        before = places[n - 1] if n else -1
        after = places[n + 1] if n + 1 < len(places) else len(tree.tags)
        own = [i]
        for box in islice(tree.ancestors(i), _REACH):
            if box <= before or tree.last[box] > after:
                break
            own.append(box)
        found.append(own)
    return found


def _with_around(tree: PageView, boxes: Sequence[int]) -> Sequence[int]:
    """The boxes of an element, or what is around one that has none."""
    return boxes if len(boxes) > 1 else [boxes[0], tree.parents[boxes[0]]]


def _indent(tree: PageView, boxes: Sequence[int]) -> float:
    """How far an element, or one around it, is set in by its own style, or by classes that say as
    much.
    """
    places = _with_around(tree, boxes)
    written = [tree.attribute(place, "style") for place in places]
    styles = (form.search(style) for style in filter(None, written) for form in (_SET_IN, _FOURTH, _MOVED))
    steps = (_STEP_IN.match(token) for place in places for token in tree.classes(place))
    found = next(filter(None, chain(styles, steps)), None)
    return float(found[1]) if found else 0


def _narrowed(tree: PageView, boxes: Sequence[int]) -> float:
    """By how much of a hundred an element, or one around it, is narrower than the page."""
    for place in boxes:
        style, width = tree.attribute(place, "style"), tree.attribute(place, "width")
        found = _WIDTH.search(style) or _SHARE.fullmatch(width.strip())
        if found:
            return max(0, _WHOLE - float(found[1]))
    return 0


def _spaced(tree: PageView, boxes: Sequence[int]) -> float:
    """How wide the invisible picture is with which an element, or one around it, begins, as tables are set in."""
    widths = (_picture_at_head(tree, box) for box in boxes)
    return next((width for width in widths if width is not None), 0)


def _picture_at_head(tree: PageView, box: int) -> int | None:
    """The width of the invisible picture with which an element begins."""
    for n in range(box + 1, tree.last[box]):
        if tree.start[n] != tree.start[box]:
            break
        width = tree.attribute(n, "width")
        is_invisible = tree.attribute(n, "height") == "1" or _INVISIBLE.search(tree.attribute(n, "src")) is not None
        if tree.tags[n] == "img" and is_invisible and width.isdecimal():
            return int(width)
    return None


def _called_answer(tree: PageView, boxes: Sequence[int]) -> float:
    """Whether an element is called as boxes of answers are, or an answer: 1, or 0."""
    names = tree.classes(boxes[0])
    return float(has_token(names, ANSWERS) or has_token(names, REPLYING))


def _empty_cells(tree: PageView, boxes: Sequence[int]) -> float:
    """How many cells of a row stand empty before the first with words."""
    i = boxes[0]
    if tree.tags[i] != "tr":
        return 0
    cells = takewhile(lambda n: not tree.count(n) and tree.last[n] == n + 1, tree.children(i))
    return sum(1 for _cell in cells)


class _Places:
    """Comments by the elements around them, and by how many steps below such an element each
    stands.

    An answer stands deeper than what it answers, in an element with it. That element is believed to
    hold a thread if others are made like it, each beginning with a comment as deep as here; or if
    it holds comments less deep on both sides of the deeper ones, so that these are no list of their
    own at its end.
    """

    def __init__(self, tree: PageView, items: Sequence[CommentItem]) -> None:
        self._tree = tree
        self._items = items
        self._around = [list(islice(tree.ancestors(item.tops[0]), _REACH)) for item in items]
        self._first: dict[int, int] = {}
        self._deepest: defaultdict[int, int] = defaultdict(int)
        self._on_both_sides: set[int] = set()
        for n, around in enumerate(self._around):
            for steps, box in enumerate(around, 1):
                self._note(n, box, steps)
        self._alike = Counter(self._kind(box) for box in self._first)

    def _note(self, n: int, box: int, steps: int) -> None:
        first = self._first.setdefault(box, n)
        if self._deepest[box] > steps == self._steps(first, box):
            self._on_both_sides.add(box)
        self._deepest[box] = max(self._deepest[box], steps)

    def _steps(self, n: int, box: int) -> int:
        return self._around[n].index(box) + 1

    def _kind(self, box: int) -> tuple[str, str, int]:
        """What an element is called, and how deep the first comment in it stands; items of lists, and others by some
        of their names, are called by what they are in turn: "odd", "depth-2".
        """
        tag = self._tree.tags[box]
        names = "" if tag == "li" else " ".join(_IN_TURN.sub("in turn", name) for name in self._tree.classes(box))
        return tag, names, self._steps(self._first[box], box)

    def tie(self) -> None:
        """Give each comment the last one less deep in the nearest element that holds a thread."""
        last: dict[tuple[int, int], int] = {}  # the last comment so many steps below an element
        for n, around in enumerate(self._around):
            self._items[n].parent = self._answered(n, last)
            for steps, box in enumerate(around, 1):
                last[box, steps] = n

    def _answered(self, n: int, last: dict[tuple[int, int], int]) -> int | None:
        for steps, box in enumerate(self._around[n], 1):
            first = self._first[box]
            if first == n:
                continue
            above = self._steps(first, box)
            if above >= steps:
                return self._items[first].parent if above == steps else None
            return last.get((box, above)) if self._holds_thread(box) else None
        return None

    def _holds_thread(self, box: int) -> bool:
        if box in self._on_both_sides:
            return True
        tag, names, _steps = kind = self._kind(box)
        return self._alike[kind] > 1 and bool(names or tag == "li")
