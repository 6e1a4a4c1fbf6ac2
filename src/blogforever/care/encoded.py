"""Text that stands in base64 inside another text: found, read, and written again where something of it must go."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from urllib.parse import unquote

_LETTER = r"[A-Za-z0-9+/_-]|\\/|%2[BbFf]"
# Fewer letters hold no passage: eight words have more.
_RUN = re.compile(rf"(?:{_LETTER})(?:{_LETTER}|\r?\n){{31,}}(?:=|%3[Dd]){{0,2}}")
# Nearly nothing is so long without a space: what is shorter is passed over first, many words at a time.
_ANY = r"A-Za-z0-9+/_%=\\\r\n-"
_LONG = re.compile(rf"((?:[^{_ANY}]++|[{_ANY}]{{1,31}}+(?![{_ANY}]))*+)([{_ANY}]*+)")
_UNIT = re.compile(r"\\/|%[0-9A-Fa-f]{2}|\r?\n|.", re.DOTALL)
_GROUP = 4  # letters that stand for three bytes
# Letters by which it is told whether there is a text at all: pictures are written so, too.
_BEGINNING = 240
_UNLIKELY = 0.1
_CONTROL = bytes(code for code in range(32) if code not in b"\t\r\n")
Blank = Callable[[str], str]


def blank_encoded(text: str, blank: Blank) -> str:
    """The text with everything in base64 as `blank` leaves it; the very same text where that changes nothing."""
    pieces: list[str] = []
    for short, long in _LONG.findall(text):
        pieces += (short, _RUN.sub(lambda found: _blanked(found[0], blank), long))
    fresh = "".join(pieces)
    return text if fresh == text else fresh


def _blanked(run: str, blank: Blank) -> str:
    units = _UNIT.findall(run)
    letters = [place for place, unit in enumerate(units) if not unit.isspace()]
    plain = "".join(unquote(units[place]).lstrip("\\") for place in letters).rstrip("=")
    start = next((start for start in range(_GROUP) if _is_text(_bytes(plain[start : start + _BEGINNING]))), None)
    if start is None:
        return run
    content = _bytes(plain[start:])
    said = content.decode("utf-8", "surrogateescape")
    fresh = blank(said)
    if fresh == said:
        return run
    # A mark has one byte where a letter may have had several: the rest is filled, so that the
    # length stays.
    kept = fresh.encode("utf-8", "surrogateescape").ljust(len(content))
    written = base64.b64encode(kept, b"-_" if set(plain) & set("-_") else None).decode().rstrip("=")
    for place, letter in zip(letters[start:], written, strict=False):
        if unquote(units[place]).lstrip("\\") != letter:
            units[place] = letter
    return "".join(units)


def _bytes(letters: str) -> bytes:
    """What letters stand for, up to the last whole group of them."""
    letters = letters.translate(_AS_USUAL)
    try:
        return base64.b64decode(letters[: len(letters) - (len(letters) % _GROUP == 1)] + "==")
    except binascii.Error:
        return b""


_AS_USUAL = str.maketrans("-_", "+/")


def _is_text(content: bytes) -> bool:
    if not content:
        return False
    strange = content.decode("utf-8", "replace").count("\ufffd")
    controls = len(content) - len(content.translate(None, _CONTROL))
    return strange + controls <= len(content) * _UNLIKELY
