"""Readable text of a tree: paragraphs in document order, not a word lost or added."""

from __future__ import annotations

from collections.abc import Collection

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import parse
from blogforever.extract.visible import Attributes, visit
from blogforever.thinning import CLOSES_P

SPACE, TAB, LINE, PARAGRAPH = 1, 2, 3, 4
SEPARATORS = ("", " ", "\t", "\n", "\n\n")
LISTS = frozenset(["ul", "ol", "dir", "menu"])
VERBATIM = frozenset(["pre", "listing", "xmp", "plaintext"])
GAPS = (
    dict.fromkeys(CLOSES_P | {"table", "caption", "summary", "legend", "body", "html", "optgroup"}, PARAGRAPH)
    | dict.fromkeys(VERBATIM, PARAGRAPH)
    | dict.fromkeys(["br", "tr", "li", "dt", "dd", "thead", "tbody", "tfoot"], LINE)
    | dict.fromkeys(["td", "th"], TAB)
)


class TextBuilder:
    """Gathers text while a tree is walked.

    Remembers how far apart the next words stand from the last.
    """

    __slots__ = ("bullet", "gap", "lists", "pieces", "verbatim")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.gap = 0
        self.bullet = ""
        self.lists = 0
        self.verbatim = 0

    def open(self, tag: str) -> None:
        """An element begins."""
        gap = GAPS.get(tag)
        if tag == "br":
            self._break()
        elif gap is not None:
            if tag in LISTS:
                self.lists += 1
            self._widen(LINE if self.lists > 1 and tag in LISTS else gap)
            if tag == "li":
                self.bullet = "  " * (self.lists - 1) + "- "
            elif tag in VERBATIM:
                self.verbatim += 1

    def close(self, tag: str) -> None:
        """An element ends."""
        gap = GAPS.get(tag)
        if gap is None or tag == "br":
            return
        if tag == "li":
            self.bullet = ""
        elif tag in LISTS:
            gap = LINE if self.lists > 1 else gap
            self.lists -= 1
        elif tag in VERBATIM:
            self.verbatim -= 1
            self._trim()
        self._widen(gap)

    def text(self, text: str) -> bool:
        """A run of characters as it stands in the source; whether there is a word in it."""
        if self.verbatim:
            return self._verbatim(text)
        words = text.split()
        if not words:
            self.gap = self.gap or (SPACE if text else 0)
            return False
        if not self.gap and text[0].isspace():
            self.gap = SPACE
        self._emit(" ".join(words))
        if text[-1].isspace():
            self.gap = SPACE
        return True

    def result(self) -> str:
        """All that was gathered."""
        return "".join(self.pieces).strip()

    def _verbatim(self, text: str) -> bool:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if self.gap == PARAGRAPH:
            text = text.lstrip("\n")
        if text:
            self._emit(text)
        return bool(text) and not text.isspace()

    def _break(self) -> None:
        if self.verbatim:
            self._emit("\n")
        else:
            self.gap = PARAGRAPH if self.gap >= LINE else LINE

    def _widen(self, gap: int) -> None:
        if self.verbatim and gap > LINE:
            gap = LINE
        self.gap = max(self.gap, gap)

    def _trim(self) -> None:
        """Blank lines at the end of a listing are no part of it."""
        while self.pieces and not self.pieces[-1].strip():
            self.pieces.pop()
        if self.pieces:
            self.pieces[-1] = self.pieces[-1].rstrip()

    def _emit(self, text: str) -> None:
        pieces = self.pieces
        if self.gap:
            if pieces and not (self.verbatim and self.gap <= LINE and pieces[-1].endswith("\n")):
                pieces.append(SEPARATORS[self.gap])
            self.gap = 0
        if self.bullet:
            pieces.append(self.bullet)
            self.bullet = ""
        pieces.append(text)


def html_to_text(html: str) -> str:
    """The readable text of mark-up."""
    body = parse_fragment(html).body
    return node_to_text(body) if body is not None else ""


def node_to_text(node: LexborNode, excluded: Collection[int] = ()) -> str:
    """The readable text under a node, without the parts whose memory ids are excluded."""
    reader = _TextReader()
    visit(node, reader, excluded)
    return reader.builder.result()


class _TextReader:
    """Keeps of what is seen only the text."""

    def __init__(self) -> None:
        self.builder = TextBuilder()

    def text(self, text: str) -> None:
        """A run of characters."""
        self.builder.text(text)

    def open(self, _node: LexborNode, tag: str, _attributes: Attributes) -> None:
        """An element begins."""
        if tag in GAPS:
            self.builder.open(tag)

    def close(self, tag: str) -> None:
        """An element ends."""
        if tag in GAPS:
            self.builder.close(tag)


def parse_fragment(html: str) -> LexborHTMLParser:
    """A tree whose body holds the fragment just as a page's body would."""
    return parse(html, "<!DOCTYPE html><body>")
