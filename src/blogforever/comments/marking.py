"""Which elements of a page an id, a class, microdata or a list names as comments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator

from blogforever.comments.dated import LONGEST_LABEL, has_date
from blogforever.comments.forms import places_to_write
from blogforever.comments.items import parts_of
from blogforever.comments.margins import is_margin
from blogforever.comments.words import HEADING, LETTERED, LIST, NUMBERED, has_token, is_item
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

_INLINE = frozenset("a span b i em strong small abbr time img br cite sup label".split())
_NEVER_ITEMS = _INLINE | {"form", "body", "input"}
_LISTS = frozenset({"ol", "ul", "dl"})
_SCHEMA_TYPES = ("/Comment", "/UserComments")
# Comments of one page; real threads end far below it, a page made to be endless does not.
_MOST_ITEMS = 20_000
# Elements without words that may stand between two comments: rules, breaks, cleared floats.
_MOST_BETWEEN = 6
# Elements of one comment that have its number: an anchor, the comment, its inner box, one more.
_SAME_NUMBERS = 4


def marked_elements(tree: PageView) -> dict[int, str | None]:
    """Elements that an id, a class or a list names as comments, each with its number or None."""
    marked: dict[int, str | None] = {}
    lettered: list[int] = []
    fields = places_to_write(tree)
    for i, name, classes in _outside_margins(tree):
        tag = tree.tags[i]
        number = _number_in(tag, name) if name else None
        if number is not None:
            marked[i] = number
            if LETTERED.match(name):
                lettered.append(i)
        elif tag not in _NEVER_ITEMS and i not in fields and _is_named(tree, i, classes):
            marked[i] = None
        if len(marked) > _MOST_ITEMS:
            break
    _hand_on(tree, marked)
    _hand_up(tree, marked)
    _hand_back(tree, marked)
    if len(lettered) == 1 and len(marked) == 1 and not _says_comments(tree, lettered[0]):
        marked.pop(lettered[0], None)  # it may have handed its number on
    return marked


def _outside_margins(tree: PageView) -> Iterator[tuple[int, str, list[str]]]:
    """Elements that something may name as comments, each with its own name and its classes."""
    margin_end = 0
    for i, tag in enumerate(tree.tags):
        if i < margin_end:
            continue
        attributes = tree.attributes(i)
        if not attributes and tag not in ("li", "dt"):
            continue
        name = _name_to_link(tag, attributes)
        classes = (attributes.get("class") or "").split()
        if is_margin(tree, i):
            margin_end = tree.last[i]
            continue
        yield i, name, classes


def _name_to_link(tag: str, attributes: dict[str, str | None]) -> str:
    """The name by which a link can lead to an element; old pages have anchors with a name."""
    name = attributes.get("id")
    if not name and tag == "a":
        name = attributes.get("name")
    return name or ""


def _number_in(tag: str, name: str) -> str | None:
    """The number in the name of an element that may be a comment, or the anchor of one."""
    match = NUMBERED.match(name)
    if match is None or (tag in _INLINE and tag != "a"):
        return None
    return match[1]


def _empty_anchors(tree: PageView, marked: dict[int, str | None]) -> list[tuple[int, str]]:
    """The anchors without words that have the number of a comment, each with it."""
    numbered = [(i, number) for i, number in marked.items() if number]
    return [(i, number) for i, number in numbered if tree.tags[i] == "a" and not tree.count(i)]


def _hand_on(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the number of an empty anchor to the comment that follows it, unless an element has it that is one."""
    filled = {number for i, number in marked.items() if tree.count(i)}
    for i, number in _empty_anchors(tree, marked):
        following = tree.last[i]
        is_opening = following in marked and marked[following] is None
        if is_opening:
            marked[following] = number
        if is_opening or number in filled:
            del marked[i]


def _hand_up(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the number of an empty anchor to the element that begins with it, if that is the whole comment."""
    numbered = sorted(i for i, number in marked.items() if number)
    openings: dict[int, int] = {}
    for anchor, number in _empty_anchors(tree, marked):
        holder = tree.parents[anchor]
        after = bisect_right(numbered, anchor)
        others = (i for i in numbered[after : after + _SAME_NUMBERS] if marked[i] != number)
        if _begins_with(tree, holder, anchor) and next(others, tree.last[holder]) >= tree.last[holder]:
            openings[holder] = anchor
    for holder in _whole_comments(tree, openings):
        marked[holder] = marked.get(holder) or marked.pop(openings[holder])


def _begins_with(tree: PageView, holder: int, anchor: int) -> bool:
    """Whether an element with words begins with an anchor."""
    is_first = holder + 1 == anchor and tree.start[holder] == tree.start[anchor]
    return is_first and tree.count(holder) > 0


def _whole_comments(tree: PageView, holders: Collection[int]) -> set[int]:
    """Those of the elements that hold a comment each: between them stand no words that would be the rest of one."""
    whole: set[int] = set()
    for holder in holders:
        following = _next_filled(tree, holder)
        if following is not None and following in holders:
            whole.update((holder, following))
    alone = next(iter(holders)) if len(holders) == 1 else None
    if alone is not None and tree.count(alone) > LONGEST_LABEL and has_date(tree, alone):
        whole.add(alone)
    return whole


def _next_filled(tree: PageView, i: int) -> int | None:
    """The next element with words beside one."""
    stop = tree.last[tree.parents[i]]
    following = tree.last[i]
    for _n in range(_MOST_BETWEEN):
        if following >= stop:
            return None
        if tree.count(following):
            return following
        following = tree.last[following]
    return None


def _hand_back(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the mark of a definition to the term before it: both are one comment."""
    for term in [i for i, tag in enumerate(tree.tags) if tag == "dt"]:
        for part in parts_of(tree, term)[1:]:
            if part in marked:
                number = marked.pop(part)
                marked[term] = marked.get(term) or number


def _is_named(tree: PageView, i: int, classes: list[str]) -> bool:
    """Whether its class, its microdata or the list it stands in calls an element a comment."""
    if is_item(classes):
        return True
    if tree.attribute(i, "itemprop") == "comment":
        return True
    if tree.attribute(i, "itemtype").endswith(_SCHEMA_TYPES):
        return True
    return tree.tags[i] in ("li", "dt") and _is_in_comment_list(tree, i)


def _is_in_comment_list(tree: PageView, i: int) -> bool:
    """Whether the list around an element is named as one of comments."""
    above = tree.parents[i]
    if above < 0 or tree.tags[above] not in _LISTS:
        return False
    return has_token([*tree.classes(above), tree.attribute(above, "id")], LIST)


def _says_comments(tree: PageView, i: int) -> bool:
    """Whether a heading above an element announces comments."""
    start = tree.start[i]
    for n, tag in enumerate(tree.tags[:i]):
        if tag not in HEADINGS or tree.end[n] > start or tree.count(n) > LONGEST_LABEL:
            continue
        if HEADING.match(tree.text(n)):
            return True
    return False
