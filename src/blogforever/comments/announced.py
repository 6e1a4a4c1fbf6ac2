"""Comments somewhere behind a line that announces them: what repeats there, dated, and in number as the line says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from blogforever.comments.announcing import announcements, counts_from_above
from blogforever.comments.headed import are_signed, comment_runs
from blogforever.comments.margins import is_margin
from blogforever.comments.proving import has_linked_title, may_be_comment
from blogforever.page.view import PageView

_BOXES = frozenset({"div", "section", "article", "main", "ol", "ul", "dl", "td", "table", "tbody", "form", "body"})
# Lines of one page behind which comments are looked for, and boxes behind one of them: both bound
# the work.
_MOST_LINES = 4
_MOST_BOXES = 60
# Elements around a line behind which its comments may stand.
_LEVELS = 3
# One of a kind proves nothing by itself.
_FEW = 2
_BY_CHANCE = 3
# Share of what repeats that is dated as comments are: some speak of days, or show none that can be
# read.
_NEARLY_ALL = 0.8
# Share of the number stated that a page shows at least: the rest is answers, or on other pages.
_FEWEST_SHOWN = 0.1


def groups_behind_announcement(tree: PageView) -> list[list[int]]:
    """The elements of each comment in the first box behind an announcement that proves to be theirs."""
    asks = tree.tree.css_first("textarea") is not None
    for line, stated in islice(announcements(tree), _MOST_LINES):
        boxes = (tree.children(box) for box in _boxes_after(tree, line))
        for n, places in enumerate(chain(islice(boxes, _MOST_BOXES), _beside(tree, line))):
            groups = comment_runs(tree, places, stated)
            # A single one is believed in the first box only, above or below a field to write in.
            fewest = 1 if stated == 1 and asks and not n else _FEW
            is_proven = len(groups) >= fewest and _are_proven(tree, groups, stated, asks)
            if is_proven and not counts_from_above(tree, line, groups):
                return groups
    return []


def _beside(tree: PageView, line: int) -> Iterator[list[int]]:
    """What follows a line, or one of the elements around it, in the same box, but for the forms: some
    themes ask for a comment above all others. Not where words stand loose among it.
    """
    place = line
    for around, _level in zip(tree.ancestors(line), range(_LEVELS), strict=False):
        following = [i for i in tree.children(around) if i > place]
        if sum(map(tree.count, following)) == tree.end[around] - tree.end[place]:
            yield [i for i in following if not is_margin(tree, i)]
        place = around


def _boxes_after(tree: PageView, line: int) -> Iterator[int]:
    """The boxes of several things that begin after an element, outside margins and without the title of the page."""
    place = tree.last[line]
    while place < len(tree.tags):
        if is_margin(tree, place):
            place = tree.last[place]
            continue
        if tree.tags[place] in _BOXES and tree.count(place) and not _is_wrapper(tree, place):
            yield place
        place += 1


def _is_wrapper(tree: PageView, i: int) -> bool:
    """Whether a box holds the title of the page, or nothing but another box."""
    is_around_one = sum(tree.count(n) > 0 for n in tree.children(i)) < _FEW
    return is_around_one or "h1" in tree.tags[i : tree.last[i]]


def _are_proven(tree: PageView, groups: Sequence[Sequence[int]], stated: int | None, asks: bool) -> bool:
    """Whether nearly all of what repeats is dated and of no other post, and so many as the line
    says; or signed, with a field to write in on the page, where it says no number.
    """
    if any(has_linked_title(tree, group) for group in groups):
        return False
    is_signed = are_signed(tree, groups)
    if is_signed and len(groups) == stated:
        return True
    dated = sum(may_be_comment(tree, group) for group in groups)
    if dated < _NEARLY_ALL * len(groups):
        return False
    is_shown = stated is not None and _FEWEST_SHOWN * stated <= len(groups) <= stated
    # Two or three dated boxes may be of other things by chance.
    return (is_shown and (is_signed or len(groups) > _BY_CHANCE)) or (asks and is_signed)


__all__ = ["groups_behind_announcement"]
