"""What repeats right below a heading of its own that speaks of something else than comments."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from blogforever.comments.dated import is_dated
from blogforever.comments.margins import names_comments
from blogforever.comments.words import HEADING, INVITATION, LETTERED, PINGBACK
from blogforever.elements import HEADINGS, word_set
from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of

# The title of the page stands above all of it.
_RANKS = HEADINGS - {"h1"}
# Elements before the first of what repeats among which its heading stands: the boxes around it, and
# empty ones. It bounds the work.
_NEAR = 40
_NUMBERS = re.compile(r"\d+")
_TALK = re.compile(
    r"\b(?:messag|mensa[gj]|nachricht|bericht|conversa|gespr|discus|disk[ou]s|debat|talk|said|voices|mein|avis|"
    r"сообщ|обсужд|мнени|メッセージ|讨论|討論|방명록|의견)",
    re.IGNORECASE,
)
"""How headings above comments begin a word where they do not call them so: "Your messages", "Join the talk"."""
_OF_OTHERS = re.compile(
    r"\W*(?:recent|latest|newest|last|popular|customer|client|guest|press|comment of the|"
    r"what \w+ sa(?:y|id) about (?:us|our|my))\b",
    re.IGNORECASE,
)
"""How headings begin that speak of what was said elsewhere: "Latest comments", "Customer feedback"."""
_SAID_ABOUT = re.compile(r"\W*what \w+ sa(?:y|id) about\b", re.IGNORECASE)
"""How headings begin above comments, or above what was said elsewhere: then each is in quotation marks."""
_QUOTATION_MARKS = tuple('"“”„«»‘「『')
_CALLED = word_set("""
    testimonial testimonials tweet tweets timeline footnote footnotes reference references gallery event events
""")
"""Words in the names of what repeats that is no comment."""


def are_about_others(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether the heading right above what repeats announces something else: events, versions, what guests say.

    Not in a box that is named after comments: themes call those as they like. Nor where each has such a heading: it
    is the name of who wrote it.
    """
    if not groups or any(_is_named(tree, i) for i in tree.ancestors(groups[0][0])):
        return False
    if _are_called_otherwise(tree, groups):
        return True
    heading = _heading_above(tree, groups[0][0])
    if heading is None or (_speaks_of_comments(tree, heading, len(groups)) and not _are_quoted(tree, heading, groups)):
        return False
    return len(groups) == 1 or _heading_above(tree, groups[1][0]) is None


def _are_quoted(tree: PageView, heading: int, groups: Sequence[Sequence[int]]) -> bool:
    """Whether what others say, as a heading has it, is all in quotation marks."""
    if _SAID_ABOUT.match(tree.text(heading)) is None:
        return False
    return all(tree.text(group[0]).lstrip().startswith(_QUOTATION_MARKS) for group in groups)


def _are_called_otherwise(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether the names of all elements, or of the box around them, say that they are something else."""
    names = [tree.classes(group[0]) for group in groups]
    around = tree.classes(tree.parents[groups[0][0]])
    return _is_called(around) or all(map(_is_called, names))


def _is_called(tokens: Sequence[str]) -> bool:
    return not names_comments(tokens) and any(not _CALLED.isdisjoint(parts_of(token)) for token in tokens)


def without_sections(tree: PageView, groups: list[list[int]]) -> list[list[int]]:
    """The groups without single elements called otherwise than most, that alone begin with a heading: what follows
    the comments has one.
    """
    kinds = [_kind(tree, group) for group in groups]
    usual, number = Counter(kinds).most_common(1)[0] if kinds else (None, 0)
    if usual is None or number != len(groups) - 1:
        return groups
    headed = [kind for kind, group in zip(kinds, groups, strict=True) if _begins_with_heading(tree, group[0])]
    is_section = len(headed) == 1 and headed[0] != usual
    return [group for kind, group in zip(kinds, groups, strict=True) if kind == usual] if is_section else groups


def _kind(tree: PageView, group: Sequence[int]) -> tuple[str, str] | None:
    """Tag and name of a single element that has one."""
    name = tree.attribute(group[0], "class")
    return (tree.tags[group[0]], name) if name and len(group) == 1 else None


def _begins_with_heading(tree: PageView, i: int) -> bool:
    inside = range(i, min(tree.last[i], i + _NEAR))
    return any(tree.tags[n] in _RANKS and tree.count(n) and tree.start[n] == tree.start[i] for n in inside)


def without_others(tree: PageView, marked: Mapping[int, str | None]) -> dict[int, str | None]:
    """The elements that are named as comments without those side by side whose heading says that they are others:
    the latest ones of the blog, or versions and sources that are numbered alike.
    """
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for i in marked:
        beside[tree.parents[i]].append(i)
    gone = {i for places in beside.values() if _are_numbered_others(tree, places) for i in places}
    return {i: number for i, number in marked.items() if i not in gone}


def _are_numbered_others(tree: PageView, places: Sequence[int]) -> bool:
    """Whether elements side by side that are named as comments are others by their heading."""
    heading = _heading_above(tree, places[0])
    if heading is None or not are_about_others(tree, [[i] for i in places]):
        return False
    are_lettered = all(LETTERED.match(tree.attribute(i, "id")) for i in places)
    return are_lettered or _OF_OTHERS.match(tree.text(heading).strip()) is not None


def _is_named(tree: PageView, i: int) -> bool:
    return names_comments([tree.attribute(i, "id"), *tree.classes(i)])


def _heading_above(tree: PageView, i: int) -> int | None:
    """The heading after which an element begins, with no word between them."""
    return next((n for n in _ending_before(tree, i) if tree.tags[n] in _RANKS), None)


def _ending_before(tree: PageView, i: int) -> Iterator[int]:
    """The filled elements near before one that end where it begins."""
    for n in range(i - 1, max(i - _NEAR, 0), -1):
        if tree.end[n] < tree.start[i] and tree.count(n):
            return
        if tree.end[n] == tree.start[i] and tree.count(n):
            yield n


def _speaks_of_comments(tree: PageView, heading: int, number: int) -> bool:
    """Whether a heading announces comments, asks for one, counts so many things, or is the line about the first."""
    text = " ".join(tree.text(heading).split())
    if str(number) in _NUMBERS.findall(text) or is_dated(text):
        return True
    ways = (HEADING, INVITATION, PINGBACK)
    return not _OF_OTHERS.match(text) and (any(way.match(text) for way in ways) or _TALK.search(text) is not None)


__all__ = ["are_about_others", "without_others", "without_sections"]
