"""An article made fit to be shown anywhere: safe, with absolute addresses, real pictures and nothing hidden.

One loop over the visible tree writes plain mark-up and, beside it, the readable text, the media and the links.
What was written then passes `nh3`, (`safe.py`), which alone decides what is safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text
from blogforever.extract.pictures import (
    fallback_url,
    frame_url,
    is_tracker,
    picture_set,
    picture_url,
    written_set,
)
from blogforever.extract.safe import ALLOWED, BLOCKS, CITING, CODE, FILM, KEPT, MATH, PICTURE, RENAMED, VOID, made_safe
from blogforever.extract.text import GAPS, TextBuilder, parse_fragment
from blogforever.extract.visible import HEADINGS, NUMBERS, OPEN, TEXT, Attributes, visit
from blogforever.model import Link, MediaRef
from blogforever.thinning import CLOSES_P
from blogforever.urls import join

PLAIN = frozenset(["span", "a"])
PLAIN_KEYS = frozenset(["class", "style"])
NAMES = {tag: tag for tag in ALLOWED} | RENAMED
UNWRITTEN = ("", 0, 0, 0)
WRAPPERS = frozenset(["body", "html", "div", "article", "section", "main", "td", "span", "li", "dd", "dt"])
PICTURES = frozenset(["img", "amp-img", "picture"])
TABLE_TAGS = frozenset(["table", "thead", "tbody", "tr", "td", "th", "colgroup", "col"])
EMPTY_STAYS = VOID | (MATH - {"math"}) | {"td", "th", "li", "dt", "dd", "colgroup"}
LANGUAGE = re.compile(r"(?:language|lang|highlight-source|brush:?)[-: ]\s*([\w+#.-]{1,30})", re.IGNORECASE)
HIGHLIGHTED = re.compile(r"(?:highlight|sourceCode|src src-)\s?([\w+#.-]{1,30})")
OTHER_SCHEMES = ("mailto:", "tel:")
OLD_PLAYER = re.compile(r"^(https?://www\.youtube(?:-nocookie)?\.com)/v/")
VIDEO_ID = re.compile(r"[\w-]{5,20}")
PLAIN_HOST = re.compile(r"https?://(?:[^/?#@]*@)?[\w.:%\[\]-]+(?:[/?#]|$)", re.IGNORECASE)
MOST_ROUNDS = 4
LISTING_DEPTH = 6
MOST_PARTS = 200
INNER_LINK = re.compile(r'href="#([^"]*)"')
LENGTH = re.compile(r"\d{1,5}(?:px|%)?")
IDENTITY = (("lang", re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")), ("dir", re.compile("ltr|rtl|auto", re.I)))
QUOTE = '"'


@dataclass(frozen=True, slots=True)
class CleanArticle:
    """An article's safe mark-up, its readable text, and what it shows and leads to."""

    html: str
    text: str
    media: tuple[MediaRef, ...] = ()
    links: tuple[Link, ...] = ()


def clean_html(html: str, base_url: str) -> str:
    """Safe mark-up with absolute addresses, real pictures and nothing hidden."""
    return clean_article(html, base_url).html


def clean_article(html: str, base_url: str) -> CleanArticle:
    """The same with the text, media and links of the article."""
    body = parse_fragment(html).body
    return clean_node(body, base_url) if body is not None else CleanArticle("", "")


def clean_node(node: LexborNode, base_url: str, excluded: Collection[int] = ()) -> CleanArticle:
    """The same of a part of a page, without the parts whose memory ids are excluded."""
    targets = _targets(node, base_url)
    for _ in range(MOST_ROUNDS):
        writer = _written(node, base_url, excluded, targets)
        if writer.used <= writer.referred:
            break
        targets = writer.referred
    html = writer.html()
    safe = made_safe(html)
    if safe != html:
        safe = _settled(safe, base_url)
    return CleanArticle(safe, writer.builder.result(), tuple(writer.media.values()), tuple(writer.links))


def _settled(html: str, base_url: str) -> str:
    """Trees of misnested tags cannot be written as they are; write again until a parser reads back what was written."""
    for _ in range(MOST_ROUNDS):
        body = parse_fragment(html).body
        again = _written(body, base_url, (), _targets(body, base_url)).html() if body is not None else ""
        if again == html:
            break
        html = made_safe(again)
    return html


def _written(node: LexborNode, base_url: str, excluded: Collection[int], targets: set[str]) -> _HtmlWriter:
    writer = _HtmlWriter(base_url, targets)
    text, begin, end = writer.text, writer.open, writer.close
    for step, current, tag, attributes in visit(node, excluded, LEAVES):
        if step == TEXT:
            text(current.text_content or "")
        elif current is node and tag in WRAPPERS:
            continue
        elif step == OPEN:
            begin(current, tag, attributes)
        else:
            end(tag)
    return writer


