"""Days of which comments speak, where they seemed to be those on which they were written."""

from __future__ import annotations

from collections.abc import Sequence

from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import SURE_BODY, has_token
from blogforever.page.view import PageView

# Elements in which readers write; systems put dates into them, too, but then into those of most comments.
_WRITTEN = frozenset({"p", "blockquote", "li", "pre"})
# Elements in which the only paragraph of a text is looked for.
_BOXES = 4


def drop_spoken_days(context: PageContext, drafts: Sequence[CommentDraft]) -> None:
    """Take no day for that of a comment which stands in a sentence of it: in what is named the text, or in a
    paragraph without a name, where most comments of the page have no date in one.
    """
    said = [draft for draft in drafts if draft.kind == "comment"]
    in_sentences = [draft for draft in said if _is_in_sentence(context, draft)]
    are_few = 2 * len(in_sentences) < len(said)
    for draft in in_sentences:
        is_line = draft.date_place in draft.item.tops
        if not is_line and (are_few or _is_in_text(context.tree, draft)):
            draft.date_text, draft.date_place = "", None


def _is_in_sentence(context: PageContext, draft: CommentDraft) -> bool:
    """Whether the date of a comment is a part of a paragraph without a name that says more."""
    tree, place = context.tree, draft.date_place
    if place is None or draft.marked_date or place in context.by_rule.date:
        return False
    # Around the only paragraph of a text stands a box with no other word.
    whole = (n for n in range(place, min(tree.last[place], place + _BOXES)) if tree.count(n) == tree.count(place))
    is_written = any(tree.tags[n] in _WRITTEN and not tree.classes(n) for n in whole)
    return is_written and not context.tells_only_when(tree.text(place))


def _is_in_text(tree: PageView, draft: CommentDraft) -> bool:
    """Whether the date of a comment stands in an element that is named its text, and nothing else."""
    for place in tree.ancestors(draft.date_place or 0):
        if place in draft.item.tops:
            return False
        if has_token(tree.classes(place), SURE_BODY):
            return True
    return False


__all__ = ["drop_spoken_days"]
