"""Which parts of a page are comments: what is numbered or named so, or repeats below a heading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from itertools import islice, pairwise
from typing import NamedTuple

from blogforever.comments.announced import groups_behind_announcement
from blogforever.comments.answersalike import with_answers_alike, without_boxes
from blogforever.comments.boxed import groups_in_box, is_named_box
from blogforever.comments.buttons import LONGEST_BUTTON, asks_for_answer
from blogforever.comments.dated import LONGEST_LABEL, has_date, is_dated, is_label
from blogforever.comments.datedlines import lines_about
from blogforever.comments.elsewhere import are_elsewhere, without_elsewhere
from blogforever.comments.headed import are_signed, comment_runs, groups_below_heading
from blogforever.comments.items import CommentItem, parts_of
from blogforever.comments.marking import marked_elements
from blogforever.comments.namedlines import groups_behind_named_lines
from blogforever.comments.nesting import parted, threaded
from blogforever.comments.otherwise import are_about_others, without_sections
from blogforever.comments.pointing import groups_around_points
from blogforever.comments.proving import LinkedElements, groups_by_proof, linked_to_themselves
from blogforever.comments.setin import boxes_after
from blogforever.comments.spreading import spread_out
from blogforever.comments.standingout import standing_out
from blogforever.comments.stated import read_count
from blogforever.comments.systems import RulePlaces
from blogforever.comments.within import answers_within
from blogforever.comments.words import ANSWERS, HEADING, INVITATION, LIST, NOUN, PINGBACK, has_token, is_item
from blogforever.page.view import PageView

NO_PLACES = RulePlaces()
# Elements after a marked one among which another of its class is looked for.
_SAMPLE = 12
# Words of "No comments yet", "Be the first to comment". With more, a short comment that speaks of
# comments is lost.
_LONGEST_INVITATION = 12
# Comments of which one thing may be the box.
_SEVERAL = 2
# Characters in which the line about a comment stands.
_OPENING = 200
_LISTS = frozenset({"ol", "ul", "li"})
# Boxes of answers in one another; it bounds the work.
_DEEPEST = 30
_DIGITS = re.compile(r"\d+")


class FoundItems(NamedTuple):
    """The comments of a page in order; `cut` says that a limit of ours left some of them unread."""

    items: list[CommentItem]
    cut: bool = False


def find_items(tree: PageView, by_rule: RulePlaces = NO_PLACES, *, stated: int | None = None) -> FoundItems:
    """The comments of a page; none where nothing says that readers wrote something.

    Where the page states that it has none, nothing is taken for a comment by its shape alone.
    """
    marked, is_cut = marked_elements(tree)
    _mark_ruled(tree, marked, by_rule.items)
    single = _collapsed(tree, dict(sorted(marked.items())), by_rule.items.keys())
    single = single if by_rule.items else _mended(tree, single)
    groups, is_group_cut = ([], False) if stated == 0 or not _may_be_groups(tree, single) else _groups(tree)
    if single and len(groups) < _SEVERAL and not (groups and _is_announced_box(tree, single)):
        return FoundItems(spread_out(tree, threaded(tree, _with_unnamed(tree, single))), is_cut)
    return FoundItems(_items_of(tree, groups, stated), is_group_cut)


def _mark_ruled(tree: PageView, marked: dict[int, str | None], ruled: Mapping[int, str | None]) -> None:
    """Mark what rules find; what is numbered and begins one of them is the same comment."""
    for i in [i for i in marked if marked[i] and i not in ruled] if ruled else ():
        around = _ruled_around(tree, i, ruled)
        if around is not None:
            marked[around] = marked.get(around) or marked.pop(i)
    for i, number in ruled.items():
        marked[i] = marked.get(i) or number


def _ruled_around(tree: PageView, i: int, ruled: Container[int]) -> int | None:
    """The nearest element around one that a rule finds, if it begins with that one."""
    around = next((n for n in tree.ancestors(i) if n in ruled), None)
    return around if around is not None and tree.start[around] == tree.start[i] else None


def _items_of(tree: PageView, groups: Sequence[list[int]], stated: int | None) -> list[CommentItem]:
    """The comments that stand in these elements, and the answers in them."""
    terms = _nested_terms(tree, groups)
    if terms:
        return threaded(tree, dict.fromkeys(terms))
    if any(len(group) > 1 for group in groups):
        items: list[CommentItem] = []
        _add_items(tree, items, groups, None, len(tree.tags))
        return items
    single = without_boxes(tree, [group[0] for group in groups]) if groups else []
    alike = with_answers_alike(tree, single, stated)
    return parted(tree, threaded(tree, dict.fromkeys(alike)))


def _add_items(
    tree: PageView, items: list[CommentItem], groups: Sequence[list[int]], parent: int | None, stop: int, level: int = 0
) -> None:
    """Comments of several elements each, and those in the boxes of answers that follow one of them."""
    ends = [*(group[0] for group in groups[1:]), stop]
    for group, end in zip(groups, ends, strict=True):
        items.append(CommentItem(group, parent=parent))
        own = len(items) - 1
        for box in boxes_after(tree, group, end) if level < _DEEPEST else ():
            _add_items(tree, items, comment_runs(tree, tree.children(box), None), own, tree.last[box], level + 1)


def _mended(tree: PageView, single: dict[int, str | None]) -> dict[int, str | None]:
    """What names show to be comments without those of other posts, and with those that are called otherwise."""
    own = without_elsewhere(tree, single)
    return dict(sorted((dict.fromkeys(standing_out(tree, own)) | own).items()))


def _with_unnamed(tree: PageView, single: dict[int, str | None]) -> dict[int, str | None]:
    """The comments with the answers in them that nothing names, where no answer of the page is named."""
    places = list(single)
    if any(after < tree.last[i] for i, after in pairwise(places)):
        return single
    return dict(sorted((dict.fromkeys(answers_within(tree, places)) | single).items()))


def _may_be_groups(tree: PageView, single: dict[int, str | None]) -> bool:
    """Whether nothing names comments, or only one thing without a number that begins with a line
    which announces them, or holds several texts, each with a line about it: it may be all of them.
    """
    if len(single) != 1:
        return not single
    ((i, number),) = single.items()
    return not number and (_is_announced_box(tree, single) or _holds_several(tree, i))


def _is_announced_box(tree: PageView, single: dict[int, str | None]) -> bool:
    """Whether the one thing that is named as a comment begins with a line that announces comments,
    or says how many there are.
    """
    if len(single) != 1:
        return False
    ((i, _number),) = single.items()
    inside = (n for n in range(i + 1, tree.last[i]) if tree.start[n] == tree.start[i])
    lines = (" ".join(tree.text(n).split()) for n in inside if 0 < tree.count(n) < min(tree.count(i), LONGEST_LABEL))
    return any(NOUN.match(line) or (HEADING.match(line) and read_count(line)) for line in lines)


def _holds_several(tree: PageView, i: int) -> bool:
    """Whether an element is made of texts and lines with a date, all of one kind, in turn."""
    parts = [n for n in tree.children(i) if tree.count(n)]
    labels = lines_about(tree, parts)
    kinds = {(tree.tags[n], tree.attribute(n, "class")) for n in labels}
    groups = comment_runs(tree, parts, None) if len(labels) >= _SEVERAL and len(kinds) == 1 else []
    if len(groups) != len(labels):
        return False
    has_each_one = all(len(group) >= _SEVERAL and len(set(group).intersection(labels)) == 1 for group in groups)
    return has_each_one or are_signed(tree, groups)


def _groups(tree: PageView) -> LinkedElements:
    """The elements of each comment that nothing names: below a heading, in a box, or by proof.

    Where more elements link to themselves than a heading or a box seems to hold, these are the
    comments.
    """
    groups = groups_below_heading(tree)
    in_box = [] if groups and not _may_hold_groups(tree, groups) else groups_in_box(tree)
    if not groups or _hold_several(tree, groups, in_box):
        groups = in_box
    groups = _own(tree, groups)
    linked = linked_to_themselves(tree)
    if len(linked.groups) > len(groups) and not are_about_others(tree, linked.groups):
        return linked
    groups = groups or _own(tree, groups_by_proof(tree)) or _own(tree, groups_behind_announcement(tree))
    groups = groups or _own(tree, groups_around_points(tree)) or _own(tree, groups_behind_named_lines(tree))
    return LinkedElements(groups)


def _own(tree: PageView, groups: list[list[int]]) -> list[list[int]]:
    """The comments that one of the ways finds; none where all of them lead to those of other posts, or a heading says
    that they are something else.
    """
    groups = without_sections(tree, groups)
    return [] if are_elsewhere(tree, groups) or are_about_others(tree, groups) else groups


def _may_hold_groups(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether a comment of one element is, or begins with, a box that is named after comments."""
    return any(len(group) == 1 and is_named_box(tree, group[0]) for group in groups)


