"""When a blog may be looked at: what it wishes itself, and the quiet hours that a person has set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from blogforever.model import LookPolicy, Said
from blogforever.wording import say

from .values import PastLook, Wishes

MOST_PATIENCE = timedelta(days=1)
"""A blog's wish holds no longer: feeds say a year where
nobody meant it. An error's Retry-After is believed longer.
"""
MOST_RETRY_AFTER = timedelta(days=7)
HOURS, DAYS = 24, 7
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Allowed:
    """The first moment that is allowed, and what does not allow an earlier one."""

    at: datetime
    why: Said | None = None


def earliest_by_wishes(last: PastLook) -> Allowed | None:
    """Before when the blog does not wish to be asked again; None where it does not say."""
    wishes = last.wishes
    told = [
        ("Retry-After", wishes.retry_after, MOST_RETRY_AFTER),
        ("Cache-Control", wishes.max_age, MOST_PATIENCE),
        ("ttl", wishes.ttl, MOST_PATIENCE),
        ("updatePeriod", wishes.update_period, MOST_PATIENCE),
    ]
    waits = [(min(max(seconds, 0), most.total_seconds()), who) for who, seconds, most in told if seconds is not None]
    if not waits:
        return None
    seconds, who = max(waits)
    return Allowed(last.at + timedelta(seconds=seconds), say("its {who} says {time}", who=who, time=seconds))


def next_allowed(at: datetime, wishes: Wishes, policy: LookPolicy) -> Allowed:
    """The first moment from `at` on that is in no hour
    or day to be left out; `at` where none would be left.
    """
    moment = at.astimezone(UTC)
    for _ in range(HOURS * (DAYS + 1)):
        why = _left_out(moment, wishes, policy)
        if not why:
            return Allowed(moment) if moment == at else Allowed(moment, _last_reason(moment, wishes, policy))
        moment = moment.replace(minute=at.minute, second=at.second, microsecond=0) + timedelta(hours=1)
    return Allowed(at)


def _last_reason(moment: datetime, wishes: Wishes, policy: LookPolicy) -> Said | None:
    """What leaves out the hour before."""
    return _left_out(moment - timedelta(hours=1), wishes, policy)


def _left_out(moment: datetime, wishes: Wishes, policy: LookPolicy) -> Said | None:
    """Why nobody looks in this hour; None where one may."""
    if moment.hour in policy.quiet_hours:
        return say("not in its quiet hours")
    if moment.hour in wishes.skip_hours:
        return say("not in its skipHours")
    named = {day.strip().lower() for day in wishes.skip_days}
    return say("not on its skipDays") if WEEKDAYS[moment.weekday()] in named else None
