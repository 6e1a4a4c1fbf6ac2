"""The rhythm of a blog: how often it posts of late, on which days of the week, at which hours.

How often is asked of several stretches of time, short ones and long ones, and the most that one of
them is sure of counts: a blog that wakes up is followed closely after its second post, one that
posts evenly is judged by all of them, and one that has fallen silent fades away in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from math import exp, log, sqrt

from blogforever.model import Said
from blogforever.wording import say

HOURS, DAYS = 24, 7
HALF_LIVES = (3.0, 10.0, 30.0, 100.0, 365.0)
"""Days after which a post counts half; each is one opinion on how often the blog posts."""
DOUBT = 0.5
"""Deviations taken off such an opinion: few posts prove little."""
LEAST_SPAN = 1.0
"""Days that a history is taken to last at least: two posts of one morning make no rhythm."""
RAREST = 1 / 1000
"""Posts a day below which a blog is taken not to post at all."""
SAME_DAYS = 0.7
"""Posts that each day of the week is lent, so that a day without any is not given up."""
SAME_HOURS = 3.0
"""Posts that are spread over the whole day, for the same reason."""
REACH = 3.0
"""Hours around a post in which its like are expected, fewer with the distance."""
NEAR = 4
"""Whole hours to either side that can be so near."""
SILENCE, TIMES_USUAL = timedelta(days=120), 5
"""A blog was silent where it did not post for so long, and for so many times its usual interval."""
AWAKE, AWAKENING = 0.5, timedelta(days=21)
"""Posts a day that a blog is believed to have after a silence, and for how
long: how it goes on is not known, and looks cost less than what is missed.
"""
PLAIN_DAY = 1.6
"""A day of the week is one of the blog's days where it has so many times its share of the posts."""
ENOUGH_TO_TELL = 6
"""Posts that are needed before anything is said about days."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Posts a day, and how they spread over the days of a
    week and the hours of a day, in the blog's own zone.
    """

    a_day: float
    week: tuple[float, ...] = (1.0,) * DAYS
    """For each day of the week, how many times the posts of an average day it has."""
    day: tuple[float, ...] = (1.0,) * HOURS
    """For each hour, how many times the posts of an average hour it has."""
    zone: tzinfo | None = None
    known: int = 0
    """Posts this was learned from."""

    @property
    def interval(self) -> timedelta | None:
        """The time from one post to the next, on average; None for a blog that does not post."""
        return timedelta(days=1 / self.a_day) if self.a_day > RAREST else None

    def expected(self, moment: datetime, hours: float) -> float:
        """Posts that come in this time around a moment."""
        local = moment.astimezone(self.zone)
        here = local.hour + local.minute / 60
        before, share = int(here - 0.5) % HOURS, (here - 0.5) % 1
        by_hour = self.day[before] * (1 - share) + self.day[(before + 1) % HOURS] * share
        return self.a_day / HOURS * hours * self.week[local.weekday()] * by_hour

    def said(self) -> Said:
        """What a person is told of it."""
        if self.interval is None:
            return say("has not posted for long")
        if self.known >= ENOUGH_TO_TELL and (days := self._own_days()):
            return say("posts on {weekdays}", weekdays=days)
        return _how_often(self.interval)

    def _own_days(self) -> str:
        """The days of the week on which nearly all posts come, by their numbers; nothing where it
        is most days.
        """
        own = [day for day in range(DAYS) if self.week[day] >= PLAIN_DAY]
        lent = SAME_DAYS * DAYS / (self.known + SAME_DAYS * DAYS)
        of_them = sum(share for share in self.week if share >= PLAIN_DAY) / DAYS
        nearly_all = of_them >= (1 - lent) * 0.9
        return ",".join(map(str, own)) if nearly_all else ""


def learn_rhythm(published: Sequence[datetime], days: Sequence[datetime], now: datetime) -> Rhythm:
    """The rhythm of a blog that has posted at these moments, and at some hour of these days."""
    past = sorted(moment for moment in (*published, *days) if moment <= now)
    if not past:
        return Rhythm(0.0)
    ages = [(now - moment) / timedelta(days=1) for moment in past]
    timed = [moment for moment in published if moment <= now]
    zone = max(timed or past).tzinfo
    week = _shares([moment.astimezone(zone).weekday() for moment in past])
    hours = [moment.astimezone(zone) for moment in timed]
    a_day = max(_posts_a_day(ages), AWAKE if _woke_up(past, now) else 0.0)
    return Rhythm(a_day, week, _hours([one.hour + one.minute / 60 for one in hours]), zone, len(past))


def _posts_a_day(ages: Sequence[float]) -> float:
    """How often a blog posts whose posts are so many days old."""
    life = max(*ages, LEAST_SPAN)
    return max(_opinion(ages, life, half_life) for half_life in HALF_LIVES)


def _opinion(ages: Sequence[float], life: float, half_life: float) -> float:
    """Posts a day where a post counts half after this time; a little less where few speak for
    it.
    """
    fade = log(2) / half_life
    count = sum(exp(-fade * age) for age in ages)
    weight = (1 - exp(-fade * life)) / fade
    return max(count - DOUBT * sqrt(count), 0.0) / weight


def _woke_up(past: Sequence[datetime], now: datetime) -> bool:
    """Whether the blog began to post again of late, after a long silence."""
    gaps = [later - earlier for earlier, later in pairwise(past)]
    silence = max(range(len(gaps)), key=gaps.__getitem__, default=0)
    began = past[silence + 1] if gaps else None
    if began is None or silence == 0 or now - began > AWAKENING:
        return False
    usual = (past[silence] - past[0]) / silence
    return gaps[silence] >= max(SILENCE, TIMES_USUAL * usual)


def _shares(weekdays: Sequence[int]) -> tuple[float, ...]:
    """For each day of the week, how many times an average day's posts it has."""
    whole = len(weekdays) + SAME_DAYS * DAYS
    return tuple((weekdays.count(day) + SAME_DAYS) / whole * DAYS for day in range(DAYS))


def _hours(hours: Sequence[float]) -> tuple[float, ...]:
    """For each hour of the day, how many times an average hour's posts it has."""
    if not hours:
        return (1.0,) * HOURS
    counts = [SAME_HOURS / HOURS] * HOURS
    for post in hours:
        for hour in range(int(post) - NEAR, int(post) + NEAR + 1):
            counts[hour % HOURS] += max(REACH - abs(hour + 0.5 - post), 0.0) / (REACH * REACH)
    whole = sum(counts)
    return tuple(count / whole * HOURS for count in counts)


def _how_often(interval: timedelta) -> Said:
    """In words, to the precision that the estimate has."""
    days = interval / timedelta(days=1)
    if days < 0.6:
        return say("posts about {number} times a day", number=round(1 / days))
    if days < 1.5:
        return say("posts about once a day")
    if days < 5.5:
        return say("posts about {number} times a week", number=round(7 / days))
    if days < 10:
        return say("posts about once a week")
    if days < 45:
        return say("posts about every {number} weeks", number=round(days / 7))
    return say("posts rarely")