class _HtmlWriter:
    """Writes the visible tree again as plain mark-up, and gathers text, media and links on the way."""

    def __init__(self, base: str, targets: set[str]) -> None:
        self.base = base
        self.targets = targets
        self.out: list[str] = []
        self.marks: list[tuple[str, int, int, int]] = []
        self.substance = 0
        self.breaks = 0
        self.listing = 0
        self.paragraph = 0
        self.builder = TextBuilder()
        self.media: dict[str, MediaRef] = {}
        self.links: list[Link] = []
        self.captions: dict[int, str | None] = {}
        self.promised: str | None = None
        self.used: set[str] = set()
        self.referred: set[str] = set()

    def html(self) -> str:
        """What was written."""
        return "".join(self.out).strip()

    def text(self, text: str) -> None:
        """A run of characters."""
        if self.builder.text(text):
            self.substance += 1
        if self.builder.verbatim and self.out and self.out[-1].startswith("<pre"):
            # The parser drops a line break that follows this tag, so that a second cleaning would lose one more.
            text = text.lstrip("\r\n")
        self.out.append(_escaped(text))

    def open(self, node: LexborNode, tag: str, attributes: Attributes) -> None:
        """An element begins."""
        plain = not attributes or PLAIN_KEYS.issuperset(attributes)
        if plain and tag in PLAIN:
            self.marks.append(UNWRITTEN)
            return
        if write := LEAF_WRITERS.get(tag):
            write(self, node, attributes)
            return
        if tag in GAPS:
            self._open_block(node, tag)
        name = "" if self.listing and tag in TABLE_TAGS else NAMES.get(tag, "")
        substance = self.substance
        kept = "" if not name or (plain and name not in CODE) else self._attributes(node, name, attributes)
        if not kept and name in PLAIN:
            name = ""
        self.marks.append((name, len(self.out), substance, self.breaks))
        if name:
            self.out.append(f"<{name}{kept}>")

    def _open_block(self, node: LexborNode, tag: str) -> None:
        self.builder.open(tag)
        if self.paragraph and (tag in CLOSES_P or tag == "table"):
            self._widen_paragraph()
        if tag == "p":
            self.paragraph = len(self.marks) + 1
        elif tag == "table" and not self.listing and _is_numbered_listing(node):
            self.listing = len(self.marks) + 1

    def close(self, tag: str) -> None:
        """An element ends."""
        if tag in LEAF_WRITERS:
            return
        name, start, substance, breaks = self.marks.pop()
        if tag in GAPS:
            self._close_block(tag)
        if not name:
            return
        if name in VOID:
            self._count_void(name)
        elif substance == self.substance and name not in EMPTY_STAYS and (name in BLOCKS or breaks == self.breaks):
            self._drop_empty(name, start)
            self.breaks = breaks
        else:
            self.out.append(f"</{name}>")
            if name == "a" and substance != self.substance and (inner := INNER_LINK.search(self.out[start])):
                self.referred |= _spellings(unescape(inner.group(1)))

    def _close_block(self, tag: str) -> None:
        self.builder.close(tag)
        if self.listing > len(self.marks):
            self.listing = 0
        if self.paragraph > len(self.marks):
            self.paragraph = 0

    def _widen_paragraph(self) -> None:
        """A paragraph cannot hold a block; trees of old pages have such, and the next parser would tear them."""
        at = self.paragraph - 1
        _, start, substance, breaks = self.marks[at]
        self.marks[at] = ("div", start, substance, breaks)
        self.out[start] = "<div" + self.out[start][2:]
        self.paragraph = 0

    def _count_void(self, name: str) -> None:
        if name == "br":
            self.breaks += 1
        elif name == "hr":
            self.substance += 1

    def _drop_empty(self, name: str, start: int) -> None:
        """What stood around an empty element stays as far apart as it was."""
        blank = len(self.out) > start + 1
        del self.out[start:]
        if name in BLOCKS:
            self.out.append("\n")
        elif blank:
            self.out.append(" ")

    def _attributes(self, node: LexborNode, name: str, attributes: Attributes) -> str:
        kept = _present(attributes, KEPT.get(name, ()))
        self._identity(name, attributes, kept)
        if name == "a":
            self._link(node, attributes, kept)
        elif name in CODE:
            if language := _language(node):
                kept["class"] = f"language-{language}"
        elif (cite := attributes.get("cite")) and name in CITING and (url := join(self.base, cite)):
            kept["cite"] = url
        return "".join([_attribute(key, value) for key, value in kept.items()])

    def _identity(self, name: str, attributes: Attributes, kept: Attributes) -> None:
        mark = attributes.get("id") or (attributes.get("name") if name == "a" else None)
        if mark and (mark in self.targets or name in HEADINGS):
            kept["id"] = mark
            if mark in self.targets and name not in HEADINGS:
                self.used.add(mark)
                self.substance += 1
        for key, shape in IDENTITY:
            if (value := attributes.get(key)) and shape.fullmatch(value):
                kept[key] = value

    def _link(self, node: LexborNode, attributes: Attributes, kept: Attributes) -> None:
        url = _href(attributes.get("href") or "", self.base)
        if url is None:
            kept.pop("rel", None)
            kept.pop("title", None)
            return
        kept["href"] = url
        if url.startswith("http"):
            self.links.append(Link(url, node_text(node), attributes.get("rel") or None))

    def picture(self, node: LexborNode, attributes: Attributes) -> None:
        """An img element, or the noscript beside it, whichever knows the picture."""
        if is_tracker(attributes):
            return
        url = picture_url(attributes, self.base)
        if url is None and _has_picture(_beside(node.next, forward=True)):
            return
        url = url or fallback_url(attributes, self.base)
        if url is None or url == self.promised:
            self.promised = None
            return
        self.write_picture(node, url, attributes)

    def write_picture(self, node: LexborNode, url: str, attributes: Attributes) -> None:
        """An img element with its real address."""
        kept: Attributes = {"src": url, **_sized(attributes, PICTURE)}
        if len(sizes := picture_set(attributes, self.base)) > 0:
            kept["srcset"] = written_set(sizes)
            kept |= _present(attributes, ("sizes",))
        self._write_leaf("img", kept)
        if not url.startswith("data:") and url not in self.media:
            self.media[url] = MediaRef(url, alt=attributes.get("alt") or None, caption=self._caption(node))

    def unscripted(self, node: LexborNode, _: Attributes) -> None:
        """A noscript element: only the pictures that a lazy one beside it stands for."""
        before = _beside(node.prev, forward=False)
        if before is not None and before.tag in PICTURES and _resolved(before, self.base):
            return
        for image in node.css("img")[:MOST_PARTS]:
            attributes = image.attributes
            url = picture_url(attributes, self.base)
            if url and url not in self.media and not is_tracker(attributes):
                self.write_picture(node, url, attributes)
                self.promised = url

    def choice(self, node: LexborNode, _: Attributes) -> None:
        """A picture element with its sources."""
        start = len(self.out)
        for source in node.css("source")[:MOST_PARTS]:
            if sizes := picture_set(source.attributes, self.base):
                kept: Attributes = {"srcset": written_set(sizes)}
                self._write_leaf("source", kept | _present(source.attributes, ("type", "media", "sizes")))
        sources = self.out[start:]
        del self.out[start:]
        image = node.css_first("img")
        if image is not None:
            self.picture(image, image.attributes)
        if sources and len(self.out) > start:
            self.out[start:] = ["<picture>", *sources, self.out[-1], "</picture>"]

    def frame(self, node: LexborNode, attributes: Attributes) -> None:
        """An embedded page or player."""
        url = frame_url(attributes, self.base) or _player(node, attributes, self.base)
        if url is None or is_tracker(attributes):
            return
        if (attributes.get("type") or "").startswith("image/"):
            self.write_picture(node, url, attributes)
            return
        url = OLD_PLAYER.sub(r"\1/embed/", url)
        kept: Attributes = {"src": url, **_sized(attributes, ("title", *FILM))}
        self._write_leaf("iframe", kept | {"allowfullscreen": ""}, "</iframe>")
        self.media.setdefault(url, MediaRef(url, role="embed"))

    def film(self, node: LexborNode, attributes: Attributes) -> None:
        """A video or audio element with its sources and tracks."""
        name = "audio" if node.tag == "audio" else "video"
        kept: Attributes = _sized(attributes, FILM) | {"controls": ""}
        if url := frame_url(attributes, self.base):
            kept["src"] = url
        if (poster := attributes.get("poster")) and (picture := join(self.base, poster)):
            kept["poster"] = picture
        inner = [self._part(part) for part in node.css("source, track")[:MOST_PARTS]]
        if "src" not in kept and not any(inner):
            return
        self._write_leaf(name, kept, "".join(inner) + f"</{name}>")
        urls = [url or ""] + [frame_url(part.attributes, self.base) or "" for part in node.css("source")[:MOST_PARTS]]
        for address in filter(None, urls):
            self.media.setdefault(address, MediaRef(address, role=name, caption=self._caption(node)))

    def _part(self, node: LexborNode) -> str:
        attributes = node.attributes
        url = frame_url(attributes, self.base)
        if url is None:
            return ""
        kept: Attributes = {"src": url, **_present(attributes, ("type", "kind", "srclang", "label"))}
        return f"<{node.tag}{''.join([_attribute(key, value) for key, value in kept.items()])}>"

    def _caption(self, node: LexborNode) -> str | None:
        figure = _figure(node)
        if figure is None:
            return None
        if figure.mem_id not in self.captions:  # one figure may hold thousands of pictures
            caption = figure.css_first("figcaption, .wp-caption-text")
            self.captions[figure.mem_id] = (node_text(caption) or None) if caption is not None else None
        return self.captions[figure.mem_id]

    def _write_leaf(self, name: str, attributes: Attributes, end: str = "") -> None:
        self.substance += 1
        self.out.append(f"<{name}{''.join([_attribute(key, value) for key, value in attributes.items()])}>{end}")


