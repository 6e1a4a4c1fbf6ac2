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
# Pages that must show that a text begins behind an element by its place alone, and all of them
# must: nothing else bears it out.
_FEWEST_PLACED = 3
# Elements above a text that may be known by their place.
_NEAR_BEGIN = 8
# Tags that text seldom uses, so that they may end it by themselves.
_PARTING_TAGS = frozenset("hr form h1 h2 h3 h4 ol ul table div center small".split())


def learn_range(views: Sequence[View]) -> tuple[Step | None, Step | None]:
    """Marks among the children of the article node: its text
    begins after the first and ends before the second.
    """
    told = [view for view in views if view.told and view.hits(view.place) > 0]
    if len(told) < 2:
        return None, None
    begin = _best(told, ending=False)
    return _further(told, begin) or begin, _best(told, ending=True)


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


def _further(told: Sequence[View], begin: Step | None) -> Step | None:
    """The place of the last element above every text, where it cuts off more than the mark by name.

    Old pages set days, neighbours and titles in lines of bold and small print that nothing names.
    """
    if len(told) < _FEWEST_PLACED:
        return None
    placed = [_places_above(view) for view in told]
    # In the order of the page, so that of equals the first is taken, whatever the run: what stands
    # between them has no words, but may be a picture.
    shared = [step for step in placed[0] if all(step in words for words in placed[1:])]
    gains = {step: sum(words[step] for words in placed) for step in shared}
    best = max(gains, key=lambda step: gains[step], default=None)
    if best is None or gains[best] < _gain_of(told, begin) + _LEAST_WORDS * len(told):
        return None
    return best


def _gain_of(told: Sequence[View], begin: Step | None) -> int:
    """The foreign words that the mark by name cuts off."""
    return sum(_marks(view, ending=False).get(begin, 0) for view in told) if begin else 0


def _places_above(view: View) -> dict[Step, int]:
    """The elements above a page's text by their tags and numbers, with the words up to each."""
    tree, found, seen = view.sample.tree, dict[Step, int](), Counter[str]()
    for child in tree.children(view.place)[:_NEAR_BEGIN]:
        # A short first paragraph is a small part of a long text, and is its beginning all the same.
        if _cuts(view, child, ending=False) or _is_of_text(view, child):
            break
        seen[tree.tags[child]] += 1
        if tree.tags[child].isalnum():
            found[Step(tree.tags[child], nth=seen[tree.tags[child]])] = view.words_to(child)
    return found


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
    """Whether the article would lose words if it ended before this child, or began after it.

    What stands there again is none: lines about a post repeat its title and its day.
    """
    sample, found = view.sample, view.hits(view.place)
    lost = view.hits_from(child) if ending else view.hits_to(child)
    wanted = len(sample.target) + len(sample.refrain) + len(sample.signature)
    if found - lost < _MOST * min(found, wanted):
        return True
    # A heading of the text may stand again in a table of contents.
    return _is_of_text(view, child) and lost > (1 - _MOST) * found


def _is_of_text(view: View, child: int) -> bool:
    """Whether most of what a child says stands in the article."""
    return view.hits(child) > view.sample.tree.count(child) / 2


def _ordered(view: View, *, ending: bool) -> list[int]:
    """The children from the outer end of the article inwards."""
    children = view.sample.tree.children(view.place)
    return children[::-1] if ending else children


def steps_of(view: View, child: int) -> list[Step]:
    """The marks of a child element, its bare tag included where text seldom uses it."""
    tree = view.sample.tree
    steps = own_steps(tree, child)
    if tree.tags[child] in _PARTING_TAGS:
        steps = (*steps, Step(tree.tags[child]))
    return list(dict.fromkeys(steps))


def _inside(view: View, marks: Set[Step], *, ending: bool) -> set[Step]:
    """Marks that also stand among the article's own children, where they would cut it."""
    found: set[Step] = set()
    for child in view.sample.tree.children(view.place):
        if _cuts(view, child, ending=ending):
            found |= marks & set(steps_of(view, child))
    return found
