"""What a page says about itself: links, canonical address, refresh, kind of page; one parse, no judgement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from blogforever import dom
from blogforever.model import Page
from blogforever.urls import join, route_of, same_site, site_root, url_key

REFRESH = re.compile(r"^\s*(\d+)\s*[;,]\s*url\s*=\s*['\"]?([^'\"]+)", re.I)
LD_TYPE = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"([A-Za-z]+)"')
SCRIPT_MOVE = re.compile(
    r"""location(?:\.href)?\s*=\s*['"]([^'"]{1,500})['"]|location\.replace\(['"]([^'"]{1,500})['"]"""
)
ROOT = re.compile(rb"(?:<\?[^>]{0,300}>|<!--.{0,2000}?-->|<!(?!--)[^>]{0,500}>|\s)*+<([A-Za-z][\w:]{0,30})", re.DOTALL)
ENTRY_MARKS = "article, .hentry, .h-entry, [itemtype$='BlogPosting'], .post, .blog-post, .post-outer"
HEADINGS = "h1 a[href], h2 a[href], h3 a[href], h4 a[href]"
NAMED_HEADINGS = "h1[id], h2[id], h3[id], h4[id], h5[id], h6[id]"
LISTED = f"{HEADINGS}, li > a[href], td > a[href], dt > a[href], dd > a[href], li > span > a[href]"
PLAIN = re.compile(r"(?:https?://[a-z0-9.-]+)?/[\w%~@!$'()*,;=+:/.-]*(?:\?[\w%=./-]*)?(?:#[\w./-]*)?", re.ASCII)
STUB_LIMIT = 4000
MAX_LINKS = 5000
FEW_LINKS = 10


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
    """Links of headings to themselves, written as a query where the blog's scripts need # for its pages."""
    entries: int = 0
    words: frozenset[str] = frozenset()


def read_facts(page: Page, is_list: bool = False) -> PageFacts:
    """The facts of an HTML page; anything else has none. Of a list also what stands in it as a heading or an item."""
    if not looks_like_html(page):
        return PageFacts()
    tree = dom.shared_tree(page)
    base = _base(tree, page.url)
    body = tree.body
    classes = (body.attributes.get("class") or "").split() if body else []
    links = _links(tree, base, "a[href], area[href], link[rel~='next'], link[rel~='prev']")
    return PageFacts(
        links=links,
        own_parts=_own_parts(tree, base, links, page.url),
        heading_links=_links(tree, base, HEADINGS),
        listed=_links(tree, base, LISTED) if is_list else (),
        canonical=_canonical(tree, base),
        moved_to=_moved(tree, base, page),
        og_type=_meta(tree, "og:type"),
        ld_types=frozenset(LD_TYPE.findall(_scripts(tree))),
        body_classes=frozenset(classes[:60]),
        entries=len(tree.css(ENTRY_MARKS)),
        words=_template_words(tree),
    )


def looks_like_html(page: Page) -> bool:
    """Whether a response is a page for people; feeds, pictures and archives under any name are not."""
    kind = page.headers.get("content-type", "").lower()
    head = page.content[:600].lstrip().lower()
    if head.startswith((b"<?xml", b"<rss", b"<feed", b"<rdf")):
        root = ROOT.match(page.content[:5000].lstrip())
        return bool(root and root[1].lower() == b"html")
    if head.startswith((b"pk\x03\x04", b"%pdf", b"\x89png", b"gif8", b"\xff\xd8", b"\x1f\x8b")):
        return False
    return "html" in kind or not kind or b"<html" in head or b"<!doctype html" in head


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.css_first("base[href]")
    href = node.attributes.get("href") if node else None
    return (join(url, href) if href else None) or url


def _links(tree: LexborHTMLParser, base: str, selector: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    root = site_root(base).rstrip("/")
    for node in tree.css(selector)[:MAX_LINKS]:
        href = node.attributes.get("href")
        url = _absolute(root, base, href) if href and (not href.startswith("#") or route_of(href)) else None
        if url:
            found[url] = None
    return tuple(found)


def _own_parts(tree: LexborHTMLParser, base: str, links: tuple[str, ...], url: str) -> frozenset[str]:
    start = f"{url.partition('#')[0].partition('?')[0]}?"
    if not any(link.startswith(start) for link in links):
        return frozenset()
    found = set()
    for heading in tree.css(NAMED_HEADINGS)[:MAX_LINKS]:
        name = heading.attributes.get("id")
        for node in heading.css("a[href]")[:FEW_LINKS]:
            link = join(base, node.attributes.get("href") or "") or ""
            if link.startswith(start) and unquote(link.partition("=")[2]) == name:
                found.add(link)
    return frozenset(found)


def _absolute(root: str, base: str, href: str) -> str | None:
    """What `join` gives, without its cost for the plain addresses most links are."""
    if PLAIN.fullmatch(href) and "/." not in href and "#/" not in href and not href.startswith("//"):
        href = href.partition("#")[0]
        return root + href if href.startswith("/") else href
    return join(base, href)


def _canonical(tree: LexborHTMLParser, base: str) -> str | None:
    node = tree.css_first("link[rel~='canonical'][href]")
    href = node.attributes.get("href") if node else None
    return join(base, href) if href else None


def _meta(tree: LexborHTMLParser, name: str) -> str | None:
    node = tree.css_first(f"meta[property='{name}'], meta[name='{name}']")
    content = node.attributes.get("content") if node else None
    return content.strip() if content else None


def _moved(tree: LexborHTMLParser, base: str, page: Page) -> str | None:
    """Where a stub sends its reader: a refresh at once, or a tiny page whose script moves on."""
    for node in tree.css("meta[http-equiv][content]"):
        if (node.attributes.get("http-equiv") or "").lower() == "refresh":
            match = REFRESH.match(node.attributes.get("content") or "")
            target = join(base, match[2].strip()) if match and int(match[1]) <= 10 else None
            if target and url_key(target) != url_key(page.url):
                return target
    if len(page.content) < STUB_LIMIT and (match := SCRIPT_MOVE.search(tree.html or "")):
        target = join(base, match[1] or match[2])
        return target if target and same_site(target, page.url) and url_key(target) != url_key(page.url) else None
    return None


def _scripts(tree: LexborHTMLParser) -> str:
    return "\n".join(node.text() for node in tree.css("script[type='application/ld+json']")[:20])


def _template_words(tree: LexborHTMLParser) -> frozenset[str]:
    """Class words and ids without digits: what the page's template is made of, whatever it is called."""
    words: set[str] = set()
    for node in tree.css("[class], [id]")[:4000]:
        attributes = node.attributes
        words.update((attributes.get("class") or "").split())
        if ident := attributes.get("id"):
            words.add(f"#{ident}")
    return frozenset(w for w in words if len(w) < 40 and not any(c.isdigit() for c in w))