LEAF_WRITERS: dict[str, Callable[[_HtmlWriter, LexborNode, Attributes], None]] = {
    "img": _HtmlWriter.picture,
    "amp-img": _HtmlWriter.picture,
    "noscript": _HtmlWriter.unscripted,
    "picture": _HtmlWriter.choice,
    **dict.fromkeys(["iframe", "amp-iframe", "object", "embed", "amp-youtube", "lite-youtube"], _HtmlWriter.frame),
    **dict.fromkeys(["audio", "video", "amp-video"], _HtmlWriter.film),
}
LEAVES = frozenset(LEAF_WRITERS)


def _targets(node: LexborNode, base: str) -> set[str]:
    """The ids that links within the article point to; only those are kept."""
    marks: set[str] = set()
    for link in node.css('a[href*="#"]'):
        url = _href(link.attributes.get("href") or "", base)
        if url and url.startswith("#"):
            marks |= _spellings(url[1:])
    return marks


def _spellings(mark: str) -> set[str]:
    return {mark, unquote(mark)}


def _href(href: str, base: str) -> str | None:
    """A link made absolute, except to a place in the same article."""
    address, _, mark = href.strip().partition("#")
    if not address:
        return "#" + mark if mark else None
    url = join(base, address)
    if url is None:
        return href.strip() if address.lower().startswith(OTHER_SCHEMES) else None
    if not PLAIN_HOST.match(url):
        return None
    if mark and url == base.partition("#")[0]:
        return "#" + mark
    return f"{url}#{mark}" if mark else url


