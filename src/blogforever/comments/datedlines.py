"""Comments parted by the dated lines about them, which begin or end each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from functools import partial
from itertools import pairwise, takewhile

from blogforever.comments.dated import is_label
from blogforever.elements import HEADINGS, is_inline
from blogforever.page.view import PageView

_TITLES = frozenset({*HEADINGS, "b", "strong", "dt"})
# A line and a text.
_FEW = 2
# Elements at the head of another that tell how it is made: a cell, its font, the name in bold.
_DEEPEST_HEAD = 6
# Words of a commenter's name; a longer one is a stressed sentence at the head of a text.
_LONGEST_NAME = 8
# Share of the words of comments that their elements hold, at least.
_HELD = 2 / 3


def groups_by_dated_lines(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Runs that begin or end with a dated line; a title above the line belongs to it."""
    labels = _dated_lines(tree, places)
    # One item of a list with a day among others without is a rule, or a note.
    is_one_of_list = len(labels) == 1 and all(tree.tags[i] == "li" for i in places)
    if not labels or len(labels) == len(places) or is_one_of_list:
        return []
    groups = []
    for first, stop in pairwise(_bounds(tree, places, labels)):
        if stop - first >= _FEW:
            groups.append(list(places[first:stop]))
    return [] if leave_many_words(tree, groups) else groups


def lines_about(tree: PageView, places: Sequence[int]) -> list[int]:
    """The dated lines among these elements, without those that are called as the texts are, or stand behind another
    and begin as the texts do, where most do otherwise: a short text speaks of a day.
    """
    labels = [i for i in places if is_label(tree, i)]
    others = sorted(set(places).difference(labels))
    for kind_of in (_kind, _make):
        alike = _like_texts(labels, others, partial(kind_of, tree))
        if alike is not None:
            gone = alike if kind_of is _kind else _behind_lines(places, labels, alike)
            return [i for i in labels if i not in gone]
    return labels


def _like_texts(
    labels: Sequence[int], texts: Sequence[int], kind_of: Callable[[int], tuple[str, ...]]
) -> set[int] | None:
    """The lines that are of a kind with a text; None where most lines are, or are of several kinds."""
    kinds = Counter(map(kind_of, labels))
    of_texts = set(map(kind_of, texts))
    usual, count = kinds.most_common(1)[0] if kinds else (None, 0)
    if usual in of_texts or 2 * count <= len(labels):
        return None
    return {i for i in labels if kind_of(i) in of_texts}


def _behind_lines(places: Sequence[int], labels: Sequence[int], alike: Set[int]) -> set[int]:
    """Those of the lines which are like texts that stand right behind another: a name may be made so, too."""
    lines, gone = set(labels), set[int]()
    for before, i in pairwise(sorted(places)):
        if i in alike and before in lines and before not in gone:
            gone.add(i)
    return gone


def _kind(tree: PageView, i: int) -> tuple[str, ...]:
    return tree.tags[i], tree.attribute(i, "class")


def _make(tree: PageView, i: int) -> tuple[str, ...]:
    """How an element is called, and those with which it begins, up to a link: some readers have a site."""
    inside = range(i + 1, min(tree.last[i], i + _DEEPEST_HEAD))
    heads = (tree.tags[n] for n in inside if tree.start[n] == tree.start[i] and tree.count(n))
    return (*_kind(tree, i), *takewhile(lambda tag: tag != "a", heads))


def _dated_lines(tree: PageView, places: Sequence[int]) -> list[int]:
    """Which of these elements are dated lines, counted from 0."""
    about = set(lines_about(tree, places))
    labels = [n for n, i in enumerate(places) if i in about]
    terms = [n for n, i in enumerate(places) if tree.tags[i] == "dt"]
    # A definition may hold the dated terms of answers.
    return terms if terms and set(terms) < set(labels) else labels


def leave_many_words(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether many words stand loose between the elements of comments: those are only about them."""
    held = sum(tree.count(i) for group in groups for i in group)
    return held < _HELD * sum(tree.end[group[-1]] - tree.start[group[0]] for group in groups)


def _bounds(tree: PageView, places: Sequence[int], labels: Sequence[int]) -> list[int]:
    """Where comments begin and the last one ends, by where the lines about them stand."""
    count = len(places)
    if labels[0] == 0:
        return [*labels, count]
    titles = [n - 1 for n in labels]
    if all(tree.tags[places[n]] in _TITLES for n in titles):
        return [*titles, count]
    if _follow_titles(labels, count):
        return [*(n - labels[0] for n in labels), count]
    # A single line in the middle could be the first of one comment or the last of another.
    if labels[-1] == count - 1 or len(labels) > 1:
        return [0, *(n + 1 for n in labels)]
    # But a few words in its line before it are the name of who wrote what follows.
    return [0, count] if _are_name_in_line(tree, places[: labels[0]]) else []


def _are_name_in_line(tree: PageView, places: Sequence[int]) -> bool:
    """Whether elements are parts of a line with no more words than a name."""
    return all(is_inline(tree.tags[i]) for i in places) and sum(map(tree.count, places)) <= _LONGEST_NAME


def _follow_titles(labels: Sequence[int], count: int) -> bool:
    """Whether as much as stands before the first line with a date stands before each of them, and
    texts after all of them: then every comment begins with it.
    """
    ends = [n - labels[0] for n in labels[1:]]
    return bool(ends) and labels[-1] < count - 1 and all(end > n + 1 for n, end in zip(labels, ends, strict=False))
