"""Comments spread over several siblings: the line about one stands beside its text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from blogforever.comments.dated import has_date, is_label
from blogforever.comments.items import CommentItem
from blogforever.comments.words import INVITATION
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

# A term of a list, or an anchor, only opens a comment: the rest of it stands in what follows.
_OPENERS = frozenset({"dt", "a"})
# Elements in which what a reader said stands behind the line about it.
_TEXTS = frozenset({"blockquote", "div", "p"})
# Elements that one comment may be spread over. With more, the last comment of a list takes in what
# follows the list.
_MOST_SIBLINGS = 12
# Elements before a comment in which its date is looked for, where none stands after it.
_MOST_LEADING = 3
# Comments that are enough to see how a page writes them: dates of thousands take long to look for.
_SAMPLE = 12


def spread_out(tree: PageView, items: list[CommentItem]) -> list[CommentItem]:
    """Give comments the elements beside them with name and date, where they have none in them."""
    single = [item for item in items if len(item.tops) == 1]
    are_bare = _mostly_bare(tree, [item.tops[0] for item in single])
    groups: defaultdict[int, list[CommentItem]] = defaultdict(list)
    for item in single:
        groups[tree.parents[item.tops[0]]].append(item)
    for parent, group in groups.items():
        if are_bare:
            _widen(tree, parent, group)
        else:
            _add_texts(tree, parent, group)
    return items


def _add_texts(tree: PageView, parent: int, group: Sequence[CommentItem]) -> None:
    """Give comments the one element behind each of them, where all of them are but the line with the date."""
    if parent < 0 or not all(is_label(tree, item.tops[0]) for item in group[:_SAMPLE]):
        return
    texts = _behind(tree, parent, [item.tops[0] for item in group])
    if len(texts) == len(group) and _are_texts(tree, texts):
        for item, text in zip(group, texts, strict=True):
            item.tops = [item.tops[0], text]


def _behind(tree: PageView, parent: int, lines: Sequence[int]) -> list[int]:
    """The elements with words that stand right behind lines, and are none of them."""
    own = set(lines)
    following = dict(pairwise(i for i in tree.children(parent) if tree.count(i)))
    return [following[i] for i in lines if following.get(i, i) not in own]


def _are_texts(tree: PageView, places: Sequence[int]) -> bool:
    """Whether elements are of one kind, and are such as texts stand in; a single one quotes what was said."""
    kinds = {(tree.tags[i], tree.attribute(i, "class")) for i in places}
    tag = tree.tags[places[0]]
    return len(kinds) == 1 and (tag == "blockquote" or (len(places) > 1 and tag in _TEXTS))


def _mostly_bare(tree: PageView, starts: Sequence[int]) -> bool:
    """Whether most of these elements hold no date of their own."""
    sample = starts[:_SAMPLE]
    bare = sum(tree.tags[i] in _OPENERS or not has_date(tree, i) for i in sample)
    return 2 * bare > len(sample)


def _widen(tree: PageView, parent: int, group: list[CommentItem]) -> None:
    """Give the comments in one element what follows each of them, or else what stands before it."""
    starts = [item.tops[0] for item in group]
    if parent < 0:
        return
    siblings = tree.children(parent)
    spot_of = {i: n for n, i in enumerate(siblings)}
    spots = [spot_of[i] for i in starts]
    opened = any(tree.tags[i] in _OPENERS for i in starts)
    if not opened and _follow_labels(tree, siblings, spots):
        _add_leading(tree, group, siblings, spots)
        return
    if not _mostly_bare(tree, starts):
        return
    _add_following(tree, group, siblings, spots, opened)
    unchanged = all(len(item.tops) == 1 for item in group)
    if unchanged and not opened:
        _add_leading(tree, group, siblings, spots)


def _follow_labels(tree: PageView, siblings: Sequence[int], spots: Sequence[int]) -> bool:
    """Whether the line with a date stands right before each comment, the first one, too, and none
    after the last.
    """
    after_last = siblings[spots[-1] + 1 : spots[-1] + 2]
    leading = [siblings[spot - 1] for spot in spots if spot > 0]
    are_labels = len(leading) == len(spots) and all(is_label(tree, i) for i in leading[:_SAMPLE])
    return are_labels and not any(is_label(tree, i) for i in after_last)


def _add_following(
    tree: PageView,
    group: Sequence[CommentItem],
    siblings: Sequence[int],
    spots: Sequence[int],
    opened: bool,
) -> None:
    """Give comments what stands before the next one: where they need it, or where it is dated."""
    longest = max((b - a for a, b in pairwise(spots)), default=0)
    ends = [*spots[1:], len(siblings)]
    for item, spot, end in zip(group, spots, ends, strict=True):
        after = siblings[spot + 1 : min(end, spot + _MOST_SIBLINGS)]
        if end == len(siblings) and (longest or not opened):
            after = _until_section(tree, siblings[: spots[0]], _end_of_last(tree, after, longest))
        elif end == len(siblings):
            after = _until_section(tree, siblings[:spot], after)
        if after and (opened or any(has_date(tree, i) for i in after)):
            item.tops = [item.tops[0], *after]


def _until_section(tree: PageView, before: Sequence[int], following: Sequence[int]) -> Sequence[int]:
    """What stands behind the last of all up to the next section: a form, or a heading that asks for comments, or
    one behind its text that is like one above.
    """
    above = {tree.tags[i] for i in before if tree.tags[i] in HEADINGS}
    has_text = False
    for n, i in enumerate(following):
        if _asks_for_comments(tree, i) or (has_text and tree.tags[i] in above):
            return following[:n]
        has_text = has_text or _is_text(tree, i)
    return following


def _asks_for_comments(tree: PageView, i: int) -> bool:
    """Whether an element is a form, or a heading that asks for comments."""
    is_heading = tree.tags[i] in HEADINGS
    return tree.tags[i] == "form" or (is_heading and INVITATION.match(" ".join(tree.text(i).split())) is not None)


def _is_text(tree: PageView, i: int) -> bool:
    """Whether an element has words, and is neither a heading nor a line with a date."""
    return tree.count(i) > 0 and tree.tags[i] not in HEADINGS and not is_label(tree, i)


def _end_of_last(tree: PageView, following: Sequence[int], longest: int) -> Sequence[int]:
    """What of the elements after the last comment of a list belongs to it, which nothing ends: as
    much as to the longest before it, or more where its line with a date stands behind that; up to
    the date where it is the only one.
    """
    if not longest:
        return _until_dated(tree, following)
    usual = following[: longest - 1]
    line = next((n for n, i in enumerate(following) if is_label(tree, i)), 0)
    return usual if any(has_date(tree, i) for i in usual) else following[: max(line + 1, len(usual))]


def _add_leading(
    tree: PageView,
    group: Sequence[CommentItem],
    siblings: Sequence[int],
    spots: Sequence[int],
) -> None:
    """Give each comment the dated element that stands nearest before it; where only the first of
    several has one, it is the line about the post.
    """
    after_previous = [0, *(spot + 1 for spot in spots[:-1])]
    leading: list[list[int]] = []
    for spot, first in zip(spots, after_previous, strict=True):
        before = siblings[max(first, spot - _MOST_LEADING) : spot]
        leading.append([i for i in before if is_label(tree, i)][-1:])
    if len(group) > 1 and not any(leading[1:]):
        return
    for item, line in zip(group, leading, strict=True):
        item.tops = [*line, *item.tops]


def _until_dated(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements up to the first dated one; none where none is dated."""
    for n, i in enumerate(places):
        if has_date(tree, i):
            return list(places[: n + 1])
    return []


__all__ = ["spread_out"]
