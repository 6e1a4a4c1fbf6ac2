"""Comments written as forms are: a word that says what follows, and beside it the name, the day or the text."""

from __future__ import annotations

from collections.abc import Sequence, Set

from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import BY, LABELS, NAME_LABELS
from blogforever.dom import tokenise
from blogforever.page.view import PageView

# Terms of a list and heads of rows only say what stands beside them; other elements may, too.
_HEADS = frozenset({"dt", "th"})
_LABELS = _HEADS | {"td", "b", "strong", "span", "label", "em"}
_CELLS = frozenset({"td", "th"})
# In these readers write, if nothing calls them otherwise.
_WRITTEN = frozenset({"p", "blockquote", "pre"})
# Beside or behind a name this word leads to where somebody lives: "From: Germany".
_OF_PLACES = frozenset({"from"})
# Words of a label, and of a name beside one.
_LONGEST_LABEL = 2
_LONGEST_NAME = 6
# Words of a line with both, and of a label in signs of Chinese, which are a word each.
_LONGEST_LINE = 12
_LONGEST_LABEL_SIGNS = 4


def labelled_name(tree: PageView, places: Sequence[int]) -> int | None:
    """The element right after one that says "Name:"."""
    for i in places:
        if tree.tags[i] not in _LABELS or not (_says_only(tree, i, NAME_LABELS) or _is_by(tree, i)):
            continue
        following = tree.last[i]
        if following < tree.last[tree.parents[i]] and 0 < tree.count(following) <= _LONGEST_NAME:
            return following
    return None


def labelled_beside(context: PageContext, draft: CommentDraft) -> int | None:
    """The part beside that of the date of a comment which says "Name:" and a name."""
    if draft.date_place is None or draft.date_place in draft.item.tops:
        return None
    tree = context.tree
    beside = tree.children(tree.parents[draft.date_place])
    parts = (i for i in beside if tree.tags[i] not in _WRITTEN or tree.classes(i))
    said = ((i, tree.text(i)) for i in parts if 0 < tree.count(i) <= _LONGEST_LINE)
    return next((i for i, text in said if _says_label_and_name(text) and not context.dated(text)), None)


def _says_label_and_name(text: str) -> bool:
    label, _sign, name = text.replace("：", ":").partition(":")
    words = tokenise(label)
    return len(words) <= _LONGEST_LABEL_SIGNS and label_a_name(words) and bool(name.strip())


def label_a_name(words: Sequence[str]) -> bool:
    """Whether all words of a label lead to a name, wherever it stands."""
    return bool(words) and NAME_LABELS.issuperset(words) and _OF_PLACES.isdisjoint(words)


def _is_by(tree: PageView, i: int) -> bool:
    """Whether a cell of a table leads to a name: "By:", "Posted by:"."""
    text = tree.text(i).strip() if tree.tags[i] in _CELLS and 0 < tree.count(i) <= _LONGEST_LABEL else ""
    return text.endswith((":", "：")) and BY.fullmatch(text) is not None


def is_label_of_part(tree: PageView, i: int) -> bool:
    """Whether an element is the head of a part of a comment: "Date:", "Comment"."""
    return tree.tags[i] in _HEADS and (_says_only(tree, i, LABELS) or _says_only(tree, i, NAME_LABELS))


def _says_only(tree: PageView, i: int, words: Set[str]) -> bool:
    return 0 < tree.count(i) <= _LONGEST_LABEL and all(word in words for word in tree.words_of(i))


__all__ = ["is_label_of_part", "label_a_name", "labelled_beside", "labelled_name"]
