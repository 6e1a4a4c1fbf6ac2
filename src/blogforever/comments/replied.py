"""Lines of comments that say in words whom each answers, with or without a link: "in reply to Ann"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from blogforever.comments.items import own_places
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import IN_ANSWER, TO
from blogforever.dom import tokenise
from blogforever.elements import is_inline

# Words of such a line: those that say so, and a name.
_LONGEST = 12
# Words at the head of a comment among which its number stands: "Comment no. 3".
_NUMBERED = 3
# In these readers write, if nothing calls them otherwise.
_WRITTEN = frozenset({"p", "blockquote", "pre"})


class AnsweredLines(NamedTuple):
    """What only says whom comments answer: elements, and texts that stand loose; and for each
    comment that says so the last one before it of that name.
    """

    elements: frozenset[int]
    texts: frozenset[int]
    parents: dict[int, int]


def answered_lines(context: PageContext, drafts: Sequence[CommentDraft]) -> AnsweredLines:
    """The lines that name who wrote an earlier comment; they are no part of what is said."""
    elements: set[int] = set()
    texts: set[int] = set()
    parents: dict[int, int] = {}
    last: dict[tuple[str, ...], int] = {}
    for n, draft in enumerate(drafts):
        own = tuple(tokenise(draft.name))
        if str(n + 1) in _opening(context, draft):
            last.setdefault((str(n + 1),), n)  # "in reply to #1"
        for found, lines in ((elements, _elements(context, draft)), (texts, _texts(context, draft))):
            named = next(((i, name) for i, name in lines if name != own and name in last), None)
            if named is not None and n not in parents:
                found.add(named[0])
                parents[n] = last[named[1]]
        if own:
            last[own] = n
    return AnsweredLines(frozenset(elements), frozenset(texts), parents)


def _opening(context: PageContext, draft: CommentDraft) -> Sequence[str]:
    """The words with which a comment begins, one of which may be its number."""
    first = context.tree.start[draft.item.tops[0]]
    return context.tree.words[first : first + _NUMBERED]


def tie_by_lines(drafts: Sequence[CommentDraft], lines: AnsweredLines) -> None:
    """Give comments the parent that their line names, where nothing else says what any of them answers."""
    if not any(draft.item.parent is not None for draft in drafts):
        for n, parent in lines.parents.items():
            drafts[n].item.parent = parent


def _elements(context: PageContext, draft: CommentDraft) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The elements of a comment that say that it answers somebody, each with whom."""
    tree = context.tree
    yield from _behind_name(context, draft)
    for i in own_places(tree, draft.item):
        is_short = 1 < tree.count(i) <= _LONGEST and i not in draft.item.tops
        if is_short and (tree.tags[i] not in _WRITTEN or tree.classes(i)):
            yield from ((i, name) for name in _named_in(tree.words_of(i)))


def _behind_name(context: PageContext, draft: CommentDraft) -> Iterator[tuple[int, tuple[str, ...]]]:
    """What stands right behind the name in its line, with what it says: "Ann → Bo", "Ann to Bo". Not where a text
    begins with it: "Ann Poe is wrong".
    """
    tree, place = context.tree, draft.name_place
    if place is None or place in draft.item.tops:
        return
    line = tree.parents[place]
    i = next((i for i in tree.children(line) if tree.start[i] == tree.end[place] and tree.count(i)), None)
    if i is None or tree.count(i) > _LONGEST or not is_inline(tree.tags[i]) or _goes_on(context, line, tree.end[i]):
        return
    named = tuple(dropwhile(lambda word: word in TO, tree.words_of(i)))
    # "+1" is no number of a comment, and a name with no word behind it is the answer to a question.
    if not "".join(named).isdecimal() and _says_more(context, draft, tree.end[i]):
        yield i, named


def _goes_on(context: PageContext, line: int, word: int) -> bool:
    """Whether the loose text of a line goes on with a word, other than with a date."""
    loose = (text for parent, *_words, text in context.tree.pieces_between(word, word + 1) if parent == line)
    return not all(map(context.dated, loose))


def _says_more(context: PageContext, draft: CommentDraft, first: int) -> bool:
    """Whether a comment has other words behind one than a date."""
    texts = (context.tree.texts[n] for n in context.own_texts(draft.item))
    return any(start >= first and start < stop and not context.dated(text) for _parent, start, stop, text in texts)


def _texts(context: PageContext, draft: CommentDraft) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The texts of a comment, in no paragraph, that say that it answers somebody, each with whom."""
    tree = context.tree
    for n in context.own_texts(draft.item):
        parent, first, stop, _text = tree.texts[n]
        if 1 < stop - first <= _LONGEST and tree.tags[parent] not in _WRITTEN and parent not in draft.item.tops:
            yield from ((n, name) for name in _named_in(tree.words[first:stop]))


def says_whom_it_answers(words: Sequence[str]) -> bool:
    """Whether words begin as a line does that says whom a comment answers, and go on with a name or a number."""
    return any(_named_in(words))


def _named_in(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What follows the words with which a line says that it answers somebody; nothing where it does not."""
    name = tuple(dropwhile(lambda word: word in IN_ANSWER or word in TO, words))
    if not IN_ANSWER.isdisjoint(words[: len(words) - len(name)]):
        yield name


__all__ = ["AnsweredLines", "answered_lines", "says_whom_it_answers", "tie_by_lines"]
