"""Which elements of a page an id, a class, microdata or a list names as comments."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from typing import NamedTuple

from blogforever.comments.dated import LONGEST_LABEL, has_date, is_bare_date, is_label
from blogforever.comments.forms import places_to_write
from blogforever.comments.headed import are_signed
from blogforever.comments.items import parts_of
from blogforever.comments.margins import is_margin, names_comments
from blogforever.comments.otherwise import without_others
from blogforever.comments.words import HEADING, LETTERED, LIST, NUMBERED, has_token, is_item
from blogforever.elements import HEADINGS, is_custom
from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of as parts_of_name

_INLINE = frozenset("a span b i em strong small abbr time img br cite sup label".split())
_NEVER_ITEMS = _INLINE | {"form", "body", "input"}
_LISTS = frozenset({"ol", "ul", "dl"})
_CALLED_TAGS = frozenset({"div", "article", "section"})
# The word for one comment at the end of a name.
_ONE = "comment"
# Blocks of one name that are enough to see what all of them are: dates of thousands take long to
# look for.
_MOST_ASKED = 40
_SCHEMA_TYPES = ("/Comment", "/UserComments")
# Words of a date and no comment: "Latest comment: 4 May 2013".
_BARE_DATE = 6
# Comments of one page; real threads end far below it, a page made to be endless does not.
MOST_ITEMS = 20_000
# Elements without words that may stand between two comments: rules, breaks, cleared floats.
_MOST_BETWEEN = 6
# Anchors that show what each of them opens.
_SEVERAL = 2
# Elements of one comment that have its number: an anchor, the comment, its inner box, one more.
_SAME_NUMBERS = 4


class MarkedElements(NamedTuple):
    """Elements that are named as comments, each with its number or None; `cut` says that there are
    more than are read.
    """

    numbers: dict[int, str | None]
    cut: bool = False


def marked_elements(tree: PageView) -> MarkedElements:
    """Elements that an id, a class or a list names as comments; else those that a system calls so
    by a name of its own.
    """
    by_usual_names, is_cut = _marked_by_usual_names(tree)
    own = by_usual_names or without_others(tree, dict.fromkeys(_called_comments(tree)))
    return MarkedElements(own, is_cut)


def _marked_by_usual_names(tree: PageView) -> MarkedElements:
    """Elements with an id, a class or a list that many systems use for comments."""
    marked: dict[int, str | None] = {}
    is_cut = False
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
        if len(marked) > MOST_ITEMS:
            is_cut = True
            break
    marked = without_others(tree, marked)
    _hand_numbers(tree, marked)
    if len(lettered) == 1 and len(marked) == 1 and not _says_comments(tree, lettered[0]):
        marked.pop(lettered[0], None)  # it may have handed its number on
    return MarkedElements(marked, is_cut)


def _hand_numbers(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the numbers of anchors to the comments that they are of."""
    _hand_on(tree, marked)
    _hand_up(tree, marked)
    _hand_out(tree, marked)
    _hand_back(tree, marked)
    _drop_in_lines(tree, marked)


def _outside_margins(tree: PageView) -> Iterator[tuple[int, str, list[str]]]:
    """Elements that something may name as comments, each with its own name and its classes."""
    margin_end = 0
    for i, tag in enumerate(tree.tags):
        if i < margin_end:
            continue
        attributes = tree.attributes(i)
        if not attributes and tag not in ("li", "dt") and not is_custom(tag):
            continue
        name = _name_to_link(tag, attributes)
        classes = [*(attributes.get("class") or "").split(), *([tag] if is_custom(tag) else [])]
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
    """Give the number of an empty anchor to the comment that follows it, unless an element has it
    that is one.
    """
    filled = {number for i, number in marked.items() if tree.count(i)}
    for i, number in _empty_anchors(tree, marked):
        following = tree.last[i]
        is_opening = following in marked and marked[following] is None
        if is_opening:
            marked[following] = number
        if is_opening or number in filled:
            del marked[i]


