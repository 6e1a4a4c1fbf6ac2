"""A post in the making: fields as they are found, and how each of them came."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from blogforever.extract.metadata import Candidate
from blogforever.model import By, Provenance


@dataclass
class Draft:
    """A post in the making: the first way that gives a field keeps it."""

    values: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Provenance] = field(default_factory=dict)

    def lacks(self, name: str) -> bool:
        """Whether no way has given the field yet."""
        return name not in self.values

    def offer(self, name: str, value: object, by: By, rule: str, confidence: float) -> None:
        """Take the value unless the field is set or the value is empty."""
        if value and self.lacks(name):
            self.values[name] = value
            self.provenance[name] = Provenance(by, rule, round(confidence, 3))

    def offer_candidate(self, name: str, candidate: Candidate) -> None:
        """The same of a candidate, which knows how it came."""
        self.offer(name, candidate.value, candidate.by, candidate.rule, candidate.confidence)

    def offer_best(self, name: str, candidates: Iterable[Candidate]) -> None:
        """Take the surest of several candidates."""
        best = max(candidates, key=lambda candidate: candidate.confidence, default=None)
        if best is not None:
            self.offer_candidate(name, best)

    def drop(self, name: str) -> None:
        """Forget a field."""
        self.values.pop(name, None)
        self.provenance.pop(name, None)
