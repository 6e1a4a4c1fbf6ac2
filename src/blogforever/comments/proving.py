"""Comments that no usual name marks and no heading announces, known by what they are on the page itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from blogforever.comments.dated import LONGEST_LABEL, has_date, is_dated, is_label, tells_only_day
from blogforever.comments.margins import COMMENTS, is_margin
from blogforever.comments.words import ACTS, BODY, INVITATION, LABELS, NOUN, joined
from blogforever.dates import is_age
from blogforever.elements import HEADINGS, is_inline
from blogforever.page.view import PageView

# Elements with a number of their own that are looked into for a link to it: real pages have fewer,
# and a page made to be endless comes to an end.
MOST_NUMBERED = 20_000
# Words of a comment; what is longer holds many, or bounds the work on pages made to be endless.
_LONGEST = 3000
# Fields of a page above which comments are looked for, and elements around one: both bound the
# work.
_MOST_FIELDS = 3
_FIELD_LEVELS = 5
# One of a kind proves nothing by itself.
_FEW = 2
# Words of an element that holds nothing but a date.
_BARE_DATE = 6
# Words of "Leave a comment" and the like.
_LONGEST_LINE = 8
# Elements of one comment among which a link to it is looked for.
_NEAR = 60


def groups_by_proof(tree: PageView) -> list[list[int]]:
    """The elements of each comment: texts named so beside a dated line, or what is alike above a
    field to write in, or else right below one that asks for comments.
    """
    return _named_pairs(tree) or _above_field(tree) or _below_field(tree)


class LinkedElements(NamedTuple):
    """The elements of each comment that links to itself; `cut` says that not all of the page was looked at."""

    groups: list[list[int]]
    cut: bool = False


def linked_to_themselves(tree: PageView) -> LinkedElements:
    """Dated elements with a link to their own id, as the permalink of a comment is; the outermost
    of them.
    """
    found: list[int] = []
    looked_into = 0
    for i in _outside_margins(tree):
        is_inside = bool(found) and i < tree.last[found[-1]]
        if is_inside or tree.count(i) > _LONGEST or not _has_number(tree.attribute(i, "id")):
            continue
        if looked_into >= MOST_NUMBERED:
            return LinkedElements([[i] for i in found], cut=True)
        looked_into += 1
        if _links_to_itself(tree, i) and has_date(tree, i):
            found.append(i)
    return LinkedElements([[i] for i in found])


def _has_number(name: str) -> bool:
    """Whether an id is that of one among several: letters and a number."""
    return name[:1].isalpha() and name[-1:].isdigit()


def _links_to_itself(tree: PageView, i: int) -> bool:
    """Whether an element holds a link to its own id; the sign beside a heading is one to the
    heading.
    """
    if is_inline(tree.tags[i]) or tree.tags[i] in HEADINGS:
        return False
    place = f"#{tree.attribute(i, 'id')}"
    inside = range(i + 1, min(tree.last[i], i + _NEAR))
    links = (n for n in inside if tree.tags[n] == "a" and tree.attribute(n, "href").endswith(place))
    return any(tree.tags[tree.parents[n]] not in HEADINGS and _is_called_link(tree, n) for n in links)


def _is_called_link(tree: PageView, i: int) -> bool:
    """Whether a link shows a day, a number, a sign or a word such as "permalink": others name what
    they lead to, as in lists of files.
    """
    text = tree.text(i)
    words = (word for word in tree.words_of(i) if not word.isdecimal())
    return is_dated(text) or is_age(text) or all(word in ACTS or word in LABELS for word in words)


def _named_pairs(tree: PageView) -> list[list[int]]:
    """Each text that is named that of a comment, with the box of its own around it where all have one
    of a kind, or with the dated line right before it, or else right after it.
    """
    texts = [i for i in _outside_margins(tree) if _is_named_text(tree, i)]
    boxes = [tree.parents[i] for i in texts]
    if _are_boxes_of_one_each(tree, boxes):
        return [[i] for i in boxes]
    return _with_lines(tree, texts)


def _with_lines(tree: PageView, texts: Sequence[int]) -> list[list[int]]:
    """Each text with the dated line right before it, or else right after it."""
    earlier = _filled_before(tree, {tree.parents[i] for i in texts})
    before = [[earlier.get(i, i), i] for i in texts]
    if all(is_label(tree, line) for line, _text in before):
        return before
    after = [[i, _sibling_after(tree, i)] for i in texts]
    return after if all(is_label(tree, line) for _text, line in after) else []


def _are_boxes_of_one_each(tree: PageView, boxes: Sequence[int]) -> bool:
    """Whether several elements are others, of one kind, and all dated."""
    kinds = {(tree.tags[i], tree.attribute(i, "class")) for i in boxes}
    is_each = _FEW <= len(boxes) == len(set(boxes)) and len(kinds) == 1
    return is_each and all(has_date(tree, i) for i in boxes)


def _is_named_text(tree: PageView, i: int) -> bool:
    """Whether a theme calls an element the text of a comment; names that posts have, too, do not
    count.
    """
    names = [joined(token) for token in tree.classes(i)]
    return tree.count(i) > 0 and any(name in BODY and COMMENTS.match(name) for name in names)


def _filled_before(tree: PageView, parents: set[int]) -> dict[int, int]:
    """For each element in these that is not the first with words, the one with words right before
    it.
    """
    before: dict[int, int] = {}
    for parent in parents:
        filled = [i for i in tree.children(parent) if tree.count(i)]
        before.update((i, earlier) for earlier, i in pairwise(filled))
    return before


def _sibling_after(tree: PageView, i: int) -> int:
    """The element right after one; the one itself where there is none."""
    following = tree.last[i]
    return following if following < tree.last[tree.parents[i]] else i


def _above_field(tree: PageView) -> list[list[int]]:
    """The dated elements alike that stand right above a field to write in, of which none leads to
    another post.
    """
    for field in tree.tree.css("textarea")[:_MOST_FIELDS]:
        place = tree.place(field.parent)
        for _level in range(_FIELD_LEVELS):
            if place is None or place <= 0:
                break
            alike = _alike_above(tree, place)
            are_whole = all(_has_parts(tree, i) and may_be_comment(tree, [i]) for i in alike)
            if len(alike) >= _FEW and are_whole:
                return [[i] for i in alike]
            place = tree.parents[place]
    return []


def _below_field(tree: PageView) -> list[list[int]]:
    """The signed elements alike that follow right below a field to write in and the line that asks for a comment."""
    for field in tree.tree.css("textarea")[:_MOST_FIELDS]:
        following = _right_below(tree, tree.place(field.parent))
        alike = _first_alike(tree, following) if following else []
        are_several = len(alike) + sum(_holds_twin(tree, i) for i in alike[:1]) >= _FEW
        if are_several and all(_is_signed_comment(tree, i) for i in alike):
            return [[i] for i in alike]
    return []


def _right_below(tree: PageView, place: int | None) -> list[int]:
    """The elements with words that follow next below a field, if a line above that asks for a comment."""
    asks = False
    for _level in range(_FIELD_LEVELS):
        if place is None or place <= 0:
            break
        asks = asks or _asks_for_comment(tree, place)
        following = [i for i in tree.children(tree.parents[place]) if i > place and tree.count(i)]
        if following:
            return following if asks else []
        place = tree.parents[place]
    return []


def _asks_for_comment(tree: PageView, place: int) -> bool:
    """Whether a box begins with a line that asks for a comment."""
    inside = range(place, min(tree.last[place], place + _NEAR))
    opening = (i for i in inside if 0 < tree.count(i) <= _LONGEST_LINE and tree.start[i] == tree.start[place])
    return any(INVITATION.match(" ".join(tree.text(i).split())) for i in opening)


def _first_alike(tree: PageView, places: Sequence[int]) -> list[int]:
    """The first of these elements with those after it that are called like it."""
    kinds = [(tree.tags[i], tree.attribute(i, "class")) for i in places]
    return [i for i, kind in zip(places, kinds, strict=True) if kind == kinds[0]] if kinds[0][1] else []


def _holds_twin(tree: PageView, i: int) -> bool:
    """Whether one that is called as an element stands in it: an answer."""
    kind = tree.tags[i], tree.attribute(i, "class")
    inside = range(i + 1, min(tree.last[i], i + _NEAR))
    return any((tree.tags[n], tree.attribute(n, "class")) == kind for n in inside)


def _is_signed_comment(tree: PageView, i: int) -> bool:
    """Whether an element begins with a line of a name and a day, and has words of its own behind it."""
    inside = range(i + 1, min(tree.last[i], i + _NEAR))
    lines = (
        n for n in inside if tree.start[n] == tree.start[i] and tree.count(n) < tree.count(i) and is_label(tree, n)
    )
    line = next(lines, None)
    return line is not None and not tells_only_day(tree.text(line)) and may_be_comment(tree, [i])


def _has_parts(tree: PageView, i: int) -> bool:
    """Whether an element has lines, or others in it: a day and loose words behind it say nothing of
    who wrote them.
    """
    parts = tree.children(i)
    return any(tree.tags[n] == "br" or tree.count(n) for n in parts)


def _alike_above(tree: PageView, place: int) -> list[int]:
    """The elements of one tag and one name that stand right before an element, or are all of the
    box before it.
    """
    before = [i for i in tree.children(tree.parents[place]) if i < place and tree.count(i)]
    while before and tree.count(before[-1]) <= LONGEST_LABEL and not has_date(tree, before[-1]):
        if NOUN.match(" ".join(tree.text(before[-1]).split())):
            return []  # below "Comments" there are none
        before = before[:-1]  # a line above the field: "Leave a comment"
    run = _last_alike(tree, before)
    for _level in range(_FIELD_LEVELS):
        if len(run) != 1:
            break
        run = _last_alike(tree, [i for i in tree.children(run[0]) if tree.count(i)])
    return run


def _last_alike(tree: PageView, places: Sequence[int]) -> list[int]:
    """The last of these elements with those before it that are made like it."""
    kinds = [(tree.tags[i], tree.attribute(i, "class")) for i in places]
    others = [n for n, kind in enumerate(kinds) if kind != kinds[-1]]
    run = list(places[others[-1] + 1 if others else 0 :])
    # What stands among loose words is only about them.
    is_whole = bool(run) and sum(map(tree.count, run)) == tree.end[run[-1]] - tree.start[run[0]]
    return run if is_whole else []


def may_be_comment(tree: PageView, group: Sequence[int]) -> bool:
    """Whether elements begin or end with a date, say more than that, and have no heading that links
    as that of another post does.
    """
    is_quoted = tree.tags[group[0]] == "blockquote"  # by the article
    words = sum(map(tree.count, group))
    if is_quoted or words <= _BARE_DATE or not any(has_date(tree, i) for i in group):
        return False
    return not has_linked_title(tree, group) and sum(map(tree.links, group)) * 2 < words


def has_linked_title(tree: PageView, group: Sequence[int]) -> bool:
    """Whether elements have a heading with a link in it, as that of another post has."""
    titles = (n for i in group for n in range(i, tree.last[i]) if tree.tags[n] in HEADINGS)
    return any(map(tree.links, titles))


def _outside_margins(tree: PageView) -> Iterator[int]:
    """The elements of a page that have attributes, without those in margins."""
    margin_end = 0
    for i in range(len(tree.tags)):
        if i < margin_end or not tree.attributes(i):
            continue
        if is_margin(tree, i):
            margin_end = tree.last[i]
        else:
            yield i


__all__ = ["groups_by_proof", "has_linked_title", "linked_to_themselves", "may_be_comment"]
