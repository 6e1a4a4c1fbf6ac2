"""Comments that nothing marks but a heading above them: told apart by the lines about them, or by what repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from blogforever.comments.dated import LONGEST_LABEL, has_date, is_label
from blogforever.comments.stated import read_count
from blogforever.comments.words import HEADING, SPOKE, is_margin
from blogforever.learn.pagetree import PageTree

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TITLES = frozenset({*_HEADINGS, "b", "strong", "dt"})
_FEW = 2
_ASKED = 40  # elements that are enough to see what all of them are
_NAMES = frozenset({"b", "strong", "cite", "em", "i", "a", "h3", "h4", "h5", "h6", "span"})
_LONGEST_NAME = 8
_LABELS = frozenset({"p", "div", "strong", "b", "legend", "caption", "span"})
_ENDS = frozenset({"form", "footer", "nav", "aside"})


def groups_below_heading(tree: PageTree) -> list[list[int]]:
    """The elements of each comment below the first heading or label that announces some."""
    for i, tag in enumerate(tree.tags):
        longest = LONGEST_LABEL if tag in _HEADINGS else _LONGEST_NAME if tag in _LABELS else 0
        if 0 < tree.count(i) <= longest and _announces(tree, i):
            stated = read_count(tree.text(i))
            groups = _groups(tree, _after(tree, i), stated)
            if groups and (tag in _HEADINGS or len(groups) == stated):
                return groups
    return []


def _announces(tree: PageTree, i: int) -> bool:
    text = " ".join(tree.text(i).split())
    if tree.tags[i] not in _HEADINGS and read_count(text) is None:
        return False
    if not HEADING.match(text) or any(
        tree.tags[n] == "a" and "#" not in (tree.attributes(n).get("href") or "") for n in range(i, tree.last[i])
    ):
        return False
    return not any(
        is_margin(tree.tags[n], tree.attributes(n).get("id") or "", tree.classes(n)) for n in tree.ancestors(i)
    )


def _after(tree: PageTree, i: int) -> list[int]:
    """The elements between a heading and the next of its rank, or the form."""
    place = i
    for _level in range(3):
        parent = tree.parents[place]
        if parent < 0:
            return []
        found = []
        for sibling in tree.children(parent):
            if sibling <= place:
                continue
            if tree.tags[sibling] in _ENDS or tree.tags[sibling] == tree.tags[i]:
                break
            found.append(sibling)
        if sum(map(tree.count, found)) > 0:
            return found
        place = parent
    return []


def _groups(tree: PageTree, places: list[int], stated: int | None) -> list[list[int]]:
    """Elements in runs of one comment each; a single one where that is the number stated."""
    single = _single(tree, places) if stated == 1 else []
    while len(filled := [i for i in places if tree.count(i)]) == 1 and tree.tags[filled[0]] not in ("p", "blockquote"):
        below = tree.children(filled[0])
        loose = tree.count(filled[0]) - sum(map(tree.count, below))
        if loose or not below or (len(below) < _FEW and is_label(tree, filled[0])):
            break
        places = below
    uniform = _repeated(tree, filled) if len({tree.tags[i] for i in filled}) == 1 else []
    return _between_rules(tree, places) or uniform or _by_labels(tree, filled) or _repeated(tree, filled) or single


def _single(tree: PageTree, places: Sequence[int]) -> list[list[int]]:
    """The one element below a heading that says "1 comment", where it is dated or begins with a name."""
    filled = [i for i in places if tree.count(i) > _FEW]
    if not filled or (len(filled) > 1 and tree.tags[filled[0]] == tree.tags[filled[1]]):
        return []
    first = filled[0]
    while tree.tags[first] in ("ol", "ul", "div", "section") and len(tree.children(first)) == 1:
        first = tree.children(first)[0]
    return [[first]] if has_date(tree, first) or _speaks(tree, first) else []


def _between_rules(tree: PageTree, places: Sequence[int]) -> list[list[int]]:
    """Runs between horizontal rules, where each has a line about its comment and a text."""
    runs: list[list[int]] = [[]]
    for i in places:
        if tree.tags[i] == "hr":
            runs.append([])
        elif tree.count(i):
            runs[-1].append(i)
    filled = [run for run in runs if run]
    whole = [run for run in filled if len(run) >= _FEW and sum(is_label(tree, i) for i in run) == 1]
    return whole if len(whole) >= _FEW and len(whole) == len(filled) else []


def _by_labels(tree: PageTree, places: Sequence[int]) -> list[list[int]]:
    """Runs that begin or end with a dated line; a title above the line belongs to it."""
    labels = [n for n, i in enumerate(places) if is_label(tree, i)]
    if not labels or len(labels) == len(places):
        return []
    if labels[0] == 0:
        bounds = [*labels, len(places)]
    elif all(n and tree.tags[places[n - 1]] in _TITLES for n in labels):
        bounds = [*(n - 1 for n in labels), len(places)]
    elif labels[-1] == len(places) - 1 or len(labels) > 1:
        bounds = [0, *(n + 1 for n in labels)]
    else:
        return []
    return [group for a, b in pairwise(bounds) if len(group := list(places[a:b])) >= _FEW]


def _repeated(tree: PageTree, places: Sequence[int]) -> list[list[int]]:
    """Elements of one kind that are all dated, or that all begin with a name that "says" something."""
    kinds = defaultdict(list)
    for i in places:
        kinds[tree.tags[i]].append(i)
    best = max(kinds.values(), key=len, default=[])
    if not best or (len(best) < _FEW and tree.tags[best[0]] != "blockquote"):
        return []
    if all(_speaks(tree, i) for i in best[:_ASKED]):
        return [[i] for i in best]
    dated = [i for i in best if tree.count(i) > 3 and has_date(tree, i)] if _may_be_dated(tree, best) else []
    named = {tuple(tree.classes(i)) for i in dated}
    others = [i for i in best if i not in set(dated)]  # a form, or a line to subscribe, is called otherwise
    if others and (len(dated) < _FEW or any(tuple(tree.classes(i)) in named for i in others)):
        return []
    return [[i] for i in dated]


def _may_be_dated(tree: PageTree, places: Sequence[int]) -> bool:
    """Whether the first of these elements are dated: nobody needs to ask thousands of others."""
    return sum(has_date(tree, i) for i in places[:_ASKED]) * 2 > len(places[:_ASKED])


def _speaks(tree: PageTree, i: int) -> bool:
    """Whether an element begins with a short stressed name and a colon or a word like "says"."""
    first = i + 1
    if first >= tree.last[i] or tree.tags[first] not in _NAMES or not 0 < tree.count(first) <= _LONGEST_NAME:
        return False
    name, text = tree.text(first), tree.text(i)
    return text.startswith(name) and SPOKE.match(text[len(name) - name.endswith((":", "：")) :]) is not None


__all__ = ["groups_below_heading"]
