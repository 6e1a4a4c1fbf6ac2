"""The usual written forms of a day in a language, from CLDR."""

from __future__ import annotations

from datetime import date

_LENGTHS = ("short", "medium", "long", "full")
_SKELETONS = ("yMd", "yMMMd", "yMMMEd", "yMEd", "yMMMMd")
_NUMERIC = {
    "dMy": ("dd/MM/yyyy", "dd.MM.yyyy", "d.M.yyyy"),
    "Mdy": ("MM/dd/yyyy", "M/d/yyyy"),
    "yMd": ("yyyy/MM/dd",),
}


def written_forms(day: date, language: str) -> set[str]:
    """How a day is usually written in a language: as CLDR has it, and in numbers in its order."""
    from babel import Locale, dates  # noqa: PLC0415 - takes long to load, and only this needs it

    from blogforever.dates.names import numeric_orders  # noqa: PLC0415

    locale = Locale.parse(language.replace("-", "_"))
    patterns = [locale.date_formats[length].pattern for length in _LENGTHS]
    skeletons = locale.datetime_skeletons
    patterns += [skeletons[name].pattern for name in _SKELETONS if name in skeletons]
    patterns.append("yyyy-MM-dd")
    for order in numeric_orders([language]):
        patterns += _NUMERIC[order]
    return {dates.format_date(day, pattern, locale=locale) for pattern in patterns}
