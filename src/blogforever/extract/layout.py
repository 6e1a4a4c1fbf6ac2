"""A page as flat columns in document order: one pass, then only arithmetic on intervals."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from blogforever.extract.treewalk import walk_tree
from blogforever.extract.vocabulary import kind_of, word_set

_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_]+"
)
_HIDDEN = word_set(
    "script style noscript template textarea select svg object button datalist math",
)
_INLINE = word_set("""
    a abbr acronym b bdi bdo big cite code dfn em font i img input ins del kbd label mark q s samp small span
    strike strong sub sup time tt u var wbr br picture source
""")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LISTINGS = frozenset(("pre", "code"))
_NAMING = ("id", "class", "itemprop", "role")
# Bounds of work: characters of an element that is read as a line, and elements of a page.
_LONGEST_TEXT = 4000
_MAX_NODES = 200_000


@dataclass(slots=True)
class Layout:
    """Column i of every list is about element i.

    A subtree is the interval [i, ends[i]) of elements.
    """

    nodes: list[LexborNode] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # words before the element
    stops: list[int] = field(default_factory=list)  # words up to its end
    link_starts: list[int] = field(default_factory=list)
    link_stops: list[int] = field(default_factory=list)
    blocks: list[bool] = field(default_factory=list)  # holds block elements

    def words(self, i: int) -> int:
        """How many words the element shows."""
        return self.stops[i] - self.starts[i]

    def links(self, i: int) -> int:
        """How many of them are link text."""
        return self.link_stops[i] - self.link_starts[i]

    def own_words(self, i: int) -> int:
        """How many words the element shows that are no link text."""
        return self.words(i) - self.links(i)

    def own_words_of(self, elements: Set[int]) -> int:
        """The same of several elements; what stands in two of them counts once."""
        total, end = 0, -1
        for i in sorted(elements):
            if i >= end:
                total, end = total + self.own_words(i), self.ends[i]
        return total

    def text(self, i: int) -> str:
        """The text of a small element with white space collapsed; cut where it is no small one."""
        return " ".join(self.nodes[i].text(separator=" ")[:_LONGEST_TEXT].split())

    def attribute(self, i: int, name: str) -> str:
        """An attribute of the element; empty where it has none."""
        return self.nodes[i].attributes.get(name) or ""

    def inside(self, i: int, ancestor: int) -> bool:
        """Whether element i is the ancestor or stands in it."""
        return ancestor <= i < self.ends[ancestor]

    def ancestors(self, i: int) -> list[int]:
        """From the parent up to the root."""
        found = []
        while (i := self.parents[i]) >= 0:
            found.append(i)
        return found


def count_words(text: str) -> int:
    """Words, or characters in scripts written without spaces."""
    return len(_WORD.findall(text))


def lay_out(root: LexborNode) -> Layout:
    """Read the tree under root into columns, skipping what is never shown."""
    maker = _LayoutMaker()
    walk_tree(root, maker.enter, maker.leave)
    return maker.page


class _LayoutMaker:
    """Reads a tree into columns: the page so far, where it stands, and how many words were met."""

    def __init__(self) -> None:
        self.page = Layout()
        self.current = -1
        self.words = 0
        self.links = 0
        self.open_links = 0

    def enter(self, node: LexborNode) -> bool:
        """Count a text or add an element; whether what it holds is to be read.

        It is not, where the element is never shown.
        """
        if node.is_text_node:
            count = count_words(node.text_content or "")
            self.words += count
            if self.open_links:
                self.links += count
            return False
        is_shown = node.is_element_node and node.tag not in _HIDDEN
        if not is_shown or len(self.page.nodes) >= _MAX_NODES:
            return False
        self.current = _add(self.page, node, self.current, self.words, self.links)
        self.open_links += node.tag == "a"
        return True

    def leave(self) -> None:
        """The current element ends here."""
        page, current = self.page, self.current
        page.ends[current] = len(page.nodes)
        page.stops[current] = self.words
        page.link_stops[current] = self.links
        self.open_links -= page.tags[current] == "a"
        self.current = page.parents[current]


def _kind(page: Layout, names: str, parent: int) -> str:
    """The kind by name.

    Inside program text classes name tokens of the language ("comment"), not parts of the page.
    """
    if parent >= 0 and (page.kinds[parent] == "code" or page.tags[parent] in _LISTINGS):
        return "code"
    return kind_of(names) if names else ""


def _add(page: Layout, node: LexborNode, parent: int, words: int, links: int) -> int:
    """Add an element that begins after so many words; its number."""
    tag = node.tag or ""
    attributes = node.attributes
    # A heading's id is made of its own words.
    naming = _NAMING[1:] if tag in HEADINGS else _NAMING
    names = " ".join([attributes[name] or "" for name in naming if name in attributes])
    page.nodes.append(node)
    page.tags.append(tag)
    page.kinds.append(_kind(page, names, parent) if names or parent >= 0 else "")
    page.parents.append(parent)
    page.ends.append(0)
    page.starts.append(words)
    page.stops.append(words)
    page.link_starts.append(links)
    page.link_stops.append(links)
    page.blocks.append(False)
    if tag not in _INLINE:
        _mark_blocks(page, parent)
    return len(page.nodes) - 1


def _mark_blocks(page: Layout, holder: int) -> None:
    """An element and all around it hold a block; where one is marked, those around it are."""
    while holder >= 0 and not page.blocks[holder]:
        page.blocks[holder] = True
        holder = page.parents[holder]
