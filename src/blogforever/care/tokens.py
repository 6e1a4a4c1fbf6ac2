"""The words of a document in order, each with the places of its letters: through mark-up, escapes
and what nobody sees.

A document is cut in several ways, because nobody can tell which one a reader's program takes:
mark-up parts words, or stands inside them (`lan<wbr>tern`), or is text itself (an address, a
comment, a script).
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from html.entities import html5
from itertools import groupby, islice, repeat
from typing import NamedTuple
from urllib.parse import unquote

from blogforever.dom import BREAKS, UNSPACED, tokenise

Span = tuple[int, int]
Token = tuple[str, tuple[Span, ...]]
"""A word, and the places of its letters: more than one where mark-up stands inside it."""
WordsOf = Callable[[str], list[str]]


class WayToCut(NamedTuple):
    """A way to cut a document: what is taken for a gap between words (the first group) or for a run
    of letters (the second), how such a run becomes words, and how all words are had at once.

    `pieces` takes a document apart: what has no sign, then the gap, the run, or the sign alone that
    comes next. No sign begins both a gap and a run, and letters in front of a run's first sign are
    not changed by it: so what has no sign needs not be cut.
    """

    pattern: re.Pattern[str]
    words_of: WordsOf
    pieces: re.Pattern[str]


# Soft hyphens, joiners, direction marks, tags, variation selectors:
# they take no room, so that words read the same without.
_UNSEEN = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff"
)
# Accents, vowels and points are written beside their letters, and are one with them: in most scripts
# of India, in Thai, in Hebrew and Arabic with their vowels.
_FIRST_MARK, _LAST_MARK = 0x300, 0x12000  # no script behind it is written in blogs
_MARKS = "".join(sign for sign in map(chr, range(_FIRST_MARK, _LAST_MARK)) if unicodedata.category(sign)[0] == "M")
# Signs that are letters once they are written out, as the one for a trade mark is "tm".
_LIKE_LETTERS = (
    "\u20a8\u2100-\u214f\u249c-\u24e9\u2e9f\u2ef3\u2f00-\u2fd5\u3196-\u319f\u3200-\u33ff\ufdfc\uff65"
    "\U0001f110-\U0001f251"
)
_LESS = r"(?:&(?:amp;){0,3}(?:lt|#60|#[xX]3[cC]);|\\u003[cC]|\\x3[cC]|\\u\{3[cC]\})"
_MORE = r"(?:&(?:amp;){0,3}(?:gt|#62|#[xX]3[eE]);|\\u003[eE]|\\x3[eE]|\\u\{3[eE]\})"
# Old names are read without a semicolon, too, and so are numbers; the longest name first.
_OLD_NAMES = "|".join(sorted((name for name in html5 if not name.endswith(";")), key=len, reverse=True))
_NUMBER = r"#\d{1,12};?|#[xX][0-9a-fA-F]{1,12};?"  # with as many zeros as anybody writes before it
_ENTITY = rf"&(?:amp;){{0,3}}(?:{_NUMBER}|[A-Za-z][A-Za-z0-9]{{1,31}};|{_OLD_NAMES})"
# In a script, or in a script's text inside another; octal; as style sheets write it; as `escape`
# wrote it.
_HEX = (
    r"\\{1,3}u[0-9a-fA-F]{4}|\\{1,3}x[0-9a-fA-F]{2}|\\{1,3}u\{[0-9a-fA-F]{1,6}\}"
    r"|\\00[0-9a-fA-F]{4} ?|\\[01][0-7]{2}|%u[0-9a-fA-F]{4}"
)
_PERCENT = r"(?:%(?:25)*[0-9a-fA-F]{2})+"  # %2541 is an A in an address inside an address
_ESCAPES = rf"(?!{_LESS}|{_MORE})(?:{_ENTITY}|{_HEX})|{_PERCENT}"
# A tag, written out or escaped; none is looked for beyond
# the beginning of the next, which keeps it linear.
_TAG = rf"<[^<>]{{0,4000}}>|{_LESS}(?:(?!{_LESS})[^<>]){{0,4000}}?(?:{_MORE}|>)"
_BREAK = rf"(?:<|{_LESS})\\?/?(?:{'|'.join(sorted(BREAKS))})(?![A-Za-z0-9-])"
_INLINE = rf"(?!{_BREAK})(?:{_TAG})"
_SPACE = r"\\[nrtbf]"
# What nearly all letters are comes first, and what was taken is never given back: most of the time
# goes here.
_LETTERS = rf"[^\W_]++|['’_{_MARKS}{_LIKE_LETTERS}{UNSPACED}{_UNSEEN}]|{_ESCAPES}"
_QUOTED = r"(?:=[0-9A-F]{2})+|=\r?\n"


_LIKE_MAIL = re.compile(r"=\r?\n|=[0-9A-F]{2}=[0-9A-F]{2}")
_ANY_TAG, _ESCAPED, _HIDDEN = re.compile(_TAG), re.compile(_ESCAPES), re.compile(f"[{_UNSEEN}]")
_MARKED_UP = re.compile(r"[<&\\]")
_CODE = re.compile(r"\\{1,3}x([0-9a-fA-F]{2})|\\{1,3}u\{([0-9a-fA-F]{1,6})\}|\\00([0-9a-fA-F]{4}) ?")
_OCTAL = re.compile(r"\\([01][0-7]{2})")
_UNITS = re.compile(r"(?:(?:\\{1,3}|%)u[0-9a-fA-F]{4})+")
_MAILED, _BROKEN_LINE = re.compile(r"(?:=[0-9A-F]{2})+"), re.compile(r"=\r?\n")
_GAP = 1
# With one of these every tag, every escape and every escaped gap begins.
_SIGNS = r"<&\\%"
_HEXADECIMAL, _BASE_EIGHT, _LAST_CODE = 16, 8, 0x10FFFF
# As often as an address is found inside another one in practice, or a page in a feed in a page.
_TIMES = 3


def seen_words(text: str) -> list[str]:
    """The words of a text as somebody reads it who sees no invisible character."""
    return tokenise(_HIDDEN.sub("", text))


def ways_to_cut(text: str) -> Iterator[WayToCut]:
    """Each way to cut a document that may be a reader's."""
    # A text without mark-up and escapes is cut alike in all of them.
    yield from (APART, JOINED, AS_TEXT) if _MARKED_UP.search(text) else (AS_TEXT,)
    if _HIDDEN.search(text):
        # So were words cut by which something was erased before.
        yield from (way._replace(words_of=tokenise) for way in (APART, AS_TEXT))
    if _LIKE_MAIL.search(text):
        yield AS_MAIL


