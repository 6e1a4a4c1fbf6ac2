"""How dates and times are written: regular expressions with bounded gaps over a Shape's letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Needs = Literal["name", "number", "unit", "prefix", "digits"]


@dataclass(frozen=True, slots=True)
class DateForm:
    """One way to write a date; groups d, m, y are its fields, a and b numbers of unknown order."""

    pattern: re.Pattern[str]
    needs: Needs
    yearless: bool = False


_ENDING = r"(?:[ (\-]?O\)?)?"
_GAP = r"[ .,\-/'()FO]{0,7}"
_WORDS = r"[ .(]{0,2}(?:[FO][ .)]{0,2}){1,2}"
_NAME = r"(?P<m>[MB])"
_DAY = r"(?P<d>[12])"
_YEAR = r"(?P<y>Y)"
# "Mar 04 Fri 2011": the day of the week before the year.
_WEEKDAY = r"[ .,(]{1,3}W[ .,)]{1,3}"
_SHORT_YEAR = r"(?P<y>2)(?! ?[:hAn]|\.2)"
# A number that is part of a longer row (a version, a telephone number, a time) is no date.
_CLEAR = r"(?<![12Yn8][./:\-])(?<![12Yn8])"
_ENDS = r"(?![./:\-]?[12Yn8])"


def _form(pattern: str, needs: Needs, yearless: bool = False) -> DateForm:
    return DateForm(re.compile(pattern), needs, yearless)


DATES = (
    _form(rf"{_DAY}{_ENDING}{_GAP}{_NAME}{_GAP}{_YEAR}", "name"),
    _form(rf"{_NAME}{_GAP}{_DAY}(?:{_ENDING}[ .,'/\-F()]{{1,7}}|O){_YEAR}", "name"),
    _form(rf"{_DAY}{_ENDING}{_GAP}{_NAME}{_WEEKDAY}{_YEAR}", "name"),
    _form(rf"{_NAME}{_GAP}{_DAY}{_ENDING}{_WEEKDAY}{_YEAR}", "name"),
    _form(rf"{_YEAR}{_GAP}{_NAME}{_GAP}{_DAY}", "name"),
    _form(rf"{_YEAR}{_GAP}{_DAY}{_ENDING}{_GAP}{_NAME}", "name"),
    _form(rf"{_NAME}{_GAP}{_DAY}{_ENDING},? [12]:2(?::2)?(?: ?A)?(?: x)? {_YEAR}", "name"),
    _form(
        rf"{_DAY}{_ENDING}[ .\-/]{{0,2}}(?:F )?{_NAME}[ .,\-/]{{0,3}}(?:F )?'?{_SHORT_YEAR}",
        "name",
    ),
    _form(rf"{_NAME}[ .\-/]{{0,2}}{_DAY}{_ENDING}(?:[ ,]{{0,3}}'|[\-/.]){_SHORT_YEAR}", "name"),
    _form(
        rf"{_CLEAR}{_YEAR} ?(?P<s>[./\-]) ?(?P<m>[12]) ?(?P=s) ?{_DAY}(?![/:]?[12Yn8]|\.[12Yn])",
        "number",
    ),
    _form(rf"{_CLEAR}{_YEAR} (?P<m>[12]) {_DAY}{_ENDS}", "number"),
    _form(rf"{_CLEAR}{_YEAR}{_WORDS}(?P<m>[12])[\-. ]{{0,2}}{_WORDS}{_DAY}", "number"),
    _form(
        rf"{_CLEAR}(?P<a>[12]) ?(?P<s>[./\-]) ?(?P<b>[12])(?: ?(?P=s) ?'?|\.? )"
        rf"(?P<y>Y|[12](?! ?[:h]|\.2)){_ENDS}",
        "number",
    ),
    _form(rf"{_CLEAR}(?P<a>[12]) (?P<b>[12]) {_YEAR}{_ENDS}", "number"),
    _form(rf"(?P<y>[Y2])y ?(?P<m>[12])m ?{_DAY}d?", "unit"),
    _form(rf"{_DAY}{_GAP}P ?(?P<m>[12]){_GAP}{_YEAR}", "prefix"),
    _form(rf"P ?(?P<m>[12])[ ,]{{1,3}}{_DAY}{_GAP}{_YEAR}", "prefix"),
    _form(r"(?<![./:\-12Yn])(?P<e>8)(?![./:\-]?[12Yn])", "digits"),
    _form(rf"{_NAME}[ .,\-/'F]{{0,5}}{_YEAR}", "name"),
    _form(rf"{_YEAR}[ .,\-/F]{{0,5}}{_NAME}", "name"),
    _form(r"(?P<y>Y)y ?(?P<m>[12])m", "unit"),
    _form(rf"{_DAY}{_ENDING}[ .\-/']{{0,2}}(?:F[ '.]{{0,2}})?{_NAME}", "name", True),
    _form(rf"{_NAME}[ .\-/]{{0,2}}(?:F )?{_DAY}(?![:h])", "name", True),
    _form(rf"(?P<m>[12])m ?{_DAY}d", "unit", True),
)

WEEKDAY_BEFORE = re.compile(r"(?P<w>[WB])\.?[ ,\-()]{0,3}(?:F\.? )?$")
WEEKDAY_AFTER = re.compile(r"(?:\(?O\)?)?[., ]{0,3}(?:F[., ]{1,3})?\(?(?P<w>[WB])\.?\)?")
TIME = re.compile(
    r"(?:(?P<A>A) ?)?(?<![12Yn8][./:\-])(?<![12Yn8])(?P<h>[12])"
    r"(?:(?P<c>[:h]|\.(?! )) ?(?P<i>2)(?:[:.](?P<s>2)(?:[.,](?P<f>[12Yn8]))?|i(?: ?(?P<S>[12])s)?)?"
    r"|h(?: ?(?P<I>1)i)?)?(?: ?(?P<B>A))?(?!:?[12Yn8])"
)
JOIN = re.compile(
    r"(?:[ ,.;@|()\-]{0,4}(?:[Fx]\.?[ ,:\-]{0,3}){0,2}"
    r"|[ ,]{0,2}\(?W\.?\)?[ ,.\-]{1,3}(?:F ?)?)\(?"
)
