"""The name in a line that also says when a text was written and how long it takes to read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.dates import find_dates
from blogforever.dom import tokenise
from blogforever.extract.names import clean_name, clean_names, is_placeholder, looks_personal
from blogforever.extract.signing import are_signing, outside_dates

# Characters of such a line; a longer one is a sentence.
_LONGEST = 120
_PARTED = re.compile(r"(?<!\s)\s*+[·•|∙,;/\n]\s*+|(?<!\s)\s++[-–—~]\s++")
_TIME_OF_DAY = re.compile(r"\b\d{1,2}(?:[:.h]\d\d\b|\s?[ap]\.?m\b)", re.IGNORECASE)
_NUMBER = re.compile(r"\d++")
# A number of something, in whatever language: "104 sanaa", "90 mots". No more words than these: a name may begin so.
_COUNT = re.compile(r"\s*\d[\d.,]*+(?:\s++[^\W\d_]++){1,2}\s*")
# Two words and more up to a full stop that is no abbreviation's: behind it another sentence begins.
_SENTENCE = re.compile(r"\S+\s.*?[^\W\d_]{3}(?=\.\s)")
# "Jane Doe Tags: boats", "Jane Doe / Tags: boats": the word before the colon behind a name is the next label.
_COLON = re.compile(r"\s?[:：]")
_LABEL = re.compile(r"(?<=\S)\s++(?:[/–—-]\s)?[^\s\d]++$")
# Words of a name in a script without capitals, and characters of any that is not written as
# people's are.
_MOST_WORDS, _LONGEST_NAME = 4, 30


def names_in(value: str) -> tuple[str, ...]:
    """The people that a by-line names, a day beside them or not."""
    name = part_beside_date(value) if _NUMBER.search(value) else None
    return (name,) if name else clean_names(value)


def part_beside_date(line: str) -> str | None:
    """The one part that is left of a by-line without its days, numbers, and the words that sign,
    where it may be a name: as written, or of one word, as accounts are, or in a script without
    capitals, which do not show it there.

    For places that are known to name somebody.
    """
    found = find_dates(line) if len(line) <= _LONGEST else []
    name = _only_part(outside_dates(line, found)) if found else None
    return name if name and (is_whole_name(name) or _may_be_name(name)) else None


def _may_be_name(name: str) -> bool:
    """Whether a short text is one word, or of a script without capitals."""
    is_caseless = name.lower() == name.upper()
    is_short = len(name.split()) <= (_MOST_WORDS if is_caseless else 1) and len(name) <= _LONGEST_NAME
    return is_short and not is_placeholder(name)


def name_beside_date(line: str) -> str | None:
    """The one name that is left of a line without its days, numbers, and the words that sign;
    None where more is left.
    """
    found = find_dates(line) if len(line) <= _LONGEST else []
    return only_name(outside_dates(line, found)) if found else None


def names_beside_date(line: str) -> list[str | None]:
    """The parts of a line that dates a post, in their order, without the day: each a name, or None where it is none."""
    found = find_dates(line) if len(line) <= _LONGEST else []
    parts = filter(None, map(without_signing, _PARTED.split(outside_dates(line, found)))) if found else ()
    return [part if is_whole_name(part) else None for part in parts]


def only_name(line: str) -> str | None:
    """The one part of a line that is more than numbers and words that sign, where it is written as names are."""
    name = _only_part(line)
    return name if name and is_whole_name(name) else None


def begins_with_name(line: str) -> bool:
    """Whether a line that says a day begins with a whole name, up to words that sign, or a sign that parts it."""
    found = find_dates(line, limit=1)
    before_day = outside_dates(line, found).partition("\n")[0]
    return bool(found) and is_whole_name(without_signing(_PARTED.split(before_day)[0]))


def _only_part(line: str) -> str | None:
    """The one part of a line that is left; what counts something is none beside another."""
    said = _PARTED.split(line)
    left = _left_of(said)
    if len(left) > 1:
        left = _left_of([part for part in said if not _COUNT.fullmatch(part)])
    return clean_name(left[0]) if len(left) == 1 else None


def _left_of(parts: Sequence[str]) -> list[str]:
    return [part for part in map(without_signing, parts) if part]


def is_whole_name(part: str) -> bool:
    """Whether a text is a person's name and nothing else."""
    return looks_personal(part) and clean_name(part) == part and not is_placeholder(part)


def without_signing(part: str) -> str:
    """A part without the words that sign at its ends; empty where it has no others."""
    words = part.split()
    while words and _signs(words[0]):
        words.pop(0)
    while words and _signs(words[-1]):
        words.pop()
    return " ".join(words).strip(" :()[]")


def says_when(line: str) -> bool:
    """Whether a line says a day or a time of day."""
    return _TIME_OF_DAY.search(line) is not None or bool(find_dates(line, limit=1))


def _signs(word: str) -> bool:
    return are_signing(tokenise(word))


def before_day(text: str, start: int, end: int) -> str:
    """What may be a name between two places of a line, up to a day in it ("by Jane Doe March 3"), the label behind it,
    or the end of its sentence.
    """
    days = (date.start for date in find_dates(text))
    name_end = min((day for day in days if start < day < end), default=end)
    name = text[start:name_end]
    if name_end < end:
        name = without_signing(name)  # the word before the day, in any language
    elif _COLON.match(text, end):
        name = _LABEL.sub("", name)
    sentence = _SENTENCE.match(name)
    return sentence[0] if sentence else name
