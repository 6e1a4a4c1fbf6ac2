"""What a page says about itself in mark-up: meta elements, links, JSON-LD, and (deep) microdata and microformats."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import parse_machine_date
from blogforever.extract import jsonld
from blogforever.extract.names import clean_name, is_placeholder, looks_personal
from blogforever.model import Author, By
from blogforever.urls import join, url_key

_META = {
    "og:title": ("title", 0.75),
    "twitter:title": ("title", 0.7),
    "dc.title": ("title", 0.7),
    "citation_title": ("title", 0.85),
    "parsely-title": ("title", 0.8),
    "headline": ("title", 0.8),
    "article:author": ("authors", 0.6),
    "author": ("authors", 0.5),
    "dc.creator": ("authors", 0.7),
    "dcterms.creator": ("authors", 0.7),
    "citation_author": ("authors", 0.85),
    "parsely-author": ("authors", 0.8),
    "sailthru.author": ("authors", 0.8),
    "twitter:data1": ("authors", 0.0),
    "article:published_time": ("published", 0.9),
    "article:published": ("published", 0.85),
    "og:published_time": ("published", 0.85),
    "datepublished": ("published", 0.85),
    "dc.date": ("published", 0.7),
    "dc.date.issued": ("published", 0.85),
    "dcterms.date": ("published", 0.7),
    "dcterms.created": ("published", 0.75),
    "dcterms.issued": ("published", 0.85),
    "citation_publication_date": ("published", 0.8),
    "citation_date": ("published", 0.75),
    "parsely-pub-date": ("published", 0.85),
    "sailthru.date": ("published", 0.85),
    "pubdate": ("published", 0.8),
    "publish-date": ("published", 0.8),
    "publication_date": ("published", 0.8),
    "date": ("published", 0.7),
    "article:modified_time": ("modified", 0.9),
    "og:updated_time": ("modified", 0.8),
    "datemodified": ("modified", 0.85),
    "dcterms.modified": ("modified", 0.85),
    "last-modified": ("modified", 0.5),
    "og:locale": ("language", 0.5),
    "dc.language": ("language", 0.7),
    "content-language": ("language", 0.6),
    "description": ("summary", 0.6),
    "og:description": ("summary", 0.6),
    "twitter:description": ("summary", 0.55),
    "dc.description": ("summary", 0.6),
    "keywords": ("tags", 0.5),
    "news_keywords": ("tags", 0.6),
    "article:tag": ("tags", 0.85),
    "og:article:tag": ("tags", 0.85),
    "parsely-tags": ("tags", 0.8),
    "article:section": ("categories", 0.8),
    "og:image": ("lead_picture", 0.7),
    "og:image:secure_url": ("lead_picture", 0.65),
    "twitter:image": ("lead_picture", 0.65),
    "twitter:image:src": ("lead_picture", 0.6),
    "og:site_name": ("site_name", 0.9),
    "application-name": ("site_name", 0.7),
    "apple-mobile-web-app-title": ("site_name", 0.5),
    "og:type": ("kind", 0.7),
    "og:url": ("canonical", 0.6),
}
_LINKS = {
    "canonical": ("canonical", 0.9),
    "prev": ("previous_url", 0.8),
    "previous": ("previous_url", 0.8),
    "next": ("next_url", 0.8),
}
_URL_FIELDS = frozenset(("lead_picture", "canonical", "previous_url", "next_url"))
_LANGUAGE = re.compile(r"^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$")
_KINDS = {"article": "post", "video": "video", "music": "audio"}
_MAX_ELEMENTS = 500


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible value of a field, the way it came, and how likely it is right."""

    value: Any
    by: By
    rule: str
    confidence: float


class Fields(dict[str, list[Candidate]]):
    """Candidates by field; values that say nothing are not taken."""

    def __init__(self, url: str, by: By = "semantic", wanted: Collection[str] | None = None) -> None:
        super().__init__()
        self.url = url
        self.by = by
        self.wanted = wanted

    def offer(self, field: str, text: str, rule: str, confidence: float) -> None:
        """Read text as the field's value and keep it where that makes sense."""
        if self.wanted is not None and field not in self.wanted:
            return
        value = self._read(field, " ".join(text.split()))
        if value:
            self.put(field, value, rule, confidence)

    def put(self, field: str, value: Any, rule: str, confidence: float) -> None:
        """Keep a value that has its final type already."""
        self.setdefault(field, []).append(Candidate(value, self.by, rule, confidence))

    def _read(self, field: str, text: str) -> Any:
        if field in _URL_FIELDS:
            return join(self.url, text)
        read = _READERS.get(field)
        return read(text) if read else text


