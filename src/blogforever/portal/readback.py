"""Sentences of ours whose English text alone is kept, read back by their forms and said in another
language.

Pings are kept by the million, and what became of each is one sentence; so are signs of spam,
verdicts, rows of batches and errors. Where the words of a sentence have no parameters, the
catalogue has it as it is; where they have, its form stands there ("left out by the filter {name}"),
and what is in its places is taken from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from string import Formatter

from .words import ENGLISH, catalogue, catalogue_ids

# Letters of a sentence that is read back: longer ones are not ours, or quote others at length.
LONGEST = 500
REMEMBERED = 4096
# Letters that a form must have beside its places: with fewer it would fit what others wrote.
FEWEST_LETTERS = 8
# Sentences that stand in the places of others, one in the other.
DEEPEST = 4
BETWEEN = "; "
"""What stands between two sentences that are told as one."""
SENTENCES = frozenset({"why", "question", "standing"})
"""Places in which a sentence of ours stands."""
OUR_WORDS = frozenset({"state", "kind", "said"})
"""Places in which a word of ours stands."""


@dataclass(frozen=True, slots=True)
class Form:
    """A sentence with places, and how it is known."""

    text: str
    pattern: re.Pattern[str]


@lru_cache(maxsize=REMEMBERED)
def read_back(text: str, language: str, depth: int = 0) -> str:
    """An English text of ours in another language; as it is, where it is none or nobody has
    translated it.
    """
    if language == ENGLISH or len(text) > LONGEST or depth > DEEPEST:
        return text
    said = catalogue(language).gettext(text)
    if said != text:
        return said
    return _by_form(text, language, depth) or _part_by_part(text, language, depth)


def _by_form(text: str, language: str, depth: int) -> str:
    for form in _forms(language):
        if found := form.pattern.fullmatch(text):
            values = {name: _value(name, value, language, depth) for name, value in found.groupdict().items()}
            return catalogue(language).gettext(form.text).format(**values)
    return ""


def _value(name: str, value: str, language: str, depth: int) -> str:
    kind = name.rstrip("0123456789")
    if kind in SENTENCES:
        return read_back(value, language, depth + 1)
    return catalogue(language).gettext(value) if kind in OUR_WORDS else value


def _part_by_part(text: str, language: str, depth: int) -> str:
    """Several sentences that are told as one."""
    if BETWEEN not in text:
        return text
    return BETWEEN.join(read_back(part, language, depth + 1) for part in text.split(BETWEEN))


@cache
def _forms(language: str) -> tuple[Form, ...]:
    """Those the catalogue has, the longest first: what fits a longer one fits it better."""
    texts = [text for text in catalogue_ids(language) if "{" in text]
    forms = (Form(text, re.compile("".join(_patterns(text)))) for text in sorted(texts, key=len, reverse=True))
    return tuple(form for form in forms if _letters(form.text) >= FEWEST_LETTERS)


def _patterns(text: str) -> Iterator[str]:
    for literal, name, _spec, _conversion in Formatter().parse(text):
        yield re.escape(literal)
        if name:
            yield f"(?P<{name}>.+?)"


def _letters(text: str) -> int:
    return sum(len(literal) for literal, *_rest in Formatter().parse(text))
