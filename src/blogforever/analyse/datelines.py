"""Lines that are only a date, above text: how diaries are written that no program made."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from statistics import median

from blogforever.dates import find_dates
from blogforever.extract.signing import dates_only
from blogforever.page.view import PageView

# Characters of a line that is only a date, and lines of a page that may be some.
LONGEST, MOST_LINES = 40, 200
# Dates that make a diary, all of several days, and words that stand below most of them.
FEWEST, ENTRY_WORDS = 3, 25
# Share of neighbours that stand in the order of time, and share of the page that stands below the first date.
IN_ORDER, MOST = 0.85, 0.5


def is_diary(view: PageView) -> bool:
    """Whether most of a page is text below lines that are only a date, the newest first."""
    lines = _dated(view)
    if len({day for _, day in lines}) < FEWEST:
        return False
    starts = [start for start, _ in lines]
    words = [later - earlier for earlier, later in pairwise([*starts, len(view.words)])]
    falls = [later <= earlier for (_, earlier), (_, later) in pairwise(lines)]
    fills = len(view.words) - starts[0] >= MOST * len(view.words)
    return fills and median(words) >= ENTRY_WORDS and sum(falls) >= IN_ORDER * len(falls)


def _dated(view: PageView) -> list[tuple[int, date]]:
    """Lines that are a date: the words before each, and its day."""
    found: list[tuple[int, date]] = []
    for _, start, _, text in view.texts:
        line = text.strip()
        if len(line) <= LONGEST and any(map(str.isdigit, line)) and dates_only(line):
            reading = find_dates(line, limit=1)[0]
            if reading.moment.precision not in ("year", "month"):
                found.append((start, reading.moment.day))
        if len(found) >= MOST_LINES:
            break
    return found
