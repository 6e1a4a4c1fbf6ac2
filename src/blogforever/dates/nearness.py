"""Whether two moments may be the same day or are the same instant, as far as they say; and which comes first."""

from __future__ import annotations

from datetime import UTC, datetime

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


def same_instant(a: Moment, b: Moment) -> bool:
    """Whether two moments with offsets of their own are one and the same, however each zone writes it."""
    one, other = _with_offset(a.iso), _with_offset(b.iso)
    return one is not None and one == other


def moment_key(published: str | None) -> str:
    """By what posts of all blogs are put in order: when they were published, in UTC; empty where
    that is not known.

    A bare day, month or year stands before every hour of it.
    """
    moment = _with_offset(published or "")
    if moment is None:
        return published or ""
    try:
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (OverflowError, ValueError):
        return published or ""


def _with_offset(iso: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
