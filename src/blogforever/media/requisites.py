"""Which files a page needs to look as it did, and which files it offers; of style sheets and scripts, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from selectolax.lexbor import LexborNode

from blogforever import dom
from blogforever.model import Page
from blogforever.urls import join

MOST = 500
CSS_LIMIT = 3_000_000
CSS_ADDRESS = re.compile(
    r"""url\(\s*(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^()'"\s]{1,2000}+))\s*\)"""
    r"""|@import\s+(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})')""",
    re.IGNORECASE,
)
# A whole quoted address in a script, its slashes often escaped.
IN_SCRIPT = re.compile(r"""(["'])((?:https?:)?(?:\\?/){1,2}[^"'\s<>(){}]{1,1000}+)\1""", re.IGNORECASE)
LOADED_FILE = re.compile(r"\.(?:m?js|css|woff2?|ttf|otf|svg|png|jpe?g|gif|webp|avif|ico)(?:\?|$)", re.IGNORECASE)
MODULE = re.compile(r"""\b(?:from|import)\s{0,9}+\(?\s{0,9}+(["'])((?:\.{0,2}/|https?://)[^"'\s]{1,1000}+)\1""")
SCRIPT_LIMIT, MOST_IN_SCRIPTS = 300_000, 50
FACTS = ("ld+json", "speculationrules", "template")  # scripts that say or offer, and load nothing
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


@dataclass(frozen=True, slots=True)
class Needed:
    """One file: `requisite` is loaded with the page, `media` is offered by it."""

    url: str
    role: str = "requisite"


def page_files(page: Page, media: bool = True) -> list[Needed]:
    """Everything an HTML page loads, in its order, each once; with `media`, also what it offers by links."""
    tree = dom.shared_tree(page)
    base_node = tree.css_first("base[href]")
    base = join(page.url, (base_node.attributes.get("href") if base_node else None) or "") or page.url
    found: dict[str, str] = {}
    for node in tree.css(f"{LOADING},a" if media else LOADING):
        for href, role in _of_node(node):
            url = join(base, href)
            if url and (url not in found or role == "requisite"):
                found[url] = role
            if len(found) >= MOST:
                return [Needed(*pair) for pair in found.items()]
    icon = join(page.url, "/favicon.ico")
    if icon and not tree.css_first("link[rel~=icon]"):
        found.setdefault(icon, "requisite")
    return [Needed(*pair) for pair in found.items() if pair[0] != page.url]


def css_files(content: bytes, url: str) -> list[Needed]:
    """What a style sheet loads: fonts, pictures, further sheets."""
    text = content[:CSS_LIMIT].decode("utf-8", "replace")
    found = dict.fromkeys(address for href in css_addresses(text) if (address := join(url, href)))
    return [Needed(address) for address in list(found)[:MOST] if address != url]


def script_files(content: bytes, url: str) -> list[Needed]:
    """The modules that a script imports."""
    text = content[:CSS_LIMIT].decode("utf-8", "replace")
    found = dict.fromkeys(address for href in module_addresses(text) if (address := join(url, href)))
    return [Needed(address) for address in list(found)[:MOST] if address != url]


def module_addresses(text: str) -> Iterator[str]:
    """What a script imports by an address, at its beginning or when it runs."""
    return (match[2] for match in MODULE.finditer(text))


def css_addresses(text: str) -> Iterator[str]:
    """The addresses in a piece of CSS."""
    for match in CSS_ADDRESS.finditer(text):
        address = next(part for part in match.groups() if part is not None).strip()
        if address and not address.lower().startswith(("data:", "#", "about:")):
            yield address


def script_addresses(text: str) -> list[str]:
    """Files that a script in a page names whole: what it may load when it runs."""
    found = (match[2].replace("\\/", "/") for match in IN_SCRIPT.finditer(text[:SCRIPT_LIMIT]))
    return list(dict.fromkeys(address for address in found if LOADED_FILE.search(address)))[:MOST_IN_SCRIPTS]


def set_addresses(value: str) -> list[str]:
    """All candidates of a srcset, as browsers read it: an address may hold commas, but not end in one."""
    found, at, value = [], 0, value[:20_000]
    while match := CANDIDATE.match(value, at):
        address = match[1].rstrip(",")
        if address:
            found.append(address)
        end = match.end() if match[1].endswith(",") else value.find(",", match.end())
        if end < 0:
            break
        at = end
    return found


def _of_node(node: LexborNode) -> Iterator[tuple[str, str]]:
    """The addresses at one element, each with its role."""
    attributes = node.attributes
    name = node.tag or ""
    for key in SETS:
        for href in set_addresses(attributes.get(key) or ""):
            yield href, "requisite"
    if style := attributes.get("style"):
        for href in css_addresses(style):
            yield href, "requisite"
    if name == "style":
        for href in css_addresses(node.text()):
            yield href, "requisite"
    if name == "script" and not any(word in (attributes.get("type") or "") for word in FACTS):
        text = node.text()
        for href in (*script_addresses(text), *islice(module_addresses(text[:SCRIPT_LIMIT]), MOST_IN_SCRIPTS)):
            yield href, "requisite"
    for key in LAZY:
        if value := attributes.get(key):
            yield value, "requisite"
    yield from _by_name(name, attributes, node)


def _by_name(name: str, attributes: dict[str, str | None], node: LexborNode) -> Iterator[tuple[str, str]]:
    for key in LOADS.get(name, ()):
        if value := attributes.get(key):
            yield value, "requisite"
    src, href = attributes.get("src"), attributes.get("href")
    if name in ("video", "audio", "source") and src:
        in_picture = name == "source" and node.parent is not None and node.parent.tag == "picture"
        yield src, "requisite" if in_picture else "media"
    if name == "link" and href and LOADED_LINKS & set((attributes.get("rel") or "").lower().split()):
        yield href, "requisite"
    if name == "a" and href and DOCUMENT.search(href.partition("#")[0].partition("?")[0]):
        yield href, "media"
