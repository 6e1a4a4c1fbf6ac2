"""One rule on one parsed page: the node it finds, the text it takes from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from threading import local

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from blogforever.dates import parse_machine_date, read_date
from blogforever.dom import load_json, node_text, texts_of
from blogforever.extract.jsonld import strings
from blogforever.extract.names import is_author_mark
from blogforever.model import Moment, Rule
from blogforever.page.vocabulary import kind_of
from blogforever.urls import join, page_key

_PATH = re.compile(r"(\S(?:(?!:nth-).)*?)((?: > [a-z][a-z0-9-]*:nth-(?:last-)?of-type\(\d{1,9}\))+)")
_NUMBERED = re.compile(r" > ([a-z][a-z0-9-]*):nth-(last-)?of-type\((\d+)\)")
# Beginnings of a path that are tried one after the other.
_MOST_TOPS = 1000
# Paths that are remembered: those that are tried on the pages of a blog, one after the other.
_REMEMBERED = 4096
# Elements that no comment has.
_PAGE_ONLY = frozenset({"meta", "title", "script", "h1"})
_WHOLES = frozenset({"body", "html", "article", "main"})
MOST_VALUES = 50  # of a field with many values, such as tags
# JSON-LD scripts of one page that are read.
_MOST_SCRIPTS = 50
# Elements between the names of co-authors and their line, and characters of such a line.
_BYLINE_LEVELS, _LONGEST_BYLINE = 2, 300
_MARKS = re.compile(r"[\w-]+")
# What a mark in an address begins with where it names a page that a script shows.
_ROUTES = ("!", "/")
# What themes draw before a tag: signs, labels and folders, which some systems write with a mark of how to show them.
_SIGNS_OF_TAG = "#＃/ 🏷🔖📁📂🗂\ufe0f"
# What parts the names in a list that is one text.
_LISTED = re.compile(r"[,;、，؛،|·•]")


_Path = tuple[tuple[str, int, bool], ...]
"""Of each step of a path the tag, the number, and whether it is counted from the last."""
Tops = dict[str, LexborNode | None]
"""What selectors find first on one page, the beginnings of paths among them."""


class _LastPage(local):
    """The page that was searched last, and what each selector found first on it: nobody changes a
    tree that is read.

    Of each thread its own, for each reads another page.
    """

    tree: LexborHTMLParser | LexborNode | None = None
    found: Tops


_last = _LastPage()


def find_node(parser: LexborHTMLParser | LexborNode, css: str, tops: Tops | None = None) -> LexborNode | None:
    """The first node a selector finds; a selector that cannot be understood finds nothing.

    Who tries many selectors on several pages in turn gives each page its own `tops`: none is
    searched twice, and paths that begin alike are begun once. Who tries a few on one page is not
    the only one: templates are chosen, fields read and the article cut by the same rules.
    """
    if tops is None:
        tops = _tops_of_last(parser)
    if css not in tops:
        tops[css] = _search(parser, css, tops)
    return tops[css]


def _tops_of_last(parser: LexborHTMLParser | LexborNode) -> Tops:
    if _last.tree is not parser:
        _last.tree, _last.found = parser, {}
    return _last.found


def _search(parser: LexborHTMLParser | LexborNode, css: str, tops: Tops) -> LexborNode | None:
    try:
        path = _path_of(css) if "of-type(" in css else None
        return _down_path(parser, *path, tops) if path else parser.css_first(css)
    except SelectolaxError:
        return None


@lru_cache(maxsize=_REMEMBERED)
def _path_of(css: str) -> tuple[str, _Path] | None:
    """Where a path of numbered children begins, and its steps; None for any other selector."""
    found = _PATH.fullmatch(css)
    if found is None:
        return None
    return found[1], tuple((tag, int(number), bool(last)) for tag, last, number in _NUMBERED.findall(found[2]))


def _down_path(parser: LexborHTMLParser | LexborNode, top: str, path: _Path, tops: Tops) -> LexborNode | None:
    """What a path of numbered children leads to from the first node it starts at.

    The selector engine counts the siblings of every candidate anew, which takes the square of a
    long list's length.
    """
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


def _walk_down(node: LexborNode, path: _Path) -> LexborNode | None:
    """The node that a path of tags and numbers, from the first or the last, leads to from another."""
    current: LexborNode | None = node
    for tag, number, is_from_last in path:
        if current is None:
            return None
        current = _numbered_child(current, tag, number, is_from_last=is_from_last)
    return current


def _numbered_child(node: LexborNode, tag: str, number: int, *, is_from_last: bool) -> LexborNode | None:
    child = node.last_child if is_from_last else node.first_child
    left = number
    while child is not None:
        left -= child.tag == tag
        if not left:
            return child
        child = child.prev if is_from_last else child.next
    return None


def find_nodes(parser: LexborHTMLParser | LexborNode, css: str) -> list[LexborNode]:
    """All nodes a selector finds."""
    try:
        return parser.css(css)
    except SelectolaxError:
        return []


def value_of(parser: LexborHTMLParser, rule: Rule) -> str | None:
    """What the rule says on this page, or None."""
    return next(filter(None, (text_of(node, rule) for node in _nodes_read(parser, rule))), None)


def line_of(parser: LexborHTMLParser, rule: Rule) -> str | None:
    """The same with what stands before and after the value."""
    return next(filter(None, (_whole_text(node, rule).strip() for node in _nodes_read(parser, rule))), None)


def _nodes_read(parser: LexborHTMLParser, rule: Rule) -> list[LexborNode]:
    """The nodes of which the first that says something gives a rule's value."""
    if rule.key:
        return find_nodes(parser, rule.css)[:_MOST_SCRIPTS]
    node = find_node(parser, rule.css)
    if node is None or (node.tag not in _PAGE_ONLY and in_comments(node)):
        return []
    return [node]


