"""How long a text is: words, and characters, in every script."""

from __future__ import annotations

import re
import unicodedata

from blogforever.dom import IGNORABLE, UNSPACED

_UNSPACED = re.compile(f"[{UNSPACED}]")
_SAYS_SOMETHING = re.compile(r"[^\W_]")


def count_words(text: str) -> int:
    """The words of a text, as word processors count them: what stands between spaces, and of
    scripts that are written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each
    letter, without the signs on it.
    """
    letters = sum(map(_is_letter, _UNSPACED.findall(text)))
    return letters + sum(bool(_SAYS_SOMETHING.search(word)) for word in _UNSPACED.sub(" ", text).split())


def count_characters(text: str) -> int:
    """The characters of a text without its spaces: a length that can be compared between scripts."""
    return sum(map(len, IGNORABLE.sub("", text).split()))


def _is_letter(character: str) -> bool:
    """Whether it is no sign on a letter, as Thai vowels above it are, and no mark between words."""
    return unicodedata.category(character)[0] in "LN"
