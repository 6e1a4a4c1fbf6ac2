"""Which parts of a page are comments: numbered or named elements, else what repeats below a heading that says so."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from blogforever.comments.dated import has_date
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
    joined,
)
from blogforever.learn.pagetree import PageTree

NO_PLACES = RulePlaces()
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_INLINE = frozenset(
    {"a", "span", "b", "i", "em", "strong", "small", "abbr", "time", "img", "br", "cite", "sup", "label"}
)
_LISTS = frozenset({"ol", "ul", "dl"})
_LONGEST_LABEL = 30
_MOST = 20_000  # comments of one page
_MOST_SIBLINGS = 12  # elements that one comment may be spread over
_FEW = 2
_ASKED = 12  # comments that are enough to see how a page writes them


@dataclass
class CommentItem:
    """One comment on a page: the elements it stands in, without those of the answers nested in them."""

    tops: list[int]
    number: str | None = None
    nested: list[int] = field(default_factory=list)
    parent: int | None = None  # place of the item it is nested in


def find_items(tree: PageTree, by_rule: RulePlaces = NO_PLACES) -> list[CommentItem]:
    """The comments of a page in order; none where nothing on the page says that readers wrote something."""
    marked = _marked(tree)
    for i, number in by_rule.items.items():
        marked[i] = marked.get(i) or number
    roots = _collapsed(tree, dict(sorted(marked.items())))
    if roots:
        return _spread_out(tree, _threaded(tree, roots))
    return [CommentItem(group) for group in groups_below_heading(tree)]


# --- marked elements


def _marked(tree: PageTree) -> dict[int, str | None]:
    """Elements that an id, a class or a list names as comments, with their number where they have one."""
    found: dict[int, str | None] = {}
    lettered: list[int] = []
    margin_end = 0
    for i, tag in enumerate(tree.tags):
        if i < margin_end:
            continue
        attributes = tree.attributes(i)
        if not attributes and tag != "li":
            continue
        name = attributes.get("id") or (attributes.get("name") if tag == "a" else None) or ""
        classes = (attributes.get("class") or "").split()
        if is_margin(tag, name, classes) and not _holds_page(tree, i):
            margin_end = tree.last[i]
            continue
        match = NUMBERED.match(name) if name else None
        if match and (tag not in _INLINE or tag == "a"):
            found[i] = match[1]
            if LETTERED.match(name):
                lettered.append(i)
        elif (
            tag not in _INLINE and tag not in ("form", "body", "input") and _is_named(tree, i, tag, classes, attributes)
        ):
            found[i] = None
        if len(found) > _MOST:
            break
    _hand_on(tree, found)
    if len(lettered) == 1 and len(found) == 1 and not _says_comments(tree, lettered[0]):
        found.pop(lettered[0], None)  # it may have handed its number on
    return found


def _hand_on(tree: PageTree, found: dict[int, str | None]) -> None:
    """Give the number of an empty anchor to the comment that follows it."""
    for i, number in list(found.items()):
        following = tree.last[i]
        if tree.tags[i] == "a" and not tree.count(i) and number and found.get(following, "") is None:
            found[following] = number
            del found[i]


def _holds_page(tree: PageTree, i: int) -> bool:
    """Whether an element holds most of the page, whatever it is called."""
    return tree.tags[i] not in ("aside", "form", "nav") and tree.count(i) * 2 > tree.count(0)


def _is_named(tree: PageTree, i: int, tag: str, classes: list[str], attributes: dict[str, str | None]) -> bool:
    if has_token(classes, ITEM):
        return True
    kind = attributes.get("itemtype") or ""
    if attributes.get("itemprop") == "comment" or kind.endswith(("/Comment", "/UserComments")):
        return True
    if tag in ("li", "dt"):
        above = tree.parents[i]
        around = tree.attributes(above) if above >= 0 else {}
        names = [*(around.get("class") or "").split(), around.get("id") or ""]
        return tree.tags[above] in _LISTS and has_token(names, LIST)
    return False


def _says_comments(tree: PageTree, i: int) -> bool:
    """Whether a heading above an element announces comments."""
    start = tree.start[i]
    return any(
        tag in _HEADINGS and tree.end[n] <= start and tree.count(n) <= _LONGEST_LABEL and HEADING.match(tree.text(n))
        for n, tag in enumerate(tree.tags[:i])
    )


def _collapsed(tree: PageTree, marked: dict[int, str | None]) -> dict[int, str | None]:
    """One element for each comment: wrappers that name the same comment again and mere containers left out."""
    kept: dict[int, str | None] = {}
    open_items: list[int] = []
    below: defaultdict[int, int] = defaultdict(int)
    inner: dict[int, int] = {}
    numbers: dict[str, int] = {}
    for i, number in marked.items():
        while open_items and tree.last[open_items[-1]] <= i:
            open_items.pop()
        outer = open_items[-1] if open_items else None
        if number and number in numbers:
            continue  # the same number again: the permalink's anchor, or the inner box of the same comment
        if outer is not None and _same(tree, outer, kept[outer], i, number):
            if number and kept[outer] is None:
                kept[outer] = number
                numbers[number] = outer
            continue
        kept[i] = number
        if number:
            numbers[number] = i
        if outer is not None:
            below[outer] += tree.count(i)
            inner.setdefault(outer, i)
        if tree.count(i) or tree.last[i] > i + 1:
            open_items.append(i)
    return {
        i: number
        for i, number in kept.items()
        if number or not (_is_list(tree, i, below[i], inner.get(i)) or _is_invitation(tree, i))
    }


def _is_list(tree: PageTree, i: int, below: int, inner: int | None) -> bool:
    """Whether a marked element around others is only their list."""
    return inner is not None and tree.count(i) - below <= _LONGEST_LABEL and not _has_own(tree, i, inner)


def _same(tree: PageTree, outer: int, outer_number: str | None, i: int, number: str | None) -> bool:
    """Whether a marked element inside another is the same comment once more, not an answer to it."""
    if number and outer_number:
        return number == outer_number
    return not _between(tree, outer, i)


def _between(tree: PageTree, outer: int, i: int) -> bool:
    """Whether a list of answers stands between an element and one around it."""
    place = i
    while place != outer and place >= 0:
        names = [*tree.classes(place), tree.attributes(place).get("id") or ""]
        if tree.tags[place] in ("ol", "ul", "li") or has_token(names, ANSWERS):
            return True
        place = tree.parents[place]
    return _twins(tree, outer, i)


def _twins(tree: PageTree, outer: int, i: int) -> bool:
    """Whether elements of the same make stand side by side below a marked one: then that one is their list."""
    own = tree.attributes(i).get("class")
    following = tree.last[i]
    near: list[int] = []
    while following < tree.last[tree.parents[i]] and len(near) < _ASKED:
        near.append(following)
        following = tree.last[following]
    return any(tree.attributes(n).get("class") == own for n in near)


def _has_own(tree: PageTree, i: int, inner: int) -> bool:
    """Whether an element around comments is one itself: it begins with words of its own, and not with a heading."""
    first = bisect_left(tree.texts, tree.start[i], key=_first_word)
    stop = bisect_left(tree.texts, tree.start[inner], key=_first_word)
    opening = " ".join(" ".join(text for _p, _f, _s, text in tree.texts[first:stop]).split())
    return bool(opening) and not HEADING.match(opening) and not INVITATION.match(opening)


def _first_word(text: tuple[int, int, int, str]) -> int:
    return text[1]


def _is_invitation(tree: PageTree, i: int) -> bool:
    count = tree.count(i)
    if any(word in name for name in tree.classes(i) for word in ("pingback", "trackback")):
        return False
    return count == 0 or (count <= 12 and INVITATION.match(" ".join(tree.text(i).split())) is not None)


def _threaded(tree: PageTree, roots: dict[int, str | None]) -> list[CommentItem]:
    items: list[CommentItem] = []
    open_items: list[int] = []
    for i, number in roots.items():
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


def _answered(tree: PageTree, i: int, items: Sequence[CommentItem]) -> int | None:
    """The comment before a box of answers that stands beside it, not in it."""
    for place, _level in zip(tree.ancestors(i), range(3), strict=False):
        if has_token(tree.classes(place), ANSWERS):
            around = tree.parents[place]
            for n in range(len(items) - 1, max(-1, len(items) - 200), -1):
                if tree.parents[items[n].tops[0]] == around and items[n].tops[0] < place:
                    return n
            return None
    return None


# --- comments spread over several siblings


def _spread_out(tree: PageTree, items: list[CommentItem]) -> list[CommentItem]:
    """Give comments the elements beside them that hold their name and date, where the marked ones do not."""
    if not _mostly_bare(tree, [item.tops[0] for item in items]):
        return items
    groups: defaultdict[int, list[CommentItem]] = defaultdict(list)
    for item in items:
        groups[tree.parents[item.tops[0]]].append(item)
    for parent, group in groups.items():
        _widen(tree, parent, group)
    return items


def _mostly_bare(tree: PageTree, starts: Sequence[int]) -> bool:
    """Whether most of these elements hold no date of their own."""
    asked = starts[:_ASKED]
    return 2 * sum(tree.tags[i] in ("dt", "a") or not has_date(tree, i) for i in asked) > len(asked)


def _widen(tree: PageTree, parent: int, group: list[CommentItem]) -> None:
    starts = [item.tops[0] for item in group]
    if parent < 0 or not _mostly_bare(tree, starts):
        return
    siblings = tree.children(parent)
    places = {i: n for n, i in enumerate(siblings)}
    spots = [places[i] for i in starts]
    always = any(tree.tags[i] in ("dt", "a") for i in starts)
    gaps = [b - a for a, b in pairwise(spots)]
    usual = min(max(gaps, default=_MOST_SIBLINGS), _MOST_SIBLINGS)
    for item, spot, following in zip(group, spots, [*spots[1:], len(siblings)], strict=True):
        stop = min(following, spot + (usual if following == len(siblings) else _MOST_SIBLINGS))
        after = siblings[spot + 1 : stop]
        if following == len(siblings) and not gaps and not always:
            after = _until_dated(tree, after)
        if after and (always or any(has_date(tree, i) for i in after)):
            item.tops = [item.tops[0], *after]
    if not always and all(len(item.tops) == 1 for item in group):
        before = [-1, *spots[:-1]]
        for item, spot, previous in zip(group, spots, before, strict=True):
            lead = [i for i in siblings[max(previous + 1, spot - 3) : spot] if has_date(tree, i)]
            item.tops = [*lead[-1:], *item.tops]


def _until_dated(tree: PageTree, places: Sequence[int]) -> list[int]:
    for n, i in enumerate(places):
        if has_date(tree, i):
            return list(places[: n + 1])
    return []


def own_places(tree: PageTree, item: CommentItem) -> Iterator[int]:
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


__all__ = ["CommentItem", "find_items", "joined", "own_places"]
