"""What the analyser said of followed blogs, and what people said to that: examples to learn from. Part of `Store`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from blogforever.analyse.values import Answer, HostVerdict, Kind

Decision = Literal["", "blog", "not-a-blog", "spam"]
"""What a person said of a blog; nothing where nobody did."""


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A verdict with what it was made of; `decided` is what a person says, who is `by`."""

    blog: str
    at: str
    verdict: HostVerdict
    answers: Mapping[str, Answer] = field(default_factory=dict)
    pattern: str = ""
    decided: Decision = ""
    by: str = ""


class VerdictTable(Protocol):
    """The verdicts, one a followed blog."""

    def keep(self, row: VerdictRow) -> None:
        """Keep a verdict; one on the same blog is replaced."""

    def find(self, blog: str) -> VerdictRow | None:
        """The verdict on a followed blog."""

    def drop(self, blog: str) -> None:
        """Keep it no more."""

    def decisions(self, pattern: str) -> dict[Kind, int]:
        """What people say that the blogs of one pattern are, and how often."""

    def examples(self) -> Iterator[VerdictRow]:
        """Those on which a person decided, by blog."""
