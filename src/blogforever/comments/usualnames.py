"""Which element of each comment is the name of who wrote it, where neither a mark nor a date shows it: one with which
all of them begin.
"""

from __future__ import annotations

from collections.abc import Sequence

from blogforever.comments.counting import first_word
from blogforever.comments.items import own_places
from blogforever.comments.signatures import is_sentence
from blogforever.comments.view import CommentDraft
from blogforever.comments.words import ACTS
from blogforever.page.view import PageView

_Kind = tuple[str, str]
"""Tag and class of an element."""
# Comments that show how all of them begin: of one alone any element would do.
_FEWEST = 2
# Words of a name that nothing marks but its place before the text.
_LONGEST_NAME = 6
# Elements at the head of a comment that may be the name: boxes around it, empty ones before it.
_HEAD = 12


def usual_names(tree: PageView, drafts: Sequence[CommentDraft]) -> dict[int, int]:
    """The element with the name of each of these comments, by its place among them; none where one
    has a name already, or a date beside which it would stand.
    """
    said = {n: draft for n, draft in enumerate(drafts) if draft.kind == "comment"}
    if len(said) < _FEWEST or any(draft.name or draft.date_text for draft in said.values()):
        return {}
    heads = {n: _heads(tree, draft) for n, draft in said.items()}
    kind = _usual_kind(tree, list(heads.values()))
    return {n: own[kind] for n, own in heads.items()} if kind else {}


def _usual_kind(tree: PageView, heads: Sequence[dict[_Kind, int]]) -> _Kind | None:
    """What the element is with which all comments begin; one that says the same everywhere is a label."""
    for kind in heads[0]:
        if all(kind in own for own in heads) and len({tree.text(own[kind]).strip() for own in heads}) > 1:
            return kind
    return None


def _heads(tree: PageView, draft: CommentDraft) -> dict[_Kind, int]:
    """The named elements of a few words with which a comment begins, by what they are, the outermost first."""
    places = list(own_places(tree, draft.item))
    first = first_word(tree, places)
    whole = sum(map(tree.count, draft.item.tops))
    found: dict[_Kind, int] = {}
    for i in places[:_HEAD]:
        is_head = tree.start[i] == first and 0 < tree.count(i) <= min(_LONGEST_NAME, whole // 2)
        if is_head and tree.classes(i) and _may_be_name(tree, i):
            found.setdefault((tree.tags[i], tree.attribute(i, "class")), i)
    return found


def _may_be_name(tree: PageView, i: int) -> bool:
    return not ACTS.issuperset(tree.words_of(i)) and not is_sentence(tree.text(i).strip())


__all__ = ["usual_names"]
