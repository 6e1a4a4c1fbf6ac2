"""What is done to a comment: links and buttons to answer it, to vote, to report it."""

from __future__ import annotations

from collections.abc import Mapping

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.view import PageContext
from blogforever.comments.words import ACTS, REPLYING
from blogforever.elements import is_inline

LONGEST_BUTTON = 4
"""Words of "Reply": one, but signs of Chinese are one each."""
# Words of "Reply to this comment".
_LONGEST_LINK = 8
# Signs around what a link says: "... Reply", "[Reply]".
_SIGNS_AROUND = " .…»›>#[]()"


def is_button(context: PageContext, i: int) -> bool:
    """Whether an element is a link that says what is done to a comment: to this very page, or
    in an element of its own; or one of a few words that but runs a script, which no reader can write.
    """
    tree = context.tree
    is_link = tree.tags[i] == "a" and tree.count(i) > 0 and ACTS.issuperset(tree.words_of(i))
    if _runs_script(tree.attributes(i), tree.tags[i]) and 0 < tree.count(i) <= LONGEST_BUTTON:
        return True
    is_alone = is_link and tree.tags[tree.parents[i]] != "p" and _stands_among_blocks(context, i)
    return is_alone or (is_link and _stays_here(context, tree.attribute(i, "href")))


def _stands_among_blocks(context: PageContext, i: int) -> bool:
    """Whether an element is all that its parent says, or stands beside blocks and no loose word."""
    tree, around = context.tree, context.tree.parents[i]
    if tree.count(around) == tree.count(i):
        return True
    parts = [n for n in tree.children(around) if tree.count(n)]
    are_blocks = all(not is_inline(tree.tags[n]) for n in parts if tree.tags[n] != "a")
    return len(parts) > 1 and are_blocks and sum(map(tree.count, parts)) == tree.count(around)


def is_row_of_controls(context: PageContext, i: int) -> bool:
    """Whether an element is a short block of nothing but links to this very page: to answer, to
    vote.
    """
    tree = context.tree
    if not 0 < tree.count(i) <= LONGEST_LABEL:
        return False
    if tree.links(i) < tree.count(i):
        return not is_inline(tree.tags[i]) and _is_row_of_buttons(context, i)
    links = [n for n in range(i, tree.last[i]) if tree.tags[n] == "a" and tree.count(n)]
    if is_inline(tree.tags[i]):
        # One link in a sentence may be a reader's; several that lead nowhere are a script's.
        return len(links) > 1 and all(_leads_nowhere(tree.attribute(n, "href")) for n in links)
    return all(_stays_here(context, tree.attribute(n, "href")) or _begins_with_reply(context, n) for n in links)


def _is_row_of_buttons(context: PageContext, i: int) -> bool:
    """Whether a block holds nothing but what is done to a comment, each in an element of its
    own.
    """
    tree = context.tree
    parts = [n for n in tree.children(i) if tree.count(n)]
    are_all = sum(map(tree.count, parts)) == tree.count(i) and len(parts) > 1
    words = {word for word in tree.words_of(i) if not word.isdecimal()}
    return are_all and bool(words) and words <= ACTS


def only_asks_for_answer(context: PageContext, i: int) -> bool:
    """Whether an element is a line that says nothing but "Reply"."""
    tree = context.tree
    is_line = 0 < tree.count(i) <= LONGEST_BUTTON and not is_inline(tree.tags[i])
    return is_line and asks_for_answer(tree.text(i))


def asks_for_answer(text: str) -> bool:
    """Whether a text says "Reply", and nothing else."""
    return " ".join(text.casefold().split()) in REPLYING


def _begins_with_reply(context: PageContext, i: int) -> bool:
    """Whether a link is called "Reply", or "Reply to this comment"."""
    words = context.tree.text(i).casefold().strip(_SIGNS_AROUND).split()
    return 0 < len(words) <= _LONGEST_LINK and words[0] in REPLYING


def _stays_here(context: PageContext, href: str) -> bool:
    """Whether a link leads to a place on this page, to it with a query, or only runs a script."""
    if _leads_nowhere(href) or href.startswith("#"):
        return True
    here, target = context.url, context.absolute(href)
    return target is not None and target != here and _path(target) == _path(here)


def _runs_script(attributes: Mapping[str, str | None], tag: str) -> bool:
    """Whether an element is a link that only runs a script."""
    href = attributes.get("href") or ""
    is_script = href.startswith("javascript:") or (href in ("", "#") and "onclick" in attributes)
    return tag == "a" and is_script


def _leads_nowhere(href: str) -> bool:
    """Whether a link only runs a script."""
    return href in ("", "#") or href.startswith("javascript:")


def _path(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


__all__ = ["LONGEST_BUTTON", "asks_for_answer", "is_button", "is_row_of_controls", "only_asks_for_answer"]
