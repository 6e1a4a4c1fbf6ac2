"""Names in loose words: behind a label, or where other comments of the page have theirs in an element."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from blogforever.comments.cleaning import clean_author
from blogforever.comments.items import own_places
from blogforever.comments.labelled import label_a_name
from blogforever.comments.signatures import is_sentence
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import BY
from blogforever.dom import tokenise
from blogforever.elements import is_inline

# Words of a name that nothing marks but its place.
_LONGEST_NAME = 6
# Words of a line "Author: …", and texts of a comment that are looked at for one.
_LONGEST_LINE = 12
_NEAR_HEAD = 15


class _Setting(NamedTuple):
    """What a name stands in: tag and class of the element that begins with it, and the loose words behind it there."""

    tag: str
    name: str
    behind: str


def read_behind_loose_label(context: PageContext, draft: CommentDraft) -> bool:
    """Note a name in loose words behind one that says what it is: "Author: Ann"."""
    label = ""
    for n in context.own_texts(draft.item)[:_NEAR_HEAD]:
        _parent, first, stop, text = context.tree.texts[n]
        goes_on = text.rstrip().endswith((":", "："))  # with the next label of a form
        said, label = (text if _is_label(label) and not goes_on else ""), text
        lead = BY.match(text) if stop - first <= _LONGEST_LINE else None
        if lead and lead[0].rstrip().endswith((":", "：")):
            said = text[lead.end() :]
        name = clean_author(said) if len(tokenise(said)) <= _LONGEST_LINE else ""
        if name and not context.dated(name) and not is_sentence(name):
            draft.name, draft.name_text_place = name, n
            return True
    return False


def _is_label(text: str) -> bool:
    """Whether a text says but "Name:"."""
    return text.rstrip().endswith((":", "：")) and label_a_name(tokenise(text))


def read_loose_names(context: PageContext, drafts: Sequence[CommentDraft]) -> None:
    """Read the names that stand loose where most of the others of the page have an element with theirs."""
    said = [draft for draft in drafts if draft.kind == "comment"]
    own = [_setting(context, draft) for draft in said]
    usual = Counter(filter(None, own)).most_common(1)
    for setting, _count in usual:
        for draft in (draft for draft, other in zip(said, own, strict=True) if other is None):
            _read_loose_name(context, draft, setting)


def _read_loose_name(context: PageContext, draft: CommentDraft, setting: _Setting) -> None:
    """Read the name of a comment if it stands loose in such a setting."""
    n = _loose_text(context, draft, setting)
    if n is not None:
        text = context.tree.texts[n][3].strip()
        draft.name = clean_author(text.removesuffix(setting.behind))
        draft.name_place, draft.name_text_place = None, n


def _setting(context: PageContext, draft: CommentDraft) -> _Setting | None:
    """What the name of a comment stands in, if that begins with it."""
    tree, place = context.tree, draft.name_place
    if place is None or place in draft.item.tops or not is_inline(tree.tags[place]):
        return None
    around = tree.parents[place]
    if tree.start[around] != tree.start[place] or not tree.classes(around):
        return None
    following = tree.pieces_between(tree.end[place], tree.end[place] + 1)
    behind = next((text for parent, _first, _stop, text in following if parent == around), "")
    return _Setting(tree.tags[around], tree.attribute(around, "class"), behind.strip())


def _loose_text(context: PageContext, draft: CommentDraft, setting: _Setting) -> int | None:
    """The loose text with which the element begins that names of others stand in, if it may be a name, too."""
    tree = context.tree
    places = own_places(tree, draft.item)
    own = [i for i in places if (tree.tags[i], tree.attribute(i, "class")) == (setting.tag, setting.name)]
    if len(own) != 1 or not tree.count(own[0]) or draft.name_place not in (None, own[0]):
        return None
    n, _stop = context.texts_of(own[0])
    parent, _first, stop, text = tree.texts[n]
    name = text.strip().removesuffix(setting.behind)
    goes_on_alike = text.strip().endswith(setting.behind) if setting.behind else _is_before_block(context, own[0], stop)
    is_name = 0 < len(tokenise(name)) <= _LONGEST_NAME and not is_sentence(name.strip())
    return n if parent == own[0] and goes_on_alike and is_name else None


def _is_before_block(context: PageContext, box: int, word: int) -> bool:
    """Whether a block of an element begins with a word."""
    tree = context.tree
    following = next((i for i in tree.children(box) if tree.count(i) and tree.start[i] >= word), None)
    return following is not None and tree.start[following] == word and not is_inline(tree.tags[following])


__all__ = ["read_behind_loose_label", "read_loose_names"]
