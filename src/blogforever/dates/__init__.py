"""Reading written dates of any language, and learning how a blog writes its own."""

from blogforever.dates.address import address_date
from blogforever.dates.forms import written_forms
from blogforever.dates.learn import (
    LearnedFormat,
    find_dates,
    learn_format,
    read_date,
    same_day,
    signature,
)
from blogforever.dates.machine import MACHINE_ATTRIBUTES, parse_machine_date
from blogforever.dates.written import DateReading

__all__ = [
    "MACHINE_ATTRIBUTES",
    "DateReading",
    "LearnedFormat",
    "address_date",
    "find_dates",
    "learn_format",
    "parse_machine_date",
    "read_date",
    "same_day",
    "signature",
    "written_forms",
]
