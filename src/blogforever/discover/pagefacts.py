"""What a page says about itself: links, canonical address, refresh, kind of page; one parse, no judgement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever import dom
from blogforever.discover.acting import acts
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.urls import join, page_key, route_of, same_site, site_root

REFRESH = re.compile(r"^\s*(\d+)\s*[;,]\s*url\s*=\s*['\"]?([^'\"]+)", re.I)
LD_TYPE = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"([A-Za-z]+)"')
SCRIPT_MOVE = re.compile(
    r"""location(?:\.href)?\s*=\s*['"]([^'"]{1,500})['"]|location\.replace\(['"]([^'"]{1,500})['"]"""
)
ROOT = re.compile(
    rb"(?:<\?[^>]{0,300}>|<!--.{0,2000}?-->|<!(?!--)[^>]{0,500}>|\s)*+<([A-Za-z][\w:]{0,30})",
    re.DOTALL,
)
ENTRY_MARKS = "article, .hentry, .h-entry, [itemtype$='BlogPosting'], .post, .blog-post, .post-outer"
HEADINGS = "h1 a[href], h2 a[href], h3 a[href], h4 a[href]"
NAMED_HEADINGS = "h1[id], h2[id], h3[id], h4[id], h5[id], h6[id]"
# On cards the link is around the heading.
CARDS = "a[href]:has(h1, h2, h3, h4)"
LISTED = f"{HEADINGS}, {CARDS}, li > a[href], td > a[href], dt > a[href], dd > a[href], li > span > a[href]"
PLAIN = re.compile(
    r"(?:https?://[a-z0-9.-]+)?/[\w%~@!$'()*,;=+:/.-]*(?:\?[\w%=./-]*)?(?:#[\w./-]*)?",
    re.ASCII,
)
# Beginnings of documents that may be feeds, and of files that are no text at all.
XML_STARTS = (b"<?xml", b"<rss", b"<feed", b"<rdf")
FILE_STARTS = (b"pk\x03\x04", b"%pdf", b"\x89png", b"gif8", b"\xff\xd8", b"\x1f\x8b")
# Bytes in which a document shows what it is, and those in which the root of an XML document stands.
BEGINNING, PROLOG = 600, 5000
# Bytes of a page that is but a stub whose script sends its reader on.
STUB_LIMIT = 4000
# Seconds after which a refresh still sends its reader on; later ones load the same page anew.
AT_ONCE = 10
# Links of one page, and of one heading, that are read.
MAX_LINKS = 5000
FEW_LINKS = 10
# What the body of a page is called that is one post.
POST_CLASSES = frozenset({"single-post", "post-template", "post-template-default", "item-view"})
# Elements, classes of the body and scripts of one page that are read for what it is made of.
MOST_MARKED, MOST_CLASSES, MOST_SCRIPTS = 4000, 60, 20
# A longer class or id is made by a machine, for this page alone.
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class PageFacts:
    """One page's own words about itself."""

    links: tuple[str, ...] = ()
    heading_links: tuple[str, ...] = ()
    canonical: str | None = None
    moved_to: str | None = None
    og_type: str | None = None
    ld_types: frozenset[str] = frozenset()
    body_classes: frozenset[str] = frozenset()
    listed: tuple[str, ...] = ()
    own_parts: frozenset[str] = frozenset()
    """Links of headings to themselves, written as a query
    where the blog's scripts need # for its pages.
    """
    entries: int = 0
    words: frozenset[str] = frozenset()


def read_facts(page: Page, is_list: bool = False) -> PageFacts:
    """The facts of an HTML page; anything else has none.

    Of a list also what stands in it as a heading or an item.
    """
    if not looks_like_html(page):
        return PageFacts()
    tree = view_of(page).tree
    base = dom.base_of(tree, page.url)
    body = tree.body
    classes = (body.attributes.get("class") or "").split() if body else []
    links = _links(tree, base, "a[href], area[href], link[rel~='next'], link[rel~='prev']")
    return PageFacts(
        links=links,
        own_parts=_own_parts(tree, base, links, page.url),
        heading_links=_links(tree, base, HEADINGS),
        listed=_links(tree, base, LISTED) if is_list else (),
        canonical=_canonical(tree, base),
        moved_to=_refreshed_to(tree, base, page) or _scripted_to(tree, base, page),
        og_type=_meta(tree, "og:type"),
        ld_types=frozenset(LD_TYPE.findall(_scripts(tree))),
        body_classes=frozenset(classes[:MOST_CLASSES]),
        entries=len({entry.mem_id for entry in tree.css(ENTRY_MARKS)}),  # one for each mark that it has
        words=_template_words(tree),
    )


def looks_like_html(page: Page) -> bool:
    """Whether a response is a page for people.

    Feeds, pictures and archives under any name are not.
    """
    kind = page.headers.get("content-type", "").lower()
    head = page.content[:BEGINNING].lstrip().lower()
    if head.startswith(XML_STARTS):
        root = ROOT.match(page.content[:PROLOG].lstrip())
        return bool(root and root[1].lower() == b"html")
    if head.startswith(FILE_STARTS):
        return False
    says_page = "html" in kind or not kind
    return says_page or b"<html" in head or b"<!doctype html" in head


class _Beside:
    """The keys of the addresses on a page; made for the first who asks, and few pages have one."""

    def __init__(self, urls: Iterable[str]) -> None:
        self._urls = urls
        self._keys: frozenset[str] | None = None

    def __call__(self) -> frozenset[str]:
        if self._keys is None:
            self._keys = frozenset(map(page_key, self._urls))
        return self._keys


def _links(tree: LexborHTMLParser, base: str, selector: str) -> tuple[str, ...]:
    """Where the elements of a selector lead, each address once."""
    found: list[tuple[LexborNode, str]] = []
    root = site_root(base).rstrip("/")
    for node in tree.css(selector)[:MAX_LINKS]:
        href = node.attributes.get("href")
        if not href or (href.startswith("#") and not route_of(href)):
            continue
        url = _absolute(root, base, href)
        if url:
            found.append((node, url))
    beside = _Beside([base, *(url for _node, url in found)])
    return tuple(dict.fromkeys(url for node, url in found if not acts(node.attributes, node.text, url, beside)))


def _own_parts(
    tree: LexborHTMLParser,
    base: str,
    links: tuple[str, ...],
    url: str,
) -> frozenset[str]:
    """The links of headings to themselves."""
    start = f"{url.partition('#')[0].partition('?')[0]}?"
    if not any(link.startswith(start) for link in links):
        return frozenset()
    found = set()
    for heading in tree.css(NAMED_HEADINGS)[:MAX_LINKS]:
        name = heading.attributes.get("id")
        for node in heading.css("a[href]")[:FEW_LINKS]:
            link = join(base, node.attributes.get("href") or "") or ""
            leads_to_it = unquote(link.partition("=")[2]) == name
            if leads_to_it and link.startswith(start):
                found.add(link)
    return frozenset(found)


def _absolute(root: str, base: str, href: str) -> str | None:
    """What `join` gives, without its cost for the plain addresses most links are."""
    means_what_it_says = "/." not in href and "#/" not in href and not href.startswith("//")
    if means_what_it_says and PLAIN.fullmatch(href):
        href = href.partition("#")[0]
        return root + href if href.startswith("/") else href
    return join(base, href)


def _refreshed_to(tree: LexborHTMLParser, base: str, page: Page) -> str | None:
    """Where a refresh sends its reader at once."""
    for node in tree.css("meta[http-equiv][content]"):
        values = dom.attributes_of(node)
        if values.get("http-equiv", "").lower() != "refresh":
            continue
        match = REFRESH.match(values.get("content", ""))
        if match is None or int(match[1]) > AT_ONCE:
            continue
        target = join(base, match[2].strip())
        if target and _is_elsewhere(target, page):
            return target
    return None


def _scripted_to(tree: LexborHTMLParser, base: str, page: Page) -> str | None:
    """Where the script of a tiny page sends its reader, on the same site."""
    if len(page.content) >= STUB_LIMIT:
        return None
    match = SCRIPT_MOVE.search(tree.html or "")
    if match is None:
        return None
    target = join(base, match[1] or match[2])
    if target and same_site(target, page.url) and _is_elsewhere(target, page):
        return target
    return None


def _is_elsewhere(target: str, page: Page) -> bool:
    return page_key(target) != page_key(page.url)


def _canonical(tree: LexborHTMLParser, base: str) -> str | None:
    """The address a page says is its own."""
    node = tree.css_first("link[rel~='canonical'][href]")
    href = node.attributes.get("href") if node else None
    return join(base, href) if href else None


def _meta(tree: LexborHTMLParser, name: str) -> str | None:
    """What a page says of itself under a name."""
    node = tree.css_first(f"meta[property='{name}'], meta[name='{name}']")
    content = node.attributes.get("content") if node else None
    return content.strip() if content else None


def _scripts(tree: LexborHTMLParser) -> str:
    """What a page tells search engines, as one text."""
    nodes = tree.css("script[type='application/ld+json']")
    return "\n".join(node.text() for node in nodes[:MOST_SCRIPTS])


def _template_words(tree: LexborHTMLParser) -> frozenset[str]:
    """Class words and ids without digits: what the
    page's template is made of, whatever it is called.
    """
    words: set[str] = set()
    for node in tree.css("[class], [id]")[:MOST_MARKED]:
        attributes = node.attributes
        words.update((attributes.get("class") or "").split())
        if ident := attributes.get("id"):
            words.add(f"#{ident}")
    return frozenset(filter(_is_lasting, words))


def _is_lasting(word: str) -> bool:
    """Whether a word may stand on other pages, too."""
    return len(word) < LONGEST_WORD and not any(character.isdigit() for character in word)
