"""Names of months, weekdays and halves of the day in many languages, from the packaged table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from blogforever.dates.fold import fold, key
from blogforever.wordlists import DATES, added_tables, data_of

# Words that may stand inside a date or between it and its time, besides those which CLDR has.
_FILLERS = (
    "of the at on in de del d di do da dos das em as a al el la las los le l den der um am ab ob "
    "uhr uur o ora ore alle kl klo kello klokken klockan vid h r g god godine godz rok roku "
    "год года г году р року ж жыл в у о t m gada aasta lúc vào ngày năm "
    "ค.ศ. พ.ศ. เวลา ที่ วันที่ น saat pukul jam pada tanggal tgl оны сарын өдөр e ko "
    "στις στα ώρα του"
)
_ORDINALS = "st nd rd th er re e eme º ª ° o a η ος го ого е р й ste de mh"
# Halves of the day that are everyday words elsewhere.
_NOT_HALVES = {"in", "to", "de", "du", "em", "ap", "ip"}
_ZONES = {
    "utc": 0, "gmt": 0, "ut": 0, "z": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60,
    "cest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "ist": 330,
    "jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "awst": 480, "acst": 570, "aest": 600,
    "aedt": 660, "nzst": 720, "nzdt": 780, "ast": -240, "adt": -180, "est": -300, "edt": -240,
    "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540,
    "akdt": -480, "hst": -600, "brt": -180, "art": -180,
}  # fmt: skip

NAMED = {"months": 1, "short": 1, "days": 0, "shortdays": 0}
"""The names that a language has for months and weekdays, in full and short, with the number of the first."""
# Scripts from here on (Chinese, Japanese, Korean) join words: fillers would be found inside others.
_UNSPACED = "\u2e80"
# Hours that each half of the day adds.
_HALVES = (("am", 0), ("pm", 12))
# Codes that the table has under another name: old ones, and those of a language's written forms.
_OTHER_CODES = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "tl": "fil"}


@dataclass(frozen=True, slots=True)
class CalendarName:
    """What a word names in some languages: a month (1-12), or a weekday (Monday is 0)."""

    number: int
    languages: tuple[str, ...]
    wide: bool


@dataclass(frozen=True, slots=True)
class NameTables:
    """All tables, by folded key.

    `starts` are the first words of names of several words, `orders` the orders of numeric dates,
    `year_first` the languages that write long dates so.
    """

    months: Mapping[str, tuple[CalendarName, ...]]
    days: Mapping[str, tuple[CalendarName, ...]]
    halves: Mapping[str, int]
    fillers: frozenset[str]
    ordinals: frozenset[str]
    starts: frozenset[str]
    orders: Mapping[str, str]
    year_first: frozenset[str]


@cache
def raw_table() -> dict[str, Any]:
    """The packaged file, with the languages and names that others add."""
    text = (data_of("blogforever.dates") / "names.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    for code, added in added_tables(DATES).items():
        _add(table["languages"].setdefault(code, _new_language()), added)
    return table


def _new_language() -> dict[str, Any]:
    """A language of which nothing is known yet; most write the day first."""
    language: dict[str, Any] = {name: [] for name in ("am", "pm", "fill", "past")}
    return language | {name: {} for name in (*NAMED, "phrases")} | {"order": "dMy", "long": "dMy"}


def _add(language: dict[str, Any], added: Mapping[str, Any]) -> None:
    """Add names in the order of what they name, and words that stand inside dates."""
    for name, first in NAMED.items():
        for number, word in enumerate(added.get(name, ()), first):
            language[name].setdefault(key(fold(word)), number)
    language["fill"] = [*language["fill"], *(key(fold(word)) for word in added.get("fill", ()))]
    language["order"] = added.get("order", language["order"])


@cache
def names() -> NameTables:
    """The tables, built at the first call."""
    languages = raw_table()["languages"]
    months = _merge(languages, "months", "short")
    days = _merge(languages, "days", "shortdays")
    orders = {code: table["order"] for code, table in languages.items()}
    return NameTables(
        months=months,
        days=days,
        halves=_halves(languages),
        fillers=_fillers(languages),
        ordinals=frozenset(fold(_ORDINALS).split()),
        starts=frozenset(name.split(" ")[0] for name in (*months, *days) if " " in name),
        orders=orders | raw_table()["orders"],
        year_first=frozenset(code for code, table in languages.items() if table["long"][0] == "y"),
    )


def is_month_name(word: str) -> bool:
    """Whether a word is the whole name of a month in some language."""
    return any(meaning.wide for meaning in names().months.get(key(fold(word)), ()))


def _halves(languages: Mapping[str, Any]) -> dict[str, int]:
    """The words for the halves of the day, with the hours that each adds."""
    halves: dict[str, int] = {}
    for table in languages.values():
        for half, hours in _HALVES:
            halves |= dict.fromkeys(table[half], hours)
    for word in _NOT_HALVES:
        halves.pop(word, None)
    return halves


def _fillers(languages: Mapping[str, Any]) -> frozenset[str]:
    """The words that may stand inside a date, in scripts with spaces between words."""
    fillers = {key(fold(word)) for word in _FILLERS.split()}
    for table in languages.values():
        fillers.update(table["fill"])
    return frozenset(word for word in fillers if word and word < _UNSPACED)


def _merge(
    languages: Mapping[str, Any],
    wide: str,
    short: str,
) -> dict[str, tuple[CalendarName, ...]]:
    """What each name means, in full or short, out of the tables of all languages."""
    meanings: dict[str, dict[int, tuple[list[str], bool]]] = {}
    for code, table in languages.items():
        for is_wide, part in ((True, wide), (False, short)):
            for name, number in table[part].items():
                numbers = meanings.setdefault(name, {})
                codes, _wide = numbers.setdefault(number, ([], is_wide))
                if code not in codes:
                    codes.append(code)
    return {name: _by_use(numbers) for name, numbers in meanings.items()}


def _by_use(numbers: Mapping[int, tuple[list[str], bool]]) -> tuple[CalendarName, ...]:
    """The meaning which most languages give comes first."""
    ranked = sorted(numbers.items(), key=lambda item: -len(item[1][0]))
    return tuple(CalendarName(number, tuple(codes), wide) for number, (codes, wide) in ranked)


def base_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """Codes without region and script, in the table's spelling: `pt-BR` is `pt`."""
    bases = (code.replace("_", "-").split("-")[0].lower() for code in languages)
    return tuple(_OTHER_CODES.get(base, base) for base in bases)


def numeric_orders(languages: Sequence[str]) -> list[str]:
    """The orders of day, month and year which the languages use in numbers, most wanted first."""
    orders = names().orders
    wanted: dict[str, None] = {}
    for code in languages:
        full = code.replace("_", "-").lower()
        order = orders.get(full) or orders.get(base_languages([code])[0])
        if order:
            wanted[order] = None
    return list(wanted)


def zone_minutes(name: str) -> int | None:
    """Minutes east of Greenwich of a zone's short name."""
    return _ZONES.get(name)
