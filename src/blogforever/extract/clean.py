"""An article made fit to be shown anywhere: safe, whole addresses, real pictures, nothing hidden.

One loop over the visible tree writes plain mark-up and, beside it, the readable text, the media and
the links (`htmlwriter.py`). What was written then passes `nh3` (`safe.py`), which alone decides
what is safe.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from blogforever.extract.htmlwriter import HtmlWriter, href_of, spellings
from blogforever.extract.leaves import LEAVES
from blogforever.extract.safe import made_safe
from blogforever.extract.text import parse_fragment
from blogforever.extract.visible import visit
from blogforever.model import Link, MediaRef

WRAPPERS = frozenset(["body", "html", "div", "article", "section", "main", "td", "span", "li", "dd", "dt"])
# Times that an article is written anew because what was written changes what is to be written; one
# is the rule, and a page made to never settle must not hold anybody up.
MOST_ROUNDS = 4


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
    return CleanArticle(safe, writer.builder.result(), writer.media(), tuple(writer.links))


def _settled(html: str, base_url: str) -> str:
    """Write again until a parser reads back what was written.

    Trees of misnested tags cannot be written as they are.
    """
    for _ in range(MOST_ROUNDS):
        body = parse_fragment(html).body
        if body is None:
            return ""
        again = _written(body, base_url, (), _targets(body, base_url)).html()
        if again == html:
            break
        html = made_safe(again)
    return html


def _written(
    node: LexborNode,
    base_url: str,
    excluded: Collection[int],
    targets: set[str],
) -> HtmlWriter:
    """The node written; its own tag is not, where it only wraps the article."""
    writer = HtmlWriter(base_url, targets, excluded)
    visit(node, writer, excluded, LEAVES, WRAPPERS)
    return writer


def _targets(node: LexborNode, base: str) -> set[str]:
    """The ids that links within the article point to; only those are kept."""
    marks: set[str] = set()
    for link in node.css('a[href*="#"]'):
        url = href_of(link.attrs.get("href") or "", base)
        if url and url.startswith("#"):
            marks |= spellings(url[1:])
    return marks
