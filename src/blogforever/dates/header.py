"""Moments as headers of HTTP write them."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def header_moment(written: str) -> datetime | None:
    """The moment of a Date, Last-Modified or Retry-After; None where it is none."""
    try:
        moment = parsedate_to_datetime(written)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
