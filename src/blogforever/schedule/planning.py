"""The next look at a blog and the reason for it, out of its history, a person's policy, and its own wishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from blogforever.model import LookPolicy

from .allowed import earliest_by_wishes, next_allowed
from .placing import best_moment
from .rhythm import learn_rhythm
from .values import BlogHistory, NextLook, PastLook
from .words import length

LONGEST = timedelta(days=7)
"""A blog that is silent, or tells of its posts itself, is looked at so often all the same."""
SHORTEST = timedelta(minutes=20)
"""Nobody looks at a blog more often, however much it posts, unless a person wants it."""
SPREAD = 0.25
"""Share of that time by which some blogs are looked at
earlier, so that those added together are not due together.
"""
UNKNOWN = timedelta(days=1)
"""Between looks at a blog of which nothing is known yet."""
FIRST_RETRY, LONGEST_RETRY = timedelta(hours=1), timedelta(hours=20)
"""What does not answer is asked again after an hour, then after twice as
long each time; but never later than on the next day, so that a host that
was away for some hours is not called failing for longer than it was.
"""
OFTEN_RETRIED = 20
"""Tries after which a week is soon enough: two weeks have passed by then."""
WAYS_BACK = ((timedelta(days=7), timedelta(days=1)), (timedelta(days=60), timedelta(days=7)))
"""What has failed no longer than this is asked so often
whether it is back: a name may be for sale by mistake.
"""
WAY_BACK = timedelta(days=30)
"""And later on, so often."""
LATE_COMMENTS = tuple(timedelta(hours=hours) for hours in (12, 36, 96, 240))
"""Ages of a post at which it is looked at for late
comments: most come in the first two days, ever fewer later.
"""
TALKS = 5
"""Looks with something new, the last ones, among which one
must have brought comments where late ones are awaited.
"""
TELLING = 3
"""Looks wanted by pings, with something new, before pings are trusted to tell of every post."""
MISSED_SHARE = 0.2
"""Share of a blog's new posts that its pings may miss,
as the looks in between find, and still be trusted.
"""


@dataclass(frozen=True, slots=True)
class WantedLook:
    """A moment that something speaks for, in the words of the reason."""

    at: datetime
    why: str


def next_look(history: BlogHistory, policy: LookPolicy, now: datetime) -> NextLook:
    """When a blog that is followed is looked at next, and why."""
    last = history.last
    if last is None:
        return NextLook(now, "it was never looked at")
    wanted = _wanted(history, last, policy, now)
    at = max(wanted.at, last.at + SHORTEST) if policy.every is None else wanted.at
    reasons = [wanted.why]
    by_wish = earliest_by_wishes(last)
    if by_wish is not None and by_wish.at > at:
        at, reasons = by_wish.at, [*reasons, by_wish.why]
    at = max(at, now)
    allowed = next_allowed(at, last.wishes, policy)
    if allowed.at > at:
        at, reasons = allowed.at, [*reasons, allowed.why]
    return NextLook(at.replace(microsecond=0), "; ".join(reasons))


def look_at_dead(looks: Sequence[PastLook]) -> NextLook:
    """A dead blog may come back: asked often at first, then ever more rarely."""
    last = looks[-1]
    answered = [look.at for look in looks if look.answered]
    silent = last.at - (answered[-1] if answered else looks[0].at)
    wait = next((wait for longest, wait in WAYS_BACK if silent <= longest), WAY_BACK)
    return NextLook(last.at + wait, f"it is dead; asked after {length(wait)} whether it is back")


def _wanted(history: BlogHistory, last: PastLook, policy: LookPolicy, now: datetime) -> WantedLook:
    """What history and policy ask for, before anybody's wishes."""
    if not last.answered:
        return _retry(history, last)
    if policy.every is not None:
        every = timedelta(seconds=policy.every)
        return WantedLook(last.at + every, f"set to every {length(every)}")
    return _bounded(_by_habit(history, last, now), history.spread, last, policy)


def _retry(history: BlogHistory, last: PastLook) -> WantedLook:
    """After a look that nobody answered: soon, then ever later."""
    tries = history.failures
    wait = min(FIRST_RETRY * 2 ** min(tries - 1, OFTEN_RETRIED), LONGEST_RETRY)
    if tries > OFTEN_RETRIED:
        wait = LONGEST
    times = "the last look" if tries == 1 else f"the last {tries} looks"
    return WantedLook(last.at + wait, f"{times} failed, asked again after {length(wait)}")


def _bounded(wanted: WantedLook, spread: float, last: PastLook, policy: LookPolicy) -> WantedLook:
    """Within what a person has set, and else within a week."""
    least = timedelta(seconds=policy.at_least or 0)
    if policy.at_most is not None:
        most, said = timedelta(seconds=policy.at_most), "set to at most"
    else:
        most, said = LONGEST * (1 - SPREAD * spread), "looked at all the same after"
    if wanted.at > last.at + most:
        return WantedLook(last.at + most, f"{wanted.why}; {said} {length(most)}")
    if wanted.at < last.at + least:
        return WantedLook(last.at + least, f"{wanted.why}; set to at least {length(least)}")
    return wanted


def _by_habit(history: BlogHistory, last: PastLook, now: datetime) -> WantedLook:
    """What the blog's own ways speak for: its rhythm, its pings, the comments under its last
    post.
    """
    rhythm = learn_rhythm(history.published, history.days, now)
    if pings_tell(history):
        return _sooner(WantedLook(last.at + 2 * LONGEST, "its pings tell of new posts"), late_comments(history, last))
    if rhythm.known == 0:
        return WantedLook(last.at + UNKNOWN, "nothing is known of when it posts")
    wanted = WantedLook(best_moment(rhythm, last.at, now), f"{rhythm.words()}; {_last_in_words(last)}")
    return _sooner(wanted, late_comments(history, last))


def _sooner(one: WantedLook, other: WantedLook | None) -> WantedLook:
    return other if other is not None and other.at < one.at else one


def _last_in_words(last: PastLook) -> str:
    """What the last look brought."""
    if last.found:
        return f"the last look brought {last.found} new"
    return "the last look brought nothing new" if not last.changed else "the last look brought changes only"


def late_comments(history: BlogHistory, last: PastLook) -> WantedLook | None:
    """When the newest post is due for a look at its
    comments; None where nobody comments, or no more.
    """
    posts = [moment for moment in (*history.published, *history.days) if moment <= last.at]
    if not posts or not _is_talked_about(history):
        return None
    newest = max(posts)
    due = next((newest + age for age in LATE_COMMENTS if newest + age > last.at), None)
    return WantedLook(due, "late comments on its newest post") if due else None


def _is_talked_about(history: BlogHistory) -> bool:
    """Whether readers comment, as the last looks with anything new say."""
    telling = [look for look in history.looks if look.found or look.changed or look.comments]
    return any(look.comments for look in telling[-TALKS:])


def pings_tell(history: BlogHistory) -> bool:
    """Whether pings tell of this blog's new posts, so that
    it need not be asked; the looks in between measure that.
    """
    by_ping = [look for look in history.looks if look.cause == "ping" and look.found]
    told = sum(look.found for look in by_ping)
    return len(by_ping) >= TELLING and missed_by_pings(history) <= MISSED_SHARE * (told + missed_by_pings(history))


def missed_by_pings(history: BlogHistory) -> int:
    """New posts, since the blog first pinged, that a look found which no ping had asked for."""
    first = next((number for number, look in enumerate(history.looks) if look.cause == "ping"), None)
    later = history.looks[first:] if first is not None else ()
    return sum(look.found for look in later if look.cause != "ping")
