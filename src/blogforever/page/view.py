"""A page as everybody sees it: decoded, parsed and read into columns once, however many look at it;
nobody changes it.

Every column is about the elements of the page in document order, so that every question about an
element is one about an interval: element `i` holds the elements from `i` up to `last[i]`, and the
words from `start[i]` up to `end[i]`. A column is made when somebody asks for it: a page that rules
fit pays for no more than its tree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from itertools import accumulate, chain, islice, repeat
from threading import local

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import decode, parse
from blogforever.elements import HEADINGS, INLINE, LISTINGS, is_custom
from blogforever.model import Page
from blogforever.page.columns import Elements, TextPiece, Words, read_elements, read_words
from blogforever.page.landmarks import Landmarks, landmarks_of
from blogforever.page.vocabulary import kind_of
from blogforever.wordlists import when_words_change

Attributes = dict[str, str | None]
_NAMING = ("id", "class", "itemprop", "role")
# What no program text holds, whatever the element around it is called.
_PROSE = HEADINGS | {"p"}
# Characters of an element that is read as a line.
_LONGEST_LINE = 4000
# Pages that are remembered: a post, and the further pages that are read with it before its comments
# are.
_MOST_KEPT = 4
# Bytes of all of them together; of a larger page only its own view is kept.
_MOST_BYTES = 4_000_000


def _any_between(places: Sequence[int], start: int, stop: int) -> bool:
    """Whether one of the places, which are in order, is in a stretch."""
    following = bisect_left(places, start)
    return following < len(places) and places[following] < stop


class PageView:
    """A page for those who look at it: its text, its tree and its columns, each made when it is
    asked for.
    """

    def __init__(self, html: str = "", tree: LexborHTMLParser | None = None) -> None:
        self.html = html
        if tree is not None:
            self.tree = tree

    @cached_property
    def tree(self) -> LexborHTMLParser:
        """The page's tree; who reads leaves it as it is, for others read it, too."""
        return parse(self.html)

    @cached_property
    def landmarks(self) -> Landmarks:
        """The few elements that are searched for on every page, whatever its rules."""
        return landmarks_of(self.tree)

    # --- columns

    @cached_property
    def elements(self) -> Elements:
        """Its elements and texts."""
        return read_elements(self.tree.body or self.tree.root)

    @cached_property
    def nodes(self) -> list[LexborNode]:
        """The element itself."""
        return self.elements.nodes

    @cached_property
    def tags(self) -> list[str]:
        """Its tag."""
        return self.elements.tags

    @cached_property
    def parents(self) -> list[int]:
        """The element around it; -1 for the first."""
        return self.elements.parents

    @cached_property
    def last(self) -> list[int]:
        """One past the last element it holds."""
        return self.elements.last

    @cached_property
    def _words(self) -> Words:
        return read_words(self.elements)

    @cached_property
    def words(self) -> list[str]:
        """The words of the page, in order."""
        return self._words.words

    @cached_property
    def texts(self) -> list[TextPiece]:
        """The texts of the page that have words, in order."""
        return self._words.texts

    @cached_property
    def start(self) -> list[int]:
        """How many words stand before the element."""
        return self._words.start

    @cached_property
    def end(self) -> list[int]:
        """How many words stand before its end."""
        return self._words.end

    @cached_property
    def kinds(self) -> list[str]:
        """What the element's names say it is; "code" for all that stands in program text."""
        found: list[str] = []
        prose = [i for i, tag in enumerate(self.tags) if tag in _PROSE]
        for i, parent in enumerate(self.parents):
            # Inside program text classes name tokens of the language ("comment"), not parts of the
            # page.
            in_code = parent >= 0 and (found[parent] == "code" or self.tags[parent] in LISTINGS)
            kind = "code" if in_code else kind_of(self._naming(i))
            if kind == "code" and not in_code and _any_between(prose, i + 1, self.last[i]):
                kind = ""  # "line" is a row of a layout, too
            found.append(kind)
        return found

    @cached_property
    def blocks(self) -> list[bool]:
        """Whether the element holds other elements than those inside a line."""
        found = [False] * len(self.tags)
        for i in range(len(found) - 1, 0, -1):
            if found[i] or self.tags[i] not in INLINE:
                found[self.parents[i]] = True
        return found

    @cached_property
    def _links(self) -> list[int]:
        """Before each word, how many words of links there are."""
        in_link: list[bool] = []
        for tag, parent in zip(self.tags, self.parents, strict=True):
            in_link.append(tag == "a" or (parent >= 0 and in_link[parent]))
        marks = (repeat(in_link[parent], stop - first) for parent, first, stop, _text in self.texts)
        return list(accumulate(chain.from_iterable(marks), initial=0))

    @cached_property
    def first_words(self) -> list[int]:
        """The first word of each of the texts: to find a text among all, one looks for it here."""
        return [first for _parent, first, _stop, _text in self.texts]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {node.mem_id: i for i, node in enumerate(self.nodes)}

    @cached_property
    def _attributes(self) -> list[Attributes | None]:
        return [None] * len(self.nodes)

    # --- one element

    def place(self, node: LexborNode | None) -> int | None:
        """Where a node of the same tree stands, or None for one that is not read."""
        return None if node is None else self._places.get(node.mem_id)

    def attributes(self, i: int) -> Attributes:
        """The attributes of element `i`, read once."""
        found = self._attributes[i]
        if found is None:
            found = self._attributes[i] = self.nodes[i].attributes
        return found

    def attribute(self, i: int, name: str) -> str:
        """One attribute of element `i`; empty where it has none."""
        # Asked more often than all else: not by the method above, which would be a call more.
        found = self._attributes[i]
        return (self.attributes(i) if found is None else found).get(name) or ""

    def classes(self, i: int) -> list[str]:
        """The class tokens of element `i`."""
        names = self.attribute(i, "class")
        return names.split() if names else []

    def _naming(self, i: int) -> str:
        """The names of element `i`, a tag of the blog's own making among them; a heading's id is made of its words."""
        tag, attributes = self.tags[i], self.attributes(i)
        if not attributes:
            return tag if is_custom(tag) else ""
        naming = _NAMING[1:] if tag in HEADINGS else _NAMING
        names = [attributes[name] or "" for name in naming if name in attributes]
        return " ".join([tag, *names] if is_custom(tag) else names)

    def count(self, i: int) -> int:
        """How many words element `i` holds."""
        return self.end[i] - self.start[i]

    def links(self, i: int) -> int:
        """How many of them are link text."""
        return self._links[self.end[i]] - self._links[self.start[i]]

    def own_words(self, i: int) -> int:
        """How many of them are no link text."""
        return self.own_words_between(self.start[i], self.end[i])

    def own_words_between(self, start: int, end: int) -> int:
        """How many words are no link text, between two places."""
        return end - start - self._links[end] + self._links[start]

    def own_words_of(self, elements: Set[int]) -> int:
        """The same of several elements; what stands in two of them counts once."""
        total, end = 0, -1
        for i in sorted(elements):
            if i >= end:
                total, end = total + self.own_words(i), self.last[i]
        return total

    def words_of(self, i: int) -> list[str]:
        """The words of element `i`."""
        return self.words[self.start[i] : self.end[i]]

    def text(self, i: int) -> str:
        """The text of element `i` as read: parts in order, joined by spaces."""
        parts = self.texts_between(self.start[i], self.end[i])
        return " ".join(part.strip() for part in parts)

    def texts_between(self, start: int, end: int) -> list[str]:
        """The texts whose first words are these, in order."""
        return [text for _parent, _first, _stop, text in self.pieces_between(start, end)]

    def pieces_between(self, start: int, end: int) -> list[TextPiece]:
        """The texts whose first words are these, with their places, in order."""
        first = bisect_left(self.first_words, start)
        stop = bisect_left(self.first_words, end)
        return self.texts[first:stop]

    def line(self, i: int) -> str:
        """All text of a small element, signs and all, white space collapsed; cut where it is no
        small one.
        """
        return " ".join(self.nodes[i].text(separator=" ")[:_LONGEST_LINE].split())

    # --- one element and others

    def children(self, i: int) -> list[int]:
        """The child elements of element `i`, in order."""
        found, child = [], i + 1
        while child < self.last[i]:
            found.append(child)
            child = self.last[child]
        return found

    def ancestors(self, i: int) -> Iterator[int]:
        """The elements around element `i`, nearest first."""
        parent = self.parents[i]
        while parent >= 0:
            yield parent
            parent = self.parents[parent]

    def around(self, i: int, most: int) -> Iterator[int]:
        """The nearest elements around element `i`, at most so many."""
        return islice(self.ancestors(i), most)

    def inside(self, i: int, ancestor: int) -> bool:
        """Whether element `i` is the ancestor or stands in it."""
        return ancestor <= i < self.last[ancestor]


