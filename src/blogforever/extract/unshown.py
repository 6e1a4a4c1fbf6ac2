"""Texts that a page carries but does not show until a script runs: templates, in scripts or by their own name."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import tokenise
from blogforever.extract.text import parse_fragment

# Programs and data have other types.
_TEMPLATES = 'script[type*="template"], script[type*="html"], template'
# Templates of a page that are looked into, and words of one that is an article.
_MOST_LOOKED_AT = 50
_ENOUGH_WORDS = 100
# What a script fills in: such a template is a form, and no text.
_PLACEHOLDERS = ("{{", "<%", "${")


def unshown_html(tree: LexborHTMLParser) -> str:
    """The mark-up of the template with most words; empty where none has enough for an article."""
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
