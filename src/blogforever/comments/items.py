"""Which parts of a page are comments: what is numbered or named so, or repeats below a heading."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from blogforever.comments.dated import LONGEST_LABEL, has_date
from blogforever.comments.headed import groups_below_heading
from blogforever.comments.systems import RulePlaces
from blogforever.comments.words import (
    ANSWERS,
    HEADING,
    INVITATION,
    ITEM,
    LETTERED,
    LIST,
    NUMBERED,
    has_token,
    is_margin,
)
from blogforever.extract.visible import HEADINGS
from blogforever.page.view import PageView

NO_PLACES = RulePlaces()
_INLINE = frozenset("a span b i em strong small abbr time img br cite sup label".split())
_NEVER_ITEMS = _INLINE | {"form", "body", "input"}
_LISTS = frozenset({"ol", "ul", "dl"})
# A term of a list, or an anchor, only opens a comment: the rest of it stands in what follows.
_OPENERS = frozenset({"dt", "a"})
_SCHEMA_TYPES = ("/Comment", "/UserComments")
# Comments of one page; real threads end far below it, a page made to be endless does not.
_MOST_ITEMS = 20_000
# Elements that one comment may be spread over. With more, the last comment of a list takes in what
# follows the list.
_MOST_SIBLINGS = 12
# Elements before a comment in which its date is looked for, where none stands after it.
_MOST_LEADING = 3
# Comments that are enough to see how a page writes them: dates of thousands take long to look for.
_SAMPLE = 12
# Words of "No comments yet", "Be the first to comment". With more, a short comment that speaks of
# comments is lost.
_LONGEST_INVITATION = 12
# Elements around a comment among which a box of answers is looked for, and comments before the box
# that it may answer: both bound the search, which is made for each comment.
_ANSWER_LEVELS = 3
_ANSWER_REACH = 200


@dataclass
class CommentItem:
    """One comment on a page: the elements it stands in, and those of the answers nested in them."""

    tops: list[int]
    number: str | None = None
    nested: list[int] = field(default_factory=list)
    parent: int | None = None  # place of the item it is nested in


def find_items(tree: PageView, by_rule: RulePlaces = NO_PLACES) -> list[CommentItem]:
    """The comments of a page in order; none where nothing says that readers wrote something."""
    marked = _marked(tree)
    for i, number in by_rule.items.items():
        marked[i] = marked.get(i) or number
    single = _collapsed(tree, dict(sorted(marked.items())))
    if single:
        return _spread_out(tree, _threaded(tree, single))
    return [CommentItem(group) for group in groups_below_heading(tree)]


# --- marked elements


def _marked(tree: PageView) -> dict[int, str | None]:
    """Elements that an id, a class or a list names as comments, each with its number or None."""
    marked: dict[int, str | None] = {}
    lettered: list[int] = []
    for i, name, classes in _outside_margins(tree):
        tag = tree.tags[i]
        number = _number_in(tag, name) if name else None
        if number is not None:
            marked[i] = number
            if LETTERED.match(name):
                lettered.append(i)
        elif tag not in _NEVER_ITEMS and _is_named(tree, i, classes):
            marked[i] = None
        if len(marked) > _MOST_ITEMS:
            break
    _hand_on(tree, marked)
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
        if not attributes and tag != "li":
            continue
        name = _name_to_link(tag, attributes)
        classes = (attributes.get("class") or "").split()
        if is_margin(tag, name, classes) and not _holds_page(tree, i):
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


def _hand_on(tree: PageView, marked: dict[int, str | None]) -> None:
    """Give the number of an empty anchor to the comment that follows it."""
    for i, number in list(marked.items()):
        if tree.tags[i] != "a" or tree.count(i) or not number:
            continue
        following = tree.last[i]
        if following in marked and marked[following] is None:
            marked[following] = number
            del marked[i]


def _holds_page(tree: PageView, i: int) -> bool:
    """Whether an element holds most of the page, whatever it is called."""
    return tree.tags[i] not in ("aside", "form", "nav") and tree.count(i) * 2 > tree.count(0)


def _is_named(tree: PageView, i: int, classes: list[str]) -> bool:
    """Whether its class, its microdata or the list it stands in calls an element a comment."""
    if has_token(classes, ITEM):
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


def _collapsed(tree: PageView, marked: dict[int, str | None]) -> dict[int, str | None]:
    """One element for each comment, without those that name it again, and without mere lists."""
    kept: dict[int, str | None] = {}
    open_items: list[int] = []
    below: defaultdict[int, list[int]] = defaultdict(list)
    seen_numbers: set[str] = set()
    for i, number in marked.items():
        while open_items and tree.last[open_items[-1]] <= i:
            open_items.pop()
        outer = open_items[-1] if open_items else None
        if number:
            if number in seen_numbers:
                continue  # the permalink's anchor, or the inner box of the same comment
            seen_numbers.add(number)
        if outer is not None:
            if _is_same(tree, outer, kept[outer], i, number):
                kept[outer] = kept[outer] or number
                continue
            below[outer].append(i)
        kept[i] = number
        if tree.count(i) or tree.last[i] > i + 1:
            open_items.append(i)
    return _without_containers(tree, kept, below)


def _without_containers(
    tree: PageView,
    kept: dict[int, str | None],
    below: dict[int, list[int]],
) -> dict[int, str | None]:
    """The kept elements without lists and invitations; what has a number is a comment."""
    comments: dict[int, str | None] = {}
    for i, number in kept.items():
        if not number and (_is_list(tree, i, below.get(i, [])) or _is_invitation(tree, i)):
            continue
        comments[i] = number
    return comments


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
) -> bool:
    """Whether a marked element inside another is the same comment again, not an answer to it."""
    if number and outer_number:
        return number == outer_number
    return not _is_answer_below(tree, outer, i)


def _is_answer_below(tree: PageView, outer: int, i: int) -> bool:
    """Whether a list of answers stands between an element and one around it."""
    place = i
    while place != outer and place >= 0:
        names = [*tree.classes(place), tree.attribute(place, "id")]
        if tree.tags[place] in ("ol", "ul", "li") or has_token(names, ANSWERS):
            return True
        place = tree.parents[place]
    return _has_twins(tree, i)


def _has_twins(tree: PageView, i: int) -> bool:
    """Whether elements of the same class follow a marked one: then what is around is their list."""
    own = tree.attributes(i).get("class")
    stop = tree.last[tree.parents[i]]
    following = tree.last[i]
    for _n in range(_SAMPLE):
        if following >= stop:
            return False
        if tree.attributes(following).get("class") == own:
            return True
        following = tree.last[following]
    return False


def _begins_with_words(tree: PageView, i: int, inner: int) -> bool:
    """Whether an element has words of its own before a comment in it, and those are no heading."""
    before = tree.texts_between(tree.start[i], tree.start[inner])
    opening = " ".join(" ".join(before).split())
    if not opening:
        return False
    return not HEADING.match(opening) and not INVITATION.match(opening)


def _is_invitation(tree: PageView, i: int) -> bool:
    """Whether an element named as a comment is empty, or only asks readers for one."""
    classes = " ".join(tree.classes(i))
    if "pingback" in classes or "trackback" in classes:
        return False
    count = tree.count(i)
    if count == 0:
        return True
    if count > _LONGEST_INVITATION:
        return False
    return INVITATION.match(" ".join(tree.text(i).split())) is not None


def _threaded(tree: PageView, single: dict[int, str | None]) -> list[CommentItem]:
    """The comments, each with the one it is nested in or stands as an answer beside."""
    items: list[CommentItem] = []
    open_items: list[int] = []
    for i, number in single.items():
        while open_items and tree.last[items[open_items[-1]].tops[0]] <= i:
            open_items.pop()
        item = CommentItem([i], number)
        if open_items:
            item.parent = open_items[-1]
            items[item.parent].nested.append(i)
        else:
            item.parent = _answered(tree, i, items)
        open_items.append(len(items))
        items.append(item)
    return items


def _answered(tree: PageView, i: int, items: Sequence[CommentItem]) -> int | None:
    """The comment before a box of answers that stands beside it, not in it."""
    for place, _level in zip(tree.ancestors(i), range(_ANSWER_LEVELS), strict=False):
        if has_token(tree.classes(place), ANSWERS):
            return _last_beside(tree, place, items)
    return None


def _last_beside(tree: PageView, box: int, items: Sequence[CommentItem]) -> int | None:
    """The last comment before a box, in the same element."""
    around = tree.parents[box]
    farthest = max(-1, len(items) - _ANSWER_REACH)
    for n in range(len(items) - 1, farthest, -1):
        top = items[n].tops[0]
        if tree.parents[top] == around and top < box:
            return n
    return None


# --- comments spread over several siblings


def _spread_out(tree: PageView, items: list[CommentItem]) -> list[CommentItem]:
    """Give comments the elements beside them with name and date, where they have none in them."""
    if not _mostly_bare(tree, [item.tops[0] for item in items]):
        return items
    groups: defaultdict[int, list[CommentItem]] = defaultdict(list)
    for item in items:
        groups[tree.parents[item.tops[0]]].append(item)
    for parent, group in groups.items():
        _widen(tree, parent, group)
    return items


def _mostly_bare(tree: PageView, starts: Sequence[int]) -> bool:
    """Whether most of these elements hold no date of their own."""
    sample = starts[:_SAMPLE]
    bare = sum(tree.tags[i] in _OPENERS or not has_date(tree, i) for i in sample)
    return 2 * bare > len(sample)


def _widen(tree: PageView, parent: int, group: list[CommentItem]) -> None:
    """Give the comments in one element what follows each of them, or else what stands before it."""
    starts = [item.tops[0] for item in group]
    if parent < 0 or not _mostly_bare(tree, starts):
        return
    siblings = tree.children(parent)
    spot_of = {i: n for n, i in enumerate(siblings)}
    spots = [spot_of[i] for i in starts]
    opened = any(tree.tags[i] in _OPENERS for i in starts)
    _add_following(tree, group, siblings, spots, opened)
    unchanged = all(len(item.tops) == 1 for item in group)
    if unchanged and not opened:
        _add_leading(tree, group, siblings, spots)


def _add_following(
    tree: PageView,
    group: Sequence[CommentItem],
    siblings: Sequence[int],
    spots: Sequence[int],
    opened: bool,
) -> None:
    """Give comments what stands before the next one: where they need it, or where it is dated."""
    gaps = [b - a for a, b in pairwise(spots)]
    usual_reach = min(max(gaps, default=_MOST_SIBLINGS), _MOST_SIBLINGS)
    ends = [*spots[1:], len(siblings)]
    for item, spot, end in zip(group, spots, ends, strict=True):
        is_last = end == len(siblings)
        # Nothing ends the last comment of a list: it is taken to be as long as the longest of them.
        reach = usual_reach if is_last else _MOST_SIBLINGS
        after = siblings[spot + 1 : min(end, spot + reach)]
        if is_last and not gaps and not opened:
            after = _until_dated(tree, after)
        if after and (opened or any(has_date(tree, i) for i in after)):
            item.tops = [item.tops[0], *after]


def _add_leading(
    tree: PageView,
    group: Sequence[CommentItem],
    siblings: Sequence[int],
    spots: Sequence[int],
) -> None:
    """Give each comment the dated element that stands nearest before it."""
    after_previous = [0, *(spot + 1 for spot in spots[:-1])]
    for item, spot, first in zip(group, spots, after_previous, strict=True):
        before = siblings[max(first, spot - _MOST_LEADING) : spot]
        dated = [i for i in before if has_date(tree, i)]
        item.tops = [*dated[-1:], *item.tops]


def _until_dated(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements up to the first dated one; none where none is dated."""
    for n, i in enumerate(places):
        if has_date(tree, i):
            return list(places[: n + 1])
    return []


def own_places(tree: PageView, item: CommentItem) -> Iterator[int]:
    """The elements of a comment, without those of its answers."""
    nested = sorted(item.nested)
    for top in item.tops:
        i = top
        while i < tree.last[top]:
            while nested and nested[0] < i:
                nested.pop(0)
            if nested and nested[0] == i:
                i = tree.last[nested.pop(0)]
                continue
            yield i
            i += 1


__all__ = ["CommentItem", "find_items", "own_places"]
