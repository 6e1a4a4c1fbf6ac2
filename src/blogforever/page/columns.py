"""How a tree becomes columns: its elements in document order, and the words of its texts."""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborNode

from blogforever.dom import tokenise
from blogforever.elements import NEVER_READ

TextPiece = tuple[int, int, int, str]
"""A text with words: its element, its first word, one past its last word, the text itself."""

# Elements of a page that are read; no honest one has more.
_MOST_ELEMENTS = 400_000


class Elements(NamedTuple):
    """The elements of a page, and its texts with the element each stands in."""

    nodes: list[LexborNode]
    tags: list[str]
    parents: list[int]
    last: list[int]
    pieces: list[tuple[int, str]]
    starts: list[int]
    """How many texts stand before the element."""
    stops: list[int]
    """How many texts stand before its end."""


class Words(NamedTuple):
    """The words of a page, its texts that have any, and where the words of each element begin and
    end.
    """

    words: list[str]
    texts: list[TextPiece]
    start: list[int]
    end: list[int]


def read_elements(root: LexborNode | None) -> Elements:
    """The elements and texts under a node, without those that are never read.

    A loop and no recursion, for hostile pages make trees as deep as they like.
    """
    found = Elements([], [], [], [], [], [], [])
    nodes, tags, parents, last, pieces, starts, stops = found
    opened: list[LexborNode] = []
    node, parent = root, -1
    while node is not None:
        tag = node.tag or ""
        if tag == "-text":
            text = node.text_content
            if text and not text.isspace():
                pieces.append((parent, text))
        elif tag not in NEVER_READ and len(nodes) < _MOST_ELEMENTS:
            nodes.append(node)
            tags.append(tag)
            parents.append(parent)
            last.append(len(nodes))
            starts.append(len(pieces))
            stops.append(len(pieces))
            if (below := node.first_child) is not None:
                opened.append(node)
                node, parent = below, len(nodes) - 1
                continue
        following = None
        while opened and (following := node.next) is None:
            node = opened.pop()
            last[parent], stops[parent] = len(nodes), len(pieces)
            parent = parents[parent]
        node = following
    return found


def read_words(elements: Elements) -> Words:
    """The words of the texts, and between which of them each element begins and ends."""
    words: list[str] = []
    texts: list[TextPiece] = []
    before = [0]  # words before each text
    for parent, text in elements.pieces:
        first = len(words)
        words.extend(tokenise(text))
        if len(words) > first:
            texts.append((parent, first, len(words), text))
        before.append(len(words))
    start = [before[place] for place in elements.starts]
    end = [before[place] for place in elements.stops]
    return Words(words, texts, start, end)
