"""Dates in addresses: /2013/03/04/slug, /2013-03-04-slug, /20130304/slug, /2013/03/slug."""

from __future__ import annotations

import re
from datetime import date

from blogforever.model import Moment

# A number that a name in the folder of a month begins with counts something, or the posts:
# /2013/03/7-ways-to-boil-an-egg, /2013/03/12-the-ferry.
_DAY = re.compile(
    r"/(?P<year>(?:19|20)\d\d)"
    r"(?:[/_-](?P<month>0?[1-9]|1[0-2])(?:(?P<in_folder>/)|[_-])(?P<day>0?[1-9]|[12]\d|3[01])"
    r"|(?P<joined>(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])))"
    r"(?(in_folder)(?=[/.]|$)|(?=[/_.-]|$))"
)
_MONTH = re.compile(r"/(?P<year>(?:19|20)\d\d)[/_-]?(?P<month>0[1-9]|1[0-2])(?=[/_.-]|$)")


def address_date(url: str) -> Moment | None:
    """The day, or else the month, that an address names."""
    path = url.partition("://")[2].partition("?")[0]
    match = _DAY.search(path)
    if match:
        month, day = match["month"], match["day"]
        if match["joined"]:
            month, day = match["joined"][:2], match["joined"][2:]
        try:
            named = date(int(match["year"]), int(month), int(day))
        except ValueError:  # the 31st of a shorter month is a number, not a day
            return None
        return Moment(named.isoformat(), "day", match[0].strip("/"))
    match = _MONTH.search(path)
    if match:
        return Moment(f"{match['year']}-{match['month']}", "month", match[0].strip("/"))
    return None
