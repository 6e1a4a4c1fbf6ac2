"""Articles without a container of their own: loose siblings between a heading and a footer line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from blogforever.learn.candidates import Step, is_bare, own_steps
from blogforever.learn.views import View

# A mark must leave so much of the article's words on its right side.
_MOST = 0.97
# Share of the pages that must have the mark.
_SHARE = 0.7
# Words that a mark must cut off a page, or it is not worth the risk.
_LEAST_WORDS = 2
# Share of what a bare tag cuts off that is enough for a
# mark by name: the next post may well hold a bare div.
_NEARLY = 0.9
# Tags that text seldom uses, so that they may end it by themselves.
_PARTING_TAGS = frozenset("hr form h1 h2 h3 h4 ol ul table div center small".split())


def learn_range(views: Sequence[View]) -> tuple[Step | None, Step | None]:
    """Marks among the children of the article node: its text
    begins after the first and ends before the second.
    """
    told = [view for view in views if view.told and view.hits(view.place) > 0]
    if len(told) < 2:
        return None, None
    return _best(told, ending=False), _best(told, ending=True)


def _best(told: Sequence[View], *, ending: bool) -> Step | None:
    """The mark that cuts off most foreign words and none of the article's.

    Each page has one vote.
    """
    votes = [_marks(view, ending=ending) for view in told]
    enough = _gains(told, votes, ending=ending)
    best = max(enough.values(), default=0)
    named = [step for step in enough if not is_bare(step) and enough[step] >= _NEARLY * best]
    return max(named or enough, key=lambda step: enough[step], default=None)


def _gains(
    told: Sequence[View],
    votes: Sequence[dict[Step, int]],
    *,
    ending: bool,
) -> dict[Step, int]:
    """The marks that most pages have and that cut no article, with the foreign words they cut off."""
    pages = Counter(step for vote in votes for step in vote)
    spoilt: set[Step] = set()
    for view in told:
        spoilt |= _inside(view, pages.keys(), ending=ending)
    gains: dict[Step, int] = {}
    for step, count in pages.items():
        if count < _SHARE * len(told) or step in spoilt:
            continue
        gain = sum(vote.get(step, 0) for vote in votes)
        if gain >= _LEAST_WORDS * len(told):
            gains[step] = gain
    return gains


def _marks(view: View, *, ending: bool) -> dict[Step, int]:
    """Marks of the children beyond which no word of the article stands, with the foreign words they
    cut off.

    A mark that several children have cuts at the first of them; a bare tag, which the text may hold
    as well, ends it at the last.
    """
    found: dict[Step, int] = {}
    for child in _ordered(view, ending=ending):
        if _cuts(view, child, ending=ending):
            break
        for step in steps_of(view, child):
            if ending and not is_bare(step):
                found[step] = view.words_from(child)
            elif ending:
                found.setdefault(step, view.words_from(child))
            else:
                found.setdefault(step, view.words_to(child))
    return found


def _cuts(view: View, child: int, *, ending: bool) -> bool:
    """Whether the article would lose words if it ended before this child, or began after it."""
    lost = view.hits_from(child) if ending else view.hits_to(child)
    return lost > (1 - _MOST) * view.hits(view.place)


def _ordered(view: View, *, ending: bool) -> list[int]:
    """The children from the outer end of the article inwards."""
    children = view.sample.tree.children(view.place)
    return children[::-1] if ending else children


def steps_of(view: View, child: int) -> list[Step]:
    """The marks of a child element, its bare tag included where text seldom uses it."""
    tree = view.sample.tree
    steps = own_steps(tree, child)
    if tree.tags[child] in _PARTING_TAGS:
        steps = [*steps, Step(tree.tags[child])]
    return list(dict.fromkeys(steps))


def _inside(view: View, marks: Set[Step], *, ending: bool) -> set[Step]:
    """Marks that also stand among the article's own children, where they would cut it."""
    found: set[Step] = set()
    for child in view.sample.tree.children(view.place):
        if _cuts(view, child, ending=ending):
            found |= marks & set(steps_of(view, child))
    return found
