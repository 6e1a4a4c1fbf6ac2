"""What a page says about itself: meta elements, links, JSON-LD, and (deep) other mark-up."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import parse_machine_date
from blogforever.extract import jsonld
from blogforever.extract.names import clean_name, is_placeholder, looks_personal
from blogforever.model import Author, By
from blogforever.page.view import PageView
from blogforever.urls import join, page_key

# What meta elements are about, and how sure they are. Those that only articles have (citations,
# parsely, sailthru, published times) are surer than those a theme writes on every page (author,
# keywords, date).
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
# Of these each names one of several authors, by the standards they are of.
_ONE_WRITER_EACH = frozenset({"citation_author", "dc.creator", "dcterms.creator", "article:author", "parsely-author"})
AUTHOR_METAS = (
    ("name", "author"),
    ("property", "article:author"),
    ("http-equiv", "author"),
    ("name", "dc.creator"),
    ("name", "dcterms.creator"),
    ("name", "citation_author"),
    ("name", "parsely-author"),
    ("name", "sailthru.author"),
    ("name", "twitter:data1"),
    ("name", "twitter:creator"),
)
"""Meta elements that may name the author, by the attribute that says so, the usual ones first.

Some name the blog's account, or how long it takes to read the post: the feed must prove them.
"""
_LINKS = {
    "canonical": ("canonical", 0.9),
    "prev": ("previous_url", 0.8),
    "previous": ("previous_url", 0.8),
    "next": ("next_url", 0.8),
}
_URL_FIELDS = frozenset(("lead_picture", "canonical", "previous_url", "next_url"))
_LANGUAGE = re.compile(r"^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$")
_LIST_COMMA = re.compile(r"[,;、，]")
_KINDS = {"article": "post", "video": "video", "music": "audio"}

# Bounds of work on hostile pages: elements of a head, scripts, and authors of one article.
_MAX_ELEMENTS = 500
_MAX_SCRIPTS = 50
_MAX_AUTHORS = 20

# How sure what a page says of itself is. Of JSON-LD and microdata, by the property: a headline is
# the
# title as a person wrote it, a name may be a shorter one; keywords and pictures are often the
# blog's.
_ARTICLE_TEXTS = (
    ("headline", "title", 0.85),
    ("name", "title", 0.75),
    ("alternativeHeadline", "subtitle", 0.6),
    ("description", "summary", 0.6),
    ("inLanguage", "language", 0.7),
)
_ARTICLE_LISTS = (("keywords", "tags", 0.7), ("articleSection", "categories", 0.7))
_ARTICLE_PICTURE = 0.75
_ARTICLE_KIND = 0.8
_ARTICLE_AUTHORS = 0.8
_ARTICLE_DATES = 0.9
# A page that is no article may be a list of them, with a date of its own.
_PAGE_DATES = 0.7
_DATES = (("datePublished", "published"), ("dateCreated", "published"), ("dateModified", "modified"))
# What was created may have been published later.
_CREATED_LESS = 0.1
_SITE_ITEM = 0.8
_HTML_LANGUAGE = 0.6
_ARTICLE_TAGS = 0.85
_NEIGHBOUR_LINK = 0.7
# An author who bears the site's name is rather the site.
_SITE_AS_AUTHOR = 0.7

TRAFILATURA = "trafilatura"
"""The rule of what the other reader says."""
SLOWLY_SOUGHT = frozenset(("title", "published", "html", "authors"))
"""What is worth asking microformats and the other reader for, which takes tens of times as long as all else."""


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
    parts = [part.strip() for part in _LIST_COMMA.split(text)]
    return tuple(dict.fromkeys(filter(None, parts)))


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
    page: PageView,
    url: str,
    *,
    deep: bool = True,
    wanted: Collection[str] | None = None,
) -> Mapping[str, list[Candidate]]:
    """Candidates for the wanted fields, or for all.

    Deep also reads microdata and microformats, at a high cost.
    """
    fields = Fields(url, wanted=wanted)
    _read_head(page, fields)
    _read_scripts(page, fields)
    if deep:
        # Imported here: extruct and mf2py cost most of a second to import.
        from blogforever.extract.markup import read_markup  # noqa: PLC0415

        read_markup(page.tree, page.html, url, fields)
    _distrust(fields)
    return fields


# --- the head


def _read_head(page: PageView, fields: Fields) -> None:
    tree, root = page.tree, page.tree.root
    language = root.attributes.get("lang") if root is not None else None
    if language:
        fields.offer("language", language, "html lang", _HTML_LANGUAGE)
    tags: list[str] = []
    writers: dict[str, list[str]] = {}
    for node in _in_head(tree, "meta[content]")[:_MAX_ELEMENTS]:
        attributes = node.attributes
        name, content = _meta_name(attributes), attributes["content"]
        known = _META.get(name)
        if known is None or not content:
            continue
        field, confidence = known
        is_one_tag = field == "tags" and name.endswith("tag")
        if is_one_tag:
            tags.append(" ".join(content.split()))
        elif name in _ONE_WRITER_EACH:
            writers.setdefault(name, []).append(content)
        elif confidence:
            fields.offer(field, content, f"meta {name}", confidence)
    if tags:
        fields.put("tags", tuple(dict.fromkeys(tags)), "meta article:tag", _ARTICLE_TAGS)
    for name, told in writers.items():
        _offer_writers(name, told, fields)
    _read_links(page, fields)


def _offer_writers(name: str, told: Sequence[str], fields: Fields) -> None:
    """The authors of whom each has an element of this name."""
    names = dict.fromkeys(filter(None, map(clean_name, told[:_MAX_AUTHORS])))
    if names and (fields.wanted is None or "authors" in fields.wanted):
        fields.put("authors", tuple(map(Author, names)), f"meta {name}", _META[name][1])


def _meta_name(attributes: Mapping[str, str | None]) -> str:
    """What a meta element is about, whichever vocabulary says it."""
    name = (
        attributes.get("property")
        or attributes.get("name")
        or attributes.get("itemprop")
        or attributes.get("http-equiv")
        or ""
    )
    return name.lower()


def _in_head(tree: LexborHTMLParser, css: str) -> list[LexborNode]:
    """Elements of the head; of the whole page where its head holds none.

    So it is when a stray tag has closed the head.
    """
    head = tree.head
    nodes = head.css(css) if head is not None else []
    return nodes or tree.css(css)


def _read_links(page: PageView, fields: Fields) -> None:
    for node in _in_head(page.tree, "link[rel][href]")[:_MAX_ELEMENTS]:
        attributes = node.attrs  # few links say anything about the page, and to read one attribute is quicker than all
        for rel in (attributes.get("rel") or "").lower().split():
            if rel in _LINKS:
                field, confidence = _LINKS[rel]
                fields.offer(field, attributes.get("href") or "", f"link rel={rel}", confidence)
    for node in page.landmarks.neighbours[:2]:
        said, href = node.attributes["rel"], node.attributes["href"] or ""
        field = "next_url" if "next" in (said or "") else "previous_url"
        fields.offer(field, href, f"a rel={said}", _NEIGHBOUR_LINK)


# --- JSON-LD


def _read_scripts(page: PageView, fields: Fields) -> None:
    items: list[jsonld.Item] = []
    for node in page.landmarks.json_ld[:_MAX_SCRIPTS]:
        items += jsonld.read_jsonld(node.text_content or node.text() or "")
    for item in items:
        _read_site(item, fields)
    article = about_this_page(filter(jsonld.is_article, items), fields.url)
    if article is not None:
        rule = f"json-ld {jsonld.type_name(article)}"
        read_article(article, _by_id(items), rule, fields)
        return
    plain = next(filter(jsonld.is_page, items), None)
    if plain is not None:
        _read_dates(plain, f"json-ld {jsonld.type_name(plain)}", fields, _PAGE_DATES)


def _read_site(item: jsonld.Item, fields: Fields) -> None:
    """What the site is called, where an item is about it."""
    if not jsonld.is_site(item) or jsonld.is_article(item):
        return
    for name in jsonld.strings(item.get("name"))[:1]:
        fields.offer("site_name", name, f"json-ld {jsonld.type_name(item)}.name", _SITE_ITEM)


def _by_id(items: Iterable[jsonld.Item]) -> dict[str, jsonld.Item]:
    """The items that say more than their own id, which others refer to."""
    known: dict[str, jsonld.Item] = {}
    for item in items:
        name = item.get("@id")
        if isinstance(name, str) and len(item) > 1:
            known[name] = item
    return known


def about_this_page(articles: Iterable[jsonld.Item], url: str) -> jsonld.Item | None:
    """The first article whose address is this page's; the only one where none is."""
    articles = list(articles)
    here = page_key(url)
    for article in articles:
        if here in map(page_key, _addresses(article)):
            return article
    return articles[0] if len(articles) == 1 else None


