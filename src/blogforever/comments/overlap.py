"""What is read as a comment is no part of the post: taken out of a text that holds it, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from blogforever.comments.dated import LONGEST_LABEL, is_label
from blogforever.comments.words import HEADING
from blogforever.dom import tokenise
from blogforever.extract.clean import clean_node
from blogforever.model import Comment, Page, Post
from blogforever.page.view import PageView, view_of

# Words with which a comment begins that are looked for in the post; with fewer, a post may say the
# same by chance.
_OPENING = 20
_FEWEST = 5
# Comments that are looked for: the first ones tell where the others are, and bound the work.
_MOST = 60


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a comment stands in the text of a post: the element with its opening, and how many
    words it has.
    """

    place: int
    words: int


def without_comments(post: Post, comments: Sequence[Comment], page: Page) -> Post:
    """A post without the comments of its page that stand in its text as well.

    A text may quote a comment: then the page has its words twice, and the post keeps them.
    """
    body = _joined(tokenise(post.text))
    openings = {}
    for comment in comments:
        words = tokenise(comment.text) if "page" in comment.sources else []
        opening = _joined(words[:_OPENING])
        if len(words) >= _FEWEST and opening in body:
            openings[opening] = len(words)
    if not openings:
        return post
    shown = _joined(view_of(page).words)
    once = {opening: count for opening, count in list(openings.items())[:_MOST] if shown.count(opening) == 1}
    return _without(post, once) if once else post


def _joined(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _without(post: Post, openings: dict[str, int]) -> Post:
    """A post without the parts that begin with these words; as it was where nothing would be left."""
    view = PageView(post.html)
    found = _found(view, openings)
    root = view.tree.body
    if not found or root is None:
        return post
    dropped = {view.nodes[i].mem_id for i in _dropped(view, found)}
    left = clean_node(root, post.url, dropped)
    return replace(post, html=left.html, text=left.text) if left.text else post


def _found(view: PageView, openings: dict[str, int]) -> list[_Found]:
    """The innermost elements that begin or go on with the openings, in the order of the text."""
    body = _joined(view.words)
    found = []
    for opening, words in openings.items():
        at = body.find(opening)
        if at < 0:
            continue
        first = body.count(" ", 0, at)
        stop = first + opening.count(" ") - 1
        around = [i for i in range(len(view.tags)) if view.start[i] <= first and stop <= view.end[i]]
        found.append(_Found(around[-1], words))
    return sorted(found, key=lambda one: one.place)


def _dropped(view: PageView, found: Sequence[_Found]) -> list[int]:
    """The elements that hold the comments, with the lines about them."""
    if len(found) == 1:
        box, blocks = _block_of(view, found[0])
    else:
        box = _common(view, found[0].place, found[-1].place)
        blocks = [_child_towards(view, box, one.place) for one in found]
    if box < 0:
        return []
    siblings = view.children(box)
    first, last = siblings.index(blocks[0]), siblings.index(blocks[-1])
    while first > 0 and not _announces(view, siblings[first]) and _is_about(view, siblings[first - 1]):
        first -= 1
    while last + 1 < len(siblings) and is_label(view, siblings[last + 1]):
        last += 1
    run = siblings[first : last + 1]
    if not _are_mostly(view, run, found):
        return blocks
    is_whole_box = box > 0 and sum(map(view.count, run)) == view.count(box)
    return _with_announcement(view, box) if is_whole_box else run


def _block_of(view: PageView, one: _Found) -> tuple[int, list[int]]:
    """The box around the widest element that holds a single comment and the line about it."""
    place = one.place
    while view.parents[place] > 0 and view.count(view.parents[place]) <= one.words + LONGEST_LABEL:
        place = view.parents[place]
    return view.parents[place], [place]


def _common(view: PageView, first: int, last: int) -> int:
    """The innermost element around two."""
    around = view.parents[first]
    while around > 0 and view.last[around] <= last:
        around = view.parents[around]
    return around


def _child_towards(view: PageView, box: int, place: int) -> int:
    while view.parents[place] != box:
        place = view.parents[place]
    return place


def _is_about(view: PageView, i: int) -> bool:
    """Whether an element is a line about a comment, or announces all of them, or has no words."""
    if not view.count(i):
        return True
    return view.count(i) <= LONGEST_LABEL and (is_label(view, i) or _announces(view, i))


def _announces(view: PageView, i: int) -> bool:
    """Whether an element announces all comments: what stands before it is the post's."""
    is_short = view.count(i) <= LONGEST_LABEL
    return is_short and HEADING.match(" ".join(view.text(i).split())) is not None


def _are_mostly(view: PageView, run: Sequence[int], found: Sequence[_Found]) -> bool:
    """Whether the comments are at least half of all words from the first to the last of them."""
    return 2 * sum(one.words for one in found) >= sum(map(view.count, run)) - LONGEST_LABEL * len(found)


def _with_announcement(view: PageView, box: int) -> list[int]:
    """A box of comments, and the line before it that announces them."""
    siblings = view.children(view.parents[box])
    before = siblings.index(box) - 1
    return [siblings[before], box] if before >= 0 and _is_about(view, siblings[before]) else [box]


__all__ = ["without_comments"]
