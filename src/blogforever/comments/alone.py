"""The only comment of a page, below a heading that says no number: a day and more, right above a field to write in."""

from __future__ import annotations

from blogforever.comments.dated import tells_only_day
from blogforever.comments.undated import is_above_field
from blogforever.page.view import PageView

# Words of an element that holds nothing but a date.
_BARE_DATE = 3
# Texts at the head and at the foot of a comment among which its day stands; it bounds the work.
_NEAR_EDGE = 12


def is_alone_above_field(tree: PageView, i: int) -> bool:
    """Whether an element has one day that stands for itself, and says more, right above a field to
    write in; with several days it holds several comments.
    """
    is_paragraph = tree.tags[i] == "p"  # "There are none yet", whatever day it speaks of
    if is_paragraph or tree.count(i) <= _BARE_DATE or not is_above_field(tree, i):
        return False
    texts = tree.texts_between(tree.start[i], tree.end[i])
    edges = texts if len(texts) <= 2 * _NEAR_EDGE else [*texts[:_NEAR_EDGE], *texts[-_NEAR_EDGE:]]
    return sum(map(tells_only_day, edges)) == 1


__all__ = ["is_alone_above_field"]
