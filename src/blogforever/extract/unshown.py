"""Texts that a page carries but does not show until a script runs: templates, in scripts or by their own name, and the
data that a program draws the page from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import tokenise
from blogforever.extract.headline import title_key, title_parts
from blogforever.extract.text import parse_fragment

# Programs and data have other types.
_TEMPLATES = 'script[type*="template"], script[type*="html"], template'
# Templates of a page that are looked into, and words of one that is an article.
_MOST_LOOKED_AT = 50
_ENOUGH_WORDS = 100
# What a script fills in: such a template is a form, and no text.
_PLACEHOLDERS = ("{{", "<%", "${")
# Data for the program that draws the page: as such, or given a name.
_DATA = 'script[type="application/json"], script:not([type]):not([src])'
_NAMED = re.compile(r"\s*+(?:(?:var|let|const)\s++)?[\w$.]{1,60}+\s*+=\s*+(?=[{\[])")
# Characters of data that are read, things in them that are looked at, and words of a text beside its title.
_MOST_DATA = 2_000_000
_MOST_THINGS = 50_000
_WORDS_BELOW_TITLE = 20
_LONGEST_TITLE = 300


def unshown_html(tree: LexborHTMLParser) -> str:
    """The mark-up of the template with most words, or the text that the page's data give beside its title; empty where
    none has enough for an article.
    """
    return _in_templates(tree) or _in_data(tree)


def _in_templates(tree: LexborHTMLParser) -> str:
    found = [_inner_html(node) for node in tree.css(_TEMPLATES)[:_MOST_LOOKED_AT]]
    texts = [html for html in found if not any(sign in html for sign in _PLACEHOLDERS)]
    best = max(texts, key=_words, default="")
    return best if _words(best) >= _ENOUGH_WORDS else ""


def _inner_html(node: LexborNode) -> str:
    if node.tag == "script":
        return node.text()
    # What a template holds is no child of it.
    return (node.html or "").partition(">")[2].removesuffix("</template>")


def _words(html: str) -> int:
    body = parse_fragment(html).body if "<" in html else None
    return len(tokenise(body.text(separator=" "))) if body is not None else 0


def _in_data(tree: LexborHTMLParser) -> str:
    """The longest text that stands beside the page's title in the data of its program."""
    node = tree.css_first("head title")
    title = " ".join(node.text().split()) if node is not None else ""
    keys = set(map(title_key, title_parts(title))) - {""}
    texts = (text for data in _data_of(tree) for text in _beside_title(data, keys)) if keys else iter(())
    best = max(texts, key=_words, default="")
    return best if _words(best) >= _WORDS_BELOW_TITLE else ""


def _data_of(tree: LexborHTMLParser) -> Iterator[Any]:
    """The data in the scripts of a page, read as far as they are data."""
    for node in tree.css(_DATA)[:_MOST_LOOKED_AT]:
        text = node.text()
        begin = _NAMED.match(text)
        is_data = begin is not None or text.lstrip()[:1] in ("{", "[")
        if not is_data or len(text) > _MOST_DATA:
            continue
        try:
            yield json.JSONDecoder().raw_decode(text[begin.end() :] if begin else text.lstrip())[0]
        except (ValueError, RecursionError):
            continue


def _beside_title(data: Any, keys: set[str]) -> Iterator[str]:
    """The texts with mark-up in all things of which a value is a part of the title."""
    left = [data]
    for _ in range(_MOST_THINGS):
        if not left:
            return
        thing = left.pop()
        if isinstance(thing, list):
            left += thing
        elif isinstance(thing, dict):
            left += thing.values()
            said = list(_said_by(thing))
            if any(title_key(text) in keys for text in said if len(text) <= _LONGEST_TITLE):
                yield from (text for text in said if "</" in text)


def _said_by(thing: dict[str, Any]) -> Iterator[str]:
    """The texts that are values of a thing, or of what it holds: {"title": {"rendered": "..."}}."""
    for value in thing.values():
        inner = value.values() if isinstance(value, dict) else (value,)
        yield from (text for text in inner if isinstance(text, str))
