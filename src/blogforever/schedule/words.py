"""Lengths of time, hours of the day and policies in words, and out of them again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from blogforever.errors import UsageError
from blogforever.model import LookPolicy, Said
from blogforever.wording import say

LENGTH = re.compile(r"(\d{1,6})\s*(min|m|h|d|w)", re.IGNORECASE)
SECONDS = {"m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}
HOURS = 24


def seconds_of(text: str | None) -> int | None:
    """A length of time as people write it."""
    if text is None:
        return None
    match = LENGTH.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is no length of time; write 30min, 6h, 2d or 1w.")
    return int(match[1]) * SECONDS[match[2].lower()]


def hours_of(text: str) -> tuple[int, ...]:
    """Hours of the day as people write them: `22-6` is 22 to 5."""
    hours: list[int] = []
    for part in text.split(",") if text.strip().lower() != "none" else ():
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise UsageError(f"{text!r} are no hours of a day; write 22-6, or 1,2,3, or none.")
        start, end = int(first), int(last) if dash else int(first) + 1
        if max(start, end) > HOURS:
            raise UsageError(f"{text!r} are no hours of a day: they are 0 to 23.")
        count = (end - start) % HOURS or HOURS
        hours += [(start + number) % HOURS for number in range(count)]
    return tuple(sorted(set(hours)))


def hours_said(hours: Iterable[int]) -> str:
    """Hours of the day as spans: `22:00–06:00` for 22 to 5; all of them are one span."""
    chosen = set(hours)
    begins = sorted(hour for hour in chosen if (hour - 1) % HOURS not in chosen)
    spans = [(begin, begin + next(n for n in range(1, HOURS) if (begin + n) % HOURS not in chosen)) for begin in begins]
    return ", ".join(f"{first:02}:00–{last % HOURS:02}:00" for first, last in spans or [(0, 0)] if chosen)


def policy_said(policy: LookPolicy) -> tuple[Said, ...]:
    """What a person set of when a blog is looked at; nothing where nothing is."""
    said = []
    if policy.every is not None:
        said.append(say("a look every {time}", time=policy.every))
    if policy.at_least is not None:
        said.append(say("looks at least {time} apart", time=policy.at_least))
    if policy.at_most is not None:
        said.append(say("looks at most {time} apart", time=policy.at_most))
    if policy.quiet_hours:
        said.append(say("not from {hours} (UTC)", hours=hours_said(policy.quiet_hours)))
    if policy.priority:
        said.append(say("priority {number}", number=policy.priority))
    return tuple(said)
