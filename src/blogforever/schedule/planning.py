"""The next look at a blog and the reason for it, out of its history, a person's policy, and its own wishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from blogforever.model import LookPolicy, Said
from blogforever.wording import say

from .allowed import earliest_by_wishes, next_allowed
from .placing import best_moment
from .rhythm import learn_rhythm
from .values import POST_RETRIES, BlogHistory, NextLook, PastLook, Unfetched

NOTHING_KNOWN = say("nothing is known of when it posts")
LONGEST = timedelta(days=7)
"""A blog that is silent, or tells of its posts itself, is looked at so often all the same."""
SHORTEST = timedelta(minutes=20)
"""Nobody looks at a blog more often, however much it posts, unless a person wants it."""
SPREAD = 1 / 7
"""Share of that time by which some blogs are looked at
later, so that those added together are not due together:
after seven to eight days, and never twice in a week.
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
LATE_COMMENTS = tuple(timedelta(hours=hours) for hours in (24, 72, 240))
"""Ages of a post at which it is looked at for late
comments: most come in the first two days, ever fewer later.
What is looked at more often for new posts tells of comments, too.
"""
TALKS = 5
"""Looks with something new, the last ones, among which one
must have brought comments where late ones are awaited.
"""
TELLING = 1
"""Looks wanted by pings, with something new, before pings are trusted to tell of every post: the
looks in between, once a week, show soon enough where that was too early.
"""
FEW_POSTS = 20
"""Announced posts that cannot be had for reasons of their own; where it is more, the whole server has trouble."""
MISSED_SHARE = 0.2
"""Share of a blog's new posts that its pings may miss,
as the looks in between find, and still be trusted.
"""


@dataclass(frozen=True, slots=True)
class WantedLook:
    """A moment that something speaks for, in the words of the reason."""

    at: datetime
    why: tuple[Said, ...]


def next_look(history: BlogHistory, policy: LookPolicy, now: datetime) -> NextLook:
    """When a blog that is followed is looked at next, and why."""
    last, asked = history.last, history.last_asked
    if last is None or asked is None:
        return NextLook(now, (say("it was never looked at"),))
    wanted = _wanted(history, last, policy, now)
    at = max(wanted.at, last.at + SHORTEST) if policy.every is None else wanted.at
    reasons: list[Said | None] = [*wanted.why]
    for by_wish in map(earliest_by_wishes, dict.fromkeys((asked, last))):
        if by_wish is not None and by_wish.at > at:
            at, reasons = by_wish.at, [*reasons, by_wish.why]
    at = max(at, now)
    allowed = next_allowed(at, asked.wishes, policy)
    if allowed.at > at:
        at, reasons = allowed.at, [*reasons, allowed.why]
    return NextLook(at.replace(microsecond=0), tuple(one for one in reasons if one))


def look_at_dead(looks: Sequence[PastLook]) -> NextLook:
    """A dead blog may come back: asked often at first, then ever more rarely."""
    last = looks[-1]
    answered = [look.at for look in looks if look.answered]
    silent = last.at - (answered[-1] if answered else looks[0].at)
    wait = next((wait for longest, wait in WAYS_BACK if silent <= longest), WAY_BACK)
    why = say("it is dead"), say("asked after {time} whether it is back", time=wait.total_seconds())
    return NextLook(last.at + wait, why)


def _wanted(history: BlogHistory, last: PastLook, policy: LookPolicy, now: datetime) -> WantedLook:
    """What history and policy ask for, before anybody's wishes."""
    if not last.answered:
        return _retry(history, last)
    return _with_retry(_at_usual(history, last, policy, now), history.unfetched, last, policy)


def _at_usual(history: BlogHistory, last: PastLook, policy: LookPolicy, now: datetime) -> WantedLook:
    """What is asked for of a blog that answers."""
    if policy.every is not None:
        every = timedelta(seconds=policy.every)
        return WantedLook(last.at + every, (say("set to every {time}", time=policy.every),))
    return _bounded(_by_habit(history, last, now), history, last, policy)


def _with_retry(usual: WantedLook, unfetched: Unfetched, last: PastLook, policy: LookPolicy) -> WantedLook:
    """The usual look, or an earlier one where announced posts could not be had. Many of them at once are
    trouble of the whole server, which is left alone for longer.
    """
    if not unfetched.posts:
        return usual
    missed = (
        say("an announced post could not be fetched")
        if unfetched.posts == 1
        else say("{posts} announced posts could not be fetched", posts=unfetched.posts)
    )
    wait = POST_RETRIES[unfetched.tries - 1] if unfetched.posts <= FEW_POSTS else POST_RETRIES[-1]
    wait = max(wait, timedelta(seconds=policy.at_least or 0))
    if last.at + wait >= usual.at:
        return WantedLook(usual.at, (*usual.why, missed))
    return WantedLook(last.at + wait, (missed, say("tried again after {time}", time=wait.total_seconds())))


