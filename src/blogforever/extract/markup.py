"""What microdata, RDFa Lite and microformats say about this page, through extruct and mf2py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import bounded, walk
from blogforever.extract import jsonld
from blogforever.extract.metadata import Fields, about_this_page, read_article
from blogforever.extract.names import clean_name
from blogforever.extract.prune import outer_html
from blogforever.model import Author
from blogforever.urls import join, page_key

# Larger pages take the parsers of mark-up seconds.
_MAX_CHARACTERS = 1_000_000
_MAX_TAGS = 20_000
_MAX_DEPTH = 6
# Items in items, as answers to answers are: both parsers copy each into all that are around it.
_MAX_NESTING = 20
_MAX_ITEMS = 50
_MAX_ENTRIES = 50
_MAX_ENTRY = 100_000
# Links of an entry, among them the one to its own page.
_MAX_LINKS = 20
_ENTRIES = ".h-entry, .hentry"
_COMMENTS = "#comments, .comments, .comment, .commentlist, .comment-list, .h-cite, .u-comment, form"
_ATTRIBUTES = ("content", "datetime", "href", "src")

# How sure what mark-up says is. Dates and authors of an entry are hardly ever marked wrongly;
# summary,
# picture and the whole text are often another part of the page than the theme's name for it says.
_ENTRY_TEXTS = (
    ("name", "title", 0.75),
    ("published", "published", 0.85),
    ("updated", "modified", 0.8),
    ("summary", "summary", 0.6),
    ("featured", "lead_picture", 0.6),
)
_ENTRY_AUTHORS = 0.85
_ENTRY_TAGS = 0.6
_MARKED_BODY = 0.6

Read = Callable[[str, str], list[dict[str, Any]]]


def read_markup(tree: LexborHTMLParser, html: str, url: str, fields: Fields) -> None:
    """Add what microdata, RDFa Lite and microformats say about this page."""
    if len(html) > _MAX_CHARACTERS or html.count("<") > _MAX_TAGS:
        return  # the parsers below take seconds for such pages
    if "itemscope" in html and not _nest(tree, tree.css("[itemscope]")):
        _read_microdata(bounded(html), fields)
        _read_body(tree, fields)
    if "typeof" in html:
        _read_rdfa(tree, fields)
    if ("h-entry" in html or "hentry" in html) and not _nest(tree, tree.css(_ENTRIES)):
        _read_entries(tree, fields)


def _nest(tree: LexborHTMLParser, items: Sequence[LexborNode]) -> bool:
    """Whether more items stand in each other than an honest page has."""
    if tree.root is None or len(items) <= _MAX_NESTING:
        return False
    known = {item.mem_id for item in items}
    around: list[int] = []
    for node, depth in walk(tree.root):
        while around and around[-1] >= depth:
            around.pop()
        if node.mem_id in known:
            around.append(depth)
            if len(around) > _MAX_NESTING:
                return True
    return False


def _guarded(read: Read, html: str, url: str) -> list[dict[str, Any]]:
    """The one border to the parsers of mark-up."""
    try:
        return read(html, url)
    except Exception:
        # On hostile pages extruct and mf2py raise whatever lxml, BeautifulSoup, dateutil and their
        # own recursion
        # do; such mark-up says nothing about the post, and the page is still read in other ways.
        return []


def _microdata(html: str, url: str) -> list[dict[str, Any]]:
    from extruct.w3cmicrodata import MicrodataExtractor  # noqa: PLC0415  costs most of a second to import

    items: list[dict[str, Any]] = MicrodataExtractor(nested=True).extract(html, base_url=url)
    return items


def _microformats(html: str, url: str) -> list[dict[str, Any]]:
    import mf2py  # noqa: PLC0415  costs a third of a second to import

    items: list[dict[str, Any]] = mf2py.Parser(doc=html, url=url, html_parser="lxml").to_dict()["items"]
    return items


def _read_microdata(html: str, fields: Fields) -> None:
    items = [_as_jsonld(item, 0) for item in _guarded(_microdata, html, fields.url)]
    article = about_this_page(filter(jsonld.is_article, items), fields.url)
    if article is not None:
        read_article(article, {}, f"microdata {jsonld.type_name(article)}", fields)


def _as_jsonld(value: Any, depth: int) -> Any:
    """An extruct item in the shape of JSON-LD."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        return [_as_jsonld(one, depth) for one in value]
    if isinstance(value, dict) and "properties" in value:
        inside = {key: _as_jsonld(one, depth + 1) for key, one in value["properties"].items()}
        return {"@type": value.get("type"), "@id": value.get("id"), **inside}
    return value