def _language(node: LexborNode) -> str | None:
    """The language a listing is marked with, on itself or on the highlighter's wrapper around it."""
    current: LexborNode | None = node
    for _ in range(LISTING_DEPTH if node.tag == "pre" else 1):
        if current is None:
            return None
        classes = current.attributes.get("class") or ""
        if match := LANGUAGE.search(classes) or HIGHLIGHTED.fullmatch(classes):
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


def _player(node: LexborNode, attributes: Attributes, base: str) -> str | None:
    """The address in an old object element or a named player."""
    if video := attributes.get("videoid") or attributes.get("data-videoid"):
        return f"https://www.youtube.com/embed/{video}" if VIDEO_ID.fullmatch(video) else None
    for inner in node.css("embed[src], iframe[src], param[name=movie], param[name=src]"):
        value = inner.attributes.get("src") or inner.attributes.get("value")
        if value and (url := join(base, value)):
            return url
    return None


def _figure(node: LexborNode) -> LexborNode | None:
    """The element around a picture that may hold its caption."""
    current = node.parent
    for _ in range(4):
        if current is None:
            return None
        if current.tag == "figure" or "wp-caption" in (current.attributes.get("class") or "").split():
            return current
        current = current.parent
    return None


def _beside(node: LexborNode | None, *, forward: bool) -> LexborNode | None:
    """The nearest sibling that is not white space."""
    while node is not None and node.is_text_node and not (node.text_content or "").strip():
        node = node.next if forward else node.prev
    return node


def _has_picture(node: LexborNode | None) -> bool:
    return node is not None and node.tag == "noscript" and node.css_first("img") is not None


def _resolved(node: LexborNode, base: str) -> bool:
    image = node if node.tag != "picture" else node.css_first("img")
    return image is not None and picture_url(image.attributes, base) is not None


def _sized(attributes: Attributes, names: tuple[str, ...]) -> Attributes:
    kept = _present(attributes, names)
    return {key: value for key, value in kept.items() if key not in FILM or (value and LENGTH.fullmatch(value))}


def _present(attributes: Attributes, names: tuple[str, ...]) -> Attributes:
    return {name: attributes[name] for name in names if name in attributes}


def _attribute(name: str, value: str | None) -> str:
    return f' {name}="{_escaped(value).replace(QUOTE, "&quot;")}"' if value else f' {name}=""'


def _escaped(text: str) -> str:
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text or ">" in text:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\xa0", "&nbsp;") if "\xa0" in text else text
