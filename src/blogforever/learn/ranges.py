"""Articles without a container of their own: loose siblings between a heading and a footer line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from blogforever.learn.candidates import Step, own_steps
from blogforever.learn.views import View

_MOST = 0.97  # of the article's words must lie on the right side of a mark
_SHARE = 0.7  # of the pages must have the mark
_LEAST_WORDS = 2  # that a mark must cut off a page, or it is not worth the risk
_NEARLY = 0.9  # of what a bare tag cuts off is enough for a mark by name: the next post may well hold a bare div


def learn_range(views: Sequence[View]) -> tuple[Step | None, Step | None]:
    """Marks among the children of the article node: its text begins after the first and ends before the second."""
    told = [view for view in views if view.told and view.hits(view.place) > 0]
    if len(told) < 2:
        return None, None
    return _best(told, ending=False), _best(told, ending=True)


def _best(told: Sequence[View], *, ending: bool) -> Step | None:
    """The mark that cuts off most foreign words and none of the article's; each page has one vote."""
    votes = [_marks(view, ending=ending) for view in told]
    seen = Counter(step for vote in votes for step in vote)
    spoilt = {step for view in told for step in _inside(view, seen.keys(), ending=ending)}
    gains = {
        step: sum(vote.get(step, 0) for vote in votes)
        for step, pages in seen.items()
        if pages >= _SHARE * len(told) and step not in spoilt
    }
    enough = {step: gain for step, gain in gains.items() if gain >= _LEAST_WORDS * len(told)}
    best = max(enough.values(), default=0)
    marked = {step: gain for step, gain in enough.items() if step != Step(step.tag) and gain >= _NEARLY * best}
    choice = marked or enough
    return max(choice, key=lambda step: choice[step], default=None)


def _marks(view: View, *, ending: bool) -> dict[Step, int]:
    """Marks of the children beyond which no word of the article stands, with the foreign words they cut off.

    A mark that several children have cuts at the first of them.
    """
    total = view.hits(view.place)
    found: dict[Step, int] = {}
    for child in _ordered(view, ending=ending):
        outside = view.hits_from(child) if ending else view.hits_to(child)
        if outside > (1 - _MOST) * total:
            break
        for step in steps_of(view, child):
            if ending:
                found[step] = view.words_from(child)
            else:
                found.setdefault(step, view.words_to(child))
    return found


def _ordered(view: View, *, ending: bool) -> list[int]:
    children = view.sample.tree.children(view.place)
    return children[::-1] if ending else children


def steps_of(view: View, child: int) -> list[Step]:
    """The marks of a child element, its bare tag included where text seldom uses it."""
    tree = view.sample.tree
    steps = own_steps(tree, child)
    if tree.tags[child] in ("hr", "form", "h1", "h2", "h3", "h4", "ol", "ul", "table", "div", "center", "small"):
        steps = [*steps, Step(tree.tags[child])]
    return list(dict.fromkeys(steps))


def _inside(view: View, marks: Set[Step], *, ending: bool) -> set[Step]:
    """Marks that also stand among the article's own children, where they would cut it."""
    total = view.hits(view.place)
    found: set[Step] = set()
    for child in view.sample.tree.children(view.place):
        outside = view.hits_from(child) if ending else view.hits_to(child)
        if outside > (1 - _MOST) * total:
            found |= marks & set(steps_of(view, child))
    return found