def _read_author(text: str) -> tuple[Author, ...]:
    name = clean_name(text)
    return (Author(name),) if name else ()


def _read_list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in (p.strip() for p in re.split(r"[,;、，]", text)) if part))


def _read_language(text: str) -> str | None:
    return text.replace("_", "-") if _LANGUAGE.match(text) else None


_READERS: dict[str, Callable[[str], Any]] = {
    "published": parse_machine_date,
    "modified": parse_machine_date,
    "authors": _read_author,
    "tags": _read_list,
    "categories": _read_list,
    "language": _read_language,
    "kind": lambda text: _KINDS.get(text.lower().split(".")[0]),
}


def semantic_fields(
    tree: LexborHTMLParser, html: str, url: str, *, deep: bool = True, wanted: Collection[str] | None = None
) -> Mapping[str, list[Candidate]]:
    """Candidates for the wanted fields, or for all; deep also reads microdata and microformats, at a high cost."""
    fields = Fields(url, wanted=wanted)
    _read_head(tree, fields)
    _read_scripts(tree, fields)
    if deep:
        # Imported here: extruct and mf2py cost most of a second to import.
        from blogforever.extract.markup import read_markup  # noqa: PLC0415

        read_markup(tree, html, url, fields)
    _distrust(fields)
    return fields


def _read_head(tree: LexborHTMLParser, fields: Fields) -> None:
    root = tree.root
    if root is not None and root.attributes.get("lang"):
        fields.offer("language", root.attributes["lang"] or "", "html lang", 0.6)
    tags: list[str] = []
    for node in _in_head(tree, "meta[content]")[:_MAX_ELEMENTS]:
        attributes = node.attributes
        name = (
            attributes.get("property")
            or attributes.get("name")
            or attributes.get("itemprop")
            or attributes.get("http-equiv")
            or ""
        ).lower()
        known = _META.get(name)
        if known is None or not attributes.get("content"):
            continue
        field, confidence = known
        content = attributes["content"] or ""
        if field == "tags" and name.endswith("tag"):
            tags.append(" ".join(content.split()))
        elif confidence:
            fields.offer(field, content, f"meta {name}", confidence)
    if tags:
        fields.put("tags", tuple(dict.fromkeys(tags)), "meta article:tag", 0.85)
    _read_links(tree, fields)


def _in_head(tree: LexborHTMLParser, css: str) -> list[LexborNode]:
    """Elements of the head; of the whole page where its head holds none, as when a stray tag has closed it."""
    head = tree.head
    return (head.css(css) if head is not None else []) or tree.css(css)


def _read_links(tree: LexborHTMLParser, fields: Fields) -> None:
    for node in _in_head(tree, "link[rel][href]")[:_MAX_ELEMENTS]:
        attributes = node.attributes
        for rel in (attributes["rel"] or "").lower().split():
            if rel in _LINKS:
                field, confidence = _LINKS[rel]
                fields.offer(field, attributes["href"] or "", f"link rel={rel}", confidence)
    for node in tree.css('a[rel~="prev"][href], a[rel~="next"][href]')[:2]:
        field = "next_url" if "next" in (node.attributes["rel"] or "") else "previous_url"
        fields.offer(field, node.attributes["href"] or "", f"a rel={node.attributes['rel']}", 0.7)


def _read_scripts(tree: LexborHTMLParser, fields: Fields) -> None:
    items: list[jsonld.Item] = []
    for node in tree.css('script[type*="ld+json"]')[:50]:
        items += jsonld.read_jsonld(node.text_content or node.text() or "")
    known = {item["@id"]: item for item in items if isinstance(item.get("@id"), str) and len(item) > 1}
    for item in items:
        if jsonld.is_site(item) and not jsonld.is_article(item):
            for name in jsonld.strings(item.get("name"))[:1]:
                fields.offer("site_name", name, f"json-ld {jsonld.type_name(item)}.name", 0.8)
    articles = about_this_page([item for item in items if jsonld.is_article(item)], fields.url)
    for item in articles[:1]:
        read_article(item, known, f"json-ld {jsonld.type_name(item)}", fields)
    if not articles:
        for item in [item for item in items if jsonld.is_page(item)][:1]:
            _read_dates(item, f"json-ld {jsonld.type_name(item)}", fields, 0.7)


