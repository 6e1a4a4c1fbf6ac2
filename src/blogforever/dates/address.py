"""Dates in addresses: /2013/03/04/slug, /2013-03-04-slug, /20130304/slug, /2013/03/slug."""

from __future__ import annotations

import re
from datetime import date

from blogforever.model import Moment

_DAY = re.compile(
    r"/((?:19|20)\d\d)(?:[/_-](0?[1-9]|1[0-2])[/_-](0?[1-9]|[12]\d|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))"
    r"(?=[/_.-]|$)"
)
_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])(?=[/_.-]|$)")


def address_date(url: str) -> Moment | None:
    """The day, or else the month, that an address names."""
    path = url.partition("://")[2].partition("?")[0]
    if found := _DAY.search(path):
        try:
            day = date(int(found[1]), int(found[2] or found[4]), int(found[3] or found[5]))
        except ValueError:  # the 31st of a shorter month is a number, not a day
            return None
        return Moment(day.isoformat(), "day", found[0].strip("/"))
    if found := _MONTH.search(path):
        return Moment(f"{found[1]}-{found[2]}", "month", found[0].strip("/"))
    return None