def _retry(history: BlogHistory, last: PastLook) -> WantedLook:
    """After a look that nobody answered: soon, then ever later."""
    tries = history.failures
    wait = min(FIRST_RETRY * 2 ** min(tries - 1, OFTEN_RETRIED), LONGEST_RETRY)
    if tries > OFTEN_RETRIED:
        wait = LONGEST
    seconds = wait.total_seconds()
    why = (
        say("the last look failed, asked again after {time}", time=seconds)
        if tries == 1
        else say("the last {tries} looks failed, asked again after {time}", tries=tries, time=seconds)
    )
    return WantedLook(last.at + wait, (why,))


def _bounded(wanted: WantedLook, history: BlogHistory, last: PastLook, policy: LookPolicy) -> WantedLook:
    """Within what a person has set, and else within a week."""
    least, latest = timedelta(seconds=policy.at_least or 0), _at_the_latest(history, last, policy)
    if wanted.at > latest.at:
        return WantedLook(latest.at, (*wanted.why, *latest.why))
    if wanted.at < last.at + least:
        return WantedLook(last.at + least, (*wanted.why, say("set to at least {time}", time=least.total_seconds())))
    return wanted


def _at_the_latest(history: BlogHistory, last: PastLook, policy: LookPolicy) -> WantedLook:
    """When a blog is asked what is new, whatever it tells of itself."""
    asked = history.last_asked or last
    if policy.at_most is not None:
        most = timedelta(seconds=policy.at_most)
        return WantedLook(asked.at + most, (say("set to at most {time}", time=policy.at_most),))
    most = LONGEST * (1 + SPREAD * history.spread)
    return WantedLook(asked.at + most, (say("looked at all the same after {time}", time=most.total_seconds()),))


def _by_habit(history: BlogHistory, last: PastLook, now: datetime) -> WantedLook:
    """What the blog's own ways speak for: its rhythm, its pings, the comments under its last
    post.
    """
    rhythm = learn_rhythm(history.published, history.days, now)
    if pings_tell(history):
        told = WantedLook(last.at + 2 * LONGEST, (say("its pings tell of new posts"),))
        return _sooner(told, late_comments(history, last))
    if rhythm.known == 0:
        return WantedLook(last.at + UNKNOWN, (NOTHING_KNOWN,))
    wanted = WantedLook(best_moment(rhythm, last.at, now), (rhythm.said(), _last_said(last)))
    return _sooner(wanted, late_comments(history, last))


def _sooner(one: WantedLook, other: WantedLook | None) -> WantedLook:
    return other if other is not None and other.at < one.at else one


def _last_said(last: PastLook) -> Said:
    """What the last look brought."""
    if last.found:
        return say("the last look brought {found} new", found=last.found)
    return say("the last look brought changes only") if last.changed else say("the last look brought nothing new")


def late_comments(history: BlogHistory, last: PastLook) -> WantedLook | None:
    """When the newest post is due for a look at its
    comments; None where nobody comments, or no more.
    """
    posts = [moment for moment in (*history.published, *history.days) if moment <= last.at]
    if not posts or not _is_talked_about(history):
        return None
    newest = max(posts)
    due = next((newest + age for age in LATE_COMMENTS if newest + age > last.at), None)
    return WantedLook(due, (say("late comments on its newest post"),)) if due else None


def is_for_comments(history: BlogHistory, policy: LookPolicy, now: datetime) -> bool:
    """Whether a look that the schedule wants now is for late comments alone: pings tell of the
    posts, and it is not yet time to see what they miss.
    """
    last = history.last
    if last is None or not last.answered or policy.every is not None or not pings_tell(history):
        return False
    if history.unfetched.posts:
        return False
    late = late_comments(history, last)
    return late is not None and late.at <= now < _at_the_latest(history, last, policy).at


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
    has_told = len(by_ping) >= TELLING or history.came_by_ping
    if history.is_cut_off or not has_told:
        return False
    return missed_by_pings(history) <= MISSED_SHARE * (told + missed_by_pings(history))


def missed_by_pings(history: BlogHistory) -> int:
    """New posts, since the blog first pinged, that a look found which no ping had asked for. Of one
    that came by its ping, the first harvest was wanted by that.
    """
    first = next((number for number, look in enumerate(history.looks) if look.cause == "ping"), None)
    since = 1 if history.came_by_ping else first
    later = history.looks[since:] if since is not None else ()
    return sum(look.found for look in later if look.cause != "ping")
