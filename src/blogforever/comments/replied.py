"""Lines of comments that say in words, without a link, whom each answers: "in reply to Ann"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile

from blogforever.comments.items import own_places
from blogforever.comments.view import CommentDraft
from blogforever.comments.words import IN_ANSWER, TO
from blogforever.dom import tokenise
from blogforever.page.view import PageView

# Words of such a line: those that say so, and a name.
_LONGEST = 12
# In these readers write.
_WRITTEN = frozenset({"p", "blockquote", "pre"})


def answered_lines(tree: PageView, drafts: Sequence[CommentDraft]) -> dict[int, int]:
    """The lines that name who wrote an earlier comment, each with the place of the last such one
    among all; they are no part of what is said.
    """
    lines: dict[int, int] = {}
    last: dict[tuple[str, ...], int] = {}
    for n, draft in enumerate(drafts):
        own = tuple(tokenise(draft.name))
        for i in _lines(tree, draft):
            name = _named_in(tree.words_of(i))
            if name != own and name in last:
                lines[i] = last[name]
                break
        if own:
            last[own] = n
    return lines


def tie_by_lines(tree: PageView, drafts: Sequence[CommentDraft], lines: Mapping[int, int]) -> None:
    """Give comments the parent that their line names, where nothing else says what any of them answers."""
    if not lines or any(draft.item.parent is not None for draft in drafts):
        return
    for draft in drafts:
        draft.item.parent = next((lines[i] for i in _lines(tree, draft) if i in lines), None)


def _lines(tree: PageView, draft: CommentDraft) -> Iterator[int]:
    """The elements of a few words of a comment that say that it answers something."""
    for i in own_places(tree, draft.item):
        is_short = 1 < tree.count(i) <= _LONGEST and tree.tags[i] not in _WRITTEN and i not in draft.item.tops
        if is_short and not IN_ANSWER.isdisjoint(tree.words_of(i)):
            yield i


def _named_in(words: Sequence[str]) -> tuple[str, ...]:
    """What follows the words with which a line says that it answers somebody."""
    return tuple(dropwhile(lambda word: word in IN_ANSWER or word in TO, words))


__all__ = ["answered_lines", "tie_by_lines"]
