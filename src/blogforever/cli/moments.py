"""Since when, as people say it: a day, a moment, or how long ago."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.schedule.words import LENGTH, seconds_of


def since_of(text: str) -> str:
    """The moment that is meant, in UTC: `2026-11-16`, `2026-11-16T08:00`, or so long ago, `12h`, `3d`, `2w`."""
    try:
        if LENGTH.fullmatch(text.strip()):
            return _stamp(clock.now() - timedelta(seconds=seconds_of(text) or 0))
        moment = datetime.fromisoformat(text.strip())
        # A moment at the beginning or the end of time may have none in UTC.
        return _stamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"--since wants a day (2026-11-16), a moment, or a time ago (12h, 3d, 2w), not {text!r}."
        ) from error


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
