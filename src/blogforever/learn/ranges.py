"""Articles without a container of their own: loose siblings between a heading and a footer line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.learn.candidates import Step, own_steps
from blogforever.learn.views import View

_MOST = 0.97  # of the article's words must lie on the right side of a mark
_SHARE = 0.7  # of the pages must have the mark


def learn_range(views: Sequence[View]) -> tuple[Step | None, Step | None]:
    """Marks among the children of the article node: its text begins after the first and ends before the second."""
    told = [view for view in views if view.told and view.hits(view.place) > 0]
    if len(told) < 2:
        return None, None
    return _best(told, ending=False), _best(told, ending=True)


def _best(told: Sequence[View], *, ending: bool) -> Step | None:
    """The mark that cuts off most foreign words and none of the article's."""
    cut: dict[Step, list[float]] = {}
    for view in told:
        for step, foreign in _marks(view, ending=ending):
            cut.setdefault(step, []).append(foreign)
    spoilt = {step for view in told for step in _inside(view, cut, ending=ending)}
    usable = {
        step: sum(gains) for step, gains in cut.items() if len(gains) >= _SHARE * len(told) and step not in spoilt
    }
    best = max(usable, key=lambda step: usable[step], default=None)
    return best if best is not None and usable[best] >= 2 * len(told) else None


def _marks(view: View, *, ending: bool) -> Iterator[tuple[Step, float]]:
    """Marks of the children beyond which no word of the article stands, with the foreign words they cut off."""
    total = view.hits(view.place)
    seen: set[Step] = set()
    for child in _ordered(view, ending=ending):
        outside = view.hits_from(child) if ending else view.hits_to(child)
        if outside > (1 - _MOST) * total:
            return
        foreign = view.words_from(child) if ending else view.words_to(child)
        for step in steps_of(view, child):
            if step not in seen:
                seen.add(step)
            yield step, foreign


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


def _inside(view: View, cut: dict[Step, list[float]], *, ending: bool) -> set[Step]:
    """Marks that also stand among the article's own children, where they would cut it."""
    total = view.hits(view.place)
    found: set[Step] = set()
    for child in view.sample.tree.children(view.place):
        outside = view.hits_from(child) if ending else view.hits_to(child)
        if outside > (1 - _MOST) * total:
            inner = view.hits_to(child) if ending else view.hits_from(child)
            first = ending or inner <= total
            if first:
                found |= {step for step in steps_of(view, child) if step in cut}
    return found