def _hold_several(tree: PageView, groups: Sequence[Sequence[int]], inner: Sequence[Sequence[int]]) -> bool:
    """Whether one of the comments holds several others: it is the box of all, and the rest is the post."""
    return any(sum(tree.inside(one[0], group[0]) for one in inner) >= _SEVERAL for group in groups)


def _nested_terms(tree: PageView, groups: Sequence[Sequence[int]]) -> list[int]:
    """The terms of comments that are terms with their definitions, and those with a date in these,
    which begin answers; none where there are no answers.
    """
    if any(list(group) != parts_of(tree, group[0]) or len(group) < _SEVERAL for group in groups):
        return []
    terms = [group[0] for group in groups]
    inside = (n for group in groups for part in group[1:] for n in range(part + 1, tree.last[part]))
    nested = [n for n in inside if tree.tags[n] == "dt" and is_label(tree, n)]
    return sorted([*terms, *nested]) if nested else []


def _collapsed(tree: PageView, marked: dict[int, str | None], ruled: Set[int]) -> dict[int, str | None]:
    """One element for each comment, without those that name it again, and without mere lists.

    A rule finds each comment once: what it finds inside another is an answer.
    """
    kept: dict[int, str | None] = {}
    open_items: list[int] = []
    below: defaultdict[int, list[int]] = defaultdict(list)
    seen_numbers: set[str | None] = set()
    stops: dict[int, int] = {}
    for i, number in marked.items():
        while open_items and stops[open_items[-1]] <= i:
            open_items.pop()
        outer = open_items[-1] if open_items else None
        if number in seen_numbers:
            continue  # the permalink's anchor, or the inner box of the same comment
        seen_numbers |= {number} - {None}
        if outer is not None:
            is_other = {outer, i} <= ruled or _is_in_list(tree, below[outer], outer, i, marked)
            if not is_other and _is_same(tree, outer, kept[outer], i, number, marked):
                kept[outer] = kept[outer] or number
                continue
            below[outer].append(i)
        kept[i] = number
        if _may_hold(tree, i):
            open_items.append(i)
            stops[i] = tree.last[parts_of(tree, i)[-1]]
    return _without_containers(tree, kept, below, ruled)