def byline_values(parser: LexborHTMLParser, rule: Rule) -> list[str]:
    """What an author's rule says on this page: one value, or those of co-authors in the same line."""
    first = value_of(parser, rule)
    if first is None or rule.key or not _names_author(rule.css):
        return [first] if first else []
    node, *others = find_nodes(parser, rule.css)[:MOST_VALUES]
    line = _byline_of(node, others)
    return list(dict.fromkeys(filter(None, (text_of(one, rule) for one in (node, *line)))))


def _names_author(css: str) -> bool:
    """Whether the last step of a selector calls what it finds an author."""
    return any(map(is_author_mark, _MARKS.findall(css.rsplit(" ", 1)[-1])))


def _byline_of(node: LexborNode, others: Sequence[LexborNode]) -> list[LexborNode]:
    """Those of the others that stand in one short line with the node: beside it, or each in an
    element beside its.
    """
    above: LexborNode | None = node
    for level in range(1, _BYLINE_LEVELS + 1):
        above = above.parent if above is not None else None
        if not others or above is None or not _is_line(above):
            return []
        beside = [other for other in others if _is_below(other, above, level)]
        if beside:
            return beside
    return []


def _is_line(node: LexborNode) -> bool:
    """Whether an element holds no more text than a by-line; read no further than that."""
    length = 0
    for text in texts_of(node):
        length += len(text.strip())
        if length > _LONGEST_BYLINE:
            return False
    return True


def _is_below(node: LexborNode, above: LexborNode, levels: int) -> bool:
    """Whether a node stands so many levels below another."""
    holder: LexborNode | None = node
    for _ in range(levels):
        holder = holder.parent if holder is not None else None
    return holder is not None and holder.mem_id == above.mem_id


def in_comments(node: LexborNode) -> bool:
    """Whether a node stands in what readers wrote: their names and dates are not the post's."""
    holder: LexborNode | None = node
    while holder is not None and holder.tag not in _WHOLES:
        # One attribute is read in a fraction of the time that all of an element take.
        attributes = holder.attrs
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        if names != " " and kind_of(names) == "comment":
            return True
        holder = holder.parent
    return False