def about_this_page(items: list[jsonld.Item], url: str) -> list[jsonld.Item]:
    """The items whose address is this page; the only one on the page where it names no address."""
    here = url_key(url)
    said = [(item, {url_key(a) for a in _addresses(item)}) for item in items]
    exact = [item for item, addresses in said if here in addresses]
    if exact:
        return exact
    return items if len(items) == 1 else []


def _addresses(item: jsonld.Item) -> list[str]:
    found: list[str] = []
    for key in ("url", "mainEntityOfPage", "@id"):
        found += [a.split("#")[0] for a in jsonld.strings(item.get(key), "@id", "url")]
    return [a for a in found if a.startswith("http")]


def read_article(item: jsonld.Item, known: Mapping[str, jsonld.Item], rule: str, fields: Fields) -> None:
    """Take the fields of one schema.org article, from JSON-LD or microdata."""
    for key, field, confidence in (
        ("headline", "title", 0.85),
        ("name", "title", 0.75),
        ("alternativeHeadline", "subtitle", 0.6),
        ("description", "summary", 0.6),
        ("inLanguage", "language", 0.7),
    ):
        for text in jsonld.strings(item.get(key), "name", "alternateName", "@value")[:1]:
            fields.offer(field, text, f"{rule}.{key}", confidence)
    for text in jsonld.strings(item.get("image"), "url", "contentUrl")[:1]:
        fields.offer("lead_picture", text, f"{rule}.image", 0.75)
    for key, field in (("keywords", "tags"), ("articleSection", "categories")):
        texts = jsonld.strings(item.get(key), "name")
        if texts:
            fields.offer(field, ", ".join(texts), f"{rule}.{key}", 0.7)
    fields.put("kind", "post", f"{rule}.@type", 0.8)
    _read_dates(item, rule, fields, 0.9)
    authors = tuple(_authors(item.get("author") or item.get("creator"), known))
    if authors:
        fields.put("authors", authors, f"{rule}.author", 0.8)


def _read_dates(item: jsonld.Item, rule: str, fields: Fields, confidence: float) -> None:
    for key, field in (("datePublished", "published"), ("dateCreated", "published"), ("dateModified", "modified")):
        for text in jsonld.strings(item.get(key), "@value")[:1]:
            fields.offer(field, text, f"{rule}.{key}", confidence - 0.1 * (key == "dateCreated"))


def _authors(value: Any, known: Mapping[str, jsonld.Item]) -> Iterable[Author]:
    seen: set[str] = set()
    for said in (value if isinstance(value, list) else [value])[:20]:
        one = said
        if isinstance(said, dict) and not said.get("name") and isinstance(said.get("@id"), str):
            one = known.get(said["@id"], said)
        for text in jsonld.strings(one, "name"):
            name = clean_name(text)
            if name and name not in seen:
                seen.add(name)
                uri = one.get("url") if isinstance(one, dict) else None
                yield Author(name, uri if isinstance(uri, str) and uri.startswith("http") else None)


def _distrust(fields: Fields) -> None:
    """Theme defaults: a title that is the site's name, an author that is the site or a template's placeholder."""
    sites = {_key(c.value) for c in fields.get("site_name", ())}
    if "title" in fields:
        fields["title"] = [c for c in fields["title"] if _key(c.value) not in sites] or []
    if "authors" in fields:
        people = [c for c in fields["authors"] if not all(is_placeholder(a.name) for a in c.value)]
        fields["authors"] = [_doubted(c, sites) for c in people if not _is_site(c.value, sites)]
    for field in [f for f, found in fields.items() if not found]:
        del fields[field]


def _is_site(authors: tuple[Author, ...], sites: set[str]) -> bool:
    """Whether the site itself is named as author; a blog may bear its author's name, which has several words."""
    return all(_key(a.name) in sites and not looks_personal(a.name) for a in authors)


def _doubted(candidate: Candidate, sites: set[str]) -> Candidate:
    named = any(_key(a.name) in sites for a in candidate.value)
    return replace(candidate, confidence=0.7 * candidate.confidence) if named else candidate


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
