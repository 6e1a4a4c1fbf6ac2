"""Comments below a heading, known by the lines about them, or because they repeat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from blogforever.comments.dated import LONGEST_LABEL, has_date, is_label
from blogforever.comments.margins import is_margin
from blogforever.comments.stated import read_count
from blogforever.comments.words import HEADING, SPEAKS, SPOKE
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

_TITLES = frozenset({*HEADINGS, "b", "strong", "dt"})
_NAMES = frozenset({"b", "strong", "cite", "em", "i", "a", "h3", "h4", "h5", "h6", "span"})
_LABELS = frozenset({"p", "div", "strong", "b", "legend", "caption", "span"})
_ENDS = frozenset({"form", "footer", "nav", "aside"})
_WRAPPERS = frozenset({"ol", "ul", "div", "section"})
_TEXTS = frozenset({"p", "blockquote"})
# One of a kind does not repeat.
_FEW = 2
# Elements that are enough to see what all of them are: dates of thousands take long to look for.
_SAMPLE = 40
# Words of "6 comments so far" where it is no heading; a longer text is a sentence about comments.
_LONGEST_ANNOUNCEMENT = 8
# Words of a commenter's name; a longer one is a stressed sentence at the head of a text.
_LONGEST_NAME = 8
# Elements at the head of a comment among which its name is looked for: boxes around it, empty ones before it.
_NAME_DEPTH = 8
# Words of an element that holds nothing but a date.
_BARE_DATE = 3
# Share of the words below a heading that whole comments hold. Names, dates and titles beside the texts would be more
# than what is left.
_NEARLY_ALL = 0.9
# Elements around a heading behind which its comments are looked for: themes wrap a heading in a box
# or two. With more, what follows a heading in the side bar counts.
_LEVELS = 3


def groups_below_heading(tree: PageView) -> list[list[int]]:
    """The elements of each comment below the first heading or label that announces some."""
    for i, tag in enumerate(tree.tags):
        if not 0 < tree.count(i) <= _longest(tag) or not _announces(tree, i):
            continue
        stated = read_count(tree.text(i))
        if stated == 0:
            continue
        groups = comment_runs(tree, _after(tree, i), stated)
        if groups and (tag in HEADINGS or _confirm(tree, groups, stated)):
            return groups
    return []


def _confirm(tree: PageView, groups: Sequence[Sequence[int]], stated: int | None) -> bool:
    """Whether there are as many comments as a mere label says; a single one must be dated, too.

    A line without a number is believed where it is followed by quotations that begin with a name and a date: so are
    comments of an older system kept in the text of a post.
    """
    if stated is None:
        return all(len(group) == 1 and _is_quoted(tree, group[0]) for group in groups)
    if len(groups) != stated:
        return False
    return stated > 1 or any(has_date(tree, i) for i in groups[0])


def _is_quoted(tree: PageView, i: int) -> bool:
    """Whether an element quotes somebody below a dated line of its own."""
    parts = _filled(tree, tree.children(i))
    return tree.tags[i] == "blockquote" and len(parts) >= _FEW and is_label(tree, parts[0])


def _longest(tag: str) -> int:
    """Words with which an element may announce comments."""
    if tag in HEADINGS:
        return LONGEST_LABEL
    return _LONGEST_ANNOUNCEMENT if tag in _LABELS else 0


def _announces(tree: PageView, i: int) -> bool:
    """Whether an element says that the comments of this page follow."""
    text = " ".join(tree.text(i).split())
    is_line = text.endswith((":", "：")) or read_count(text) is not None
    if tree.tags[i] not in HEADINGS and not is_line:
        return False
    if not HEADING.match(text) or _links_elsewhere(tree, i):
        return False
    return not any(is_margin(tree, n) for n in tree.ancestors(i))


def _links_elsewhere(tree: PageView, i: int) -> bool:
    """Whether an element links to another page: then the comments are there."""
    links = [n for n in range(i, tree.last[i]) if tree.tags[n] == "a"]
    return any("#" not in tree.attribute(n, "href") for n in links)


def _after(tree: PageView, heading: int) -> list[int]:
    """The elements between a heading and the next of its rank, or the form."""
    place = heading
    for _level in range(_LEVELS):
        parent = tree.parents[place]
        if parent < 0:
            return []
        following = []
        for sibling in tree.children(parent):
            if sibling <= place:
                continue
            if tree.tags[sibling] in _ENDS or tree.tags[sibling] == tree.tags[heading]:
                break
            following.append(sibling)
        if any(map(tree.count, following)):
            return following
        place = parent
    return []


def comment_runs(tree: PageView, places: Sequence[int], stated: int | None) -> list[list[int]]:
    """Elements in runs of one comment each; a single one where that is the number stated."""
    inner = _unwrapped(tree, places)
    groups = _between_rules(tree, inner)
    if groups:
        return groups
    filled = _filled(tree, inner)
    tags = {tree.tags[i] for i in filled}
    # Elements of one kind repeat each other; of several kinds some are lines about the others.
    if len(tags) == 1:
        groups = _repeated(tree, filled) or _by_labels(tree, filled)
    else:
        repeated = _repeated(tree, filled)
        groups = repeated if _are_nearly_all(tree, repeated, filled) else _by_labels(tree, filled) or repeated
    if not groups and stated == 1:
        groups = _single(tree, places)
    return groups


def _are_nearly_all(tree: PageView, groups: Sequence[Sequence[int]], places: Sequence[int]) -> bool:
    """Whether groups hold nearly all words: then nothing beside them is a part of a comment."""
    held = sum(tree.count(i) for group in groups for i in group)
    return held > _NEARLY_ALL * sum(map(tree.count, places))


def _filled(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements that hold words."""
    return [i for i in places if tree.count(i)]