# --- the same view for all


class _LastViews(local):
    """The pages that were looked at last, the latest first: of each thread its own, for each reads
    another blog.
    """

    def __init__(self) -> None:
        self.read: list[tuple[Page, PageView]] = []


_last = _LastViews()


def _forget_views() -> None:
    _last.read = []


when_words_change(_forget_views)


def view_of(page: Page) -> PageView:
    """The view of a page: whoever asks next for the same page gets the same one, under whatever
    address.
    """
    last = _last.read
    if last and _is_same(last[0][0], page):
        # Most stages ask for the page that the one before has asked for.
        return last[0][1]
    known = next((pair for pair in last if _is_same(pair[0], page)), None)
    latest = known or (page, PageView(decode(page.content, page.headers)))
    _last.read = _within_bounds([latest, *(pair for pair in last if pair is not known)])
    return latest[1]


def _is_same(one: Page, other: Page) -> bool:
    return one.content is other.content and one.headers == other.headers


def _within_bounds(views: list[tuple[Page, PageView]]) -> list[tuple[Page, PageView]]:
    """As many of the views as are kept, the first always."""
    sizes = list(accumulate(len(page.content) for page, _view in views))
    kept = [pair for pair, size in zip(views, sizes, strict=True) if size <= _MOST_BYTES]
    return kept[:_MOST_KEPT] or views[:1]
