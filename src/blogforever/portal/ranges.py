"""Ranges of time that a screen is asked for: from one day to another, by the hour, day, month or year."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Query

from blogforever.errors import UsageError
from blogforever.service.statistics import PeriodLength

from .fields import LONGEST
from .words import N_

PERIODS: dict[PeriodLength, str] = {"hour": N_("hour"), "day": N_("day"), "month": N_("month"), "year": N_("year")}
First = Annotated[str, Query(alias="from", max_length=LONGEST)]
Last = Annotated[str, Query(alias="to", max_length=LONGEST)]
Found = TypeVar("Found")


def in_range(
    first: str, last: str, by: PeriodLength, ask: Callable[[str, str, PeriodLength], Found]
) -> tuple[Found, str]:
    """What is found in a range; in the last days, and what is wrong, where it is none."""
    try:
        return ask(first.strip(), last.strip(), by), ""
    except UsageError as error:
        return ask("", "", "day"), str(error)
