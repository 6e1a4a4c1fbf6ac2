"""One rule on one parsed page: the node it finds, the text it takes from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from blogforever.dates import parse_machine_date, read_date
from blogforever.dom import load_json, node_text
from blogforever.model import Moment, Rule
from blogforever.page.vocabulary import kind_of

_PATH = re.compile(r"(\S(?:(?!:nth-of-type).)*?)((?: > [a-z][a-z0-9-]*:nth-of-type\(\d{1,9}\))+)")
_NUMBERED = re.compile(r" > ([a-z][a-z0-9-]*):nth-of-type\((\d+)\)")
# Beginnings of a path that are tried one after the other.
_MOST_TOPS = 1000
# Elements that no comment has.
_PAGE_ONLY = frozenset({"meta", "title", "script", "h1"})
_WHOLES = frozenset({"body", "html", "article", "main"})
MOST_VALUES = 50  # of a field with many values, such as tags


Tops = dict[str, LexborNode | None]
"""What the beginnings of paths find first on one page."""


def find_node(parser: LexborHTMLParser | LexborNode, css: str, tops: Tops | None = None) -> LexborNode | None:
    """The first node a selector finds; a selector that cannot be understood finds nothing.

    Who tries many selectors on one page gives each the same `tops`: paths that begin alike are begun once.
    """
    try:
        path = _PATH.fullmatch(css) if ":nth-of-type(" in css else None
        return _down_path(parser, path[1], path[2], tops) if path else parser.css_first(css)
    except SelectolaxError:
        return None


def _down_path(
    parser: LexborHTMLParser | LexborNode, top: str, steps: str, tops: Tops | None = None
) -> LexborNode | None:
    """What a path of numbered children leads to from the first node it starts at.

    The selector engine counts the siblings of every candidate anew, which takes the square of a long list's length.
    """
    path = [(tag, int(number)) for tag, number in _NUMBERED.findall(steps)]
    tops = {} if tops is None else tops
    if top not in tops:
        tops[top] = parser.css_first(top)
    first = tops[top]
    if first is None:
        return None
    found = _walk_down(first, path)
    if found is not None:
        return found
    for start in parser.css(top)[1:_MOST_TOPS]:
        found = _walk_down(start, path)
        if found is not None:
            return found
    return None


def _walk_down(node: LexborNode, path: Sequence[tuple[str, int]]) -> LexborNode | None:
    """The node that a path of tags and numbers leads to from another."""
    current: LexborNode | None = node
    for tag, number in path:
        if current is None:
            return None
        current = _numbered_child(current, tag, number)
    return current


def _numbered_child(node: LexborNode, tag: str, number: int) -> LexborNode | None:
    child = node.first_child
    left = number
    while child is not None:
        left -= child.tag == tag
        if not left:
            return child
        child = child.next
    return None


def find_nodes(parser: LexborHTMLParser | LexborNode, css: str) -> list[LexborNode]:
    """All nodes a selector finds."""
    try:
        return parser.css(css)
    except SelectolaxError:
        return []


def value_of(parser: LexborHTMLParser, rule: Rule) -> str | None:
    """What the rule says on this page, or None."""
    node = find_node(parser, rule.css)
    if node is None or (node.tag not in _PAGE_ONLY and in_comments(node)):
        return None
    return text_of(node, rule)


def in_comments(node: LexborNode) -> bool:
    """Whether a node stands in what readers wrote: their names and dates are not the post's."""
    holder: LexborNode | None = node
    while holder is not None and holder.tag not in _WHOLES:
        attributes = holder.attributes
        if attributes:
            names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
            if names != " " and kind_of(names) == "comment":
                return True
        holder = holder.parent
    return False


def values_of(parser: LexborHTMLParser, rule: Rule) -> list[str]:
    """What the rule says in all the nodes it finds, each once."""
    texts = [text_of(node, rule) for node in find_nodes(parser, rule.css)[:MOST_VALUES]]
    return list(dict.fromkeys(filter(None, texts)))


def text_of(node: LexborNode, rule: Rule) -> str | None:
    """What a rule takes from the node it found."""
    if rule.key:
        text = _one_line(_inside_json(node, rule.key))
    elif rule.attribute:
        text = _one_line(node.attributes.get(rule.attribute) or "")
    else:
        text = _one_line(own_text(node)) if rule.own else node_text(node)
    return trimmed(text, rule.prefix, rule.suffix) or None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def trimmed(text: str, prefix: str, suffix: str) -> str:
    """The text between what stands before and after the value."""
    at = text.casefold().find(prefix.casefold()) if prefix else -1
    if at >= 0:
        text = text[at + len(prefix) :]
    if suffix and text.endswith(suffix):
        text = text.removesuffix(suffix)
    elif suffix and suffix in text:
        text = text[: text.index(suffix)]
    return text.strip()


def own_text(node: LexborNode) -> str:
    """The text right below a node, without that of its child elements."""
    return " ".join((child.text_content or "") for child in node.iter(include_text=True) if child.tag == "-text")


def _inside_json(node: LexborNode, key: str) -> str:
    """The first text under a key of a JSON-LD block, whatever holds it."""
    try:
        queue = [load_json(node.text())]
    except (ValueError, RecursionError):
        return ""
    for value in queue:
        if isinstance(value, dict):
            found = value.get(key)
            if isinstance(found, str):
                return found
            queue.extend(value.values())
        elif isinstance(value, list):
            queue.extend(value)
    return ""


def read_moment(
    rule: Rule, text: str, languages: Sequence[str] = (), captured: datetime | None = None
) -> Moment | None:
    """The date a rule's text gives, read the way the rule says."""
    moment = parse_machine_date(text) if rule.attribute or rule.key else None
    return moment or read_date(text, rule.format, [rule.language] if rule.language else languages, captured)
