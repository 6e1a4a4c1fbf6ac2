"""An archived page made fit to be looked at: without anything that acts, with files of the archive
only.

Whoever serves it says by a content policy, too, that nothing runs and nothing else is loaded; what
is done here is that the page looks as it did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from selectolax.lexbor import LexborNode

from blogforever import dom
from blogforever.media.requisites import CSS_ADDRESS, CSS_LIMIT, SETS, set_addresses
from blogforever.urls import join

Use = Literal["page", "file"]
Address = Callable[[Use, str], str]
"""From an address on the web, and what is wanted of it, to where it is shown."""

# What acts, shows pages of others, or changes what everything else means.
GONE = (
    "script,iframe,frame,frameset,object,embed,applet,base,template,portal,meta[http-equiv],meta[name=referrer],dialog"
)
KEPT_LINKS = frozenset(["stylesheet", "icon"])
# Where pictures wait that a script would load when they are scrolled to.
WAITING = ("data-src", "data-lazy-src", "data-original")
FILES = ("src", "poster", "background", "xlink:href")
# Names of attributes that send, ask, check or open something; others that act begin with `on`.
ACTS = frozenset(
    ["srcdoc", "action", "formaction", "ping", "target", "integrity", "crossorigin", "nonce", "manifest", "download"]
)
SCHEMED = re.compile(r"[\s\x00-\x20]*(?:javascript|vbscript|data:text)", re.IGNORECASE)
DATA = "data:"
STYLE_BEGINS, STYLE_ENDS = re.compile(r"<style\b", re.IGNORECASE), re.compile("</style>", re.IGNORECASE)
IMPORT = "@import"


def inert_page(html: str, url: str, address: Address) -> str:
    """The mark-up of a page that only shows itself."""
    tree = dom.parse(html)
    links = _Links(dom.base_of(tree, url), address)
    for node in tree.css(GONE):
        node.decompose()
    for node in tree.css("*"):
        links.settle(node)
    return f"<!doctype html>\n{_with_sheets(tree.html or '', links.sheet)}"


def _with_sheets(html: str, settled: Callable[[str], str]) -> str:
    """The mark-up with every style sheet in it settled.

    In one pass, whatever is written there: where one has no end, no later one has.
    """
    parts, done = [], 0
    for begins in STYLE_BEGINS.finditer(html):
        if begins.start() < done:
            continue
        start = html.find(">", begins.end()) + 1
        ends = STYLE_ENDS.search(html, start) if start else None
        if ends is None:
            break
        parts += [html[done:start], settled(html[start : ends.start()])]
        done = ends.start()
    return "".join([*parts, html[done:]])


def inert_sheet(css: str, url: str, address: Address) -> str:
    """A style sheet that loads files of the archive only."""
    return _Links(url, address).sheet(css)


class _Links:
    """Leads what a page or a sheet loads, and where it links to, into the archive."""

    def __init__(self, base: str, address: Address) -> None:
        self._base, self._address = base, address

    def settle(self, node: LexborNode) -> None:
        """Leave nothing at an element that acts, and nothing that is loaded from elsewhere."""
        attributes = dom.attributes_of(node)
        for name, value in attributes.items():
            if _acts(name, value):
                del node.attrs[name]
        if node.tag == "link":
            self._settle_link(node, attributes)
            return
        if node.tag == "img":
            self._load_waiting(node, attributes)
        for name, value in self._settled(node, dom.attributes_of(node)):
            node.attrs[name] = value

    def sheet(self, css: str) -> str:
        """A sheet, or the style of one element."""
        return CSS_ADDRESS.sub(self._in_sheet, css[:CSS_LIMIT])

    def _settle_link(self, node: LexborNode, attributes: dict[str, str]) -> None:
        kinds = KEPT_LINKS & set(attributes.get("rel", "").lower().split())
        where = self._file(attributes.get("href", "")) if kinds else None
        if where is None:
            node.decompose()
        else:
            node.attrs["href"] = where

    def _load_waiting(self, node: LexborNode, attributes: dict[str, str]) -> None:
        """A picture that waits for a script is shown at once."""
        waiting = next((attributes[name] for name in WAITING if attributes.get(name)), "")
        if waiting:
            node.attrs["src"] = waiting
        if attributes.get("data-srcset"):
            node.attrs["srcset"] = attributes["data-srcset"]

    def _settled(self, node: LexborNode, attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
        """The attributes that lead somewhere, as they lead into the archive."""
        for name, value in attributes.items():
            if name in SETS:
                yield name, self._set(value)
            elif name == "style":
                yield name, self.sheet(value)
            elif name == "href":
                yield name, self._link(node, value)
            elif name in FILES:
                yield name, self._file(value) or ""

    def _link(self, node: LexborNode, href: str) -> str:
        """Links lead to archived pages; inside a drawing they load a part of it, or a picture."""
        if href.startswith("#"):
            return href
        if node.tag not in ("a", "area"):
            return self._file(href) or ""
        url = join(self._base, href)
        return self._address("page", url) if url else "#"

    def _file(self, href: str) -> str | None:
        if href[: len(DATA)].lower() == DATA or href.startswith("#"):
            return href
        url = join(self._base, href) if href else None
        return self._address("file", url) if url else None

    def _set(self, value: str) -> str:
        """Of pictures for screens of several sizes, each by its address; sizes stay as they are."""
        hrefs = sorted(set(set_addresses(value)), key=len, reverse=True)
        if not hrefs:
            return ""
        known = re.compile("|".join(map(re.escape, hrefs)))
        return known.sub(lambda found: self._file(found[0]) or "", value)

    def _in_sheet(self, found: re.Match[str]) -> str:
        href = found[found.lastindex or 0].strip()
        where = self._file(href) or ""
        is_import = found[0].lower().startswith(IMPORT)
        return f'{IMPORT} "{_quoted(where)}"' if is_import else f'url("{_quoted(where)}")'


def _acts(name: str, value: str) -> bool:
    return name.startswith("on") or name in ACTS or SCHEMED.match(value) is not None


def _quoted(address: str) -> str:
    """An address between quotation marks of a sheet, which it cannot end, nor the sheet."""
    return address.replace("\\", "").replace('"', "%22").replace("\n", "").replace("<", "%3C")
