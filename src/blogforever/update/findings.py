"""What an update found out about the posts it looked at, as values; the archive writes them down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from blogforever.model import Rules, Said
from blogforever.protocols import Ref
from blogforever.records import PageRecord, PostRecord

from .news import News
from .platforms import PlatformSeen
from .rechecks import Look, TurnBudget
from .remembered import KnownPost
from .states import NEGATIVE, Outcome, Tally, outcome_of
from .versions import Verdict

Kind = Literal["new", "same", "edit", "revision", "away", "nothing"]


@dataclass(frozen=True, slots=True)
class Looked:
    """One answer to a look: status, or the reason why there is none, where it ended, and where its
    bytes lie.
    """

    look: Look
    status: int
    reason: str
    url: str
    chain: tuple[str, ...] = ()
    ref: Ref | None = None
    unchanged: bool = False

    @property
    def came(self) -> bool:
        """Whether the page itself came, and not something in its place."""
        return self.status == 200 and not self.reason and self.ref is not None

    @property
    def outcome(self) -> Outcome:
        """What the status alone says."""
        return outcome_of(self.status, self.reason)


@dataclass(frozen=True, slots=True)
class Move:
    """A post under a new address, and the sign by which it was known again."""

    old: str
    new: str
    sign: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found: the post it is of, its record where there is one, what that is, and what
    was seen.
    """

    kind: Kind
    look: Look
    outcome: Outcome = "here"
    status: int = 200
    post: KnownPost | None = None
    record: PostRecord | None = None
    move: Move | None = None
    reason: str = ""
    record_id: str | None = None


@dataclass(slots=True)
class Judged:
    """A known post's page and what it was found to be."""

    looked: Looked
    verdict: Verdict
    outcome: Outcome
    move: Move | None = None
    text: str = ""
    """All words of a page that stands in the place of the post."""
    states_fewer: bool = False
    """Whether the page states fewer comments than it did: only the whole list tells which have left."""

    @property
    def wanted_whole(self) -> bool:
        """Whether the post's further pages and threads are looked at, too."""
        expected = self.looked.look.why in ("comments", "edited") or self.states_fewer
        return expected or self.move is not None or self.verdict.judgement == "edit"


@dataclass(slots=True)
class UpdateFindings:
    """Everything an update found."""

    findings: list[Finding]
    news: News
    budget: TurnBudget
    rules: Rules | None = None
    relearned: str = ""
    failure: str | None = None
    freeze: Said | None = None
    notes: list[str] = field(default_factory=list)
    platform: PlatformSeen | None = None
    pages: list[PageRecord] = field(default_factory=list)
    """The blog's own pages that are new, or read otherwise now."""


def tally(findings: Sequence[Finding], active: int, same_page: bool) -> Tally:
    """The numbers that decide whether a blog must be frozen; what proves nothing is not counted."""
    telling = [finding for finding in findings if finding.post and _proves(finding)]
    away = [finding for finding in telling if finding.outcome in NEGATIVE]
    by_turn = [finding for finding in telling if finding.look.why == "turn"]
    return Tally(
        known=active,
        looked=len(telling),
        away=sum(finding.post is not None and finding.post.state == "active" for finding in away),
        by_turn=len(by_turn),
        away_by_turn=sum(finding in away for finding in by_turn),
        edited=sum(finding.kind == "edit" for finding in findings),
        same_page=same_page,
    )


def _proves(finding: Finding) -> bool:
    return finding.outcome == "here" or finding.outcome in NEGATIVE
