"""What of a tree a reader sees, without hidden parts, controls and code gutters."""

from __future__ import annotations

import re
from collections.abc import Collection, Set
from typing import Protocol

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text, texts_of
from blogforever.elements import HEADINGS, LISTINGS, UNWRITTEN
from blogforever.extract.footnotes import is_note_behind_sign, note_names
from blogforever.extract.formulas import formula, is_formula, is_second_drawing

Attributes = dict[str, str | None]


HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
FOLDED = re.compile(
    r"spoiler|accordion|collaps|toggle|tab-?pane|tab-?content|tab-?panel|expand|reveal|unfold|read-?more|faq|answer",
    re.IGNORECASE,
)
# Characters of a hidden part that a script may show, and the share of the page's text it must have.
VEILED_LENGTH = 200
VEILED_SHARE = 0.7
# Notes in sentences for which the whole text is searched.
MOST_NOTES = 200
# Classes that highlighters give to line numbers. They hold digits only: an article's own `.ln` does
# not.
GUTTERS = frozenset(
    [
        *("gutter", "linenos", "lineno", "linenodiv", "linenumber", "linenumbers", "line-number", "line-numbers"),
        *("rouge-gutter", "lnt", "ln", "lnum", "lntd", "crayon-nums", "crayon-num", "hljs-ln-numbers", "hljs-ln-n"),
        *("blob-num", "line-numbers-rows", "react-syntax-highlighter-line-number", "code-line-number", "line_numbers"),
    ]
)
# Characters of a gutter that is looked into.
LONGEST_GUTTER = 50_000
NUMBERS = re.compile(r"[\d\s.:|]*")
FURNITURE = frozenset(["crayon-toolbar", "crayon-info", "MathJax_Preview"])
MARKED = GUTTERS | FURNITURE | {"katex-html"}
PERMALINKS = frozenset(
    [
        *("headerlink", "header-link", "header-anchor", "heading-anchor", "heading-link", "anchor", "anchor-link"),
        *("anchorjs-link", "hash-link", "hanchor", "direct-link", "permalink", "headline-hash", "heading-permalink"),
    ]
)
PERMALINK_WORDS = frozenset(["", "link", "permalink", "anchor", "permanent link"])
NOT_WORD = re.compile(r"[\W_]+")
NONE: Attributes = {}
# Elements that mean nothing without other attributes than these.
PLAIN = frozenset(["span", "a"])
PLAIN_KEYS = frozenset(["class", "style"])
# What highlighters put around each word of a listing.
COLOURED = re.compile(r'<span(?: class="([^"<>]*)")?>')
# Characters of listings that are looked over as a whole: those in each other would be again and again.
MOST_LOOKED_OVER = 1_000_000

_Met = tuple[LexborNode | None, str]
"""Where to go on in an element, and the tag to be told of where it ends, if any."""
_NOTHING: _Met = (None, "")


class VisibleReader(Protocol):
    """Who is told what a reader of the page sees, in document order."""

    def text(self, text: str, /) -> None:
        """A run of characters."""

    def open(self, node: LexborNode, tag: str, attributes: Attributes, /) -> None:
        """An element begins."""

    def close(self, tag: str, /) -> None:
        """An element ends; one of the leaves does not."""


def visit(
    node: LexborNode,
    reader: VisibleReader,
    excluded: Collection[int] = (),
    leaves: Collection[str] = (),
    wrappers: Collection[str] = (),
) -> None:
    """Tell of the visible elements and texts of a node; `excluded` are memory ids of parts to leave
    out. Formulas that nobody has drawn are texts.

    Elements named in `leaves` only begin, even where they show no text. Of those that mean nothing
    is not told, only of what they hold; nor of the node itself where it is one of the `wrappers`.
    """
    # Told by calls: to hand each piece over to a loop takes longer.
    opened: list[tuple[LexborNode, str]] = []
    text, end = reader.text, reader.close
    meet = _Sieve(node, reader, excluded, leaves, wrappers).meet
    current = node
    while True:
        tag = current.tag or ""
        if tag == "-text":
            if current.mem_id not in excluded:
                text(current.text_content or "")
        else:
            below, ends = meet(current, tag)
            if below is not None:
                opened.append((current, ends))
                current = below
                continue
            if ends:
                end(ends)
        while opened and (beside := current.next) is None:
            current, ends = opened.pop()
            if ends:
                end(ends)
        if not opened:
            return
        current = beside  # type: ignore[assignment]  # a sibling, for the stack is not empty