def _addresses(item: jsonld.Item) -> list[str]:
    found: list[str] = []
    for key in ("url", "mainEntityOfPage", "@id"):
        found += [address.split("#")[0] for address in jsonld.strings(item.get(key), "@id", "url")]
    return [address for address in found if address.startswith("http")]


def read_article(
    item: jsonld.Item,
    known: Mapping[str, jsonld.Item],
    rule: str,
    fields: Fields,
) -> None:
    """Take the fields of one schema.org article, from JSON-LD or microdata."""
    for key, field, confidence in _ARTICLE_TEXTS:
        for text in jsonld.strings(item.get(key), "name", "alternateName", "@value")[:1]:
            fields.offer(field, text, f"{rule}.{key}", confidence)
    for text in jsonld.strings(item.get("image"), "url", "contentUrl")[:1]:
        fields.offer("lead_picture", text, f"{rule}.image", _ARTICLE_PICTURE)
    for key, field, confidence in _ARTICLE_LISTS:
        texts = jsonld.strings(item.get(key), "name")
        if texts:
            fields.offer(field, ", ".join(texts), f"{rule}.{key}", confidence)
    fields.put("kind", "post", f"{rule}.@type", _ARTICLE_KIND)
    _read_dates(item, rule, fields, _ARTICLE_DATES)
    authors = tuple(_authors(item.get("author") or item.get("creator"), known))
    if authors:
        fields.put("authors", authors, f"{rule}.author", _ARTICLE_AUTHORS)


