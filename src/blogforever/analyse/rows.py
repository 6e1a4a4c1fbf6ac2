"""Rows that repeat on a page: those of a board each lead to a topic and tell numbers, whatever they are made of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from blogforever.page.view import PageView

ROWS = frozenset({"tr", "li", "div", "dl", "article", "section", "ol", "ul"})
A_NUMBER = re.compile(r"\d{1,3}(?:[.,\s]?\d{3}){0,3}(?:[.,]\d)?\s?[km]?", re.IGNORECASE)
# Topics that make a board, and their share of the rows beside them: headings and notes stand
# between.
TOPICS, MOST = 5, 0.6
# Numbers of a row: answers and views. In a table one is enough, for its head says what it counts.
NUMBERS, IN_TABLE = 2, 1
# Words of a number with what it counts ("12 replies"), of a title, and of a row: where there is
# more to read it is no row of a board but the beginning of a text.
COUNTED_WORDS, TITLE_WORDS, ROW_WORDS = 3, 2, 60
# Children of one element that are looked at, and elements of a page.
MOST_ROWS, MOST_ELEMENTS = 200, 20_000


def has_topics(view: PageView) -> bool:
    """Whether rows of topics with numbers stand on a page."""
    return any(_is_board(view, rows) for rows in _repeated(view))


def _repeated(view: PageView) -> Iterator[list[int]]:
    """Elements of one sort that stand in one element, where there are enough of them."""
    beside: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for place, tag in enumerate(view.tags[:MOST_ELEMENTS]):
        if tag in ROWS:
            beside[view.parents[place], tag].append(place)
    return (rows[:MOST_ROWS] for rows in beside.values() if len(rows) >= TOPICS)


def _is_board(view: PageView, rows: list[int]) -> bool:
    topics = sum(_is_topic(view, row) for row in rows)
    return topics >= TOPICS and topics >= MOST * len(rows)


def _is_topic(view: PageView, row: int) -> bool:
    if not TITLE_WORDS < view.count(row) <= ROW_WORDS:
        return False
    inside = range(row + 1, view.last[row])
    leads_on = any(view.tags[place] == "a" and view.count(place) >= TITLE_WORDS for place in inside)
    return leads_on and (_has_number_cell(view, row) if view.tags[row] == "tr" else _has_numbers(view, row))


def _has_numbers(view: PageView, row: int) -> bool:
    texts = view.texts_between(view.start[row], view.end[row])
    return sum(A_NUMBER.fullmatch(text.strip()) is not None for text in texts) >= NUMBERS


def _has_number_cell(view: PageView, row: int) -> bool:
    """Whether a cell of a table's row is a number, with what it counts or without; one with a
    picture is a day or a place.
    """
    cells = [place for place in view.children(row) if view.tags[place] == "td"]
    numbers = [cell for cell in cells if _is_number(view.text(cell)) and not _holds_picture(view, cell)]
    return len(cells) > 1 and len(numbers) >= IN_TABLE


def _is_number(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= COUNTED_WORDS and A_NUMBER.fullmatch(words[0]) is not None


def _holds_picture(view: PageView, cell: int) -> bool:
    return "img" in view.tags[cell : view.last[cell]]