class _Sieve:
    """Decides which elements of a tree are left out, and tells of the others."""

    def __init__(
        self,
        root: LexborNode,
        reader: VisibleReader,
        excluded: Collection[int],
        leaves: Collection[str],
        wrappers: Collection[str],
    ) -> None:
        self.root = root
        self.reader = reader
        self.excluded = excluded
        self.leaves = leaves
        self.wrappers = wrappers
        self.size = -1
        self.notes: Set[str] | None = None
        self.asked = 0
        self.looked_over = 0

    def meet(self, node: LexborNode, tag: str) -> _Met:
        """Tell that an element begins, and say where to go on in it."""
        if tag == "script" and is_formula(node):
            return self._tell_formula(node)
        attributes = self.shown(node, tag)
        if attributes is None:
            return _NOTHING
        below = node.first_child
        if (tag in PLAIN and PLAIN_KEYS.issuperset(attributes)) or (node is self.root and tag in self.wrappers):
            return below, ""
        self.reader.open(node, tag, attributes)
        if tag in self.leaves:
            return _NOTHING
        if below is not None and tag in LISTINGS and (text := self._coloured_text(node, below)):
            self.reader.text(text)
            return None, tag
        return below, tag

    def _tell_formula(self, node: LexborNode) -> _Met:
        if node.mem_id not in self.excluded:
            self.reader.text(formula(node))
        return _NOTHING

    def _coloured_text(self, listing: LexborNode, first: LexborNode) -> str:
        """The text of a listing that holds nothing but coloured words: there are hundreds of them,
        each an element. Nothing of any other, nor where its beginning or its line ends need a
        closer look.
        """
        if first.next is None or self.looked_over > MOST_LOOKED_OVER:
            return ""
        html = listing.html or ""
        self.looked_over += len(html)
        classes = COLOURED.findall(html)
        # Each has a tag that begins and one that ends, and so has the listing.
        is_all = 2 * len(classes) + 2 == html.count("<")
        if not is_all or not MARKED.isdisjoint(" ".join(set(classes)).split()):
            return ""
        text = listing.text(deep=True)
        if text.startswith("\n") or "\r" in text:
            return ""
        is_cut = self.excluded and any(part.mem_id in self.excluded for part in listing.traverse(include_text=True))
        return "" if is_cut else text

    def shown(self, node: LexborNode, tag: str) -> Attributes | None:
        """The attributes of an element that is for the reader; None of one that is left out."""
        if node is self.root:
            return node.attributes
        if tag in UNWRITTEN and tag not in self.leaves:
            return None
        if self.excluded and node.mem_id in self.excluded:
            return None
        attributes = node.attributes
        return None if attributes and self.left_out(node, tag, attributes) else attributes

    def left_out(self, node: LexborNode, tag: str, attributes: Attributes) -> bool:
        """Whether an element and all it holds is not for the reader."""
        names = attributes.get("class")
        if names and not MARKED.isdisjoint(classes := names.split()) and _is_furniture(node, classes):
            return True
        if is_hidden(attributes) and not self._is_shown_later(node, attributes):
            return True
        return tag == "a" and is_permalink(node, attributes)

    def _is_shown_later(self, node: LexborNode, attributes: Attributes) -> bool:
        is_note = self._holds_note(node) or self._is_note_in_sentence(node)
        return is_note or _is_folded(node, attributes) or self._is_veiled(node)

    def _is_note_in_sentence(self, node: LexborNode) -> bool:
        """Whether it is a note that a click on its sign shows, and the text has it nowhere else."""
        if not is_note_behind_sign(node) or self.asked >= MOST_NOTES:
            return False
        self.asked += 1
        return self.root.text(deep=True).count(node.text(deep=True)) == 1

    def _holds_note(self, node: LexborNode) -> bool:
        """Whether a sign in the text leads to it, or to something in it: a note that a click shows."""
        if self.notes is None:
            self.notes = note_names(self.root)
        return bool(self.notes) and any(part.id in self.notes for part in (node, *node.css("[id]")))

    def _is_veiled(self, node: LexborNode) -> bool:
        """Whether nearly everything is hidden: then a script shows it once the page has loaded."""
        length = len(node.text())
        if length < VEILED_LENGTH or node.css_first("form, textarea") is not None:
            return False
        if self.size < 0:
            self.size = sum(map(len, texts_of(self.root, self.excluded)))
        return length > self.size * VEILED_SHARE


def is_hidden(attributes: Attributes) -> bool:
    """Whether an element's own attributes keep it from being shown."""
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    style = attributes.get("style")
    return style is not None and HIDING_STYLE.search(style) is not None


def _is_folded(node: LexborNode, attributes: Attributes) -> bool:
    """Whether the reader can unfold it.

    Spoilers, tabs and accordions are the author's text, pop-up forms are not.
    """
    around = node.parent.attributes if node.parent is not None else NONE
    names = " ".join([attributes.get("class") or "", around.get("class") or "", attributes.get("role") or ""])
    return FOLDED.search(names) is not None and node.css_first("form, input, textarea, script") is None


def _is_furniture(node: LexborNode, classes: list[str]) -> bool:
    """Whether a marked element is a highlighter's tool bar, or a gutter that holds line numbers."""
    if not FURNITURE.isdisjoint(classes) or is_second_drawing(node, classes):
        return True
    return len(node.text()) <= LONGEST_GUTTER and NUMBERS.fullmatch(node_text(node)) is not None


def is_permalink(node: LexborNode, attributes: Attributes) -> bool:
    """Whether a link only marks the heading it stands in, as a pilcrow or a chain beside it."""
    href = attributes.get("href")
    if not href or "#" not in href:
        return False
    classes = (attributes.get("class") or "").split()
    named = not PERMALINKS.isdisjoint(classes)
    if not named and not (node.parent is not None and node.parent.tag in HEADINGS):
        return False
    if node.css_first("img") is not None:
        return False
    text = _words_seen(node)
    return not text or (named and text in PERMALINK_WORDS)


def _words_seen(node: LexborNode) -> str:
    """The words that a link shows, without signs."""
    unseen = {part.mem_id for part in node.traverse() if part.tag in UNWRITTEN or is_hidden(part.attributes)}
    return NOT_WORD.sub(" ", node_text(node, unseen)).strip().lower()
