"""Which policy holds for a blog: its own, else that of its lists, its tags, its service, else the one for all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from blogforever.model import LookPolicy

PolicyScope = Literal["list", "tag", "service", "all"]
NEAREST: tuple[PolicyScope, ...] = ("list", "tag", "service", "all")
"""Of two policies the nearer one counts."""


@dataclass(frozen=True, slots=True)
class ScopedPolicy:
    """A policy for every blog of a list, with a tag, of a service (`wordpress.com`), or for all."""

    scope: PolicyScope
    name: str = ""
    policy: LookPolicy = field(default_factory=LookPolicy)


@dataclass(frozen=True, slots=True)
class Belongings:
    """What a blog belongs to."""

    lists: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    host: str = ""

    def includes(self, scoped: ScopedPolicy) -> bool:
        """Whether a policy is meant for this blog."""
        if scoped.scope == "service":
            return self.host == scoped.name or self.host.endswith(f".{scoped.name}")
        belongs = {"list": self.lists, "tag": self.tags, "all": ("",)}
        return scoped.name in belongs[scoped.scope]


def effective(own: LookPolicy, belongs: Belongings, policies: Iterable[ScopedPolicy]) -> LookPolicy:
    """The policy that holds: each of its fields from the
    nearest that sets it; of two as near, the first by name.
    """
    meant = [scoped for scoped in policies if belongs.includes(scoped)]
    meant.sort(key=lambda scoped: (NEAREST.index(scoped.scope), scoped.name))
    held = own
    for scoped in meant:
        held = _filled(held, scoped.policy)
    return held


def _filled(near: LookPolicy, far: LookPolicy) -> LookPolicy:
    """What the nearer one leaves open, the farther one says.
    How often is one thing: a nearer bound undoes `every`.
    """
    says_how_often = near.every is not None or near.at_least is not None or near.at_most is not None
    often = near if says_how_often else far
    return LookPolicy(
        every=often.every,
        at_least=often.at_least,
        at_most=often.at_most,
        quiet_hours=near.quiet_hours or far.quiet_hours,
        priority=near.priority or far.priority,
    )
