"""Comments of several elements each that nothing announces, known by lines that a theme calls those about a comment,
or by headings that say who spoke, and when.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from blogforever.comments.dated import is_label
from blogforever.comments.margins import COMMENTS, is_margin, outside_margins
from blogforever.comments.stated import read_count
from blogforever.comments.words import META, SPEAKS, joined
from blogforever.elements import HEADINGS, is_inline
from blogforever.page.view import PageView

# One of a kind proves nothing by itself: it may be the line of the post.
_FEW = 2
# A line, and what is said below it.
_FEWEST_PARTS = 2
# Words between two headings that are a text, and no line about it.
_TEXT = 30
_TEXTS = frozenset({"p", "blockquote", "pre", "ul", "ol"})


def groups_behind_named_lines(tree: PageView) -> list[list[int]]:
    """The elements of each comment: a dated line that is named so, or says who spoke, and what follows it up to the
    next.
    """
    named = [i for i in outside_margins(tree) if _is_named_line(tree, i)]
    lines = named if len(named) >= _FEW else _headings_that_speak(tree)
    if len({tree.parents[i] for i in lines}) != 1:
        return []
    stops = [*lines[1:], tree.last[tree.parents[lines[0]]]]
    groups = [[first, *_said_behind(tree, first, stop)] for first, stop in zip(lines, stops, strict=True)]
    are_whole = all(len(group) >= _FEWEST_PARTS for group in groups)
    follow_each_other = all(tree.end[group[-1]] == tree.start[after[0]] for group, after in pairwise(groups))
    return groups if are_whole and follow_each_other else []


def _is_named_line(tree: PageView, i: int) -> bool:
    """Whether an element is dated, and called the line about a comment; one that counts comments is the post's."""
    names = [joined(token) for token in tree.classes(i)]
    is_named = any(name in META and COMMENTS.match(name) for name in names)
    return is_named and is_label(tree, i) and read_count(tree.text(i)) is None


def _headings_that_speak(tree: PageView) -> list[int]:
    """Headings such as "On 3 May 2005 at 06:18, Ann commented:". In other lines mails are quoted in these words."""
    headings = [i for i, tag in enumerate(tree.tags) if tag in HEADINGS]
    speaking = [i for i in headings if is_label(tree, i) and SPEAKS.search(tree.text(i))]
    own = [i for i in speaking if not any(is_margin(tree, n) for n in tree.ancestors(i))]
    # A single one right below the title says who wrote the post.
    return own if len(own) >= _FEW or (own and _words_above(tree, own[0], headings) >= _TEXT) else []


def _words_above(tree: PageView, heading: int, headings: Sequence[int]) -> int:
    """The words between a heading and the one before it; none above the first."""
    before = [i for i in headings if i < heading]
    return tree.start[heading] - tree.end[before[-1]] if before else 0


def _said_behind(tree: PageView, line: int, stop: int) -> Iterator[int]:
    """The elements with words between a line and another place that are texts, or stand in one."""
    following = tree.last[line]
    while following < stop and (is_inline(tree.tags[following]) or tree.tags[following] in _TEXTS):
        if tree.count(following):
            yield following
        following = tree.last[following]


__all__ = ["groups_behind_named_lines"]
