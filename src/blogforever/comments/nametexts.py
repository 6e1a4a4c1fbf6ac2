"""What an element with a commenter's name says, without what stands beside the name in it."""

from __future__ import annotations

from collections.abc import Set

from blogforever.comments.counting import is_bare_number
from blogforever.comments.replied import says_whom_it_answers
from blogforever.comments.view import PageContext
from blogforever.comments.words import ACTS, ADDRESSES, BY, LABELS, NOT_NAME, has_token
from blogforever.dom import node_text, tokenise
from blogforever.elements import is_inline
from blogforever.page.view import PageView


def skipped_below(tree: PageView, i: int, date_place: int | None) -> set[int]:
    """What stands in an element beside the name: the date, numbers, and what is called otherwise."""
    skipped = set()
    for n in range(i + 1, tree.last[i]):
        is_date = n == date_place or tree.tags[n] in ("time", "small")
        is_other = has_token(tree.classes(n), NOT_NAME) or is_bare_number(tree, n)
        is_behind = tree.start[n] > tree.start[i]
        if is_date or is_other or _is_link_called(tree, n, ADDRESSES) or (is_behind and _is_link_called(tree, n, ACTS)):
            skipped.add(n)
    return skipped


def _is_link_called(tree: PageView, i: int, words: Set[str]) -> bool:
    """Whether an element is a link that says nothing but what it leads to or does: "Email", "Quote"."""
    return tree.tags[i] == "a" and tree.count(i) > 0 and all(word in words for word in tree.words_of(i))


def text_without(context: PageContext, i: int, skipped: set[int]) -> str:
    """The text of an element without that of some in it."""
    tree = context.tree
    spans = [(tree.start[n], tree.end[n]) for n in skipped if tree.count(n)]
    first, stop = context.texts_of(i)
    kept = []
    for _parent, word, _stop, text in tree.texts[first:stop]:
        if not any(a <= word < b for a, b in spans):
            kept.append(text)
    return " ".join(" ".join(kept).split())


def line_text(context: PageContext, i: int) -> str:
    """What a line says, without numbers that stand apart, and without whom it answers."""
    tree = context.tree
    inside = range(i + 1, tree.last[i])
    apart = {n for n in inside if is_bare_number(tree, n) or _names_answered(context, n, i)}
    return text_without(context, i, apart) if apart else node_text(tree.nodes[i])


def _names_answered(context: PageContext, i: int, line: int) -> bool:
    """Whether a part of a line says that the comment answers somebody, or only leads to another place of the page
    behind other words: there stands what is answered.
    """
    tree = context.tree
    if tree.count(i) == 0 or tree.start[i] == tree.start[line]:
        return False
    if says_whom_it_answers(tree.words_of(i)):
        return True
    is_placed = tree.tags[i] == "a" and bool(tree.attribute(i, "href").partition("#")[2])
    return is_placed and not context.dated(tree.text(i))


def stands_in_text(context: PageContext, i: int, date_place: int) -> bool:
    """Whether words that lead to no name stand before an element in its block, apart from the date: it is a part of
    what the comment says.
    """
    tree = context.tree
    block = next((n for n in tree.ancestors(i) if not is_inline(tree.tags[n])), i)
    if tree.inside(date_place, block) or block == date_place:
        return False
    before = " ".join(" ".join(tree.texts_between(tree.start[block], tree.start[i])).split())
    words = (word for word in tokenise(before) if not word.isdecimal() and word not in LABELS)
    return any(words) and not before.endswith((":", "：")) and BY.fullmatch(before) is None


__all__ = ["line_text", "skipped_below", "stands_in_text", "text_without"]
