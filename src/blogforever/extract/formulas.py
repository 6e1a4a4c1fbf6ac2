"""Formulas of a text, of which each is shown once, whatever a page has for the programs that draw them.

Writers such as kramdown leave a formula as TeX in a script, and a program in the reader's browser
draws it: without that program the sentence around it has a hole. Where it was drawn, or where one
drawing is meant for eyes and another for readers aloud, the page has it twice.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_TEX = "math/tex"
# How kramdown keeps the signs of a formula from being read as mark-up.
_WRAPPING = re.compile(r"%\s*<!\[CDATA\[|%\s*\]\]>")
# What MathJax calls the elements that it draws; a preview stands there until it has.
_DRAWN = re.compile(r"mathjax|mjx")
_PREVIEW = "mathjax_preview"
# What KaTeX draws for eyes, and what it puts beside it for readers aloud unless it is told not to.
_FOR_EYES, _FOR_EARS = "katex-html", ".katex-mathml"


def is_formula(script: LexborNode) -> bool:
    """Whether a script holds a formula, and nobody has drawn it before it."""
    kind = (script.attributes.get("type") or "").strip().lower()
    return kind.startswith(_TEX) and not _is_drawn(script)


def formula(script: LexborNode) -> str:
    """A formula as its author wrote it."""
    return _WRAPPING.sub(" ", script.text(deep=True)).strip()


def is_second_drawing(node: LexborNode, classes: list[str]) -> bool:
    """Whether an element draws a formula that stands beside it in another form."""
    around = node.parent
    return _FOR_EYES in classes and around is not None and around.css_first(_FOR_EARS) is not None


def _is_drawn(script: LexborNode) -> bool:
    """Whether right before it stands what MathJax made of it."""
    before = script.prev
    while before is not None and _shows_nothing(before):
        before = before.prev
    if before is None or before.tag == "-text":
        return False
    names = (before.attributes.get("class") or before.tag or "").lower()
    return _DRAWN.search(names) is not None and _PREVIEW not in names


def _shows_nothing(node: LexborNode) -> bool:
    is_space = node.tag == "-text" and not node.text(deep=True).strip()
    return is_space or node.tag == "-comment"
