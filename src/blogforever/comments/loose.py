"""Comments that stand in no elements of their own: loose texts between anchors, rules or lines with
a date.

Pages of the first weblog programs mark nothing but a bold name. What follows the line that
announces comments is cut into runs of one comment each, and every run is put into an element, so
that all who read comments can read them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from blogforever.comments.announcing import announcements
from blogforever.comments.dated import LONGEST_LABEL, is_dated
from blogforever.comments.items import CommentItem
from blogforever.comments.stated import read_count
from blogforever.comments.words import INVITATION, NUMBERED
from blogforever.dom import tokenise
from blogforever.elements import HEADINGS, is_inline
from blogforever.page.view import PageView

# Elements around an announcement behind which loose texts are looked for: a font or a paragraph.
_LEVELS = 3
# Announcements of one page that are tried, and nodes after one that are looked at: both bound the
# work.
_MOST_TRIED = 4
MOST_NODES = 5000
_ENDS = frozenset({"form", "footer", "nav", "aside", "table", "textarea", "script"})
_UNREAD = frozenset({"-comment", "script", "style"})
# One of a kind proves nothing by itself.
_FEW = 2
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class _Line:
    """Nodes up to a line break, or one block."""

    nodes: list[LexborNode] = field(default_factory=list)
    text: str = ""

    @property
    def is_label(self) -> bool:
        """Whether it is the line about a comment: short, with a date."""
        return 0 < len(tokenise(self.text)) <= LONGEST_LABEL and is_dated(self.text)


@dataclass(slots=True)
class _Section:
    """What follows an announcement: lines, and those at which something begins."""

    lines: list[_Line]
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
        place = heading
        for _level in range(_LEVELS):
            box = tree.parents[place]
            if box < 0:
                break
            if _has_loose_words(tree, box, after=place):
                section = _section(tree.nodes[place])
                runs = _runs(section, stated)
                if runs:
                    return LooseComments(_wrapped(tree, tree.nodes[box], runs), section.cut)
            place = box
    return None


def are_loose(tree: PageView, items: Sequence[CommentItem]) -> bool:
    """Whether no comments were found, or only anchors beside loose words."""
    return all(tree.tags[item.tops[0]] == "a" and not tree.count(item.tops[0]) for item in items)


def _has_loose_words(tree: PageView, box: int, after: int) -> bool:
    """Whether words stand right in an element, behind another in it."""
    return any(parent == box and first >= tree.end[after] for parent, first, _stop, _text in tree.texts)


def _section(heading: LexborNode) -> _Section:
    """The lines after an announcement, up to the form or the next heading."""
    section = _Section([_Line()], [], [], has_form=False)
    node = heading.next
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
    if tag in _UNREAD:
        return
    if tag == "hr":
        section.ruled.append(len(lines))
        lines.append(_Line())
        return
    if tag == "a" and _is_numbered(node):
        lines.append(_Line())
        section.anchored.append(len(lines) - 1)
    is_block = tag != "-text" and not is_inline(tag) and tag != "br"
    if is_block:
        lines.append(_Line())
    lines[-1].nodes.append(node)
    lines[-1].text += " " + _text(node)
    if is_block or tag == "br":
        lines.append(_Line())


def _text(node: LexborNode) -> str:
    return node.text_content or "" if node.tag == "-text" else node.text(separator=" ")


def _is_numbered(node: LexborNode) -> bool:
    attributes = node.attributes
    return NUMBERED.match(attributes.get("name") or attributes.get("id") or "") is not None


def _runs(section: _Section, stated: int | None) -> list[list[_Line]]:
    """The lines of each comment; none where they do not look like comments, each with a dated line
    and a text.
    """
    bounds = section.anchored or _rules(section) or _label_bounds(section.lines)
    if not bounds:
        return []
    stops = [*bounds[1:], len(section.lines)]
    runs = [section.lines[first:stop] for first, stop in zip(bounds, stops, strict=True)]
    filled = list(filter(_has_words, map(_without_invitation, runs)))
    if not filled or not all(map(_is_comment, filled)):
        return []
    return filled if _are_believed(section, len(filled), stated) else []


def _are_believed(section: _Section, count: int, stated: int | None) -> bool:
    """Whether so many comments are there as the page states; or several, or a form below, where it
    states none.
    """
    if stated is not None:
        return count == stated
    return count >= _FEW or section.has_form


def _has_words(run: Sequence[_Line]) -> bool:
    return any(tokenise(line.text) for line in run)


def _rules(section: _Section) -> list[int]:
    return [0, *section.ruled] if section.ruled else []


def _label_bounds(lines: Sequence[_Line]) -> list[int]:
    """Where runs begin whose first line, or whose last, has the date."""
    labels = [n for n, line in enumerate(lines) if line.is_label]
    if not labels:
        return []
    is_first = not any(tokenise(line.text) for line in lines[: labels[0]])
    return labels if is_first else [0, *(n + 1 for n in labels[:-1])]


def _without_invitation(run: list[_Line]) -> list[_Line]:
    """A run up to a line that asks for comments."""
    for n, line in enumerate(run):
        text = _SPACE.sub(" ", line.text).strip()
        if text and INVITATION.match(text) and read_count(text) is None:
            return run[:n]
    return run


def _is_comment(run: Sequence[_Line]) -> bool:
    """Whether a run has one line with a date, and other words."""
    labels = [line for line in run if line.is_label]
    others = [line for line in run if not line.is_label and tokenise(line.text)]
    return len(labels) == 1 and bool(others)


def _wrapped(tree: PageView, box: LexborNode, runs: Sequence[Sequence[_Line]]) -> PageView:
    """The page with these runs of nodes of an element in boxes."""
    nodes = [[node for line in lines for node in line.nodes] for lines in runs]
    first, last = ({run[end].mem_id for run in nodes} for end in (0, -1))
    parts: list[str] = []
    for node in box.iter(include_text=True):
        opening = '<div class="comment">' if node.mem_id in first else ""
        closing = "</div>" if node.mem_id in last else ""
        parts.append(f"{opening}{node.html}{closing}")
    # Both are written by the same parser, so that one stands in the other as it is.
    return PageView(str(tree.tree.html).replace(str(box.html), f"<div>{''.join(parts)}</div>", 1))


__all__ = ["are_loose", "with_runs"]
