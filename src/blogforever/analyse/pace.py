"""How fast posts come: people write some a day, and whoever brings twenty and more every day is a medium."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from .values import Answer

# Entries of a feed at a day above which one person can hardly write, nor read them.
FAST = 20.0
# Entries of which a rate can be told: a poet may publish ten poems in an evening.
ENOUGH = 20
A_DAY = timedelta(days=1)


def comes_fast(moments: Sequence[datetime]) -> Answer:
    """Whether what is told of at once came faster than people write; not known of a few."""
    if len(set(moments)) < ENOUGH:
        return None
    return len(moments) / ((max(moments) - min(moments)) / A_DAY) > FAST


def is_always_fast(moments: Sequence[datetime]) -> bool:
    """Whether the posts of a whole harvest stand so close together. The usual distance counts, not
    the whole time: between two looks at a feed that rushes past, much was missed; and a blog that
    was moved in one hour has older posts.
    """
    if len(set(moments)) < ENOUGH:
        return False
    return median((later - earlier) / A_DAY for earlier, later in pairwise(sorted(moments))) < 1 / FAST