def _may_hold(tree: PageView, i: int) -> bool:
    """Whether an element is more than an empty anchor."""
    return tree.count(i) > 0 or tree.last[i] > i + 1


def _without_containers(
    tree: PageView,
    kept: dict[int, str | None],
    below: dict[int, list[int]],
    ruled: Set[int],
) -> dict[int, str | None]:
    """The kept elements without lists and invitations; what has a number, or a rule finds, is a comment."""
    comments: dict[int, str | None] = {}
    for i, number in kept.items():
        inside = below.get(i, [])
        if i not in ruled and _is_container(tree, i, number, inside):
            continue
        comments[i] = number
    return comments


def _is_container(tree: PageView, i: int, number: str | None, inside: Sequence[int]) -> bool:
    """Whether a marked element is no comment: a list of some, or a line that asks for one."""
    if number:
        return _is_numbered_list(tree, i, inside)
    return _is_list(tree, i, inside) or _is_invitation(tree, i)


def _is_numbered_list(tree: PageView, i: int, below: Sequence[int]) -> bool:
    """Whether an element with a number is called the list of the comments in it, by its class or before the number,
    and no line dates it before the first of them: the number is that of the post.
    """
    if not below or not has_token([*tree.classes(i), tree.attribute(i, "id")], LIST):
        return False
    before = (n for n in range(i + 1, below[0]) if tree.end[n] <= tree.start[below[0]])
    return not any(is_label(tree, n) for n in before)


