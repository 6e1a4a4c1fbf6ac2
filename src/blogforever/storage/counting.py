"""What the service did, counted by the hour: small rows, written with what they count, so that any range is cheap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from blogforever import clock

CountName = Literal[
    "looks", "requests", "bytes", "posts", "comments", "failures", "jobs", "webhooks", "pings", "pinged", "filters"
]
"""What is counted: looks by their outcome, posts by what became of them, failures by their cause,
jobs by kind and end, deliveries to webhooks by how they went, pings by server and what became of
them, what looks found that the pings of a server asked for or missed, and what filters did.
"""
GaugeName = Literal["blogs"]
"""What is noted as it stands: followed blogs by their state."""
HOUR = len("2026-11-16T09")
"""Characters of an hour, as counters are named by it; fewer mean a longer time."""


@dataclass(frozen=True, slots=True)
class HourCount:
    """How often something happened that is counted under a name, and more closely under a label."""

    name: CountName
    label: str = ""
    number: int = 1


@dataclass(frozen=True, slots=True)
class PeriodCount:
    """How often something happened in a period, or how much of it there was at its end."""

    period: str
    name: str
    label: str
    number: int


def this_hour() -> str:
    """The hour it is, as counters are named by it."""
    return clock.stamp()[:HOUR]


class CounterTable(Protocol):
    """Counters and gauges by the hour, which is named as `2026-11-16T09`, in UTC."""

    def add(self, hour: str, counts: Iterable[HourCount]) -> None:
        """This happened, too."""

    def note(self, hour: str, gauge: GaugeName, levels: Iterable[tuple[str, int]]) -> None:
        """So it stands in that hour, label by label; what was noted in it before goes."""

    def sums(self, first: str, last: str, width: int) -> list[PeriodCount]:
        """What was counted from one hour to another, both included, in periods that are
        named by so many characters of an hour; of gauges, the last of each period.
        In the order of periods, names, labels.
        """
