"""What is known of a platform's pages, applied to one page: its selectors as candidates and as hints."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from blogforever.dates import find_dates, parse_machine_date
from blogforever.discover.platform import FieldSelector, Platform
from blogforever.extract.metadata import Fields
from blogforever.extract.names import clean_name, cut_tail, is_placeholder
from blogforever.model import Author, Moment

_LONGEST = 300


def hinted(tree: LexborHTMLParser, platform: Platform) -> set[int]:
    """Memory ids of the elements where the platform puts its articles."""
    found: set[int] = set()
    for selector in platform.fields.get("article", ()):
        found |= {node.mem_id for node in _select(tree, selector)[:20]}
    return found


def excluded(tree: LexborHTMLParser, platform: Platform) -> set[int]:
    """Memory ids of what the platform puts into an article that does not belong to it."""
    return {node.mem_id for css in platform.exclude for node in _select(tree, FieldSelector(css))}


def platform_fields(tree: LexborHTMLParser, platform: Platform, url: str, languages: list[str]) -> Fields:
    """Title, author, date and tags where the platform's pages have them; only what is there once."""
    fields = Fields(url, "platform")
    for rule, text in _single(tree, platform, "title"):
        fields.offer("title", text, rule, 0.7)
    for rule, text in _single(tree, platform, "author"):
        name = clean_name(cut_tail(text))
        if name and not is_placeholder(name):
            fields.put("authors", (Author(name),), rule, 0.7)
    for rule, text in _single(tree, platform, "date"):
        moment = _moment(text, languages)
        if moment is not None:
            fields.put("published", moment, rule, 0.75)
    return fields


def _single(tree: LexborHTMLParser, platform: Platform, field: str) -> Iterator[tuple[str, str]]:
    for selector in platform.fields.get(field, ()):
        texts = {_value(node, selector) for node in _select(tree, selector)[:20]} - {""}
        if len(texts) == 1:
            yield f"{platform.key} {selector.css}", texts.pop()[:_LONGEST]
            return


def _value(node: LexborNode, selector: FieldSelector) -> str:
    text = node.attributes.get(selector.attribute) if selector.attribute else node.text(separator=" ")
    return " ".join((text or "").split())


def _moment(text: str, languages: list[str]) -> Moment | None:
    machine = parse_machine_date(text)
    if machine is not None:
        return machine
    found = find_dates(text, languages)
    return found[0].moment if found else None


def _select(tree: LexborHTMLParser, selector: FieldSelector) -> list[LexborNode]:
    try:
        return tree.css(selector.css)
    except SelectolaxError:
        return []
