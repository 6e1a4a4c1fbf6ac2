"""Lengths of time in words."""

from __future__ import annotations

from datetime import timedelta

UNITS = (
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "h"),
    (timedelta(minutes=1), "min"),
    (timedelta(seconds=1), "s"),
)


def length(time: timedelta) -> str:
    """A length of time in its largest unit, with one digit
    after the point where it has one: "1.5 h", "30 days".
    """
    unit, name = next((pair for pair in UNITS if time >= pair[0]), UNITS[-1])
    count = f"{time / unit:.1f}".removesuffix(".0")
    return f"{count} {name}{'s' if name == 'day' and count != '1' else ''}"


def length_of(seconds: int) -> str:
    """The same of so many seconds."""
    return length(timedelta(seconds=seconds))