def _read_dates(item: jsonld.Item, rule: str, fields: Fields, confidence: float) -> None:
    for key, field in _DATES:
        less = _CREATED_LESS if key == "dateCreated" else 0.0
        for text in jsonld.strings(item.get(key), "@value")[:1]:
            fields.offer(field, text, f"{rule}.{key}", confidence - less)


def _authors(value: Any, known: Mapping[str, jsonld.Item]) -> Iterable[Author]:
    """The people an item names, in full where it only refers to them by id; each once."""
    seen: set[str] = set()
    for said in (value if isinstance(value, list) else [value])[:_MAX_AUTHORS]:
        person = _in_full(said, known)
        names = list(filter(None, map(clean_name, jsonld.strings(person, "name"))))
        for name in names:
            if name not in seen:
                seen.add(name)
                yield Author(name, _web_address(person) if len(names) == 1 else None)


def _in_full(said: Any, known: Mapping[str, jsonld.Item]) -> Any:
    """The item that a mere reference means."""
    if not isinstance(said, dict) or said.get("name") or not isinstance(said.get("@id"), str):
        return said
    return known.get(said["@id"], said)


def _web_address(person: Any) -> str | None:
    uri = person.get("url") if isinstance(person, dict) else None
    return uri if isinstance(uri, str) and uri.startswith("http") else None


# --- doubts


def _distrust(fields: Fields) -> None:
    """Leave out what themes say by default.

    A title that is the site's name, an author that is the site or a template's placeholder.
    """
    fields["site_name"] = _without_titles(fields.get("site_name", ()), fields.get("title", ()))
    sites = {_key(candidate.value) for candidate in fields["site_name"]}
    if "title" in fields:
        fields["title"] = [said for said in fields["title"] if _key(said.value) not in sites]
    if "authors" in fields:
        people = [said for said in fields["authors"] if not _is_nobody(said.value, sites)]
        fields["authors"] = [_doubted(said, sites) for said in people]
    empty = [field for field, candidates in fields.items() if not candidates]
    for field in empty:
        del fields[field]


def _without_titles(sites: Sequence[Candidate], titles: Sequence[Candidate]) -> list[Candidate]:
    """The names of the site; one that a surer name speaks against, and that is the page's title, is
    no name of it.

    Some themes call a page that is put on a phone's home screen by its title.
    """
    surest = max(sites, key=lambda said: said.confidence, default=None)
    other_titles = {_key(title.value) for title in titles} - {_key(surest.value) if surest else ""}
    return [said for said in sites if _key(said.value) not in other_titles]


def _is_nobody(authors: tuple[Author, ...], sites: set[str]) -> bool:
    """Whether a template's placeholder or the site itself is named as author.

    A blog may bear its author's name, which has several words.
    """
    if all(is_placeholder(author.name) for author in authors):
        return True
    return all(_key(author.name) in sites and not looks_personal(author.name) for author in authors)


def _doubted(candidate: Candidate, sites: set[str]) -> Candidate:
    if not any(_key(author.name) in sites for author in candidate.value):
        return candidate
    return replace(candidate, confidence=_SITE_AS_AUTHOR * candidate.confidence)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