def _unwrapped(tree: PageView, places: Sequence[int]) -> Sequence[int]:
    """What stands in the one box around all comments, or in the boxes around that."""
    while True:
        filled = _filled(tree, places)
        if len(filled) != 1 or tree.tags[filled[0]] in _TEXTS:
            return places
        box = filled[0]
        below = tree.children(box)
        has_loose_words = tree.count(box) > sum(map(tree.count, below))
        if not below or has_loose_words:
            return places
        # The line about a comment may be wrapped, too.
        if len(below) < _FEW and is_label(tree, box):
            return places
        places = below


def _single(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """The element below a heading "1 comment", where it is dated or begins with a name."""
    filled = [i for i in places if tree.count(i) > _FEW]
    tags = [tree.tags[i] for i in filled[:2]]
    # Two of a kind are no single comment.
    if not filled or tags[1:] == tags[:1]:
        return []
    first = filled[0]
    while tree.tags[first] in _WRAPPERS and len(tree.children(first)) == 1:
        first = tree.children(first)[0]
    if has_date(tree, first) or _speaks(tree, first):
        return [[first]]
    return []


def _between_rules(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Runs between horizontal rules, where each has a line about its comment and a text."""
    runs: list[list[int]] = [[]]
    for i in places:
        if tree.tags[i] == "hr":
            runs.append([])
        elif tree.count(i):
            runs[-1].append(i)
    filled = [run for run in runs if run]
    if len(filled) < _FEW or not all(_is_whole_run(tree, run) for run in filled):
        return []
    return filled


def _is_whole_run(tree: PageView, run: Sequence[int]) -> bool:
    """Whether a run has one line about its comment, and something else."""
    if len(run) < _FEW:
        return False
    labels = [i for i in run if is_label(tree, i)]
    return len(labels) == 1


def _by_labels(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Runs that begin or end with a dated line; a title above the line belongs to it."""
    labels = [n for n, i in enumerate(places) if is_label(tree, i)]
    if not labels or len(labels) == len(places):
        return []
    groups = []
    for first, stop in pairwise(_bounds(tree, places, labels)):
        if stop - first >= _FEW:
            groups.append(list(places[first:stop]))
    return groups


def _bounds(tree: PageView, places: Sequence[int], labels: Sequence[int]) -> list[int]:
    """Where comments begin and the last one ends, by where the lines about them stand."""
    count = len(places)
    if labels[0] == 0:
        return [*labels, count]
    titles = [n - 1 for n in labels]
    if all(tree.tags[places[n]] in _TITLES for n in titles):
        return [*titles, count]
    # A single line in the middle could be the first of one comment or the last of another.
    if labels[-1] == count - 1 or len(labels) > 1:
        return [0, *(n + 1 for n in labels)]
    return []


def _repeated(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Runs of one element each: those of the most frequent tag, if all of them are comments."""
    alike = _most_frequent(tree, places)
    if not alike:
        return []
    if len(alike) < _FEW and tree.tags[alike[0]] != "blockquote":
        return []
    return [[i] for i in _comments_of(tree, alike)]


def _comments_of(tree: PageView, alike: Sequence[int]) -> Sequence[int]:
    """Elements that all begin with a name that "says" something, or are all dated."""
    sample = alike[:_SAMPLE]
    if all(_speaks(tree, i) for i in sample):
        return alike
    dated_in_sample = sum(has_date(tree, i) for i in sample)
    if 2 * dated_in_sample <= len(sample):
        return []
    dated = []
    for i in alike:
        if tree.count(i) > _BARE_DATE and has_date(tree, i):
            dated.append(i)
    return dated if _are_the_comments(tree, dated, alike) else []


def _most_frequent(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements of the most frequent tag."""
    by_tag = defaultdict(list)
    for i in places:
        by_tag[tree.tags[i]].append(i)
    return max(by_tag.values(), key=len, default=[])


def _are_the_comments(tree: PageView, dated: Sequence[int], alike: Sequence[int]) -> bool:
    """Whether what has no date is something else: a form, or a line to subscribe."""
    others = set(alike).difference(dated)
    if not others:
        return True
    if len(dated) < _FEW:
        return False
    classes = {tuple(tree.classes(i)) for i in dated}
    return not any(tuple(tree.classes(i)) in classes for i in others)


def _speaks(tree: PageView, i: int) -> bool:
    """Whether an element begins with a short stressed name and a colon or a word like "says"."""
    text = tree.text(i)
    for n in range(i + 1, min(tree.last[i], i + _NAME_DEPTH)):
        if tree.start[n] != tree.start[i]:
            return False
        if tree.tags[n] not in _NAMES or not 0 < tree.count(n) <= _LONGEST_NAME:
            continue
        name = tree.text(n)
        colon = name.endswith((":", "："))
        if text.startswith(name) and SPOKE.match(text[len(name) - colon :]):
            return True
        if SPEAKS.search(name) and tree.count(n) < tree.count(i):
            return True
    return False


__all__ = ["comment_runs", "groups_below_heading"]
