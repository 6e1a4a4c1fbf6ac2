"""JSON-LD as blogs write it: read however broken, and only what is about this page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from blogforever.dom import load_json
from blogforever.elements import word_set

_ARTICLE_TYPES = word_set("""
    article blogposting newsarticle socialmediaposting liveblogposting techarticle scholarlyarticle report
    opinionnewsarticle reviewnewsarticle analysisnewsarticle backgroundnewsarticle reportagenewsarticle
    advertisercontentarticle satiricalarticle review recipe howto discussionforumposting
""")
_PAGE_TYPES = word_set("webpage itempage")
_SITE_TYPES = word_set("website blog organization newsmediaorganization")
_OPENING = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)")
_CLOSING = re.compile(r"(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*$")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')
_NESTED = ("@graph", "mainEntity", "mainEntityOfPage")
# Bounds of work on hostile pages: characters of a script, and objects in it.
_MAX_CHARACTERS = 500_000
_MAX_ITEMS = 2_000

Item = dict[str, Any]


def read_jsonld(text: str) -> list[Item]:
    """All objects of a JSON-LD script, outermost first; [] when it cannot be read."""
    return list(_objects(_load(text[:_MAX_CHARACTERS])))


def _load(text: str) -> Any:
    text = _CLOSING.sub("", _OPENING.sub("", text)).strip().rstrip(";")
    for repair in (str, _repaired):
        try:
            return load_json(repair(text))
        except (ValueError, RecursionError):
            continue
    return None


def _repaired(text: str) -> str:
    return _TRAILING_COMMA.sub("", _BAD_ESCAPE.sub(r"\\\\", text))


def _objects(loaded: Any) -> Iterator[Item]:
    queue, seen = [loaded], 0
    while queue and seen < _MAX_ITEMS:
        value = queue.pop(0)
        seen += 1
        if isinstance(value, list):
            queue[:0] = value[:_MAX_ITEMS]
        elif isinstance(value, dict):
            yield value
            nested = [value.get(key) for key in _NESTED]
            queue += [inner for inner in nested if isinstance(inner, list | dict)]


def types_of(item: Item) -> set[str]:
    """The item's types in lower case without their vocabulary's address."""
    stated = item.get("@type", item.get("type"))
    types = stated if isinstance(stated, list) else [stated]
    return {_plain_type(one).lower() for one in types}


def type_name(item: Item) -> str:
    """The item's first type as it is written, without its vocabulary's address."""
    stated = item.get("@type", item.get("type"))
    return _plain_type(stated[0] if isinstance(stated, list) and stated else stated)


def _plain_type(stated: object) -> str:
    return str(stated).rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]


def is_article(item: Item) -> bool:
    """Whether the item describes a written piece."""
    return bool(types_of(item) & _ARTICLE_TYPES)


def is_page(item: Item) -> bool:
    """Whether the item describes the page as such."""
    return bool(types_of(item) & _PAGE_TYPES)


def is_site(item: Item) -> bool:
    """Whether the item describes the site or who runs it."""
    return bool(types_of(item) & _SITE_TYPES)


def strings(value: Any, *keys: str) -> list[str]:
    """The strings a property holds: plain, in a list, or inside objects under one of the keys."""
    found: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        inside = next((one[key] for key in keys if one.get(key)), None) if isinstance(one, dict) else one
        found += map(_line, inside if isinstance(inside, list) else [inside])
    return list(filter(None, found))


def _line(value: Any) -> str:
    """A string on one line; programs write it as they would in a page, with entities."""
    return " ".join(html.unescape(value).split()) if isinstance(value, str) else ""