def _is_list(tree: PageView, i: int, below: Sequence[int]) -> bool:
    """Whether a marked element around others is only their list."""
    if not below:
        return False
    own_words = tree.count(i) - sum(map(tree.count, below))
    return own_words <= LONGEST_LABEL and not _begins_with_words(tree, i, below[0])


def _is_same(
    tree: PageView,
    outer: int,
    outer_number: str | None,
    i: int,
    number: str | None,
    marked: Container[int],
) -> bool:
    """Whether a marked element inside another is the same comment again, not an answer to it."""
    if number and outer_number:
        return number == outer_number
    if outer_number is None and _is_announced_in(tree, outer, i):
        return False
    return not _is_answer_below(tree, outer, i, marked) and not _is_dated_twin(tree, outer, i)


def _is_dated_twin(tree: PageView, outer: int, i: int) -> bool:
    """Whether an element called as the one around it has a day of its own, below a day of that one:
    what names a comment again has none, or all of it.
    """
    is_twin = tree.tags[outer] == tree.tags[i] and _uncounted(tree, outer) == _uncounted(tree, i)
    if not is_twin or tree.count(outer) == tree.count(i) or not has_date(tree, i):
        return False
    before = " ".join(tree.texts_between(tree.start[outer], tree.start[i]))
    return is_dated(before[:_OPENING])


def _uncounted(tree: PageView, i: int) -> str:
    """The class name of an element without digits: how deep it stands is no part of what it is."""
    return _DIGITS.sub("", tree.attribute(i, "class"))


def _is_announced_in(tree: PageView, outer: int, i: int) -> bool:
    """Whether an element begins with a line that announces comments, and one in it is named as a
    comment: it is their list.
    """
    opening = " ".join(" ".join(tree.texts_between(tree.start[outer], tree.start[i])).split())
    return bool(opening) and HEADING.match(opening) is not None


def _is_answer_below(tree: PageView, outer: int, i: int, marked: Container[int]) -> bool:
    """Whether a list of answers stands between an element and one around it."""
    place = i
    # What answers a term stands in a definition beside it.
    around = {outer, tree.parents[outer]}
    while place not in around and place >= 0:
        names = [*tree.classes(place), tree.attribute(place, "id")]
        is_list = tree.tags[place] in _LISTS or (tree.tags[place] == "dl" and place != i)
        if is_list or has_token(names, ANSWERS):
            return True
        place = tree.parents[place]
    return _has_twins(tree, i, marked)


def _has_twins(tree: PageView, i: int, marked: Container[int]) -> bool:
    """Whether elements of the same class follow a marked one, or without any class others that are
    marked: then what is around is their list.
    """
    own = tree.attributes(i).get("class")
    beside = islice(_following(tree, i), _SAMPLE) if tree.count(i) else ()
    return any(tree.attributes(n).get("class") == own and (own or n in marked) for n in beside)


