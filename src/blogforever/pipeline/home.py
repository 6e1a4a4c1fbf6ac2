"""What the home page tells about the blog itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from blogforever.discover.platform import detect_platform
from blogforever.model import Feed, Page
from blogforever.page.view import view_of
from blogforever.urls import join

# What follows is text: a charset stands in the head, or nowhere.
HEAD_BYTES = 4096
# Names and rights are short; whole pages stand in some of these fields.
MOST_CHARACTERS = 300
CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w-]{3,30})""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """What a home page says: the blog's name, platform, language, charset and rights."""

    name: str | None = None
    platform: str | None = None
    platform_version: str | None = None
    language: str | None = None
    charset: str | None = None
    rights: str | None = None


def describe_home(page: Page, feed: Feed | None) -> HomeFacts:
    """What the page says; the feed helps to tell the platform."""
    tree = view_of(page).tree
    platform = detect_platform(tree, page.headers, feed)
    return HomeFacts(
        name=_name(tree),
        platform=platform.name if platform else None,
        platform_version=platform.version if platform else None,
        language=_language(tree),
        charset=_charset(page),
        rights=_rights(tree, page.url),
    )


def _language(tree: LexborHTMLParser) -> str | None:
    root = tree.root
    return (root.attributes.get("lang") if root else None) or None


def _charset(page: Page) -> str | None:
    header = page.headers.get("content-type", "").encode()
    said = CHARSET.search(header + b" " + page.content[:HEAD_BYTES])
    return said[1].decode().lower() if said else None


def _name(tree: LexborHTMLParser) -> str | None:
    node = tree.css_first("meta[property='og:site_name'][content]")
    named = node.attributes.get("content") if node else None
    title = tree.css_first("title") or tree
    return _one_line(named or title.text())


def _rights(tree: LexborHTMLParser, url: str) -> str | None:
    """A licence the page links to, else the owner it names."""
    link = tree.css_first("link[rel~='license'][href], a[rel~='license'][href]")
    if link:
        return join(url, link.attributes.get("href") or "")
    said = tree.css_first("meta[name='copyright' i][content], meta[name='dcterms.rights' i][content]")
    return _one_line(said.attributes.get("content")) if said else None


def _one_line(text: str | None) -> str | None:
    return " ".join((text or "").split())[:MOST_CHARACTERS] or None
