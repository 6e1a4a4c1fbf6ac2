"""Text folded for comparing, one character for one, so that places in it are places in the text."""

from __future__ import annotations

import re
import unicodedata

INVISIBLE = "\u200b"
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff"
    "\u0e31-\u0e4e\u0e81-\u0eff\u0f71-\u0f84"
    "\u102b-\u103e\u17b4-\u17d3\u200b"
)
LETTER = rf"(?:[^\W\d_]|[{_MARKS}])"

_SAME = str.maketrans("øđłıیکى’‘ʼ′`´׳״،、॰", "odliيكي" + "'" * 8 + ",,.")
_DROPPED = re.compile(rf"[\u0300-\u036f\u064b-\u065f.'{INVISIBLE}]+")
_SPACES = re.compile(r"[\s-]+")
# Characters whose folding is kept: all that a blog needs, even in Chinese; a page may hold any.
_CACHED = 20_000


def _fold_char(char: str) -> str:
    """One character for one: digits, dashes and spaces by their Unicode category, letters plain."""
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Pd" or char == "\u2212":
        return "-"
    if category == "Cf":
        return INVISIBLE
    if category in ("Zs", "Zl", "Zp", "Cc"):
        return " "
    return _fold_letter(char)


def _fold_letter(char: str) -> str:
    """A letter in lower case, without accents in the alphabets up to Arabic."""
    if "\uff00" <= char <= "\uffef":  # the wide and narrow forms beside Chinese and Japanese
        char = unicodedata.normalize("NFKC", char)[0]
    if char < "\u0700" or "\u1e00" <= char <= "\u1fff":
        char = unicodedata.normalize("NFD", char)[0]
    lower = char.lower()
    if len(lower) > 1:  # some letters have no single small one
        lower = char
    return lower.translate(_SAME)


class _Fold(dict[int, str]):
    """A translation table that fills itself; bounded, since the text may hold anything."""

    def __missing__(self, code: int) -> str:
        folded = _fold_char(chr(code))
        if len(self) < _CACHED:
            self[code] = folded
        return folded


_TABLE = _Fold()


def fold(text: str) -> str:
    """Lower case, no accents, ASCII digits, plain dashes and spaces; as long as the text."""
    return text.translate(_TABLE)


def key(folded: str) -> str:
    """What a folded name is looked up by: no dots or marks, hyphens as spaces."""
    return _SPACES.sub(" ", _DROPPED.sub("", folded)).strip()
