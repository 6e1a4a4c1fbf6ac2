"""Numbers beside comments that stand in elements of their own: which comment it is, how many like it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from blogforever.comments.items import own_places
from blogforever.comments.trimming import without_start
from blogforever.comments.view import CommentDraft
from blogforever.page.view import PageView

_NUMBER = re.compile(r"[#№(\[+-]{0,2}\s?\d{1,6}\s?[.)\]:#]?")
_SIGNS = ("#", "№")
_ORDINAL = re.compile(r"(\d{1,5})[.)．:：]\s+(?=\S)")
# Comments that show that all of them have a number, and the share of them that does: a single one
# may say no more.
_FEWEST = 2
_SHARE = 0.6


def is_bare_number(tree: PageView, i: int) -> bool:
    """Whether an element shows a number and nothing else: "#3", "(12)", "+4"."""
    return 0 < tree.count(i) <= 1 and _NUMBER.fullmatch(tree.text(i).strip()) is not None


def usual_numbers(tree: PageView, drafts: Sequence[CommentDraft]) -> frozenset[int]:
    """The elements that show but a number, of a kind that most comments of a page have."""
    found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    having: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for n, draft in enumerate(drafts):
        for i in own_places(tree, draft.item):
            if i not in draft.item.tops and is_bare_number(tree, i):
                kind = tree.tags[i], tree.attribute(i, "class")
                found[kind].add(i)
                having[kind].add(n)
    fewest = max(_FEWEST, _SHARE * len(drafts))
    usual = (i for kind, places in found.items() if len(having[kind]) >= fewest for i in places)
    return frozenset([*usual, *filter(None, (_opening_number(tree, draft) for draft in drafts))])


def _opening_number(tree: PageView, draft: CommentDraft) -> int | None:
    """The element with a number behind its sign with which a comment begins; answers to it may have none."""
    first = tree.start[draft.item.tops[0]]
    opening = (i for i in own_places(tree, draft.item) if tree.start[i] == first and i not in draft.item.tops)
    return next((i for i in opening if is_bare_number(tree, i) and tree.text(i).strip().startswith(_SIGNS)), None)


def drop_ordinals(drafts: Sequence[CommentDraft]) -> None:
    """Take off the texts of a page the numbers of the comments, where each begins with its own: "3. What a kite"."""
    opened = [_ORDINAL.match(draft.text) for draft in drafts]
    numbers = [int(match[1]) - n for n, match in enumerate(opened) if match]
    if len(drafts) < _FEWEST or len(numbers) < len(drafts) or len(set(numbers)) > 1:
        return
    for draft, match in zip(drafts, filter(None, opened), strict=True):
        draft.html = without_start(draft.html, match[0])
        draft.text = draft.text[match.end() :]


def first_word(tree: PageView, places: Sequence[int]) -> int:
    """The word with which the elements of a comment begin, behind numbers that stand apart."""
    first = tree.start[places[0]]
    for i in places:
        if tree.start[i] == first and is_bare_number(tree, i):
            first = tree.end[i]
    return first


__all__ = ["drop_ordinals", "first_word", "is_bare_number", "usual_numbers"]
