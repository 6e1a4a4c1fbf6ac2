"""Which headings and lines of a page announce its comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.comments.dated import LONGEST_LABEL, is_dated, is_label
from blogforever.comments.margins import COMMENTS, is_margin
from blogforever.comments.stated import read_count
from blogforever.comments.words import HEADING, NOUN, PINGBACK, REPLYING
from blogforever.elements import HEADINGS, LISTINGS
from blogforever.page.view import PageView

_LABELS = frozenset({"p", "div", "strong", "b", "legend", "caption", "span", "summary"})
# Words of "6 comments so far" where it is no heading; a longer text is a sentence about comments.
_LONGEST_ANNOUNCEMENT = 8
# Words of paragraphs beside a heading that are an article: with fewer it may be a remark on how to
# comment.
_ARTICLE = 60


def announcements(tree: PageView) -> Iterator[tuple[int, int | None]]:
    """The headings and labels that announce comments, each with the number it states."""
    for i, tag in enumerate(tree.tags):
        if 0 < tree.count(i) <= _longest(tag) and _announces(tree, i):
            stated = read_count(tree.text(i))
            if stated != 0:
                yield i, stated


def _longest(tag: str) -> int:
    """Words with which an element may announce comments."""
    if tag in HEADINGS:
        return LONGEST_LABEL
    return _LONGEST_ANNOUNCEMENT if tag in _LABELS else 0


def _announces(tree: PageView, i: int) -> bool:
    """Whether an element says that the comments of this page follow."""
    text = " ".join(tree.text(i).split())
    is_noun = tree.tags[i] != "span" and NOUN.match(text) is not None and text.casefold() not in REPLYING
    is_line = is_noun or text.endswith((":", "：")) or read_count(text) is not None
    # A line with a day is about the post, and counts its comments only by the way.
    if tree.tags[i] not in HEADINGS and (not is_line or is_dated(text)):
        return False
    if not HEADING.match(text) or links_elsewhere(tree, i):
        return False
    return not any(is_margin(tree, n) or tree.tags[n] in LISTINGS for n in tree.ancestors(i))


def closes_list(tree: PageView, i: int) -> bool:
    """Whether an element behind comments only says that they are closed, or where to leave one."""
    if tree.count(i) > LONGEST_LABEL or is_label(tree, i):
        return False
    return any(map(COMMENTS.match, tree.words_of(i)))


def counts_from_above(tree: PageView, line: int, groups: Sequence[Sequence[int]]) -> bool:
    """Whether a mere line that speaks of one comment stands above the post: a heading that says nothing but "Comments",
    or how many there are, follows what seemed to be the comment, or stands in it.
    """
    if len(groups) > 1 or tree.tags[line] in HEADINGS:
        return False
    headings = ((i, stated) for i, stated in announcements(tree) if i > groups[0][0] and tree.tags[i] in HEADINGS)
    said = ((" ".join(tree.text(i).split()), stated) for i, stated in headings)
    return any((stated or NOUN.match(text)) and not PINGBACK.match(text) for text, stated in said)


def links_elsewhere(tree: PageView, i: int) -> bool:
    """Whether an element links to another page: then the comments are there."""
    links = [n for n in range(i, tree.last[i]) if tree.tags[n] == "a"]
    return any("#" not in tree.attribute(n, "href") for n in links)


def is_in_article(tree: PageView, heading: int) -> bool:
    """Whether a heading is one of an article: paragraphs stand right before it in its own box, and
    neither the title nor a field to write in does.
    """
    box = tree.parents[heading]
    inside = tree.tags[box : tree.last[box]]
    if "h1" in inside or "form" in inside:
        return False
    before = (i for i in tree.children(box) if i < heading and tree.tags[i] == "p")
    return sum(map(tree.count, before)) >= _ARTICLE


__all__ = ["announcements", "closes_list", "counts_from_above", "is_in_article", "links_elsewhere"]