def listed_values(parser: LexborHTMLParser | LexborNode, rule: Rule, url: str) -> list[str]:
    """What the rule says in all the nodes it finds on the page of this address, each once."""
    nodes = find_nodes(parser, rule.css)[:MOST_VALUES]
    return list(dict.fromkeys(value for node in nodes for value in _values_in(node, rule, url)))


def _values_in(node: LexborNode, rule: Rule, url: str) -> list[str]:
    """What one of several nodes says; where it must begin with a word ("Tags:"), all that is listed behind that."""
    if not rule.prefix:
        value = listed_value(node, rule, url)
        return [value] if value else []
    line = node_text(node)
    is_list = line.casefold().startswith(rule.prefix.casefold())
    return names_listed(line[len(rule.prefix) :]) if is_list else []


def names_listed(text: str) -> list[str]:
    """The names in a text that lists them."""
    return [name for name in map(str.strip, _LISTED.split(text)) if name]


def without_sign(name: str) -> str:
    """What a tag is called, without the sign that shows that it is one."""
    return name.lstrip(_SIGNS_OF_TAG)


def listed_value(node: LexborNode, rule: Rule, url: str) -> str | None:
    """What one of several nodes says; nothing where it leads to its own page, as "Permalink" and "3 comments" do."""
    return None if _leads_to_itself(node, url) else text_of(node, rule)


def _leads_to_itself(node: LexborNode, url: str) -> bool:
    """Whether a node is a link to its own page, or to a part of it; one that leads nowhere yet is
    not, nor is one to what a script shows.
    """
    href = (node.attrs.get("href") or "").strip() if node.tag == "a" else ""
    path, _, part = href.partition("#")
    if not (path or part) or part.startswith(_ROUTES):
        return False
    own = url.partition("#")[0]
    target = join(own, path)
    return target is not None and page_key(target) == page_key(own)


def text_of(node: LexborNode, rule: Rule) -> str | None:
    """What a rule takes from the node it found."""
    return trimmed(_whole_text(node, rule), rule.prefix, rule.suffix) or None


def _whole_text(node: LexborNode, rule: Rule) -> str:
    """The text that a rule takes its value from."""
    if rule.key:
        return _one_line(_inside_json(node, rule.key))
    if rule.attribute:
        return _one_line(node.attrs.get(rule.attribute) or "")
    return _one_line(own_text(node)) if rule.own else node_text(node)


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
    """The first text under a key of a JSON-LD block, whatever holds it; of people their names."""
    objects = _objects(node.text())
    named: dict[object, object] = {}
    for one in objects:
        if isinstance(one.get("@id"), str) and "name" in one:
            named[one["@id"]] = one
    for one in objects:
        said = one.get(key)
        said = said if isinstance(said, list) else [said]
        names = strings([_in_full(person, named) for person in said], "name")
        if names:
            return ", ".join(names)
    return ""


def _objects(text: str) -> list[dict[str, object]]:
    """All objects of a JSON text, the outer ones before the inner."""
    try:
        queue = [load_json(text)]
    except (ValueError, RecursionError):
        return []
    objects = []
    for value in queue:
        if isinstance(value, dict):
            objects.append(value)
            queue.extend(value.values())
        elif isinstance(value, list):
            queue.extend(value)
    return objects


def _in_full(said: object, named: Mapping[object, object]) -> object:
    """What a mere reference to another object means."""
    is_reference = isinstance(said, dict) and "name" not in said and isinstance(said.get("@id"), str)
    return named.get(said["@id"], said) if is_reference and isinstance(said, dict) else said


def read_moment(
    rule: Rule, text: str, languages: Sequence[str] = (), captured: datetime | None = None
) -> Moment | None:
    """The date a rule's text gives, read the way the rule says."""
    moment = parse_machine_date(text) if rule.attribute or rule.key else None
    return moment or read_date(text, rule.format, [rule.language] if rule.language else languages, captured)
