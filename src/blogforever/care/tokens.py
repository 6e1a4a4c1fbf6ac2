"""The words of a document in order, each with the places of its letters: through mark-up, escapes and what nobody sees.

A document is cut in several ways, because nobody can tell which one a reader's program takes: mark-up parts words, or
stands inside them (`lan<wbr>tern`), or is text itself (an address, a comment, a script).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from urllib.parse import unquote

from blogforever.dom import BREAKS, tokenise

Span = tuple[int, int]
Token = tuple[str, tuple[Span, ...]]
"""A word, and the places of its letters: more than one where mark-up stands inside it."""
WordsOf = Callable[[str], list[str]]
Way = tuple[re.Pattern[str], WordsOf]
"""What is taken for a run of letters, and how such a run becomes words."""

# Soft hyphens, joiners, direction marks, variation selectors:
# they take no room, so that words read the same without.
_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_ACCENTS = "\u0300-\u036f"  # written beside their letters, they are one with them
_LESS = r"(?:&(?:amp;)?(?:lt|#60|#[xX]3[cC]);|\\u003[cC]|\\x3[cC]|\\u\{3[cC]\})"
_MORE = r"(?:&(?:amp;)?(?:gt|#62|#[xX]3[eE]);|\\u003[eE]|\\x3[eE]|\\u\{3[eE]\})"
_ENTITY = r"&(?:amp;)?(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_HEX = r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]{1,6}\}"
_PERCENT = r"(?:%(?:25)*[0-9a-fA-F]{2})+"  # %2541 is an A in an address inside an address
_ESCAPES = rf"(?!{_LESS}|{_MORE})(?:{_ENTITY}|{_HEX})|{_PERCENT}"
# A tag, written out or escaped; none is looked for beyond
# the beginning of the next, which keeps it linear.
_TAG = rf"<[^<>]{{0,4000}}>|{_LESS}(?:(?!{_LESS})[^<>]){{0,4000}}?(?:{_MORE}|>)"
_BREAK = rf"(?:<|{_LESS})\\?/?(?:{'|'.join(sorted(BREAKS))})(?![A-Za-z0-9-])"
_INLINE = rf"(?!{_BREAK})(?:{_TAG})"
_SPACE = r"\\[nrtbf]"
_LETTERS = rf"{_ESCAPES}|[^\W_]|['’_{_ACCENTS}{_UNSEEN}]"
APART = re.compile(rf"(?P<gap>{_TAG}|{_SPACE})|(?:{_LETTERS})+")
JOINED = re.compile(rf"(?P<gap>(?={_BREAK})(?:{_TAG})|{_SPACE})|(?:{_LETTERS}|{_INLINE})+")
AS_TEXT = re.compile(rf"(?P<gap>{_SPACE})|(?:{_LETTERS})+")
_ANY_TAG, _ESCAPED, _HIDDEN = re.compile(_TAG), re.compile(_ESCAPES), re.compile(f"[{_UNSEEN}]")
_CODE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u\{([0-9a-fA-F]{1,6})\}")
_HEXADECIMAL, _LAST_CODE = 16, 0x10FFFF
# As often as an address is found inside another one in practice.
_TIMES = 3


def seen_words(text: str) -> list[str]:
    """The words of a text as somebody reads it who sees no invisible character."""
    return tokenise(_HIDDEN.sub("", text))


def ways_to_cut(text: str) -> Iterator[Way]:
    """Each way to cut a document that may be a reader's."""
    yield from ((pattern, seen_words) for pattern in (APART, JOINED, AS_TEXT))
    if _HIDDEN.search(text):
        # So were words cut by which something was erased before.
        yield from ((pattern, tokenise) for pattern in (APART, AS_TEXT))


def cut(text: str, way: Way) -> Iterator[Token]:
    """The words of a document in order."""
    pattern, words_of = way
    for match in pattern.finditer(text):
        if match["gap"] is not None:
            continue
        raw = match[0]
        if raw.isascii() and raw.isalnum():
            yield raw.lower(), (match.span(),)
        else:
            yield from _pieces(raw, match.start(), words_of)


def _pieces(raw: str, start: int, words_of: WordsOf) -> Iterator[Token]:
    """The words of a run of letters, escapes and mark-up inside of words."""
    spans = _between_tags(raw)
    text = "".join(raw[first:last] for first, last in spans)
    words = words_of(_decoded(text))
    is_unspaced = len(words) > 1 and "".join(words) == _HIDDEN.sub("", text).lower()
    if is_unspaced:
        # Of a script that is written without spaces each word has places of its own.
        places = _letters(raw, spans)
        for word in words:
            yield word, tuple(_spans(islice(places, len(word)), start))
        return
    whole = tuple((start + first, start + last) for first, last in spans)
    yield from ((word, whole) for word in words)


def _letters(raw: str, spans: list[Span]) -> Iterator[int]:
    """The places of all letters that somebody sees."""
    for first, last in spans:
        for place in range(first, last):
            if not _HIDDEN.match(raw, place):
                yield place


def _between_tags(raw: str) -> list[Span]:
    """The places of what is no mark-up."""
    ends = [0]
    for tag in _ANY_TAG.finditer(raw):
        ends += tag.span()
    ends.append(len(raw))
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return [(first, last) for first, last in pairs if first < last]


def _spans(places: Iterable[int], start: int) -> Iterator[Span]:
    """Places that follow each other as one."""
    for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        following = [place for _, place in run]
        yield start + following[0], start + following[-1] + 1


def _decoded(raw: str) -> str:
    """A run of letters with its escapes read."""
    if not _ESCAPED.search(raw):
        return raw
    raw = _CODE.sub(_character, raw)
    if "\\u" in raw:
        raw = re.sub(r"(?:\\u[0-9a-fA-F]{4})+", lambda found: str(json.loads(f'"{found[0]}"')), raw)
    raw = html.unescape(html.unescape(raw))
    for _ in range(_TIMES):
        raw = unquote(raw)
    return raw


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], _HEXADECIMAL)
    return chr(min(code, _LAST_CODE))
