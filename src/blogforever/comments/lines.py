"""Lines of a page that only breaks part: the one about a comment is put into an element, so that all who read comments
can read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from blogforever.comments.dated import LONGEST_LABEL, is_dated
from blogforever.comments.items import CommentItem
from blogforever.comments.words import LABELS, SPOKE
from blogforever.dates import find_dates
from blogforever.dom import tokenise
from blogforever.elements import is_inline
from blogforever.page.view import PageView

UNREAD = frozenset({"-comment", "script", "style"})
_STRESSED = frozenset({"b", "strong", "cite", "em", "i"})
# Words of a commenter's name; a longer one is a stressed sentence at the head of a text.
_LONGEST_NAME = 8
# Characters behind a name in which its day stands.
_LEAD = 60
# Comments that show how all of them are written: dates of thousands take long to look for.
_SAMPLE = 12
# One of a kind proves nothing by itself.
_FEW = 2


@dataclass(slots=True)
class BrokenLine:
    """Nodes up to a line break, or one block."""

    nodes: list[LexborNode] = field(default_factory=list)
    text: str = ""

    @property
    def is_label(self) -> bool:
        """Whether it is the line about a comment: short, with a date."""
        return 0 < len(tokenise(self.text)) <= LONGEST_LABEL and is_dated(self.text)

    @property
    def says_who(self) -> bool:
        """Whether it begins with a stressed name and a colon, or a word like "says"."""
        behind = self._behind_name
        return behind is not None and SPOKE.match(behind) is not None

    @property
    def says_who_and_when(self) -> bool:
        """Whether it begins with a stressed name and a day, and says more: "Ann (4 March 2013):
        …".
        """
        found = find_dates((self._behind_name or "")[:_LEAD], limit=1)
        if not found or self._behind_name is None:
            return False
        before, after = self._behind_name[: found[0].start], self._behind_name[found[0].end :]
        return LABELS.issuperset(tokenise(before)) and bool(tokenise(after))

    @property
    def _behind_name(self) -> str | None:
        """What follows a stressed name with which it begins."""
        filled = [node for node in self.nodes if node.tag != "-text" or (node.text_content or "").strip()]
        first = filled[0] if filled else None
        if first is None or first.tag not in _STRESSED:
            return None
        name = first.text().strip()
        is_name = 0 < len(tokenise(name)) <= _LONGEST_NAME
        return self.text.strip()[len(name.rstrip(":： ")) :] if is_name else None

    def add(self, node: LexborNode) -> None:
        """One more node of the line."""
        self.nodes.append(node)
        self.text += " " + (node.text_content or "" if node.tag == "-text" else node.text(separator=" "))

    @property
    def edges(self) -> tuple[int, int] | None:
        """The first and the last node, where they have no element of their own."""
        filled = [node for node in self.nodes if node.tag not in ("br", *UNREAD)]
        is_element = len(filled) == 1 and filled[0].tag != "-text"
        return None if is_element or not filled else (filled[0].mem_id, filled[-1].mem_id)


def is_block(tag: str) -> bool:
    """Whether an element is a line, or several, by itself."""
    return tag not in ("-text", "br") and not is_inline(tag)


def with_lines(tree: PageView, items: Sequence[CommentItem]) -> PageView | None:
    """The page with the line about each comment in an element of its own, where it stands loose
    beside the text, parted by a break; None where that is not how its comments are written.
    """
    if len(items) < _FEW or any(len(item.tops) > 1 or item.nested for item in items):
        return None
    tops = [tree.nodes[item.tops[0]] for item in items]
    if not all(_label_of(_lines(top)) for top in tops[:_SAMPLE]):
        return None
    source = str(tree.tree.html)
    parts: list[str] = []
    done = 0
    for top in tops:
        inner = "".join(node.html or "" for node in top.iter(include_text=True))
        place = source.find(inner, done)
        if place < 0:
            return None
        parts += (source[done:place], *with_labels(top, _label_of(_lines(top))))
        done = place + len(inner)
    return PageView("".join([*parts, source[done:]]))


def with_labels(box: LexborNode, labels: Iterable[BrokenLine]) -> Iterator[str]:
    """The mark-up of what is in an element, with these lines of it in elements of their own."""
    edges = [line.edges for line in labels if line.edges]
    first, last = {edge[0] for edge in edges}, {edge[1] for edge in edges}
    for node in box.iter(include_text=True):
        yield f"{'<span>' if node.mem_id in first else ''}{node.html}{'</span>' if node.mem_id in last else ''}"


def _lines(box: LexborNode) -> list[BrokenLine]:
    """The lines of an element; one line where nothing parts them."""
    lines = [BrokenLine()]
    for node in box.iter(include_text=True):
        tag = node.tag or ""
        if tag in UNREAD:
            continue
        if is_block(tag):
            return []
        lines[-1].add(node)
        if tag == "br":
            lines.append(BrokenLine())
    return [line for line in lines if tokenise(line.text)]


def _label_of(lines: Sequence[BrokenLine]) -> list[BrokenLine]:
    """The first or the last of several lines, where it is the one about the comment and stands loose."""
    if len(lines) < _FEW:
        return []
    return [line for line in (lines[0], lines[-1]) if line.edges and line.is_label][:1]


__all__ = ["UNREAD", "BrokenLine", "is_block", "with_labels", "with_lines"]
