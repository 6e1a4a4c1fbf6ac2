"""A text as a row of one-letter tokens, so that small regular expressions find dates.

1 2      numbers of one and two digits     Y  a year
8        a number of eight digits          n  any other number
M W B    month, weekday, either            P  "month" before a number (Vietnamese)
A        half of the day                   O  an ending of a number: 4th
y m d    units written behind a number (年 월 日), and h i s for those of a time
F        a word that stands in dates       x  any other word
' '      white space                       everything else is itself, or | if no usual separator
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from blogforever import clock
from blogforever.dates.fold import LETTER, fold, key
from blogforever.dates.names import NameTables, names

FIRST_YEAR = 1990
"""There were no blogs before it: earlier years are what a post speaks of."""
BUDDHIST = 543  # years that the Thai calendar is ahead
_YEAR_DIGITS = 4
_DAY_DIGITS = 8  # of year, month and day in one number
_LETTERS_BY_DIGITS = {1: "1", 2: "2", _DAY_DIGITS: "8"}
_NOON = 12
# Words of one name, after the first.
_MORE_WORDS = 2
# Characters of a name in a script that joins words.
_LONGEST_JOINED = 6
_MONTH_BEFORE_NUMBER = ("thang", "thg")
_THAI = re.compile("[\u0e00-\u0e7f]")
_UNITS = dict(zip("年月日號号時时點点分秒년월일시분초", "ymdddhhhhisymdhis", strict=True))
_TOKEN = re.compile(
    r"(?P<number>\d+)"
    r"|(?P<unit>(?<=\d) {0,3}[年月日號号時时點点分秒년월일시분초])"
    r"|(?P<half>(?<![a-z])[ap]\.? ?m\b\.?)"
    rf"|(?P<word>(?<!\w){LETTER}{{1,2}}(?:\.{LETTER}{{1,4}})+\b\.?|{LETTER}+)"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_NEXT_WORD = re.compile(rf"[ -]{{1,2}}({LETTER}+)")
_SEPARATORS = frozenset(".,/-:'()+@")
# Scripts from here on (Chinese, Japanese, Korean) write words without spaces.
_UNSPACED = "\u2e80"
# Often in an element of their own, so that a space comes between.
_LOOSE_ENDINGS = frozenset(("st", "nd", "rd", "th", "er"))
_NUMBERS = ("1", "2", "Y")


@dataclass(frozen=True, slots=True)
class Shape:
    """The tokens of a text: their letters, places, and what they say, a number or a folded name."""

    text: str
    letters: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    numbers: tuple[int, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=2)
def _last_year(today: date) -> int:
    return today.year + 1


def last_year() -> int:
    """The latest year a post can plausibly bear."""
    return _last_year(clock.today())


def shape_of(text: str) -> Shape:
    """Cut a text into tokens."""
    folded = fold(text)
    return _Cutter(text, folded).cut()


class _Cutter:
    """Builds a Shape token by token."""

    def __init__(self, text: str, folded: str) -> None:
        self.folded = folded
        self.names: NameTables = names()
        self.letters: list[str] = []
        self.text = text
        self.tokens: list[tuple[int, int, int, str]] = []
        self.thai = _THAI.search(folded) is not None
        self.last = last_year()

    def cut(self) -> Shape:
        place, size, match = 0, len(self.folded), _TOKEN.match
        while place < size:
            found = match(self.folded, place)
            if found is None:
                break
            place = self._add(found, place)
        if not self.tokens:
            return Shape(self.text, "", (), (), (), ())
        starts, ends, numbers, words = zip(*self.tokens, strict=True)
        return Shape(self.text, "".join(self.letters), starts, ends, numbers, words)

    def _add(self, found: re.Match[str], start: int) -> int:
        """Add a token, and say where the next one begins."""
        kind, end = found.lastgroup, found.end()
        if kind == "space":
            self.letters.append(" ")
            self.tokens.append((start, end, 0, ""))
            return end
        text = found[0]
        if kind == "number":
            self._number(text, start, end)
        elif kind == "word":
            return self._word(text, start, end)
        elif kind == "half":
            self._half(text, start, end)
        elif kind == "unit":
            self._put(_UNITS[text[-1]], start, end)
        else:
            self._put(self._other(text), start, end)
        return end

    def _put(self, letter: str, start: int, end: int, number: int = 0, word: str = "") -> None:
        self.letters.append(letter)
        self.tokens.append((start, end, number, word))

    def _other(self, char: str) -> str:
        if char in "°º" and self.letters and self.letters[-1] in "12":
            return "O"
        return char if char in _SEPARATORS else "|"

    def _number(self, text: str, start: int, end: int) -> None:
        size = len(text)
        number = int(text) if size <= _DAY_DIGITS else 0
        letter = _LETTERS_BY_DIGITS.get(size, "n")
        if size == _YEAR_DIGITS:
            if self.thai and FIRST_YEAR + BUDDHIST <= number <= self.last + BUDDHIST:
                number -= BUDDHIST
            if FIRST_YEAR <= number <= self.last:
                letter = "Y"
        self._put(letter, start, end, number)

    def _half(self, text: str, start: int, end: int) -> None:
        """Add "am" or "pm"; away from a number it is an everyday word."""
        is_beside_number = "".join(self.letters[-2:]).strip()[-1:] in ("1", "2")
        if is_beside_number:
            self._put("A", start, end, _NOON if text[0] == "p" else 0)
        else:
            self._put("F", start, end, word=key(text))

    def _word(self, text: str, start: int, end: int) -> int:
        """Add a word with those that belong to it, and say where the next token begins."""
        word = text if text.isalpha() else key(text)
        if not word:
            return end
        if word in self.names.starts:
            word, end = self._longest(word, end)
        letter, number = self._class(word, start, end)
        if letter == "x" and text[0] >= _UNSPACED:
            self._split(word, start, end)
        else:
            self._put(letter, start, end, number, word)
        return end

    def _longest(self, word: str, end: int) -> tuple[str, int]:
        """The longest name of up to three words that begins here."""
        best, joined, place = (word, end), word, end
        for _ in range(_MORE_WORDS):
            more = _NEXT_WORD.match(self.folded, place)
            if more is None:
                break
            joined, place = f"{joined} {key(more[1])}", more.end()
            if joined in self.names.months or joined in self.names.days:
                best = joined, place
        return best

    def _class(self, word: str, start: int, end: int) -> tuple[str, int]:
        """The letter of a word, and the hours that it adds if it is a half of the day."""
        table = self.names
        if word in table.months:
            return ("B" if word in table.days else "M"), 0
        before = self.letters[-1] if self.letters else ""
        if word in table.halves and (self._after_number(before) or self._before_number(end)):
            return "A", table.halves[word]
        ending = self._ending(word, before, start)
        if ending:
            return ending, 0
        if word in _MONTH_BEFORE_NUMBER:
            return "P", 0
        if word in table.fillers:
            return "F", 0
        return ("W" if word in table.days else "x"), 0

    def _before_number(self, end: int) -> bool:
        return self.folded[end : end + 2].strip()[:1].isdigit()

    def _ending(self, word: str, before: str, start: int) -> str:
        """The letter of a word that ends a number: an ordinal's ending, or the h of a time."""
        if word in _LOOSE_ENDINGS and self._after_number(before):
            return "O"
        is_after_number = before in _NUMBERS and self.tokens[-1][1] == start
        if not is_after_number and before not in ("-", "("):
            return ""
        if word in self.names.ordinals:
            return "O"
        return "h" if word == "h" and is_after_number else ""

    def _after_number(self, before: str) -> bool:
        """Whether a number of one or two digits stands before, also with a space between."""
        if before == " ":
            return self.letters[-2:-1] in (["1"], ["2"])
        return before in ("1", "2")

    def _split(self, word: str, start: int, end: int) -> None:
        """Scripts without spaces join names: try to cut one off the front, and one off the rest."""
        for cut in range(min(len(word) - 1, _LONGEST_JOINED), 0, -1):
            letter, number = self._class(word[:cut], start, start + cut)
            if letter != "x":
                self._put(letter, start, start + cut, number, word[:cut])
                rest, number = self._class(word[cut:], start + cut, end)
                self._put(rest, start + cut, end, number, word[cut:])
                return
        self._put("x", start, end, 0, word)
