"""Whether two moments may be the same day, as far as they say."""

from __future__ import annotations

from blogforever.model import Moment

ZONE_DAYS = 1
"""A clock in another zone may show the day before or after."""
# Characters of ISO 8601 up to the year, and up to the month.
_TO_YEAR = 4
_TO_MONTH = 7


def same_day(a: Moment, b: Moment, slack_days: int = ZONE_DAYS) -> bool:
    """Whether two moments may be the same day; the coarser decides how closely they must agree."""
    if "year" in (a.precision, b.precision):
        return a.iso[:_TO_YEAR] == b.iso[:_TO_YEAR]
    if "month" in (a.precision, b.precision):
        return a.iso[:_TO_MONTH] == b.iso[:_TO_MONTH]
    return abs((a.day - b.day).days) <= slack_days
