"""Which comment another one answers by its links, and which comments stood in a frame."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from blogforever.comments.items import CommentItem, own_places
from blogforever.comments.systems import RulePlaces
from blogforever.extract.apply import find_nodes
from blogforever.page.view import PageView

_ANSWERING = re.compile(r"^(?:data-.{0,40}(?:parent|reply-?to|answer)|parent)", re.IGNORECASE)
# Answers to answers that are followed; deeper ones are taken for a circle, and lose only the tie.
_DEEPEST = 200
# Words in which a comment says what it answers. With more, links in what it says count.
_HEAD = 20
# Elements at the beginning of a comment whose names may be its own.
_MOST_NAMED = 3
# Words of a link that does something to a comment, or leads to the one it answers.
_LONGEST_CONTROL = 3


def tie_answers(tree: PageView, items: Sequence[CommentItem], by_rule: RulePlaces) -> None:
    """Give comments the parent that a link in them names, if no thread runs in a circle by it."""
    if by_rule.parent:
        _tie_by_numbers(items, lambda item: [_number(_parent_link(tree, item, by_rule).partition("#")[2])])
    elif _are_tied(items):
        _tie_by_fragments(tree, items, begins="@")
    else:
        _tie_by_numbers(items, lambda item: _answered_numbers(tree, item))
        for tie in (_tie_by_data, _tie_by_controls, _tie_by_fragments):
            if not _are_tied(items):
                tie(tree, items)


def _are_tied(items: Sequence[CommentItem]) -> bool:
    return any(item.parent is not None for item in items)


def _tie_by_numbers(items: Sequence[CommentItem], answered_by: Callable[[CommentItem], Iterable[str]]) -> None:
    """Give comments the parent whose number they have, if no thread runs in a circle by it."""
    places: dict[str, int] = {}
    for n, item in enumerate(items):
        if item.number:
            places.setdefault(item.number, n)
    _tie_by_places(items, places, answered_by)


def _tie_by_places(
    items: Sequence[CommentItem], places: Mapping[str, int], answered_by: Callable[[CommentItem], Iterable[str]]
) -> None:
    """Give comments the parent of a number that they have, if no thread runs in a circle by it."""
    for n, item in enumerate(items):
        answered = next((places[number] for number in answered_by(item) if number in places), n)
        if not _is_below(items, answered, n):
            item.parent = answered


def _answered_numbers(tree: PageView, item: CommentItem) -> list[str]:
    """The numbers in attributes of a comment that speak of its parent, or of a reply."""
    return [_number(value) for name, value in _data(tree, item) if _ANSWERING.search(name)]


def _data(tree: PageView, item: CommentItem) -> Iterator[tuple[str, str]]:
    """The attributes at the beginning of a comment that are written for scripts."""
    top = item.tops[0]
    for i in range(top, min(top + _MOST_NAMED, tree.last[top])):
        for name, value in tree.attributes(i).items():
            is_for_scripts = name.startswith("data-") or _ANSWERING.match(name) is not None
            if value and (is_for_scripts or (name == "id" and i == top)):
                yield name, value


def _tie_by_data(tree: PageView, items: Sequence[CommentItem]) -> None:
    """Let numbers for scripts say what comments answer, where one of them is another for each comment."""
    if not any(_answered_numbers(tree, item) for item in items):
        return
    told: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for n, item in enumerate(items):
        for name, value in _data(tree, item):
            if not _ANSWERING.search(name):
                told[name].setdefault(_number(value), n)
    for places in told.values():
        if len(places) == len(items):
            _tie_by_places(items, places, lambda item: _answered_numbers(tree, item))
            return


def _parent_link(tree: PageView, item: CommentItem, by_rule: RulePlaces) -> str:
    """Where the element leads that a rule knows as the link to the answered comment."""
    for i in own_places(tree, item):
        if i in by_rule.parent:
            return tree.attribute(i, "href")
    return ""


def _tie_by_fragments(tree: PageView, items: Sequence[CommentItem], begins: str = "") -> None:
    """Let a link from the head of a comment to an earlier one say what it answers: any, or one
    whose words begin with a sign, which says whom among all that stand below the same comment.
    """
    earlier: dict[str, int] = {}
    for n, item in enumerate(items):
        own = _names_to_link(tree, item)
        for name in _linked(tree, item, begins):
            if name in earlier and name not in own:
                item.parent = earlier[name]
                break
        earlier |= dict.fromkeys(own, n)


def _tie_by_controls(tree: PageView, items: Sequence[CommentItem]) -> None:
    """Let a link among those that do something to a comment say what it answers: "(Reply)
    (Parent)".

    It leads to an earlier comment, from which none leads back: such pairs only page through all.
    """
    places = {name: n for n, item in enumerate(items) for name in _names_to_link(tree, item)}
    numbered = {item.number: n for n, item in enumerate(items) if item.number}
    led_to = [
        [places.get(name, numbered.get(_number(name), n)) for name in _control_targets(tree, item)]
        for n, item in enumerate(items)
    ]
    for n, others in enumerate(led_to):
        answered = [other for other in others if other < n and n not in led_to[other]]
        if answered:
            items[n].parent = answered[0]


def _control_targets(tree: PageView, item: CommentItem) -> Iterator[str]:
    """The places on the page that short links of a comment lead to which stand among links only."""
    for i in own_places(tree, item):
        if tree.tags[i] != "a" or not 0 < tree.count(i) <= _LONGEST_CONTROL:
            continue
        fragment = tree.attribute(i, "href").partition("#")[2]
        if fragment and _stands_among_links(tree, i, item):
            yield fragment


def _stands_among_links(tree: PageView, i: int, item: CommentItem) -> bool:
    """Whether the nearest element with more words than a link holds nothing but links."""
    around = i
    while around not in item.tops and tree.count(around) == tree.count(i):
        around = tree.parents[around]
    return tree.count(around) > tree.count(i) and tree.links(around) == tree.count(around)


def _names_to_link(tree: PageView, item: CommentItem) -> set[str]:
    """The names a link to a comment can lead to: its own, and those of an anchor before it, or with
    which it begins.
    """
    names: set[str] = set()
    for top in item.tops:
        first = top - 1 if _is_empty_anchor(tree, top - 1) else top
        for i in range(first, min(top + _MOST_NAMED, tree.last[top])):
            names.update((tree.attribute(i, "id"), tree.attribute(i, "name")))
    return names - {""}


def _is_empty_anchor(tree: PageView, i: int) -> bool:
    return tree.tags[i] == "a" and tree.last[i] == i + 1 and not tree.count(i)


def _linked(tree: PageView, item: CommentItem, begins: str) -> Iterator[str]:
    """The places on the page that links at the head of a comment lead to, whose words begin so."""
    first = tree.start[item.tops[0]]
    for i in own_places(tree, item):
        if tree.start[i] - first > _HEAD:
            return
        if tree.tags[i] != "a":
            continue
        fragment = tree.attribute(i, "href").partition("#")[2]
        if fragment and tree.text(i).strip().startswith(begins):
            yield fragment


def _is_below(items: Sequence[CommentItem], n: int, top: int) -> bool:
    """Whether a comment is another one, or an answer somewhere below it, or too deep to tell."""
    place: int | None = n
    for _level in range(_DEEPEST):
        if place is None:
            return False
        if place == top:
            return True
        place = items[place].parent
    return True


def _number(name: str) -> str:
    """The number at the end of a name."""
    return name[len(name.rstrip("0123456789abcdef-")) :].lstrip("-")


def framed(tree: PageView, places: Sequence[int]) -> list[bool]:
    """Which of these elements stand in the text of a frame that a browser has drawn."""
    drawn = [tree.place(node) for node in find_nodes(tree.tree, "div[data-frame]")]
    frames = [frame for frame in drawn if frame is not None]
    return [_is_in(tree, frames, place) for place in places]


def _is_in(tree: PageView, frames: Sequence[int], place: int) -> bool:
    """Whether an element stands below one of the frames."""
    return any(frame < place < tree.last[frame] for frame in frames)
