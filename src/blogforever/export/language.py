"""The language in which a static copy speaks around the posts: its words, counts, numbers and dates."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache, cached_property, lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blogforever.wording import DAY_LENGTH, ISO
from blogforever.wordlists import data_of

from .body import AbsentWords

if TYPE_CHECKING:
    from babel import Locale

ENGLISH = "en"
FOLDER = "languages"
# Days, numbers and months that are remembered as they are written: a page of a list has some
# dozens, and every post stands in several lists.
REMEMBERED = 8192
MONTH_LENGTH, YEAR_LENGTH = len("2019-07"), len("2019")
# Any year: its months are called as those of all others.
SOME_YEAR = 2000
# What is told of a page that searches, beside the forms of its counts.
SEARCH_WORDS = ("no_date", "search_best", "search_so_far", "search_missing")


class CopyLanguage:
    """One of the languages that a copy can speak, read from its file."""

    def __init__(self, code: str) -> None:
        self.code = code
        """As the pages name it."""
        data = tomllib.loads((_folder() / f"{code}.toml").read_text(encoding="utf-8"))
        self.locale: str = data["locale"]
        """Whose dates, numbers and plural forms these are."""
        self.words: Mapping[str, str] = data["words"]
        self.counts: Mapping[str, Mapping[str, str]] = data["counts"]

    @cached_property
    def rules(self) -> Locale:
        """What CLDR knows of the language."""
        from babel import Locale  # noqa: PLC0415 - takes long to load, and only a copy needs it

        return Locale.parse(self.locale, sep="-")

    @property
    def direction(self) -> str:
        """`ltr` or `rtl`."""
        return self.rules.text_direction

    @property
    def marks(self) -> str:
        """The attributes of an element whose words are in this language."""
        return f'lang="{self.code}" dir="{self.direction}"'

    def phrase(self, name: str, **places: str) -> str:
        """Words by their name, with what stands in their places."""
        return self.words[name].format(**places)

    def html(self, name: str, **places: str) -> str:
        """The same for mark-up; what stands in the places is mark-up already."""
        return escape(self.words[name]).format(**places)

    def known(self, name: str, otherwise: str) -> str:
        """Words by a name that the archive has, or what stands for one that nobody knows."""
        return self.words.get(name, otherwise)

    def count(self, name: str, number: int, **places: str) -> str:
        """So many of something, in the form that goes with the number."""
        forms = self.counts[name]
        form = forms.get(self.rules.plural_form(number), forms["other"])
        return form.format(n=self.number(number), **places)

    def number(self, number: int) -> str:
        """A number, grouped as people write it."""
        return _written_number(self, number)

    def share(self, share: float) -> str:
        """A part of a whole in per cent."""
        from babel.numbers import format_percent  # noqa: PLC0415 - as above

        return format_percent(share, locale=self.rules)

    def day(self, iso: str | None, otherwise: str | None = None) -> str:
        """A day, a month or a year, as far as a date goes."""
        found = ISO.match(iso or "")
        if not found:
            return self.words["no_date"] if otherwise is None else otherwise
        return _written_day(self, found[0])

    def month(self, iso: str | None) -> str | None:
        """The name of a date's month, where it goes so far, as it stands alone."""
        found = ISO.match(iso or "")
        day = _date(f"{found[1]}-{found[2]}") if found and found[2] else None
        return _month_name(self, day.month) if day else None

    @cached_property
    def absent(self) -> AbsentWords:
        """What stands for something that the copy does not have."""
        kinds = {name: self.words[name] for name in ("picture", "embedded", "video", "audio")}
        return AbsentWords(**kinds, not_here=self.words["not_here"])

    def for_search(self) -> dict[str, Any]:
        """What the script of the search page says; the browser knows dates and plural forms of the locale."""
        words: dict[str, Any] = {name: self.words[name] for name in SEARCH_WORDS}
        return {"locale": self.locale, "posts": self.counts["posts"], **words}


def languages() -> list[str]:
    """The languages that a copy can speak."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def language_for(code: str | None) -> CopyLanguage:
    """The language of a blog, as it names it (de, de-AT, zh_TW); English for one that nobody has written."""
    known = languages()
    wanted = (code or "").strip().replace("_", "-")
    names = (name for part in (wanted, wanted.partition("-")[0]) for name in _names_of(part))
    return _read(next((name for name in names if name in known), ENGLISH))


def common_language(spoken: Iterable[CopyLanguage]) -> CopyLanguage:
    """The language of what stands above several blogs: the one that most of them have; English
    where no one is ahead.
    """
    most = Counter(language.code for language in spoken).most_common(2)
    is_tied = len(most) != 1 and (not most or most[0][1] == most[1][1])
    return _read(ENGLISH if is_tied else most[0][0])


def _folder() -> Path:
    return data_of("blogforever.export") / FOLDER


@cache
def _read(code: str) -> CopyLanguage:
    return CopyLanguage(code)


def _names_of(code: str) -> list[str]:
    """The names that the file of a language may have: with its script, without."""
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - as above

    try:
        locale = Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        return []
    return [f"{locale.language}-{locale.script}", locale.language]


@lru_cache(maxsize=REMEMBERED)
def _written_number(language: CopyLanguage, number: int) -> str:
    from babel.numbers import format_decimal  # noqa: PLC0415 - as above

    return format_decimal(number, locale=language.rules)


@lru_cache(maxsize=REMEMBERED)
def _written_day(language: CopyLanguage, iso: str) -> str:
    """A date as far as it goes; what no calendar has of it is left out."""
    from babel.dates import format_date, format_skeleton  # noqa: PLC0415 - as above

    if len(iso) == DAY_LENGTH and (day := _date(iso)):
        return format_date(day, "long", locale=language.rules)
    for length, skeleton in ((MONTH_LENGTH, "yMMMM"), (YEAR_LENGTH, "y")):
        if len(iso) >= length and (day := _date(iso[:length])):
            return format_skeleton(skeleton, day, locale=language.rules)
    return iso[:YEAR_LENGTH]


def _date(iso: str) -> date | None:
    """The first day that a date may mean."""
    try:
        return date.fromisoformat(iso + "0000-01-01"[len(iso) :])
    except ValueError:
        return None


@lru_cache(maxsize=REMEMBERED)
def _month_name(language: CopyLanguage, month: int) -> str:
    """A month without its day, in the case that CLDR writes it in beside a year: Babel gives some
    languages the stand-alone names of another one once both were read, so those are asked for only
    where they differ.
    """
    from babel.dates import format_date  # noqa: PLC0415 - as above

    is_own = "LLLL" in language.rules.datetime_skeletons["yMMMM"].pattern
    return format_date(date(SOME_YEAR, month, 1), "LLLL" if is_own else "MMMM", locale=language.rules)
