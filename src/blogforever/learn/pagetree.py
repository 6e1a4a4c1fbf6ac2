"""A page as flat lists in document order, so that every question about a node is a difference of two prefix sums."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import tokenise

UNREAD = frozenset("script style template noscript head svg iframe select textarea button".split())


TextPiece = tuple[int, int, int, str]
# A text on more than this share of the pages is
# furniture; with fewer pages than these nobody can tell.
_REPEATED = 0.5
_FEWEST_PAGES = 3


class PageTree:
    """Elements and words of a page in document order.

    Element `i` holds the words `start[i]` up to `end[i]`.

    `last[i]` is one past the last element below `i`,
    so ancestors and descendants are intervals too.
    """

    def __init__(self, parser: LexborHTMLParser) -> None:
        self.parser = parser
        self.nodes: list[LexborNode] = []
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.start: list[int] = []
        self.words: list[str] = []
        # Parent element, first word, one past the last word, the text itself.
        self.texts: list[TextPiece] = []
        self._places: dict[int, int] = {}
        self._read(parser.body or parser.root)
        self.end, self.last = self._ends()
        self._attributes: list[dict[str, str | None] | None] = [None] * len(self.nodes)

    def _read(self, root: LexborNode | None) -> None:
        """Visit all nodes once, in the order of the page."""
        if root is None:
            return
        places = self._places
        top = root.mem_id
        for node in root.traverse(include_text=True):
            tag = node.tag
            mem = node.mem_id
            if mem == top:
                self._add(node, tag or "", -1, mem)
                continue
            # What stands in an element that is not read has
            # no parent here, and so is not read either.
            holder = node.parent
            parent = places.get(holder.mem_id, -1) if holder is not None else -1
            if parent < 0 or tag == "-comment":
                continue
            if tag == "-text":
                self._add_text(node.text_content or "", parent)
            elif tag not in UNREAD:
                self._add(node, tag or "", parent, mem)

    def _add_text(self, text: str, parent: int) -> None:
        if text.isspace():
            return
        words = tokenise(text)
        if words:
            first = len(self.words)
            self.texts.append((parent, first, first + len(words), text))
            self.words.extend(words)

    def _add(self, node: LexborNode, tag: str, parent: int, mem: int) -> None:
        self._places[mem] = len(self.nodes)
        self.nodes.append(node)
        self.tags.append(tag)
        self.parents.append(parent)
        self.start.append(len(self.words))

    def _ends(self) -> tuple[list[int], list[int]]:
        """Where the words and the elements of each element end, from the last one backwards."""
        count = len(self.nodes)
        end, last = [0] * count, list(range(1, count + 1))
        for parent, _first, stop, _text in self.texts:
            end[parent] = max(end[parent], stop)
        for i in range(count - 1, 0, -1):
            parent = self.parents[i]
            end[i] = max(end[i], self.start[i])
            end[parent] = max(end[parent], end[i])
            last[parent] = max(last[parent], last[i])
        if count:
            end[0] = max(end[0], self.start[0])
        return end, last

    def place(self, node: LexborNode | None) -> int | None:
        """Where a node of the same parse stands, or None for one that is not read."""
        return None if node is None else self._places.get(node.mem_id)

    def attributes(self, i: int) -> dict[str, str | None]:
        """The attributes of element `i`, read once."""
        found = self._attributes[i]
        if found is None:
            found = self._attributes[i] = self.nodes[i].attributes
        return found

    def attribute(self, i: int, name: str) -> str:
        """One attribute of element `i`; empty where it has none."""
        return self.attributes(i).get(name) or ""

    def classes(self, i: int) -> list[str]:
        """The class tokens of element `i`."""
        return (self.attributes(i).get("class") or "").split()

    def count(self, i: int) -> int:
        """How many words element `i` holds."""
        return self.end[i] - self.start[i]

    def words_of(self, i: int) -> list[str]:
        """The words of element `i`."""
        return self.words[self.start[i] : self.end[i]]

    def children(self, i: int) -> list[int]:
        """The child elements of element `i`, in order."""
        found, child = [], i + 1
        while child < self.last[i]:
            found.append(child)
            child = self.last[child]
        return found

    def ancestors(self, i: int) -> Iterable[int]:
        """The elements around element `i`, nearest first."""
        parent = self.parents[i]
        while parent >= 0:
            yield parent
            parent = self.parents[parent]

    def text(self, i: int) -> str:
        """The text of element `i` as read: parts in order, joined by spaces."""
        parts = self.texts_between(self.start[i], self.end[i])
        return " ".join(part.strip() for part in parts)

    def texts_between(self, start: int, end: int) -> list[str]:
        """The texts whose first words are these, in order."""
        first = bisect_left(self.texts, start, key=_first_word)
        stop = bisect_left(self.texts, end, key=_first_word)
        return [text for _parent, _first, _stop, text in self.texts[first:stop]]


def _first_word(piece: TextPiece) -> int:
    return piece[1]


def prefix_sums(values: Iterable[float]) -> list[float]:
    """Sums of everything before each place, so that an interval's sum is a difference."""
    return list(accumulate(values, initial=0.0))


def repeated_texts(trees: list[PageTree]) -> Callable[[str], bool]:
    """Tells whether a text stands on most of the pages: a page's furniture, not its content."""
    if len(trees) < _FEWEST_PAGES:
        return lambda _text: False
    pages_with: Counter[str] = Counter()
    for tree in trees:
        pages_with.update({part.strip() for _p, _f, _s, part in tree.texts})
    floor = max(_FEWEST_PAGES, _REPEATED * len(trees))
    furniture = {text for text, count in pages_with.items() if count >= floor}
    return lambda text: text.strip() in furniture
