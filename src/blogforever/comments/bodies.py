"""Which element of each comment of a page is its text, where no name of it says so: one that all of them have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.items import own_places
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import ACTS, LABELS
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

# Comments that show what all of them have: of one alone any element would do.
_FEWEST = 2
# Words beside text, name and date: ranks, devices, votes, buttons. With more a part of the text
# would be lost.
_MOST_BESIDE = 8
# Elements in which readers write.
_WRITTEN = HEADINGS | {"p", "blockquote", "pre", "li", "dd"}


def shared_bodies(context: PageContext, drafts: Sequence[CommentDraft]) -> frozenset[int]:
    """The elements with the texts of all comments: of one name that each of them has once, with
    neither the name nor the date in it, and so that what stands beside is no text.
    """
    said = [draft for draft in drafts if draft.kind == "comment"]
    if len(said) < _FEWEST:
        return frozenset()
    for bodies in _shared_places(context.tree, said):
        said_there = [context.tree.words_of(body) for body in bodies]
        # What all of them say alike is of the system: since when each is a member, say.
        if all(map(_is_done_to_it, said_there)) or all(words == said_there[0] for words in said_there):
            continue
        if all(_is_all_text(context, draft, body) for draft, body in zip(said, bodies, strict=True)):
            return frozenset(bodies)
    return frozenset()


def _shared_places(tree: PageView, said: Sequence[CommentDraft]) -> list[list[int]]:
    """The elements of each name that all comments have once, those with the most words first."""
    by_name = [_named_once(tree, draft) for draft in said]
    # In the order of the page: of names with as many words the first one is meant, in every run.
    shared = [name for name in by_name[0] if all(name in places for places in by_name)]
    by_words = sorted(shared, key=lambda name: -sum(tree.count(places[name]) for places in by_name))
    return [[places[name] for places in by_name] for name in by_words]


def _named_once(tree: PageView, draft: CommentDraft) -> dict[str, int]:
    """The elements of a comment that alone in it have a name, with words but without those about it."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for i in own_places(tree, draft.item):
        for name in tree.classes(i) if tree.count(i) else ():
            found[name].append(i)
    alone = {name: places[0] for name, places in found.items() if len(places) == 1}
    return {name: i for name, i in alone.items() if _may_be_body(tree, draft, i)}


def _may_be_body(tree: PageView, draft: CommentDraft, i: int) -> bool:
    inside = range(i, tree.last[i])
    about = (draft.name_place, draft.date_place, *draft.item.nested)
    return i not in draft.item.tops and not any(n is not None and n in inside for n in about)


def _is_all_text(context: PageContext, draft: CommentDraft, body: int) -> bool:
    """Whether few words stand beside the text of a comment, and none of them loose or in what readers write."""
    tree = context.tree
    places = (body, draft.name_place, draft.date_place, _line_of(tree, draft, body))
    about = [place for place in places if place is not None]
    beside = 0
    for n in context.own_texts(draft.item):
        parent, first, stop, _text = tree.texts[n]
        if first == stop or n == draft.date_text_place or any(i <= parent < tree.last[i] for i in about):
            continue
        if _is_done_to_it(tree.words[first:stop]):
            continue
        beside += stop - first
        if beside > _MOST_BESIDE or _is_written(tree, parent, draft.item.tops):
            return False
    return True


def _line_of(tree: PageView, draft: CommentDraft, body: int) -> int | None:
    """The element that holds both the name and the date of a comment, as short as a line, beside its
    text: whatever else stands in it is about the comment.
    """
    name, date = draft.name_place, draft.date_place
    if name is None or date is None:
        return None
    line = next((i for i in (name, *tree.ancestors(name)) if i <= date < tree.last[i]), None)
    if line is None or line in draft.item.tops or tree.count(line) > LONGEST_LABEL:
        return None
    return None if line <= body < tree.last[line] else line


def _is_done_to_it(words: Sequence[str]) -> bool:
    """Whether words say what can be done to a comment, or what stands where: a whole text of a
    reader's would say more.
    """
    return all(word in ACTS or word in LABELS for word in words)


def _is_written(tree: PageView, i: int, tops: Sequence[int]) -> bool:
    """Whether an element of a comment is one in which readers write, or stands in such a one, or in
    none with a name: what systems add they call something.
    """
    is_called = False
    while i not in tops and i >= 0:
        if tree.tags[i] in _WRITTEN:
            return True
        is_called = is_called or bool(tree.classes(i))
        i = tree.parents[i]
    return not is_called


__all__ = ["shared_bodies"]