def _hand_up(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the number of an empty anchor to the element that begins with it, if that is the whole
    comment.
    """
    if _hand_to_items(tree, marked):
        return
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


def _hand_to_items(tree: PageView, marked: dict[int, str | None]) -> bool:
    """Give the numbers of empty anchors to the items of lists that begin with them, where each
    does: of those in others each is an answer.
    """
    anchors = [anchor for anchor, _number in _empty_anchors(tree, marked)]
    items = [tree.parents[anchor] for anchor in anchors]
    are_items = all(tree.tags[i] == "li" and _begins_with(tree, i, n) for i, n in zip(items, anchors, strict=True))
    if len(set(items)) < _SEVERAL or len(set(items)) < len(anchors) or not are_items:
        return False
    if all(_is_line_of_list(tree, i) for i in items):
        return False
    for i, anchor in zip(items, anchors, strict=True):
        marked[i] = marked.get(i) or marked.pop(anchor)
    return True


def _is_line_of_list(tree: PageView, i: int) -> bool:
    """Whether the item of a list is but the line with the date, and the text stands in the next one."""
    following = _next_filled(tree, i)
    return is_label(tree, i) and following is not None and not is_label(tree, following)


def _hand_out(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the numbers of anchors to the elements around them that repeat, each around one anchor:
    those are the comments.
    """
    anchors = [i for i in marked if tree.tags[i] == "a"]
    holders = {_only_holder(tree, anchors, n): i for n, i in enumerate(anchors)}
    if not anchors or not _are_all_but_box(tree, anchors, marked, holders):
        return
    are_whole = all(tree.count(holder) > tree.count(i) + _BARE_DATE for holder, i in holders.items())
    if are_whole and len(holders) == len(anchors) and _are_list(tree, list(holders)):
        for holder, i in holders.items():
            marked[holder] = marked.pop(i)


def _drop_in_lines(tree: PageView, marked: dict[int, str | None]) -> None:
    """Take no mark for a comment where all are empty anchors in lines with a date, between which the
    texts stand: whose line is whose only all of them together tell. Nor where the only one is in a
    line with its text behind it.
    """
    lines = [tree.parents[i] for i in marked if tree.tags[i] == "a" and not tree.count(i)]
    if not 0 < len(set(lines)) == len(marked) or not all(is_label(tree, i) for i in lines):
        return
    if len(lines) < _SEVERAL and _next_filled(tree, lines[0]) is None:
        return
    following = {_next_filled(tree, i) for i in lines[:-1]}
    if following.isdisjoint([None, *lines]):
        marked.clear()


def _are_all_but_box(
    tree: PageView, anchors: Sequence[int], marked: dict[int, str | None], holders: Container[int]
) -> bool:
    """Whether nothing else is named a comment, or but the box around all anchors, without a number of its own, and
    some of those that hold an anchor each: of all comments the blog's own may have a name.
    """
    others = [i for i in marked if tree.tags[i] != "a"]
    boxes = [i for i in others if i not in holders]
    is_numbered = any(marked[i] is not None for i in others)
    return not is_numbered and all(i < anchors[0] and tree.last[i] > anchors[-1] for i in boxes)


def _are_list(tree: PageView, places: Sequence[int]) -> bool:
    """Whether elements stand side by side and are of one tag; a single one must be the item of a
    list, or one, or a paragraph.
    """
    kinds = {(tree.tags[i], tree.parents[i]) for i in places}
    return len(kinds) == 1 and (len(places) > 1 or tree.tags[places[0]] in _LISTS | {"li", "p"})


def _only_holder(tree: PageView, anchors: Sequence[int], n: int) -> int:
    """The outermost element around an anchor that holds no other one; around a single one the item of a
    list, or the paragraph that has all words of its box.
    """
    place = anchors[n]
    before = anchors[n - 1] if n else -1
    after = anchors[n + 1] if n + 1 < len(anchors) else len(tree.tags)
    while True:
        around = tree.parents[place]
        if around < 0 or around <= before or tree.last[around] > after:
            return place
        if len(anchors) == 1 and _is_whole(tree, place):
            return place
        place = around


def _is_whole(tree: PageView, i: int) -> bool:
    """Whether an element around the only anchor of a page is the whole comment: a list, the item of one that is not but
    its line, or a paragraph with all words of the box around it.
    """
    if tree.tags[i] == "li":
        return not _is_line_of_list(tree, i)
    return tree.tags[i] in _LISTS or (tree.tags[i] == "p" and tree.count(i) == tree.count(tree.parents[i]))


def _begins_with(tree: PageView, holder: int, anchor: int) -> bool:
    """Whether an element with words begins with an anchor."""
    is_first = holder + 1 == anchor and tree.start[holder] == tree.start[anchor]
    return is_first and tree.count(holder) > 0


def _whole_comments(tree: PageView, holders: Collection[int]) -> set[int]:
    """Those of the elements that hold a comment each: between them stand no words that would be the
    rest of one.
    """
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
    if tree.tags[i] not in ("li", "dt"):
        return False
    return _is_in_comment_list(tree, i) or _is_dated_comment(tree, i, classes)


def _is_dated_comment(tree: PageView, i: int, classes: list[str]) -> bool:
    """Whether the item of a list is called a comment by a theme's own name for it, and has the date
    of one.
    """
    may_be_one = tree.tags[i] == "li" and names_comments(classes) and tree.count(i) > _BARE_DATE
    return may_be_one and has_date(tree, i) and not is_bare_date(tree.text(i))


def _called_comments(tree: PageView) -> list[int]:
    """Blocks whose class ends with the word for one comment, whatever system's name stands before
    it, where each is made of a line with a date and something else: "mastodon-comment".
    """
    called: defaultdict[str, list[int]] = defaultdict(list)
    for i, _name, classes in _outside_margins(tree):
        if tree.tags[i] in _CALLED_TAGS and tree.count(i):
            for token in classes:
                if "".join(parts_of_name(token)[-1:]) == _ONE and names_comments([token]):
                    called[token].append(i)
    return next(filter(None, (_comments_among(tree, places) for places in called.values())), [])


def _comments_among(tree: PageView, places: Sequence[int]) -> list[int]:
    """Those of the blocks of a name that are comments; beside others "Great!" is one, too."""
    whole = [i for i in places if tree.count(i) > _BARE_DATE]
    if not whole or not _are_comments(tree, whole):
        return []
    return [i for i in places if tree.count(i) > _BARE_DATE or are_signed(tree, [[i]])]


def _are_comments(tree: PageView, places: Sequence[int]) -> bool:
    """Whether all blocks of a name are dated, and the innermost of them hold a comment each."""
    sample = places[:_MOST_ASKED]
    innermost = [i for i, after in zip(sample, [*sample[1:], tree.last[0]], strict=True) if after >= tree.last[i]]
    opens = [next((n for n in range(i, tree.last[i]) if tree.tags[n] in HEADINGS), None) for i in innermost]
    if any(title is not None and HEADING.match(tree.text(title)) for title in opens):
        return False
    return all(has_date(tree, i) for i in sample) and are_signed(tree, [[i] for i in innermost])


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
