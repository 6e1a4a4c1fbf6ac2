"""A front, archive or tag page cut into the posts it shows, from the page alone."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from blogforever.dom import parse_page
from blogforever.extract.segment_fields import read_posts
from blogforever.extract.segment_links import group_links, post_links
from blogforever.extract.segment_outline import outline_of
from blogforever.extract.segment_records import find_records
from blogforever.model import Page, Post
from blogforever.urls import join


def segment_page(page: Page, rules: object | None = None) -> list[Post]:
    """The posts a list page shows, in its order; empty where the page is no list of posts."""
    tree = parse_page(page)
    root = tree.body or tree.root
    if root is None:
        return []
    base = tree.css_first("base[href]")
    href = base.attributes.get("href") if base is not None else None
    outline = outline_of(root)
    links = post_links(outline, page.url, (join(page.url, href) if href else None) or page.url)
    records = find_records(outline, group_links(outline, links))
    return read_posts(outline, records, page, _languages(tree))


def _languages(tree: LexborHTMLParser) -> tuple[str, ...]:
    html = tree.css_first("html")
    declared = (html.attributes.get("lang") or html.attributes.get("xml:lang") or "") if html is not None else ""
    language = declared.strip().replace("_", "-").split("-")[0].lower()
    return (language,) if language.isalpha() else ()
