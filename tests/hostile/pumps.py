"""Texts that make a careless regular expression slow, made out of the expression itself.

For every repetition in it: what matches up to there, then what is repeated, over and over, then something that fits
nothing. An expression that can share such a text out in many ways tries them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

_parser, _codes = import_module("re._parser"), import_module("re._constants")
_REPEATS = (_codes.MAX_REPEAT, _codes.MIN_REPEAT, _codes.POSSESSIVE_REPEAT)
_MANY = 50  # repetitions of fewer are no growth
_OF_CLASS = {
    _codes.CATEGORY_DIGIT: "1",
    _codes.CATEGORY_SPACE: " \n",
    _codes.CATEGORY_WORD: "a1",
    _codes.CATEGORY_NOT_WORD: "- ",
}
_ANYTHING = "a -<1"
_MOST_PUMPS = 24  # of one expression; alternatives of words differ little

Pump = tuple[str, str]  # what comes before, and what is repeated


def hostile_texts(pattern: re.Pattern[Any]) -> list[Callable[[int], Any]]:
    """Makers of texts of any length, for one expression."""
    raw = isinstance(pattern.pattern, bytes)
    parsed = _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if raw else pattern.flags)
    makers = []
    for before, again in list(dict.fromkeys(_pumps(parsed, "")))[:_MOST_PUMPS]:
        makers += [_text(before, again, raw), _text("", before + again, raw)]
    return makers


def _text(before: str, again: str, raw: bool) -> Callable[[int], Any]:
    def make(size: int) -> str | bytes:
        text = before + again * (size // len(again) + 1) + "\0"
        return text.encode("latin-1", "replace") if raw else text

    return make


def _pumps(items: Iterable[Any], before: str) -> Iterator[Pump]:
    for code, value in items:
        if code in _REPEATS:
            least, most, body = value
            if most > _MANY:
                yield from ((before, piece) for piece in sorted(_pieces(body)))
            yield from _pumps(body, before)
            before += _sample(body) * least
        elif code is _codes.BRANCH:
            for branch in value[1]:
                yield from _pumps(branch, before)
            before += _sample(value[1][0])
        elif inner := _inside(code, value):
            yield from _pumps(inner, before)
            before += _sample(inner)
        else:
            before += _sample([(code, value)])


def _inside(code: Any, value: Any) -> Any:
    """What a group holds."""
    if code is _codes.SUBPATTERN:
        return value[3]
    return value if code is _codes.ATOMIC_GROUP else None


def _sample(items: Iterable[Any]) -> str:
    """A short text that fits."""
    text = ""
    for code, value in items:
        if code in _REPEATS:
            text += _sample(value[2]) * value[0]
        elif code is _codes.BRANCH:
            text += _sample(value[1][0])
        elif inner := _inside(code, value):
            text += _sample(inner)
        else:
            text += _characters(code, value)[:1]
    return text


def _pieces(items: Iterable[Any]) -> set[str]:
    """Short texts of which a repetition may be made up."""
    found = {_sample(items)}
    for code, value in items:
        if code in _REPEATS:
            found |= _pieces(value[2])
        elif code is _codes.BRANCH:
            found |= {piece for branch in value[1] for piece in _pieces(branch)}
        elif inner := _inside(code, value):
            found |= _pieces(inner)
        else:
            found |= set(_characters(code, value))
    return found - {""}


def _characters(code: Any, value: Any) -> str:
    """Some characters that fit one place."""
    if code is _codes.LITERAL:
        return chr(value)
    if code is _codes.RANGE:
        return chr(value[0]) + chr(value[1])
    if code is _codes.CATEGORY:
        return _OF_CLASS.get(value, "a")
    if code is _codes.IN and value[0][0] is not _codes.NEGATE:
        return "".join(_characters(*one) for one in value)[:6]
    return _ANYTHING if code in (_codes.IN, _codes.ANY, _codes.NOT_LITERAL) else ""
