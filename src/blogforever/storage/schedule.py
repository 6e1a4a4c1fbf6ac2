"""What the schedule remembers: the last looks at each followed blog, and policies for many blogs at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from blogforever.schedule.policies import PolicyScope, ScopedPolicy
from blogforever.schedule.values import Cause, Wishes

KEPT_LOOKS = 100
"""Looks that are kept of each blog: what the schedule goes by; a month
of a lively blog that is looked at hourly is known by its posts anyway.
"""
KEPT_POSTS = 100
"""Posts whose dates make the rhythm of a blog."""


@dataclass(frozen=True, slots=True)
class LookRow:
    """One look at a followed blog: when, how it ended, who
    wanted it, what it brought and cost, what was wished.
    """

    blog: str
    at: str
    outcome: str = "finished"
    answered: bool = True
    cause: Cause = "schedule"
    found: int = 0
    changed: int = 0
    comments: int = 0
    status: int = 0
    not_modified: bool = False
    requests: int = 0
    bytes: int = 0
    wishes: Wishes = field(default_factory=Wishes)


class ScheduleTable(Protocol):
    """Looks, and policies."""

    def add(self, look: LookRow) -> None:
        """Remember a look; of each blog the last `KEPT_LOOKS` are kept."""

    def looks(self, blog: str) -> list[LookRow]:
        """The looks at a followed blog that are kept, oldest first."""

    def published(self, blog: str) -> list[str]:
        """When the last posts of a blog of the archive were published,
        as their records say it; newest first, at most `KEPT_POSTS`.
        """

    def set_policy(self, scoped: ScopedPolicy) -> None:
        """Let a policy hold for many; one for the same many is replaced."""

    def drop_policy(self, scope: PolicyScope, name: str = "") -> None:
        """Let none hold for these."""

    def policies(self) -> list[ScopedPolicy]:
        """All policies for many, by scope and name."""
