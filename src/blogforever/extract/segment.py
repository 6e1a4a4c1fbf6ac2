"""A front, archive or tag page cut into the posts it shows, from the page alone."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from blogforever.extract.segment_fields import read_posts
from blogforever.extract.segment_links import group_links, post_links
from blogforever.extract.segment_outline import Outline, outline_of
from blogforever.extract.segment_records import Record
from blogforever.extract.segment_scores import find_records
from blogforever.model import Page, Post, Rules
from blogforever.page.view import view_of
from blogforever.urls import join, same_site

_SITE_LINKS = "link[rel~=canonical], link[rel~=EditURI], link[rel~=pingback], link[rel~=alternate][type*=xml]"


def segment_page(page: Page, rules: Rules | None = None) -> list[Post]:
    """The posts a list page shows, in its order; empty where the page is no list of posts."""
    view = view_of(page)
    tree, outline = view.tree, outline_of(view)
    records = _records(outline, tree, page.url)
    return read_posts(outline, records, page, _languages(tree, rules))


def _records(outline: Outline, tree: LexborHTMLParser, url: str) -> list[Record]:
    """The records that link to the page's own site.

    On a copy of a page they link to the site it says it is from.
    """
    base = _base_of(tree, url)
    records = _records_of_site(outline, url, base, site=url)
    if records:
        return records
    site = _declared_site(tree, base, url)
    return _records_of_site(outline, url, base, site) if site else []


def _base_of(tree: LexborHTMLParser, url: str) -> str:
    """The address that the page's links are relative to."""
    node = tree.css_first("base[href]")
    href = node.attributes.get("href") if node is not None else None
    declared = join(url, href) if href else None
    return declared or url


def _records_of_site(outline: Outline, url: str, base: str, site: str) -> list[Record]:
    links = post_links(outline, url, base, site)
    return find_records(outline, group_links(outline, links))


def _declared_site(tree: LexborHTMLParser, base: str, url: str) -> str | None:
    """An address of the other site that a page says it belongs to."""
    for node in tree.css(_SITE_LINKS):
        target = join(base, node.attributes.get("href") or "")
        if target is not None and not same_site(target, url):
            return target
    return None


def _languages(tree: LexborHTMLParser, rules: Rules | None) -> tuple[str, ...]:
    """The language the blog's rules know, else the one the page declares."""
    language = (rules and rules.language) or _declared_language(tree)
    base = language.strip().replace("_", "-").split("-")[0].lower()
    return (base,) if base.isalpha() else ()


def _declared_language(tree: LexborHTMLParser) -> str:
    html = tree.css_first("html")
    if html is None:
        return ""
    return html.attributes.get("lang") or html.attributes.get("xml:lang") or ""
