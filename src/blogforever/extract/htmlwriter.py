"""The visible tree written again as plain mark-up; its text, media and links beside it."""

from __future__ import annotations

import re
from collections.abc import Collection
from html import unescape
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text
from blogforever.elements import HEADINGS
from blogforever.extract.leaves import LEAF_WRITERS, LeafWriter
from blogforever.extract.safe import ALLOWED, BLOCKS, CITING, CODE, KEPT, MATH, RENAMED, VOID
from blogforever.extract.text import GAPS, TextBuilder
from blogforever.extract.visible import NUMBERS, PLAIN, PLAIN_KEYS, Attributes
from blogforever.extract.writing import escaped, present, written
from blogforever.model import Link, MediaRef
from blogforever.thinning import CLOSES_P
from blogforever.urls import join

NAMES = {tag: tag for tag in ALLOWED} | RENAMED
TABLE_TAGS = frozenset(["table", "thead", "tbody", "tr", "td", "th", "colgroup", "col"])
EMPTY_STAYS = VOID | (MATH - {"math"}) | {"td", "th", "li", "dt", "dd", "colgroup"}
LANGUAGE = re.compile(
    r"(?:language|lang|highlight-source|brush:?)[-: ]\s*([\w+#.-]{1,30})",
    re.IGNORECASE,
)
HIGHLIGHTED = re.compile(r"(?:highlight|sourceCode|src src-)\s?([\w+#.-]{1,30})")
OTHER_SCHEMES = ("mailto:", "tel:")
PLAIN_HOST = re.compile(r"https?://(?:[^/?#@]*@)?[\w.:%\[\]-]+(?:[/?#]|$)", re.IGNORECASE)
INNER_LINK = re.compile(r'href="#([^"]*)"')
IDENTITY = (
    ("lang", re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")),
    ("dir", re.compile("ltr|rtl|auto", re.I)),
)
# Elements, from a listing upwards, on one of which its highlighter may name the language.
LISTING_DEPTH = 6

Mark = tuple[str, int, int, int]
"""An open element: its name as written, where it begins, substance and breaks before it."""


class HtmlWriter:
    """Writes the visible tree again as plain mark-up, and gathers text and links on the way.

    `substance` counts what a reader sees, so that an element that adds none is known to be empty.
    `listing` and `paragraph` say how many elements are open with the table or paragraph that was
    opened last, 0 where none is.
    """

    def __init__(self, base: str, targets: set[str], excluded: Collection[int] = ()) -> None:
        self.base = base
        self.targets = targets
        self.excluded = excluded
        self.out: list[str] = []
        self.marks: list[Mark] = []
        self.substance = 0
        self.breaks = 0
        self.listing = 0
        self.paragraph = 0
        self.builder = TextBuilder()
        self.leaves = LeafWriter(base, self.out)
        self.links: list[Link] = []
        self.used: set[str] = set()
        self.referred: set[str] = set()

    def html(self) -> str:
        """What was written."""
        return "".join(self.out).strip()

    def media(self) -> tuple[MediaRef, ...]:
        """What is shown."""
        return tuple(self.leaves.media.values())

    def text(self, text: str) -> None:
        """A run of characters."""
        if self.builder.text(text):
            self.substance += 1
        if self.builder.verbatim and self.out and self.out[-1].startswith("<pre"):
            # The parser drops a line break after this tag: a second cleaning would lose one more.
            text = text.lstrip("\r\n")
        self.out.append(escaped(text))

    # --- an element begins

    def open(self, node: LexborNode, tag: str, attributes: Attributes) -> None:
        """An element begins."""
        if tag in LEAF_WRITERS:
            self._write_leaf(node, tag, attributes)
            return
        if tag in GAPS:
            self._open_block(node, tag)
        is_layout = self.listing and tag in TABLE_TAGS
        name = "" if is_layout else NAMES.get(tag, "")
        substance = self.substance
        kept = ""
        if name and (name in CODE or not PLAIN_KEYS.issuperset(attributes)):
            kept = self._attributes(node, name, attributes)
        if not kept and name in PLAIN:
            name = ""
        self.marks.append((name, len(self.out), substance, self.breaks))
        if name:
            self.out.append(f"<{name}{kept}>")

    def _write_leaf(self, node: LexborNode, tag: str, attributes: Attributes) -> None:
        before = self.leaves.written
        LEAF_WRITERS[tag](self.leaves, node, attributes)
        self.substance += self.leaves.written - before

    def _open_block(self, node: LexborNode, tag: str) -> None:
        self.builder.open(tag)
        if self.paragraph and (tag in CLOSES_P or tag == "table"):
            self._widen_paragraph()
        if tag == "p":
            self.paragraph = len(self.marks) + 1
        elif tag == "table" and not self.listing and _is_numbered_listing(node):
            self.listing = len(self.marks) + 1

    def _widen_paragraph(self) -> None:
        """Make a paragraph that holds a block a div.

        Trees of old pages have such, and the next parser would tear them.
        """
        at = self.paragraph - 1
        _, start, substance, breaks = self.marks[at]
        self.marks[at] = ("div", start, substance, breaks)
        self.out[start] = "<div" + self.out[start][2:]
        self.paragraph = 0

    # --- an element ends

    def close(self, tag: str) -> None:
        """An element ends."""
        name, start, substance, breaks = self.marks.pop()
        if tag in GAPS:
            self._close_block(tag)
        if not name:
            return
        if name in VOID:
            self._count_void(name)
            return
        is_empty = substance == self.substance
        if is_empty and not self._stays_empty(name, breaks):
            self._drop_empty(name, start)
            self.breaks = breaks
            return
        self.out.append(f"</{name}>")
        if name == "a" and not is_empty:
            self._note_reference(self.out[start])

    def _close_block(self, tag: str) -> None:
        self.builder.close(tag)
        if self.listing > len(self.marks):
            self.listing = 0
        if self.paragraph > len(self.marks):
            self.paragraph = 0

    def _count_void(self, name: str) -> None:
        if name == "br":
            self.breaks += 1
        elif name == "hr":
            self.substance += 1

    def _stays_empty(self, name: str, breaks: int) -> bool:
        """Whether an element is written though it shows nothing: a cell, or a break in a line."""
        if name in EMPTY_STAYS:
            return True
        return name not in BLOCKS and breaks != self.breaks

    def _drop_empty(self, name: str, start: int) -> None:
        """What stood around an empty element stays as far apart as it was."""
        held_space = len(self.out) > start + 1
        del self.out[start:]
        if name in BLOCKS:
            self.out.append("\n")
        elif held_space:
            self.out.append(" ")

    def _note_reference(self, tag: str) -> None:
        """Remember where a link within the article points to."""
        inner = INNER_LINK.search(tag)
        if inner:
            self.referred |= spellings(unescape(inner.group(1)))

    # --- attributes

    def _attributes(self, node: LexborNode, name: str, attributes: Attributes) -> str:
        kept = present(attributes, KEPT.get(name, ()))
        self._keep_identity(name, attributes, kept)
        if name == "a":
            self._keep_link(node, attributes, kept)
        elif name in CODE:
            _keep_language(node, kept)
        elif name in CITING:
            self._keep_source(attributes, kept)
        return written(kept)

    def _keep_identity(self, name: str, attributes: Attributes, kept: Attributes) -> None:
        """Ids that links within the article point to, those of headings, language and direction."""
        mark = attributes.get("id")
        if not mark and name == "a":
            mark = attributes.get("name")
        is_heading = name in HEADINGS
        is_target = mark in self.targets
        if mark and (is_target or is_heading):
            kept["id"] = mark
            if not is_heading:
                self.used.add(mark)
                self.substance += 1
        for key, shape in IDENTITY:
            value = attributes.get(key)
            if value and shape.fullmatch(value):
                kept[key] = value

    def _keep_link(self, node: LexborNode, attributes: Attributes, kept: Attributes) -> None:
        url = href_of(attributes.get("href") or "", self.base)
        if url is None:
            kept.pop("rel", None)
            kept.pop("title", None)
            return
        kept["href"] = url
        if url.startswith("http"):
            self.links.append(Link(url, node_text(node, self.excluded), attributes.get("rel") or None))

    def _keep_source(self, attributes: Attributes, kept: Attributes) -> None:
        cite = attributes.get("cite")
        url = join(self.base, cite) if cite else None
        if url:
            kept["cite"] = url


def spellings(mark: str) -> set[str]:
    """The id of a place as links may write it."""
    return {mark, unquote(mark)}


def href_of(href: str, base: str) -> str | None:
    """A link made absolute, except to a place in the same article."""
    address, _, mark = href.strip().partition("#")
    if not address:
        return "#" + mark if mark else None
    url = join(base, address)
    if url is None:
        return href.strip() if address.lower().startswith(OTHER_SCHEMES) else None
    if not PLAIN_HOST.match(url):
        return None
    if not mark:
        return url
    is_same_page = url == base.partition("#")[0]
    return f"#{mark}" if is_same_page else f"{url}#{mark}"


def _keep_language(node: LexborNode, kept: Attributes) -> None:
    language = _language(node)
    if language:
        kept["class"] = f"language-{language}"


def _language(node: LexborNode) -> str | None:
    """The language a listing is marked with, on itself or on its highlighter's wrapper."""
    current: LexborNode | None = node
    for _ in range(LISTING_DEPTH if node.tag == "pre" else 1):
        if current is None:
            return None
        classes = current.attributes.get("class") or ""
        match = LANGUAGE.search(classes) or HIGHLIGHTED.fullmatch(classes)
        if match:
            return match.group(1)
        current = current.parent
    return None


def _is_numbered_listing(table: LexborNode) -> bool:
    """Whether a table only sets line numbers beside a listing."""
    if table.css_first("pre, code") is None:
        return False
    cells = table.css("td")
    if len(cells) != 2 or cells[1].css_first("pre, code") is None:
        return False
    numbers = node_text(cells[0])
    return bool(numbers.strip()) and NUMBERS.fullmatch(numbers) is not None