def _words_of_mail(text: str) -> list[str]:
    """The words of what is quoted-printable."""
    text = _BROKEN_LINE.sub("", text)
    return seen_words(
        _MAILED.sub(lambda found: bytes.fromhex(found[0].replace("=", "")).decode("utf-8", "replace"), text)
    )


def _way(gap: str, letters: str, words_of: WordsOf = seen_words, signs: str = _SIGNS) -> WayToCut:
    either = rf"({gap})|((?:{letters})++)"
    pieces = rf"([^{signs}]*+)(?:{either}|[{signs}]|\Z)"
    return WayToCut(re.compile(either), words_of, re.compile(pieces))


APART = _way(rf"{_TAG}|{_SPACE}", _LETTERS)
JOINED = _way(rf"(?={_BREAK})(?:{_TAG})|{_SPACE}", rf"{_LETTERS}|{_INLINE}")
AS_TEXT = _way(_SPACE, _LETTERS)
AS_MAIL = _way(_TAG, rf"{_QUOTED}|{_LETTERS}", _words_of_mail, f"{_SIGNS}=")
"""Quoted-printable, as mail writes what is no plain letter, and lines that are too long."""


def words_cut(text: str, way: WayToCut) -> list[str]:
    """The words of a document in order, without their places: many times as fast as `cut`, and the same words."""
    pieces: list[str] = []
    for plain, _gap, run in way.pieces.findall(text):
        pieces += (plain, _written_out(run) if run else " ")
    return way.words_of("".join(pieces))


def _written_out(run: str) -> str:
    """A run of letters without mark-up and escapes."""
    return _decoded("".join(run[first:last] for first, last in _between_tags(run)))


def cut(text: str, way: WayToCut) -> Iterator[Token]:
    """The words of a document in order, with their places."""
    for match in way.pattern.finditer(text):
        if match.lastindex == _GAP:
            continue
        raw = match[0]
        if raw.isascii() and raw.isalnum():
            yield raw.lower(), (match.span(),)
        else:
            yield from _pieces(raw, match.start(), way.words_of)


def _pieces(raw: str, start: int, words_of: WordsOf) -> Iterator[Token]:
    """The words of a run of letters, escapes and mark-up inside of words."""
    spans = _between_tags(raw)
    text = "".join(raw[first:last] for first, last in spans)
    words = words_of(_decoded(text))
    is_unspaced = len(words) > 1 and "".join(words) == "".join(map(_as_compared, _HIDDEN.sub("", text)))
    if is_unspaced:
        # Of a script that is written without spaces each word has places of its own.
        places = _letters(raw, spans)
        for word in words:
            yield word, tuple(_spans(islice(places, len(word)), start))
        return
    whole = tuple((start + first, start + last) for first, last in spans)
    yield from ((word, whole) for word in words)


def _letters(raw: str, spans: list[Span]) -> Iterator[int]:
    """The places of all letters that somebody sees, once for each letter that words have of it."""
    for first, last in spans:
        for place in range(first, last):
            if not _HIDDEN.match(raw, place):
                yield from repeat(place, len(_as_compared(raw[place])))


def _as_compared(letter: str) -> str:
    """As words have it: one vowel of Thai is two."""
    return unicodedata.normalize("NFKC", letter).casefold()


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
    raw = _OCTAL.sub(lambda found: chr(int(found[1], _BASE_EIGHT)), raw)
    raw = _UNITS.sub(_of_units, raw)
    for _ in range(_TIMES + 1):
        raw = html.unescape(raw)
    for _ in range(_TIMES):
        raw = unquote(raw)
    return raw


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2] or escape[3], _HEXADECIMAL)
    return chr(min(code, _LAST_CODE))


def _of_units(escapes: re.Match[str]) -> str:
    """What some units of UTF-16 in a row stand for: two of them may be one letter."""
    units = re.findall(r"u([0-9a-fA-F]{4})", escapes[0])
    return str(json.loads('"' + "".join(f"\\u{unit}" for unit in units) + '"'))
