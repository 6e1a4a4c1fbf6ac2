"""Text as it is pasted or lies in a file: lines, semicolons, commas, or a table with names above its columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from .columns import named_columns
from .given import GivenRow
from .table import TableRow, given_in_table
from .typed import addresses_in, given_address, shortened

COMMENT = "#"
DELIMITERS = "\t;,|"
QUOTE = '"'
# Lines that a cell in quotes may have; where it does not end by then, a quote is missing.
MOST_LINES_OF_A_CELL = 50
# Lines at the beginning in which the names of the columns may stand.
FIRST_LINES = 20


def given_in_text(lines: Iterable[str], is_table: bool = False) -> Iterator[GivenRow]:
    """The given rows of a text; `is_table` says that it is
    known to be one, though nothing may name its columns.
    """
    rest = iter(lines)
    first = list(islice(rest, FIRST_LINES))
    delimiter = _delimiter(first, is_table)
    everything = chain(first, rest)
    if delimiter:
        return given_in_table(_table_rows(everything, delimiter))
    return chain.from_iterable(_given_in_line(line) for line in everything)


def _delimiter(first: list[str], is_table: bool) -> str:
    """What stands between the cells, where a line names
    columns, or cells were copied from a spreadsheet.
    """
    filled = [line for line in first if line.strip()]
    for line in filled:
        for delimiter in DELIMITERS:
            names = named_columns([cell.strip(QUOTE) for cell in line.split(delimiter)])
            if "url" in names or "feed" in names:
                return delimiter
    if any("\t" in line.strip() for line in filled):
        return "\t"
    return max(DELIMITERS, key=lambda mark: sum(mark in line for line in filled)) if is_table else ""


def _given_in_line(line: str) -> Iterator[GivenRow]:
    line = line.strip()
    if line.startswith(COMMENT):
        return
    for typed in addresses_in(line):
        url, problem = given_address(typed)
        yield GivenRow(0, shortened(typed), url, problem)


def _table_rows(lines: Iterable[str], delimiter: str) -> Iterator[TableRow]:
    """The rows of a table; where a quote is missing, the line it is missing in is a row by
    itself.
    """
    waiting: list[str] = []
    number = 0
    for line in lines:
        waiting.append(line)
        is_whole = sum(part.count(QUOTE) for part in waiting) % 2 == 0
        if is_whole or len(waiting) > MOST_LINES_OF_A_CELL:
            for row in [waiting] if is_whole else [[part] for part in waiting]:
                yield TableRow(f"Row {number + 1}", _cells(row, delimiter))
                number += len(row)
            waiting = []
    for line in waiting:
        number += 1
        yield TableRow(f"Row {number}", _cells([line], delimiter))


def _cells(lines: list[str], delimiter: str) -> list[str]:
    """The cells of one row; one that no reader of CSV can take is one cell."""
    plain = [line.replace("\0", "\ufffd") for line in lines]
    try:
        return next(csv.reader((f"{line}\n" for line in plain), delimiter=delimiter), [])
    except csv.Error:
        return [" ".join(plain)]
