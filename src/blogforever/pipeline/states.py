"""Is it gone? Is the blog still itself? What looks at posts prove, and what they do not; values and a clock in.

A post that does not answer is missing, not gone: gone needs several looks over days and positive evidence, on days on
which the blog itself was there. Nothing is concluded from outages, refusals and walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

State = Literal["active", "missing", "gone"]
Outcome = Literal["here", "not found", "gone", "soft", "replaced", "refused", "unreachable"]
NEGATIVE = frozenset({"not found", "gone", "soft", "replaced"})
POSITIVE_EVIDENCE = frozenset({"410", "feed", "sitemap", "API", "archive pages"})
LOOKS = 3
DAYS = timedelta(days=3)
APART = timedelta(hours=12)
"""Looks closer together than this are one look."""
SILENT = frozenset({"no such host", "connection", "timeout", "status 404", "status 410"})
UNREACHABLE_LOOKS, UNREACHABLE_DAYS = 4, timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One look at a post: when, what was found, and where it is absent though its like are there."""

    when: datetime
    outcome: Outcome
    evidence: frozenset[str] = frozenset()


def outcome_of(status: int, reason: str = "") -> Outcome:
    """What a status means for the page behind it."""
    if status == 410:
        return "gone"
    if status == 404:
        return "not found"
    if status in (401, 402, 403, 407, 429, 451) or reason in ("challenge", "captcha", "login", "consent", "blocked"):
        return "refused"
    return "here" if 200 <= status < 300 else "unreachable"


def next_state(state: State, sightings: Sequence[Sighting]) -> State:
    """The state after all looks so far, the last one included; looks that prove nothing are left out."""
    telling = [s for s in sightings if s.outcome == "here" or s.outcome in NEGATIVE]
    if not telling:
        return state
    if telling[-1].outcome == "here":
        return "active"
    since = next((n for n in range(len(telling) - 1, -1, -1) if telling[n].outcome == "here"), -1)
    vain = _apart([s for s in telling[since + 1 :] if s.outcome in NEGATIVE])
    proof = {sign for s in vain for sign in s.evidence | ({"410"} if s.outcome == "gone" else set())}
    long_enough = len(vain) >= LOOKS and vain[-1].when - vain[0].when >= DAYS
    if state == "gone" or (long_enough and proof & POSITIVE_EVIDENCE and vain[-1].outcome != "replaced"):
        return "gone"
    return "missing"


def _apart(sightings: Sequence[Sighting]) -> list[Sighting]:
    """The looks that are far enough from each other to count, the newest always."""
    kept: list[Sighting] = []
    for sighting in sightings:
        if not kept or sighting.when - kept[-1].when >= APART:
            kept.append(sighting)
    return [*kept[:-1], sightings[-1]] if kept and len(sightings) > 1 else kept


@dataclass(frozen=True, slots=True)
class Tally:
    """What one update found among the posts it knew: how many there are, were looked at by turn, are not there, ..."""

    known: int
    looked: int
    vain: int
    by_turn: int
    vain_by_turn: int
    edited: int
    same_page: bool = False


def frozen(tally: Tally) -> str | None:
    """Why the blog must not be rewritten until a person has looked; None where it may be."""
    many = max(5, tally.known // 5) if tally.known > 12 else max(3, tally.known // 2)
    if tally.vain >= many and tally.vain * 2 >= tally.looked:
        return _words(tally, "one and the same page stands in place of" if tally.same_page else "are no longer there")
    whole_sample = tally.by_turn >= 3 and tally.vain_by_turn == tally.by_turn
    if whole_sample and tally.vain * 4 >= tally.looked * 3:
        return _words(tally, "one and the same page stands in place of" if tally.same_page else "are no longer there")
    if tally.edited >= max(10, tally.known * 3 // 10):
        return f"{tally.edited} of its {tally.known} posts changed at once"
    return None


def _words(tally: Tally, what: str) -> str:
    if tally.same_page:
        return f"{what} {tally.vain} of the {tally.looked} posts that were looked at: the address may have been sold"
    return f"{tally.vain} of the {tally.looked} posts that were looked at {what}"


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
    apart = now - before.checked >= APART
    misses = before.misses + apart
    dead = failure in SILENT and misses >= UNREACHABLE_LOOKS and now - before.since >= UNREACHABLE_DAYS
    words = f"nothing has answered since {before.since.date()} ({failure})"
    return BlogStanding(
        "dead" if dead else "unreachable", before.since, now if apart else before.checked, misses, words
    )
