"""Comments that stand out from the others and are not called as those are: the blog's own answers, or what somebody
chose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from blogforever.comments.dated import has_date
from blogforever.comments.items import shape_of
from blogforever.page.view import PageView

# Comments that are enough to see how a page writes them: dates of thousands take long to look for.
_SAMPLE = 12
# One of a kind shows nothing.
_FEW = 2
# Elements in it by which a comment is known as made like another.
_TELLING_SHAPE = 2


def standing_out(tree: PageView, named: Iterable[int]) -> list[int]:
    """Elements between those that are named as comments which are dated and made as they are, but
    called otherwise.
    """
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for i in named:
        beside[tree.parents[i]].append(i)
    return [n for box, places in beside.items() if box >= 0 and len(places) >= _FEW for n in _others(tree, box, places)]


def _others(tree: PageView, box: int, places: Sequence[int]) -> Iterator[int]:
    """The elements of a box between the comments in it that are as good as they are."""
    others = [n for n in set(tree.children(box)).difference(places) if places[0] < n < places[-1]]
    shapes = {(tree.tags[i], shape_of(tree, i)) for i in places} if others else set()
    alike = [n for n in others if tree.count(n) and (tree.tags[n], _telling_shape(tree, n)) in shapes]
    if alike and all(has_date(tree, i) for i in places[:_SAMPLE]):
        yield from filter(lambda n: has_date(tree, n), alike)


def _telling_shape(tree: PageView, i: int) -> tuple[str, ...] | None:
    """The shape of an element of several parts."""
    shape = shape_of(tree, i)
    return shape if len(shape) >= _TELLING_SHAPE else None


__all__ = ["standing_out"]
