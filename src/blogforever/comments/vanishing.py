"""Which comments a page showed once and shows no longer: found out by what it still shows, never by silence alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from blogforever.dom import node_text
from blogforever.extract.content import letters
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.records import CommentRecord

Shown = Literal["all", "some", "unknown"]
"""How much of its list a page showed at a later look: all that it states, less than that, or it
states nothing.
"""


def no_longer_shown(
    older: Sequence[CommentRecord], again: Collection[str], new: int, shown: Shown = "unknown"
) -> set[str]:
    """The ids of those comments that were on the page and have left it.

    `again` has the ids of those the page still shows, `new` is how many came. What a list leaves
    out at its ends may stand on another page of it, or have made room for newer ones: there it is
    gone only if the page shows all that it states, or if the list became shorter. What is missing
    between two that are shown was taken out. A list without any of the earlier comments says
    nothing: its service may be down.
    """
    before = [comment for comment in older if "page" in comment.sources]
    absent = {comment.id for comment in before if comment.id not in again}
    if shown == "all":
        return absent
    places = [place for place, comment in enumerate(before) if comment.id in again]
    if not places:
        return set()
    inside = before[places[0] : places[-1]]
    became_shorter = shown == "unknown" and len(absent) > new
    return absent if became_shorter else absent.intersection(comment.id for comment in inside)


def shows_empty_list(page: Page, older: Sequence[CommentRecord]) -> bool:
    """Whether a page on which no comment was read has room for them, and none of the earlier ones.

    The form is there as it is served, so comments can be written and none is shown; a service that
    draws both would have neither while it is down. Where the words of an earlier comment are still
    there, it is the reading that failed.
    """
    tree = view_of(page).tree
    if tree.body is None or tree.css_first("form textarea") is None:
        return False
    said = letters(node_text(tree.body))
    texts = [letters(comment.text) for comment in older if "page" in comment.sources]
    return not any(text in said for text in texts)
