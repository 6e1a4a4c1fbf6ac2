"""Comments without a day that can be read, known by their number, by lines that say who speaks, or by how they are
made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.margins import names_comments
from blogforever.comments.namemarks import is_partly_named
from blogforever.comments.words import SPEAKS
from blogforever.page.view import PageView

# One of a kind proves nothing by itself.
_FEW = 2
# Words of a commenter's name in an element of its own.
_LONGEST_NAME = 6
# Words that a comment says at least beside a name; some only say "No.".
_FEWEST_SAID = 2
_STRESSED = frozenset({"b", "strong", "cite", "em", "i"})


def undated_runs(tree: PageView, places: Sequence[int], stated: int | None) -> list[list[int]]:
    """The elements of each comment among these, which are filled."""
    alike = most_frequent(tree, places)
    if len(alike) == stated and stated >= _FEW and _have_parts(tree, alike) and _are_called_so(tree, alike):
        return [[i] for i in alike]
    groups = _behind(places, lambda i: _says_who(tree, i)) or _behind(places, lambda i: tree.tags[i] == "dt")
    if len(groups) == stated or _all_say_who(tree, groups):
        return groups
    return [[i] for i in alike] if _are_made_alike(tree, alike) and _stand_as_comments(tree, places, alike) else []


def _stand_as_comments(tree: PageView, places: Sequence[int], alike: Sequence[int]) -> bool:
    """Whether readers can write below the last of some elements, or they are called after names."""
    return is_above_field(tree, places[-1]) or _are_called_names(tree, alike)


def most_frequent(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements of the most frequent tag."""
    by_tag = defaultdict(list)
    for i in places:
        by_tag[tree.tags[i]].append(i)
    return max(by_tag.values(), key=len, default=[])


def _have_parts(tree: PageView, alike: Sequence[int]) -> bool:
    """Whether each element has several parts, or begins with a stressed name before loose words."""
    return all(_count_parts(tree, i) >= _FEW or _begins_stressed(tree, i) for i in alike)


def _count_parts(tree: PageView, i: int) -> int:
    return sum(tree.count(n) > 0 for n in tree.children(i))


def _begins_stressed(tree: PageView, i: int) -> bool:
    first = i + 1
    is_stressed = first < tree.last[i] and tree.tags[first] in _STRESSED and tree.start[first] == tree.start[i]
    return is_stressed and 0 < tree.count(first) <= min(_LONGEST_NAME, tree.count(i) - _FEWEST_SAID)


def _are_called_so(tree: PageView, alike: Sequence[int]) -> bool:
    """Whether elements have no name, or one in common: every other one may be called by one more."""
    names = [set(tree.classes(i)) for i in alike]
    return not any(names) or bool(names[0].intersection(*names[1:]))


def _behind(places: Sequence[int], begins: Callable[[int], bool]) -> list[list[int]]:
    """Elements in runs, each behind one that begins it; none where the first does not, or a run has
    nothing else.
    """
    starts = [n for n, i in enumerate(places) if begins(i)]
    if len(starts) < _FEW or starts[0] != 0:
        return []
    groups = [list(places[first:stop]) for first, stop in pairwise([*starts, len(places)])]
    return groups if all(len(group) >= _FEW for group in groups) else []


def _all_say_who(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    return bool(groups) and all(_says_who(tree, group[0]) for group in groups)


def _says_who(tree: PageView, i: int) -> bool:
    """Whether an element is a line of who speaks: "Ann says:"."""
    return 0 < tree.count(i) <= _LONGEST_NAME and SPEAKS.search(tree.text(i)) is not None


def _are_made_alike(tree: PageView, alike: Sequence[int]) -> bool:
    """Whether elements are of one name and of the same two named parts, of which the first is as
    short as a name, and another one for each of them.
    """
    parts = [[n for n in tree.children(i) if tree.count(n)] for i in alike]
    kinds = {tuple((tree.tags[n], tree.attribute(n, "class")) for n in own) for own in parts}
    if len(alike) < _FEW or len(kinds) > 1 or not _are_called_so(tree, alike):
        return False
    (kind,) = kinds
    return len(kind) == _FEW and all(name for _tag, name in kind) and _begin_with_names(tree, parts)


def _begin_with_names(tree: PageView, parts: Sequence[Sequence[int]]) -> bool:
    """Whether each element is a short name, not the same for all, and more words that do not just link."""
    names = {tree.text(name).strip() for name, _said in parts}
    long = sum(tree.count(said) >= _FEWEST_SAID for _name, said in parts)
    return len(names) > 1 and 2 * long > len(parts) and all(_is_name_and_text(tree, *own) for own in parts)


def _is_name_and_text(tree: PageView, name: int, said: int) -> bool:
    return tree.links(said) < tree.count(said) and tree.count(name) <= _LONGEST_NAME


def _are_called_names(tree: PageView, alike: Sequence[int]) -> bool:
    """Whether elements are called after comments, and the first part of each the name of somebody: persons and teams
    are written so, too.
    """
    first = [next(n for n in tree.children(i) if tree.count(n)) for i in alike]
    return names_comments(tree.classes(alike[0])) and all(is_partly_named(tree, n) for n in first)


def is_above_field(tree: PageView, i: int) -> bool:
    """Whether a field to write in follows an element, with but a line before it."""
    end = tree.end[i]
    fields = (tree.place(field.parent) for field in tree.tree.css("textarea"))
    return any(n is not None and 0 <= tree.start[n] - end <= LONGEST_LABEL for n in fields)


__all__ = ["is_above_field", "most_frequent", "undated_runs"]
