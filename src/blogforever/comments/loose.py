"""Comments that stand in no elements of their own: loose texts between anchors, rules or lines with
a date.

Pages of the first weblog programs mark nothing but a bold name. What follows the line that
announces comments is cut into runs of one comment each, and every run is put into an element, so
that all who read comments can read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from blogforever.comments.announcing import announcements
from blogforever.comments.items import CommentItem
from blogforever.comments.lines import UNREAD, BrokenLine, is_block, with_labels
from blogforever.comments.stated import read_count
from blogforever.comments.words import INVITATION, NUMBERED
from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.page.view import PageView

# Elements around an announcement behind which loose texts are looked for: a font or a paragraph.
_LEVELS = 3
# Announcements of one page that are tried, and nodes after one that are looked at: both bound the
# work.
_MOST_TRIED = 4
MOST_NODES = 5000
_ENDS = frozenset({"form", "footer", "nav", "aside", "table", "textarea", "script"})
# One of a kind proves nothing by itself.
_FEW = 2
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class _Section:
    """What follows an announcement: lines, and those at which something begins."""

    lines: list[BrokenLine]
    anchored: list[int]
    ruled: list[int]
    has_form: bool
    cut: bool = False
    """Whether more follows than is looked at."""


class LooseComments(NamedTuple):
    """A page with each comment of loose text in an element of its own; `cut` says that more follow than are read."""

    page: PageView
    cut: bool = False


def with_runs(tree: PageView) -> LooseComments | None:
    """The loose comments of a page; None where it has none."""
    for heading, stated in islice(announcements(tree), _MOST_TRIED):
        for box, first in _beginnings(tree, heading):
            section = _section(first)
            runs = _runs(section, stated)
            if runs:
                return LooseComments(_wrapped(tree, tree.nodes[box], runs), section.cut)
    return None


def _beginnings(tree: PageView, heading: int) -> Iterator[tuple[int, LexborNode | None]]:
    """The elements with loose words behind a heading, each with the node with which these begin:
    those around the heading, and the box right after it.
    """
    place = heading
    for _level in range(_LEVELS):
        box = tree.parents[place]
        if box < 0:
            return
        if _has_loose_words(tree, box, first=tree.end[place]):
            yield box, tree.nodes[place].next
        following = next((n for n in tree.children(box) if n > place and tree.count(n)), box)
        inside = _innermost(tree, following)
        if following != box and _has_loose_words(tree, inside, first=tree.start[inside]):
            yield inside, tree.nodes[inside].child
        place = box


def _innermost(tree: PageView, box: int) -> int:
    """The innermost element with all words of one."""
    while True:
        inner = next((n for n in tree.children(box) if tree.count(n)), box)
        if inner == box or tree.count(inner) < tree.count(box):
            return box
        box = inner


def are_loose(tree: PageView, items: Sequence[CommentItem]) -> bool:
    """Whether no comments were found, or only anchors beside loose words."""
    return all(tree.tags[item.tops[0]] == "a" and not tree.count(item.tops[0]) for item in items)


def _has_loose_words(tree: PageView, box: int, first: int) -> bool:
    """Whether words stand right in an element, behind the first so many of the page."""
    return any(parent == box and word >= first and stop > word for parent, word, stop, _text in tree.texts)


def _section(node: LexborNode | None) -> _Section:
    """The lines from a node on, up to the form or the next heading."""
    section = _Section([BrokenLine()], [], [], has_form=False)
    for _n in range(MOST_NODES):
        if node is None or node.tag in HEADINGS:
            return section
        if node.tag in _ENDS:
            section.has_form = node.tag == "form"
            return section
        _add(section, node)
        node = node.next
    section.cut = node is not None
    return section


def _add(section: _Section, node: LexborNode) -> None:
    """One more node: a part of the last line, or the end of it."""
    lines = section.lines
    tag = node.tag or ""
    if tag in UNREAD:
        return
    if tag == "hr":
        section.ruled.append(len(lines))
        lines.append(BrokenLine())
        return
    if tag == "a" and _is_numbered(node):
        lines.append(BrokenLine())
        section.anchored.append(len(lines) - 1)
    is_alone = is_block(tag)
    if is_alone:
        lines.append(BrokenLine())
    lines[-1].add(node)
    if is_alone or tag == "br":
        lines.append(BrokenLine())


def _is_numbered(node: LexborNode) -> bool:
    attributes = node.attributes
    return NUMBERED.match(attributes.get("name") or attributes.get("id") or "") is not None


def _runs(section: _Section, stated: int | None) -> list[list[BrokenLine]]:
    """The lines of each comment; none where they do not look like comments, each with a dated line
    and a text, or with both in one. Without dates they are believed where so many lines begin with
    who speaks as the page states.
    """
    return _dated_runs(section, stated) or _spoken_runs(section, stated)


def _dated_runs(section: _Section, stated: int | None) -> list[list[BrokenLine]]:
    """The lines of comments with a dated line each, or that begin with a name and a day."""
    bounds = section.anchored or _rules(section) or _label_bounds(section.lines)
    runs = _filled_runs(section, bounds)
    if not runs or not all(map(_is_comment, runs)):
        opened = [n for n, line in enumerate(section.lines) if line.says_who_and_when]
        runs = _filled_runs(section, opened)
    return runs if runs and _are_believed(section, len(runs), stated) else []


def _spoken_runs(section: _Section, stated: int | None) -> list[list[BrokenLine]]:
    """The lines of as many comments without dates as stated."""
    spoken = _filled_runs(section, [n for n, line in enumerate(section.lines) if line.says_who])
    return spoken if _FEW <= len(spoken) == stated else []


def _filled_runs(section: _Section, bounds: Sequence[int]) -> list[list[BrokenLine]]:
    """The lines between bounds, where there are words."""
    if not bounds:
        return []
    stops = [*bounds[1:], len(section.lines)]
    runs = [section.lines[first:stop] for first, stop in zip(bounds, stops, strict=True)]
    return list(filter(_has_words, map(_without_invitation, runs)))


def _are_believed(section: _Section, count: int, stated: int | None) -> bool:
    """Whether so many comments are there as the page states; or several, or a form below, where it
    states none.
    """
    if stated is not None:
        return count == stated
    return count >= _FEW or section.has_form


def _has_words(run: Sequence[BrokenLine]) -> bool:
    return any(tokenise(line.text) for line in run)


def _rules(section: _Section) -> list[int]:
    return [0, *section.ruled] if section.ruled else []


def _label_bounds(lines: Sequence[BrokenLine]) -> list[int]:
    """Where runs begin whose first line, or whose last, has the date."""
    labels = [n for n, line in enumerate(lines) if line.is_label]
    if not labels:
        return []
    is_first = not any(tokenise(line.text) for line in lines[: labels[0]])
    return labels if is_first else [0, *(n + 1 for n in labels[:-1])]


def _without_invitation(run: list[BrokenLine]) -> list[BrokenLine]:
    """A run up to a line that asks for comments."""
    for n, line in enumerate(run):
        text = _SPACE.sub(" ", line.text).strip()
        if text and INVITATION.match(text) and read_count(text) is None:
            return run[:n]
    return run


def _is_comment(run: Sequence[BrokenLine]) -> bool:
    """Whether a run has one line with a date, and other words."""
    labels = [line for line in run if line.is_label]
    others = [line for line in run if not line.is_label and tokenise(line.text)]
    return len(labels) == 1 and bool(others)


def _wrapped(tree: PageView, box: LexborNode, runs: Sequence[Sequence[BrokenLine]]) -> PageView:
    """The page with these runs of nodes of an element in boxes, and the line about each in one, too."""
    nodes = [[node for line in lines for node in line.nodes] for lines in runs]
    first, last = ({run[end].mem_id for run in nodes} for end in (0, -1))
    labels = [line for lines in runs for line in lines if line.is_label]
    parts: list[str] = []
    for node, markup in zip(box.iter(include_text=True), with_labels(box, labels), strict=True):
        opening = '<div class="comment">' if node.mem_id in first else ""
        closing = "</div>" if node.mem_id in last else ""
        parts.append(f"{opening}{markup}{closing}")
    # Both are written by the same parser, so that one stands in the other as it is.
    return PageView(str(tree.tree.html).replace(str(box.html), f"<div>{''.join(parts)}</div>", 1))


__all__ = ["are_loose", "with_runs"]