def _is_in_list(tree: PageView, before: Sequence[int], outer: int, i: int, marked: Mapping[int, str | None]) -> bool:
    """Whether a marked element is one of several alike in another: by the name of the last before
    it, by boxes, or by a name that it shares with what follows in a list.
    """
    goes_on = bool(before) and tree.classes(before[-1]) == tree.classes(i)
    return goes_on or _have_twins_around(tree, outer, i, marked) or _is_first_in_list(tree, outer, i, marked)


def _is_first_in_list(tree: PageView, outer: int, i: int, marked: Mapping[int, str | None]) -> bool:
    """Whether an element is called a comment by a name that a comment with a number has behind it,
    in what is called the list: the first of them may stand out from the others.
    """
    if not has_token(tree.classes(outer), LIST):
        return False
    behind = (n for n in range(tree.last[i], tree.last[outer]) if n in marked)
    following = next(behind, None)
    if following is None or marked[following] is None:
        return False
    shared = set(tree.classes(i)).intersection(tree.classes(following))
    return is_item(list(shared))


def _have_twins_around(tree: PageView, outer: int, i: int, marked: Container[int]) -> bool:
    """Whether a marked element stands in a box after which another of that name holds one alike:
    then what is around the boxes is a list.
    """
    place = tree.parents[i]
    while place > outer:
        steps = i - place
        own = tree.attributes(place).get("class")
        for twin in islice(_following(tree, place), _SAMPLE) if own else ():
            is_alike = tree.attributes(twin).get("class") == own and twin + steps in marked
            if is_alike and tree.classes(twin + steps) == tree.classes(i):
                return True
        place = tree.parents[place]
    return False


def _following(tree: PageView, i: int) -> Iterator[int]:
    """The elements beside one that come after it."""
    stop = tree.last[tree.parents[i]]
    following = tree.last[i]
    while following < stop:
        yield following
        following = tree.last[following]


def _begins_with_words(tree: PageView, i: int, inner: int) -> bool:
    """Whether an element has words of its own before a comment in it, and those are no heading."""
    before = tree.texts_between(tree.start[i], tree.start[inner])
    opening = " ".join(" ".join(before).split())
    if not opening:
        return False
    # What ends with "2 replies" behind a day is what one of them answers.
    return is_dated(opening) or (not HEADING.match(opening) and not INVITATION.match(opening))


def _is_invitation(tree: PageView, i: int) -> bool:
    """Whether an element named as a comment is empty, or only asks readers for one."""
    classes = " ".join(tree.classes(i))
    if "pingback" in classes or "trackback" in classes:
        return False
    count = tree.count(i)
    if count == 0:
        return True
    text = _said_before_answer(tree, i)
    if count <= LONGEST_LABEL and PINGBACK.match(text) and not has_date(tree, i) and not _links_to_others(tree, i):
        return True  # where to send a ping
    return count <= _LONGEST_INVITATION and INVITATION.match(text) is not None


def _said_before_answer(tree: PageView, i: int) -> str:
    """What an element says, without the button to answer at its end: "Thank you! Reply" asks nobody for a comment."""
    at_end = (n for n in range(i + 1, tree.last[i]) if tree.end[n] == tree.end[i] and tree.count(n) <= LONGEST_BUTTON)
    button = next((n for n in at_end if asks_for_answer(tree.text(n))), None)
    stop = tree.end[i] if button is None else tree.start[button]
    return " ".join(" ".join(tree.texts_between(tree.start[i], stop)).split())


def _links_to_others(tree: PageView, i: int) -> bool:
    """Whether an element has a link with words of its own; one that only shows an address tells
    where to send something.
    """
    links = (n for n in range(i, tree.last[i]) if tree.tags[n] == "a" and tree.count(n))
    return any(not tree.text(n).strip().startswith(("http:", "https:")) for n in links)


__all__ = ["find_items"]
