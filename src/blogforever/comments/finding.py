"""Which parts of a page are comments: what is numbered or named so, or repeats below a heading."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from blogforever.comments.boxed import groups_in_box
from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.headed import groups_below_heading
from blogforever.comments.items import CommentItem, parts_of
from blogforever.comments.marking import marked_elements
from blogforever.comments.nesting import parted, threaded
from blogforever.comments.spreading import spread_out
from blogforever.comments.systems import RulePlaces
from blogforever.comments.words import ANSWERS, HEADING, INVITATION, has_token
from blogforever.page.view import PageView

NO_PLACES = RulePlaces()
# Elements after a marked one among which another of its class is looked for.
_SAMPLE = 12
# Words of "No comments yet", "Be the first to comment". With more, a short comment that speaks of
# comments is lost.
_LONGEST_INVITATION = 12
_LISTS = frozenset({"ol", "ul", "li"})
# Elements in a comment whose tags are compared with those in another, and how many of them tell anything.
_SHAPE = 4
_TELLING_SHAPE = 3


def find_items(tree: PageView, by_rule: RulePlaces = NO_PLACES, *, denied: bool = False) -> list[CommentItem]:
    """The comments of a page in order; none where nothing says that readers wrote something.

    Where the page says that it has none (`denied`), nothing is taken for a comment by its shape alone.
    """
    marked = marked_elements(tree)
    for i, number in by_rule.items.items():
        marked[i] = marked.get(i) or number
    single = _collapsed(tree, dict(sorted(marked.items())))
    if single:
        return spread_out(tree, threaded(tree, single))
    groups = [] if denied else groups_below_heading(tree) or groups_in_box(tree)
    if any(len(group) > 1 for group in groups):
        return [CommentItem(group) for group in groups]
    alike = _with_nested(tree, [group[0] for group in groups])
    return parted(tree, threaded(tree, dict.fromkeys(alike)))


def _with_nested(tree: PageView, places: Sequence[int]) -> list[int]:
    """Elements of one comment each, and those made like them inside, which are answers."""
    shapes = {_shape(tree, i) for i in places}
    found: list[int] = []
    for i in places:
        inside = range(i + 1, tree.last[i])
        made_alike = [n for n in inside if tree.tags[n] == tree.tags[i] and _shape(tree, n) in shapes]
        found += [i, *(n for n in made_alike if len(_shape(tree, n)) >= _TELLING_SHAPE)]
    return found


def _shape(tree: PageView, i: int) -> tuple[str, ...]:
    """The tags of the first elements in an element."""
    return tuple(tree.tags[n] for n in tree.children(i)[:_SHAPE])


def _collapsed(tree: PageView, marked: dict[int, str | None]) -> dict[int, str | None]:
    """One element for each comment, without those that name it again, and without mere lists."""
    kept: dict[int, str | None] = {}
    open_items: list[int] = []
    below: defaultdict[int, list[int]] = defaultdict(list)
    seen_numbers: set[str] = set()
    stops: dict[int, int] = {}
    for i, number in marked.items():
        while open_items and stops[open_items[-1]] <= i:
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
            stops[i] = tree.last[parts_of(tree, i)[-1]]
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
    # What answers a term stands in a definition beside it.
    around = {outer, tree.parents[outer]}
    while place not in around and place >= 0:
        names = [*tree.classes(place), tree.attribute(place, "id")]
        is_list = tree.tags[place] in _LISTS or (tree.tags[place] == "dl" and place != i)
        if is_list or has_token(names, ANSWERS):
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


__all__ = ["find_items"]
