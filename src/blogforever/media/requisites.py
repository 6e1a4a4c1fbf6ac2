"""Which files a page needs to look as it did, and which files it offers; of style sheets and scripts, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from selectolax.lexbor import LexborNode

from blogforever import dom
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.urls import join

# Files of one page or sheet: a page that names more is no page for people.
MOST = 500
# Characters read of a style sheet or a script, of a script in a page, and of a list of pictures.
CSS_LIMIT = 3_000_000
SCRIPT_LIMIT, SET_LIMIT = 300_000, 20_000
# Files that one script in a page names.
MOST_IN_SCRIPTS = 50
CSS_ADDRESS = re.compile(
    r"""url\(\s*(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^()'"\s]{1,2000}+))\s*\)"""
    r"""|@import\s+(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})')""",
    re.IGNORECASE,
)
# A whole quoted address in a script, its slashes often escaped.
IN_SCRIPT = re.compile(
    r"""(["'])((?:https?:)?(?:\\?/){1,2}[^"'\s<>(){}]{1,1000}+)\1""",
    re.IGNORECASE,
)
LOADED_FILE = re.compile(
    r"\.(?:m?js|css|woff2?|ttf|otf|svg|png|jpe?g|gif|webp|avif|ico)(?:\?|$)",
    re.IGNORECASE,
)
MODULE = re.compile(r"""\b(?:from|import)\s{0,9}+\(?\s{0,9}+(["'])((?:\.{0,2}/|https?://)[^"'\s]{1,1000}+)\1""")
# Scripts that say or offer something, and load nothing.
FACTS = ("ld+json", "speculationrules", "template")
CANDIDATE = re.compile(r"[\s,]*(\S+)")
LOADED_LINKS = frozenset("stylesheet icon apple-touch-icon mask-icon manifest preload modulepreload".split())
LAZY = ("data-src", "data-lazy-src", "data-original", "data-bg", "data-background-image", "poster")
SETS = ("srcset", "data-srcset", "data-lazy-srcset", "imagesrcset")
DOCUMENT = re.compile(
    r"\.(?:pdf|epub|mobi|djvu|docx?|odt|rtf|xlsx?|ods|csv|pptx?|odp|zip|tar|gz|7z|mp3|m4a|m4b|ogg|oga|opus|wav|flac|aac|"
    r"mp4|m4v|webm|ogv|mov|avi|mkv|mpe?g|wmv)$",
    re.IGNORECASE,
)
LOADS = {
    **dict.fromkeys(("img", "script", "input", "embed"), ("src",)),
    **dict.fromkeys(("body", "table", "td"), ("background",)),
    **dict.fromkeys(("image", "use"), ("href", "xlink:href")),
    "object": ("data",),
}
LOADING = ",".join((*LOADS, "source", "link", "style", "[style]", "video", "audio", "[data-bg]"))


FileRole = Literal["requisite", "media"]
Attributes = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Needed:
    """One file: `requisite` is loaded with the page, `media` is offered by it."""

    url: str
    role: FileRole = "requisite"


def page_files(page: Page, media: bool = True) -> list[Needed]:
    """Everything an HTML page loads, in its order, each once.

    With `media`, also what it offers by links.
    """
    tree = view_of(page).tree
    base = dom.base_of(tree, page.url)
    roles: dict[str, FileRole] = {}
    for node in tree.css(f"{LOADING},a" if media else LOADING):
        for href, role in _of_node(node):
            url = join(base, href)
            # What is loaded somewhere and offered elsewhere is loaded.
            if url and (url not in roles or role == "requisite"):
                roles[url] = role
            if len(roles) >= MOST:
                return _needed(roles)
    icon = join(page.url, "/favicon.ico")
    if icon and not tree.css_first("link[rel~=icon]"):
        roles.setdefault(icon, "requisite")
    roles.pop(page.url, None)
    return _needed(roles)


def _needed(roles: dict[str, FileRole]) -> list[Needed]:
    return [Needed(url, role) for url, role in roles.items()]


def css_files(content: bytes, url: str) -> list[Needed]:
    """What a style sheet loads: fonts, pictures, further sheets."""
    return _loaded(css_addresses(_text(content)), url)


def script_files(content: bytes, url: str) -> list[Needed]:
    """The modules that a script imports."""
    return _loaded(module_addresses(_text(content)), url)


def _text(content: bytes) -> str:
    return content[:CSS_LIMIT].decode("utf-8", "replace")


def _loaded(hrefs: Iterable[str], url: str) -> list[Needed]:
    """The files that another one loads, each once, without itself."""
    found: dict[str, None] = {}
    for href in hrefs:
        address = join(url, href)
        if address:
            found[address] = None
    return [Needed(address) for address in list(found)[:MOST] if address != url]


def module_addresses(text: str) -> Iterator[str]:
    """What a script imports by an address, at its beginning or when it runs."""
    return (match[2] for match in MODULE.finditer(text))


def css_addresses(text: str) -> Iterator[str]:
    """The addresses in a piece of CSS."""
    for match in CSS_ADDRESS.finditer(text):
        # Of the ways to write one, just one matched.
        address = match[match.lastindex or 0].strip()
        if address and not address.lower().startswith(("data:", "#", "about:")):
            yield address


def script_addresses(text: str) -> list[str]:
    """Files that a script in a page names whole: what it may load when it runs."""
    found: dict[str, None] = {}
    for match in IN_SCRIPT.finditer(text[:SCRIPT_LIMIT]):
        address = match[2].replace("\\/", "/")
        if LOADED_FILE.search(address):
            found[address] = None
    return list(found)[:MOST_IN_SCRIPTS]


def set_addresses(value: str) -> list[str]:
    """All candidates of a srcset, as browsers read it:
    an address may hold commas, but not end in one.
    """
    found, at, value = [], 0, value[:SET_LIMIT]
    while match := CANDIDATE.match(value, at):
        address = match[1].rstrip(",")
        if address:
            found.append(address)
        # What follows an address up to the comma says for which screen it is.
        end = match.end() if match[1].endswith(",") else value.find(",", match.end())
        if end < 0:
            break
        at = end
    return found


def _of_node(node: LexborNode) -> Iterator[tuple[str, FileRole]]:
    """The addresses at one element, each with its role."""
    attributes = node.attributes
    name = node.tag or ""
    loaded = _in_sets(attributes) + _in_styles(name, attributes, node)
    if name == "script":
        loaded += _in_script(attributes, node)
    for key in (*LAZY, *LOADS.get(name, ())):
        if value := attributes.get(key):
            loaded.append(value)
    for href in loaded:
        yield href, "requisite"
    yield from _by_name(name, attributes, node)


def _in_sets(attributes: Attributes) -> list[str]:
    """Pictures for screens of several sizes."""
    found: list[str] = []
    for key in SETS:
        if value := attributes.get(key):
            found += set_addresses(value)
    return found


def _in_styles(name: str, attributes: Attributes, node: LexborNode) -> list[str]:
    """What the style of an element loads, and that of a sheet in the page."""
    found: list[str] = []
    if style := attributes.get("style"):
        found += css_addresses(style)
    if name == "style":
        found += css_addresses(node.text())
    return found


def _in_script(attributes: Attributes, node: LexborNode) -> list[str]:
    """What a script in the page names and imports."""
    kind = attributes.get("type") or ""
    if any(word in kind for word in FACTS):
        return []
    text = node.text()
    imported = islice(module_addresses(text[:SCRIPT_LIMIT]), MOST_IN_SCRIPTS)
    return [*script_addresses(text), *imported]


def _by_name(
    name: str,
    attributes: Attributes,
    node: LexborNode,
) -> Iterator[tuple[str, FileRole]]:
    """What only some elements load or offer."""
    src, href = attributes.get("src"), attributes.get("href")
    if src and name in ("video", "audio", "source"):
        yield src, "requisite" if _is_in_picture(name, node) else "media"
    if not href:
        return
    if name == "link" and _is_loaded(attributes.get("rel") or ""):
        yield href, "requisite"
    if name == "a" and _is_document(href):
        yield href, "media"


def _is_document(href: str) -> bool:
    """Whether a link leads to a file for people, by its ending."""
    path = href.partition("#")[0].partition("?")[0]
    return DOCUMENT.search(path) is not None


def _is_in_picture(name: str, node: LexborNode) -> bool:
    """Whether a source is that of a picture, not of a film or a sound."""
    return name == "source" and node.parent is not None and node.parent.tag == "picture"


def _is_loaded(rel: str) -> bool:
    """Whether a page loads what it links to in its head."""
    return not LOADED_LINKS.isdisjoint(rel.lower().split())