def _read_body(tree: LexborHTMLParser, fields: Fields) -> None:
    nodes = tree.css('[itemprop~="articleBody"]')
    if len(nodes) == 1 and nodes[0].html:
        fields.put("html", nodes[0].html, "microdata articleBody", _MARKED_BODY)


def _read_rdfa(tree: LexborHTMLParser, fields: Fields) -> None:
    items = [_rdfa_item(node) for node in tree.css("[typeof]")[:_MAX_ITEMS]]
    article = about_this_page(filter(jsonld.is_article, items), fields.url)
    if article is not None:
        read_article(article, {}, f"rdfa {jsonld.type_name(article)}", fields)


def _rdfa_item(node: LexborNode) -> jsonld.Item:
    item: jsonld.Item = {"@type": (node.attributes.get("typeof") or "").split() or None}
    for stated in node.css("[property]")[:_MAX_ITEMS]:
        name = (stated.attributes.get("property") or "").rsplit(":", 1)[-1].rsplit("/", 1)[-1]
        values = [stated.attributes.get(attribute) for attribute in _ATTRIBUTES]
        value = next(filter(None, values), None)
        item.setdefault(name, value or stated.text(separator=" "))
    return item


def _entries_html(tree: LexborHTMLParser, url: str) -> str:
    """The entries that may be this page's, without their readers' comments.

    The parser of microformats copies nested items over and over.
    """
    entries = _outermost(tree.css(_ENTRIES)[:_MAX_ENTRIES])
    if len(entries) > 1:
        entries = [entry for entry in entries if _links_to(entry, url)]
    comments = frozenset(node.mem_id for node in tree.css(_COMMENTS))
    pieces = [outer_html(entry, comments) for entry in entries]
    return "".join(piece for piece in pieces if len(piece) <= _MAX_ENTRY)


def _outermost(entries: list[LexborNode]) -> list[LexborNode]:
    """The entries that stand in no other one."""
    inner: set[int] = set()
    for entry in entries:
        inner |= {node.mem_id for node in entry.css(_ENTRIES)} - {entry.mem_id}
    return [entry for entry in entries if entry.mem_id not in inner]


def _links_to(node: LexborNode, url: str) -> bool:
    here = page_key(url)
    hrefs = [link.attributes.get("href") or "" for link in node.css("a[href]")[:_MAX_LINKS]]
    targets = filter(None, (join(url, href) for href in hrefs))
    return any(page_key(target) == here for target in targets)


def _read_entries(tree: LexborHTMLParser, fields: Fields) -> None:
    entry = _this_entry(_guarded(_microformats, _entries_html(tree, fields.url), fields.url), fields.url)
    if entry is None:
        return
    for key, field, confidence in _ENTRY_TEXTS:
        for text in jsonld.strings(entry.get(key), "value")[:1]:
            fields.offer(field, text, f"h-entry {key}", confidence)
    for content in entry.get("content", ())[:1]:
        if isinstance(content, dict) and content.get("html"):
            fields.put("html", content["html"], "h-entry .e-content", _MARKED_BODY)
    authors = _people(entry.get("author", []))
    if authors:
        fields.put("authors", authors, "h-entry .p-author", _ENTRY_AUTHORS)
    tags = jsonld.strings(entry.get("category"), "value")
    if tags:
        fields.put("tags", tuple(dict.fromkeys(tags)), "h-entry .p-category", _ENTRY_TAGS)


def _this_entry(items: list[dict[str, Any]], url: str) -> dict[str, Any] | None:
    """The entry whose address is the page's; the only one where it names no other address."""
    marked = [item for item in _with_children(items) if "h-entry" in item.get("type", ())]
    entries: list[dict[str, Any]] = [item["properties"] for item in marked]
    here = page_key(url)
    for entry in entries:
        if here in map(page_key, _entry_addresses(entry)):
            return entry
    is_only_one = len(entries) == 1 and not _entry_addresses(entries[0])
    return entries[0] if is_only_one else None


def _entry_addresses(entry: dict[str, Any]) -> list[str]:
    return [*jsonld.strings(entry.get("url"), "value"), *jsonld.strings(entry.get("uid"), "value")]


def _with_children(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items, and the entries of feeds among them."""
    found = []
    for item in items:
        found.append(item)
        if "h-feed" in item.get("type", ()):
            found += item.get("children", [])
    return found


def _people(values: list[Any]) -> tuple[Author, ...]:
    """The authors of an entry, by name; the last of one name tells the address."""
    people = {}
    for value in values:
        properties = value.get("properties", {}) if isinstance(value, dict) else {}
        texts = jsonld.strings(properties.get("name") or value, "value")
        name = clean_name(texts[0]) if texts else None
        if name:
            addresses = jsonld.strings(properties.get("url"), "value")
            people[name] = Author(name, addresses[0] if addresses else None)
    return tuple(people.values())
