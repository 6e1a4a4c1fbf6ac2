"""Is it gone? Is the blog still itself? What looks at posts prove, and what they do not; values and
a clock in.

A post that does not answer is missing, not gone: gone needs several looks over days and positive
evidence, on days on which the blog itself was there. Nothing is concluded from outages, refusals
and walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from blogforever.model import Said
from blogforever.schedule.states import DEAD_DAYS, DEAD_LOOKS, SILENT
from blogforever.wording import say

State = Literal["active", "missing", "gone"]
Outcome = Literal["here", "not found", "gone", "soft", "replaced", "refused", "unreachable"]
NEGATIVE = frozenset({"not found", "gone", "soft", "replaced"})
POSITIVE_EVIDENCE = frozenset({"410", "feed", "sitemap", "API", "archive pages"})
# Gone is said after three looks over three days: what is out of order for a day or two is not gone.
LOOKS = 3
DAYS = timedelta(days=3)
APART = timedelta(hours=12)
"""Looks closer together than this are one look."""
REFUSALS = frozenset({401, 402, 403, 407, 429, 451})
WALLS = frozenset({"challenge", "captcha", "login", "consent", "blocked", "parked"})
# How many posts must be away at once for a blog to be frozen: a fifth of it, of a small one half.
SMALL_BLOG, LEAST_AWAY, LEAST_AWAY_SMALL = 12, 5, 3
AWAY_SHARE, AWAY_SHARE_SMALL = 5, 2
# Posts that were looked at by turn are a fair sample; three of three that are away are no chance.
LEAST_SAMPLE = 3
# Beside a whole sample, three quarters of all that was looked at.
AWAY_OF_LOOKED = 0.75
# So many edits at once, three in ten and ten at least, are more likely our misreading than an
# author's work.
LEAST_EDITED, EDITED_IN_TEN = 10, 3
ONE_PAGE = "one and the same page stands in place of"
"""How the sentence about a blog begins whose address may have been sold."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One look at a post: when, what was found, and where it is absent though its like are there."""

    when: datetime
    outcome: Outcome
    evidence: frozenset[str] = frozenset()

    @property
    def proves(self) -> bool:
        """Whether the look says anything: outages, refusals and walls do not."""
        return self.outcome == "here" or self.outcome in NEGATIVE


def outcome_of(status: int, reason: str = "") -> Outcome:
    """What a status means for the page behind it."""
    if status == 410:
        return "gone"
    if status == 404:
        return "not found"
    if status in REFUSALS or reason in WALLS:
        return "refused"
    return "here" if 200 <= status < 300 else "unreachable"


def next_state(state: State, sightings: Sequence[Sighting]) -> State:
    """The state after all looks so far, the last one included.

    Looks that prove nothing are left out.
    """
    telling = [sighting for sighting in sightings if sighting.proves]
    if not telling:
        return state
    if telling[-1].outcome == "here":
        return "active"
    if state == "gone" or _is_gone(_apart(_misses_since_here(telling))):
        return "gone"
    return "missing"


def _misses_since_here(telling: Sequence[Sighting]) -> list[Sighting]:
    """The looks that did not find the post since it was there for the last time."""
    misses: list[Sighting] = []
    for sighting in telling:
        if sighting.outcome == "here":
            misses.clear()
        else:
            misses.append(sighting)
    return misses


def _is_gone(misses: Sequence[Sighting]) -> bool:
    """Whether the misses are many enough, over a long enough time, and something says that the
    post is gone.
    """
    proof: set[str] = set()
    for sighting in misses:
        proof |= sighting.evidence
        if sighting.outcome == "gone":
            proof.add("410")
    long_enough = len(misses) >= LOOKS and misses[-1].when - misses[0].when >= DAYS
    # Another page in its place says that the address was given away, not that the author took the
    # post down.
    replaced = misses[-1].outcome == "replaced"
    return long_enough and not replaced and bool(proof & POSITIVE_EVIDENCE)


def _apart(sightings: Sequence[Sighting]) -> list[Sighting]:
    """The looks that are far enough from each other to count, the newest always."""
    kept: list[Sighting] = []
    for sighting in sightings:
        if not kept or sighting.when - kept[-1].when >= APART:
            kept.append(sighting)
    return [*kept[:-1], sightings[-1]] if kept and len(sightings) > 1 else kept


@dataclass(frozen=True, slots=True)
class Tally:
    """What one update found among the posts it knew: how many there are, were looked at by turn,
    are not there, ...
    """

    known: int
    looked: int
    away: int
    by_turn: int
    away_by_turn: int
    edited: int
    same_page: bool = False


def frozen(tally: Tally) -> Said | None:
    """Why the blog must not be rewritten until a person has looked; None where it may be."""
    if _too_many_away(tally) or _whole_sample_away(tally):
        return _away_in_words(tally)
    if tally.edited >= max(LEAST_EDITED, tally.known * EDITED_IN_TEN // 10):
        return say("{edited} of its {known} posts changed at once", edited=tally.edited, known=tally.known)
    return None


def _too_many_away(tally: Tally) -> bool:
    if tally.known > SMALL_BLOG:
        many = max(LEAST_AWAY, tally.known // AWAY_SHARE)
    else:
        many = max(LEAST_AWAY_SMALL, tally.known // AWAY_SHARE_SMALL)
    return tally.away >= many and tally.away * 2 >= tally.looked


def _whole_sample_away(tally: Tally) -> bool:
    whole_sample = tally.by_turn >= LEAST_SAMPLE and tally.away_by_turn == tally.by_turn
    return whole_sample and tally.away >= tally.looked * AWAY_OF_LOOKED


def _away_in_words(tally: Tally) -> Said:
    if tally.same_page:
        return say(
            "one and the same page stands in place of {away} of the {looked} posts that were looked at:"
            " the address may have been sold",
            away=tally.away,
            looked=tally.looked,
        )
    return say(
        "{away} of the {looked} posts that were looked at are no longer there", away=tally.away, looked=tally.looked
    )


def says_one_page(freeze: str) -> bool:
    """Whether a blog was frozen because one and the same page stands where its posts were."""
    return freeze.startswith(ONE_PAGE)


BlogState = Literal["active", "frozen", "unreachable", "dead"]


@dataclass(frozen=True, slots=True)
class BlogStanding:
    """How a blog stands as a whole, since when, and the sentence a person reads."""

    state: BlogState
    since: datetime
    checked: datetime
    misses: int = 0
    message: str = ""


def next_standing(before: BlogStanding | None, now: datetime, failure: str | None, freeze: str | None) -> BlogStanding:
    """How the blog stands after an update that could not reach it, had to freeze it, or went well."""
    if failure is None:
        state: Literal["active", "frozen"] = "frozen" if freeze else "active"
        since = before.since if before and before.state == state else now
        return BlogStanding(state, since, now, 0, freeze or "")
    if before is None or before.state not in ("unreachable", "dead"):
        return BlogStanding("unreachable", now, now, 1, f"it cannot be reached ({failure})")
    return _still_unreachable(before, now, failure)


def _still_unreachable(before: BlogStanding, now: datetime, failure: str) -> BlogStanding:
    counts = now - before.checked >= APART
    misses = before.misses + counts
    for_long = misses >= DEAD_LOOKS and now - before.since >= DEAD_DAYS
    state: BlogState = "dead" if for_long and failure in SILENT else "unreachable"
    words = f"nothing has answered since {before.since.date()} ({failure})"
    return BlogStanding(state, before.since, now if counts else before.checked, misses, words)
