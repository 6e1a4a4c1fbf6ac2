"""Names of months, weekdays and halves of the day in many languages, read once from the packaged table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from blogforever.dates.fold import fold, key

# Words that may stand inside a date or between it and its time, besides those which CLDR has.
_FILLERS = (
    "of the at on in de del d di do da dos das em as a al el la las los le l den der um am ab ob uhr uur o ora ore "
    "alle kl klo kello klokken klockan vid h r g god godine godz rok roku год года г году р року ж жыл в у о t m gada "
    "aasta lúc vào ngày năm ค.ศ. พ.ศ. เวลา ที่ วันที่ น saat pukul jam pada tanggal tgl оны сарын өдөр e ko στις στα "
    "ώρα του"
)
_ORDINALS = "st nd rd th er re e eme º ª ° o a η ος го ого е р й ste de mh"
# Halves of the day that are everyday words elsewhere.
_NOT_HALVES = {"in", "to", "de", "du", "em", "ap", "ip"}
_ZONES = {
    "utc": 0, "gmt": 0, "ut": 0, "z": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60, "cest": 120,
    "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "ist": 330, "jst": 540, "kst": 540, "hkt": 480,
    "sgt": 480, "awst": 480, "acst": 570, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "ast": -240,
    "adt": -180, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "brt": -180, "art": -180,
}  # fmt: skip


_UNSPACED = "\u2e80"
_HALVES = (("am", 0), ("pm", 12))


@dataclass(frozen=True, slots=True)
class Name:
    """What a word names: a month (1-12) or weekday (Monday is 0) in some languages, in full or short."""

    number: int
    languages: tuple[str, ...]
    wide: bool


@dataclass(frozen=True, slots=True)
class Names:
    """All tables, by folded key.

    `starts` are the first words of names of several words, `year_first` the languages that write long dates so.
    """

    months: Mapping[str, tuple[Name, ...]]
    days: Mapping[str, tuple[Name, ...]]
    halves: Mapping[str, int]
    fillers: frozenset[str]
    ordinals: frozenset[str]
    starts: frozenset[str]
    orders: Mapping[str, str]
    year_first: frozenset[str]


@cache
def raw_table() -> dict[str, Any]:
    """The packaged file."""
    text = resources.files(__package__).joinpath("data/names.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def names() -> Names:
    """The tables, built at the first call."""
    languages = raw_table()["languages"]
    months = _merge(languages, "months", "short")
    days = _merge(languages, "days", "shortdays")
    halves = {word: hours for code in languages.values() for half, hours in _HALVES for word in code[half]}
    fillers = {key(fold(word)) for word in _FILLERS.split()}.union(*(table["fill"] for table in languages.values()))
    starts = {name.split(" ")[0] for group in (months, days) for name in group if " " in name}
    year_first = frozenset(code for code, table in languages.items() if table["long"][0] == "y")
    orders = {code: table["order"] for code, table in languages.items()} | raw_table()["orders"]
    halves = {word: hours for word, hours in halves.items() if word not in _NOT_HALVES}
    ordinals = frozenset(fold(_ORDINALS).split())
    return Names(
        months=months,
        days=days,
        halves=halves,
        fillers=frozenset(word for word in fillers if word and word < _UNSPACED),
        ordinals=ordinals,
        starts=frozenset(starts),
        orders=orders,
        year_first=year_first,
    )


def _merge(languages: Mapping[str, Any], wide: str, short: str) -> dict[str, tuple[Name, ...]]:
    found: dict[str, dict[int, tuple[list[str], bool]]] = {}
    for code, table in languages.items():
        for full, part in ((True, wide), (False, short)):
            for name, number in table[part].items():
                group = found.setdefault(name, {}).setdefault(number, ([], full))
                if code not in group[0]:
                    group[0].append(code)
    return {name: _by_use(numbers) for name, numbers in found.items()}


def _by_use(numbers: Mapping[int, tuple[list[str], bool]]) -> tuple[Name, ...]:
    """The meaning which most languages give comes first."""
    ranked = sorted(numbers.items(), key=lambda item: -len(item[1][0]))
    return tuple(Name(number, tuple(codes), wide) for number, (codes, wide) in ranked)


def base_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """Codes without region and script, in the table's spelling: `pt-BR` is `pt`."""
    bases = (code.replace("_", "-").split("-")[0].lower() for code in languages)
    return tuple({"no": "nb", "nn": "nb", "iw": "he", "in": "id", "tl": "fil"}.get(base, base) for base in bases)


def numeric_orders(languages: Sequence[str]) -> list[str]:
    """The orders of day, month and year which the languages use in numbers, most wanted first."""
    orders = names().orders
    wanted = []
    for code in languages:
        full = code.replace("_", "-").lower()
        wanted.append(orders.get(full) or orders.get(base_languages([code])[0]))
    return list(dict.fromkeys(order for order in wanted if order))


def zone_minutes(name: str) -> int | None:
    """Minutes east of Greenwich of a zone's short name."""
    return _ZONES.get(name)
