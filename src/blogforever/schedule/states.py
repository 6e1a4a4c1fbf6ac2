"""The state of a followed blog after a look: what the look proves, and what it does not.

A host that does not answer is failing, and dead only after looks over weeks; a name that is for
sale is dead at once: the page itself says so. An answer brings anything back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from blogforever.model import Said
from blogforever.wording import in_english, say

from .values import PastLook

StateWord = Literal[
    "waiting", "analysing", "harvesting", "following", "failing", "frozen", "paused", "blocked", "rejected", "dead"
]
"""Every state a followed blog can be in."""
LookEnding = Literal["finished", "nothing", "frozen", "unreachable", "interrupted", "busy", "crashed"]
"""How a look ended, as the archive tells it."""
RESTING: frozenset[StateWord] = frozenset({"paused", "blocked", "rejected"})
"""States in which nobody looks at a blog."""
SILENT = frozenset({"no such host", "connection", "timeout", "status 404", "status 410"})
"""What a blog answers that may be dead; refusals, walls and errors of a server are no such sign."""
DEAD_LOOKS, DEAD_DAYS = 4, timedelta(days=14)
"""A blog is called dead later than a post is called gone:
hosts are away for days, and names lapse and come back.
"""
PARKED = "parked"
STATUS = "status "
ROBOTS_STATUS = "robots.txt status "
OTHER = "{failure}"
WORDS = {
    PARKED: say("the domain is parked: its page offers it for sale"),
    "no such host": say("there is no such host"),
    "connection": say("the connection is refused or breaks off"),
    "timeout": say("it does not answer in time"),
    "challenge": say("a challenge page stands before it"),
    "captcha": say("a captcha stands before it"),
    "login": say("a log-in stands before it"),
    "blocked by robots": say("its robots.txt forbids it"),
    "private": say("its address is one of a private network, which is asked with --allow-private only"),
    "too large": say("its page is larger than what is read"),
    "cut off": say("the connection ends before its page does"),
    "broken": say("what it answers cannot be unpacked"),
    "unreachable": say("it could no longer be reached"),
    "nothing": say("nothing was found there"),
    "crashed": say("the look ended in an error of ours"),
}
"""The words of failures that people need more of."""


@dataclass(frozen=True, slots=True)
class LookEnd:
    """What a look came to; `failure` is the word for what the home page
    answered, `was_known` that posts of the blog are kept from before.
    """

    ending: LookEnding
    reason: str = ""
    failure: str = ""
    was_known: bool = False
    moved_to: str = ""
    said: tuple[Said, ...] = ()
    """The reason once more, where it is made of sentences of ours."""
    one_page_for_many: bool = False
    """Whether one and the same page stands where its posts were."""


@dataclass(frozen=True, slots=True)
class StateAfter:
    """The state of a blog, and why; in words, where there is something to say."""

    state: StateWord
    reason: str = ""
    moved_to: str | None = None
    said: tuple[Said, ...] = field(default=(), compare=False)
    """The reason once more, where it is made of sentences of ours."""


def _told(state: StateWord, *said: Said) -> StateAfter:
    """A state for a reason of ours."""
    return StateAfter(state, in_english(said), said=said)


def why_failed(failure: str) -> Said:
    """The word for a failure, as people are told."""
    if failure in WORDS:
        return WORDS[failure]
    if failure.startswith(ROBOTS_STATUS):
        answer = failure.removeprefix(ROBOTS_STATUS)
        return say("its robots.txt answers with status {status}, which forbids everything for now", status=answer)
    status = failure.removeprefix(STATUS)
    return say("it answers with status {status}", status=status) if status != failure else say(OTHER, failure=failure)


def state_after(before: StateWord, end: LookEnd, looks: Sequence[PastLook]) -> StateAfter:
    """The state after a look, which is the last of `looks`;
    nothing is concluded from one that did not take place.
    """
    if end.ending in ("interrupted", "busy"):
        return StateAfter("waiting" if before in ("analysing", "harvesting") else before, end.reason)
    if end.ending == "finished":
        return StateAfter("following", moved_to=end.moved_to or None)
    if end.ending == "crashed":
        return _told("failing", say("a fault of this program: {fault}", fault=end.reason))
    return _held_up(end, looks)


def _held_up(end: LookEnd, looks: Sequence[PastLook]) -> StateAfter:
    """The state of a blog that could not be read."""
    if end.failure == PARKED or end.one_page_for_many:
        return _told("dead", WORDS[PARKED]) if end.failure == PARKED else StateAfter("dead", end.reason, said=end.said)
    if end.ending == "frozen":
        return StateAfter("frozen", end.reason, end.moved_to or None, end.said)
    if is_no_blog(end):
        return StateAfter("rejected", end.reason) if end.reason else _told("rejected", say("no post was found there"))
    return _without_answer(end, looks)


def is_no_blog(end: LookEnd) -> bool:
    """Whether somebody answered, and has no blog."""
    return end.ending == "nothing" and not end.failure and not end.was_known


def _without_answer(end: LookEnd, looks: Sequence[PastLook]) -> StateAfter:
    """Failing, or dead where it has been so for long."""
    failed = _failed_since_answer(looks)
    for_long = len(failed) >= DEAD_LOOKS and failed[-1].at - failed[0].at >= DEAD_DAYS
    if for_long and end.failure in SILENT:
        since = failed[0].at.date().isoformat()
        return _told("dead", say("nothing has answered since {day}", day=since), why_failed(end.failure))
    if not end.failure and end.reason:
        return StateAfter("failing", end.reason, said=end.said)
    return _told("failing", why_failed(end.failure) if end.failure else say("nobody answers"))


def _failed_since_answer(looks: Sequence[PastLook]) -> list[PastLook]:
    """The last looks that nobody answered."""
    failed: list[PastLook] = []
    for look in reversed(looks):
        if look.answered:
            break
        failed.insert(0, look)
    return failed
