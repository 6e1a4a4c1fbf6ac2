"""Which element of each comment is the name of who wrote it, where neither a mark nor a date shows it: one with which
all of them begin, or in which it stands in most of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from blogforever.comments.counting import first_word
from blogforever.comments.items import own_places
from blogforever.comments.signatures import is_sentence
from blogforever.comments.view import CommentDraft
from blogforever.comments.words import ACTS
from blogforever.page.view import PageView

_Kind = tuple[str, str]
"""Tag and class of an element."""
_IN_BRACKETS = re.compile(r"\[[^\[\]]+\]|【[^【】]+】|\([^()]+\)")
_COUNTED = re.compile(r"(\d{1,5})\s+(?=[^\W\d])")
# Comments that show how all of them begin: of one alone any element would do.
_FEWEST = 2
# Share of the comments of a page that show where all of them have the name: guests and members
# may differ.
_MOST = 0.5
# Share of them that have a number: of some the name and the number are read as a day.
_NEARLY_ALL = 0.8
# Words of a name that nothing marks but its place before the text.
_LONGEST_NAME = 6
# Elements at the head of a comment that may be the name: boxes around it, empty ones before it.
_HEAD = 12
# Elements around a name that may have no other word: a link, a line, a box.
_NEAR_LEVELS = 3


def usual_names(tree: PageView, drafts: Sequence[CommentDraft]) -> dict[int, int]:
    """The element with the name of each of these comments that is to be read anew, by its place
    among them.
    """
    said = {n: draft for n, draft in enumerate(drafts) if draft.kind == "comment"}
    if len(said) < _FEWEST:
        return {}
    if any(draft.name or draft.date_text for draft in said.values()):
        return _as_in_most(tree, said)
    return _as_all_begin(tree, said)


def drop_usual_brackets(drafts: Sequence[CommentDraft]) -> None:
    """Take the brackets off the names of a page where all are in some: a single one may be called
    so.
    """
    named = [draft for draft in drafts if draft.name]
    if len(named) >= _FEWEST and all(_IN_BRACKETS.fullmatch(draft.name) for draft in named):
        for draft in named:
            draft.name = draft.name[1:-1].strip()


def drop_usual_openings(drafts: Sequence[CommentDraft]) -> None:
    """Take off the names of a page the words with which all of them begin, in any language: "Sent by".
    They end with a colon, or begin small and are those of several names.
    """
    named = [draft for draft in drafts if draft.name and draft.kind == "comment"]
    opening = _common_opening([draft.name.split() for draft in named])
    said = " ".join(opening)
    is_label = said.endswith((":", "：")) or (len(named) > _FEWEST and said[:1].islower())
    if not opening or not is_label or len({draft.name for draft in named}) < _FEWEST:
        return
    for draft in named:
        draft.name = " ".join(draft.name.split()[len(opening) :])


def drop_counts(drafts: Sequence[CommentDraft]) -> None:
    """Take off the names of a page the numbers of the comments, where nearly each begins with its own: "3 Greta"."""
    counted = [(n, draft, _COUNTED.match(draft.name)) for n, draft in enumerate(drafts)]
    numbers = [(n, int(match[1])) for n, _draft, match in counted if match]
    # Upwards from some number, or downwards.
    steps = Counter([*(number - n for n, number in numbers), *(-number - n for n, number in numbers)])
    fewest = max(_FEWEST, _NEARLY_ALL * len(drafts))
    is_first = len(drafts) == 1 and numbers == [(0, 1)]
    if is_first or any(count >= fewest for count in steps.values()):
        for _n, draft, match in counted:
            draft.name = draft.name[match.end() if match else 0 :]


def _common_opening(names: Sequence[Sequence[str]]) -> Sequence[str]:
    """The words with which all of several names begin, if each goes on with a word of letters."""
    if len(names) < _FEWEST:
        return []
    opening = names[0]
    for name in names:
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(opening, name, strict=False))
        opening = [word for word, _same in shared]
    goes_on = all(any(map(str.isalpha, " ".join(name[len(opening) :]))) for name in names)
    return opening if goes_on else []


def _as_in_most(tree: PageView, said: dict[int, CommentDraft]) -> dict[int, int]:
    """The elements of the kind in which most comments have their name, for those of which only loose
    words seemed to be one, or none.
    """
    usual = _usual_kinds(tree, said)
    if not usual and _are_nameless(said):
        return _as_all_begin(tree, said)
    unplaced = [(n, draft) for n, draft in said.items() if draft.name_place is None]
    found = {n: _of_kinds(tree, draft, usual) for n, draft in unplaced}
    return {n: i for n, i in found.items() if i is not None}


def _usual_kinds(tree: PageView, said: dict[int, CommentDraft]) -> list[_Kind]:
    """The kinds in which most comments have their name; else those of which each comment has an element."""
    kinds = Counter(kind for draft in said.values() for kind in _kinds_of_name(tree, draft))
    most = [kind for kind, count in kinds.most_common() if count > _MOST * len(said)]
    return most or _everywhere(tree, said, kinds)


def _everywhere(tree: PageView, said: dict[int, CommentDraft], kinds: Counter[_Kind]) -> list[_Kind]:
    """The kinds of element in which all comments with a name, and there are several, have it, and of which each of
    the others has one, too: few readers may have a site to which their name links.
    """
    nameless = [draft for draft in said.values() if not draft.name]
    named = len(said) - len(nameless)
    shared = [kind for kind, count in kinds.items() if _FEWEST <= count == named]
    return [kind for kind in shared if all(_of_kind(tree, draft, kind) is not None for draft in nameless)]


def _of_kinds(tree: PageView, draft: CommentDraft, kinds: Sequence[_Kind]) -> int | None:
    """The only element in a comment of the first of these kinds of which there is one."""
    return next(filter(None, (_of_kind(tree, draft, kind) for kind in kinds)), None)


def _are_nameless(said: dict[int, CommentDraft]) -> bool:
    """Whether most comments have no name."""
    return sum(not draft.name for draft in said.values()) > _MOST * len(said)


def _as_all_begin(tree: PageView, said: dict[int, CommentDraft]) -> dict[int, int]:
    """The elements of one kind with which all comments begin."""
    heads = {n: _heads(tree, draft) for n, draft in said.items()}
    kind = _usual_kind(tree, list(heads.values()))
    return {n: own[kind] for n, own in heads.items()} if kind else {}


def _kinds_of_name(tree: PageView, draft: CommentDraft) -> set[_Kind]:
    """What the element with the name of a comment is called, and those around it with no other word: guests have no
    link in them.
    """
    place = draft.name_place
    kinds: set[_Kind] = set()
    for _level in range(_NEAR_LEVELS):
        if place is None or place in draft.item.tops:
            break
        if tree.classes(place):
            kinds.add((tree.tags[place], tree.attribute(place, "class")))
        around = tree.parents[place]
        place = around if tree.count(around) == tree.count(place) else None
    return kinds


def _of_kind(tree: PageView, draft: CommentDraft, kind: _Kind) -> int | None:
    """The only element of a kind in a comment, if it may be a name."""
    places = own_places(tree, draft.item)
    own = [i for i in places if (tree.tags[i], tree.attribute(i, "class")) == kind]
    if len(own) != 1 or not 0 < tree.count(own[0]) <= _LONGEST_NAME:
        return None
    return own[0] if _may_be_name(tree, own[0]) else None


def _usual_kind(tree: PageView, heads: Sequence[dict[_Kind, int]]) -> _Kind | None:
    """What the element is with which all comments begin; one that says the same everywhere is a label."""
    for kind in heads[0]:
        if all(kind in own for own in heads) and len({tree.text(own[kind]).strip() for own in heads}) > 1:
            return kind
    return None


def _heads(tree: PageView, draft: CommentDraft) -> dict[_Kind, int]:
    """The named elements of a few words with which a comment begins, by what they are, the outermost first."""
    places = list(own_places(tree, draft.item))
    first = first_word(tree, places)
    whole = sum(map(tree.count, draft.item.tops))
    found: dict[_Kind, int] = {}
    for i in places[:_HEAD]:
        is_head = tree.start[i] == first and 0 < tree.count(i) <= min(_LONGEST_NAME, whole // 2)
        if is_head and tree.classes(i) and _may_be_name(tree, i):
            found.setdefault((tree.tags[i], tree.attribute(i, "class")), i)
    return found


def _may_be_name(tree: PageView, i: int) -> bool:
    return not ACTS.issuperset(tree.words_of(i)) and not is_sentence(tree.text(i).strip())


__all__ = ["drop_counts", "drop_usual_brackets", "drop_usual_openings", "usual_names"]
