"""Comments that only say what usually stands around texts: "No.", "Like!"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.items import own_places
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import ACTS
from blogforever.dom import tokenise
from blogforever.elements import is_inline


def brief_texts(context: PageContext, draft: CommentDraft, is_about: Callable[[int], bool]) -> Iterator[int]:
    """The blocks of a comment with words that are neither those of its name nor of its day, and are about nothing
    else: what it says, whatever words these are.
    """
    tree = context.tree
    told = set(tokenise(f"{draft.name} {_day_in(context, draft.date_text)}"))
    until = -1
    for i in own_places(tree, draft.item):
        is_block = not is_inline(tree.tags[i]) and draft.item.tops != [i]
        if i < until or not 0 < tree.count(i) <= LONGEST_LABEL or not is_block:
            continue
        words = tree.words_of(i)
        if is_about(i) or ACTS.issuperset(words):
            until = tree.last[i]
        elif told.isdisjoint(words) and not tree.blocks[i]:
            until = tree.last[i]
            yield i
        elif tree.blocks[i] and _has_loose_words(context, i, told):
            yield i


def parts_about(context: PageContext, places: Sequence[int]) -> set[int]:
    """The parts of blocks beside whose loose words stand other blocks: these are about the comment."""
    tree = context.tree
    return {n for i in places if tree.blocks[i] for n in tree.children(i) if tree.count(n)}


def _has_loose_words(context: PageContext, i: int, told: set[str]) -> bool:
    """Whether words stand right in a block, none of which is that of the name or the day."""
    tree = context.tree
    own = [piece for piece in tree.pieces_between(tree.start[i], tree.end[i]) if piece[0] == i]
    return any(told.isdisjoint(tree.words[first:stop]) for _parent, first, stop, _text in own if stop > first)


def _day_in(context: PageContext, text: str) -> str:
    """The day in a text, which may be a line with more; all of it where no day can be read."""
    found = context.first_date(text)
    return text[found.start : found.end] if found else text


__all__ = ["brief_texts", "parts_about"]
