"""Reading written dates of any language, and learning how a blog writes its own."""

from typing import TYPE_CHECKING

from blogforever.later import later

if TYPE_CHECKING:
    from blogforever.dates.address import address_date
    from blogforever.dates.forms import written_forms
    from blogforever.dates.learn import (
        LearnedFormat,
        find_dates,
        learn_format,
        read_date,
        signature,
    )
    from blogforever.dates.machine import MACHINE_ATTRIBUTES, parse_machine_date
    from blogforever.dates.names import is_month_name
    from blogforever.dates.nearness import moment_key, same_day, same_instant
    from blogforever.dates.relative import is_age
    from blogforever.dates.written import DateReading

__getattr__ = later(
    __name__,
    {
        "address": ("address_date",),
        "forms": ("written_forms",),
        "learn": ("LearnedFormat", "find_dates", "learn_format", "read_date", "signature"),
        "machine": ("MACHINE_ATTRIBUTES", "parse_machine_date"),
        "names": ("is_month_name",),
        "nearness": ("moment_key", "same_day", "same_instant"),
        "relative": ("is_age",),
        "written": ("DateReading",),
    },
)

__all__ = [
    "MACHINE_ATTRIBUTES",
    "DateReading",
    "LearnedFormat",
    "address_date",
    "find_dates",
    "is_age",
    "is_month_name",
    "learn_format",
    "moment_key",
    "parse_machine_date",
    "read_date",
    "same_day",
    "same_instant",
    "signature",
    "written_forms",
]
