"""What the home page tells about the blog itself."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from blogforever import dom
from blogforever.discover.platform import detect_platform
from blogforever.model import Feed, Page
from blogforever.protocols import Record
from blogforever.urls import join

CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w-]{3,30})""", re.IGNORECASE)


def describe_home(page: Page, feed: Feed | None) -> Record:
    """Platform, version, language, charset, rights and name, as far as page and feed say."""
    tree = dom.parse_page(page)
    platform = detect_platform(tree, page.headers, feed)
    root = tree.root
    language = root.attributes.get("lang") if root else None
    said = CHARSET.search(page.headers.get("content-type", "").encode() + b" " + page.content[:4096])
    named = {} if feed and feed.title else {"title": _name(tree)}
    return named | {
        "platform": platform.name if platform else None,
        "platform_version": platform.version if platform else None,
        "language": (feed.language if feed else None) or language or None,
        "charset": said[1].decode().lower() if said else None,
        "rights": (feed.rights if feed else None) or _rights(tree, page.url),
    }


def _name(tree: LexborHTMLParser) -> str | None:
    node = tree.css_first("meta[property='og:site_name'][content]")
    text = (node.attributes.get("content") if node else None) or (tree.css_first("title") or tree).text()
    return " ".join((text or "").split())[:300] or None


def _rights(tree: LexborHTMLParser, url: str) -> str | None:
    """A licence the page links to, else the owner it names."""
    link = tree.css_first("link[rel~='license'][href], a[rel~='license'][href]")
    if link:
        return join(url, link.attributes.get("href") or "")
    said = tree.css_first("meta[name='copyright' i][content], meta[name='dcterms.rights' i][content]")
    return " ".join((said.attributes.get("content") or "").split())[:300] or None if said else None
