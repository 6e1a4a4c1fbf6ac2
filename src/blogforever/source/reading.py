"""Whatever somebody hands over, pasted or as a file, to numbered rows: told by its first bytes what it is."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO

from blogforever.errors import BadInput
from blogforever.wording import N_

from .given import GivenRow
from .lines import text_lines
from .outline import given_in_outline
from .pasted import given_in_text
from .table import TableRow, given_in_table
from .typed import given_address, shortened
from .workbook import workbook_rows

MOST_ROWS = 200_000
"""Rows of one batch: ten times the largest list anybody is known to have."""
GLANCE = 4096
ZIP, OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
OPML = re.compile(rb"<\s*(?:opml|outline)[\s>]", re.IGNORECASE)
MARKUP = re.compile(rb"<(?:\?xml|!doctype|html|rss|feed)", re.IGNORECASE)
OTHER_FILES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF", b"\x1f\x8b", b"\x7fELF", b"SQLite format 3")
"""How pictures, films, documents, packed files, programs and databases begin. A text that is only damaged is read: it
may hold addresses.
"""
TABLES = (".csv", ".tsv", ".tab")
TOO_MANY = f"Only the first {MOST_ROWS:,} rows were read; give the rest as a list of its own."
AN_OLD_WORKBOOK = N_("The file is a workbook of Excel before 2007; save it as XLSX or CSV.")
NO_TEXT = N_("The file is no list: give text, CSV, XLSX or OPML.")
OTHER_MARKUP = N_("The file is a page or a feed, not a list of blogs; give its address instead.")


def given_in_file(data: IO[bytes], name: str = "") -> Iterator[GivenRow]:
    """The rows of a file that can be read and rewound,
    numbered; its name helps only where its bytes do not tell.
    """
    try:
        yield from _numbered(_rows(data, name.lower()))
    except BadInput as error:
        yield GivenRow(1, shortened(name), problem=str(error))


def given_in_paste(text: str) -> Iterator[GivenRow]:
    """The rows of a pasted text, numbered."""
    return given_in_file(io.BytesIO(text.encode("utf-8", "replace")))


def given_as_addresses(typed: Iterable[str]) -> Iterator[GivenRow]:
    """One row for each of the addresses that a program or a command line hands over."""
    rows = ((one, *given_address(one)) for one in typed)
    return _numbered(GivenRow(0, shortened(one), url, problem) for one, url, problem in rows)


def _rows(data: IO[bytes], name: str) -> Iterator[GivenRow]:
    start = data.read(GLANCE)
    data.seek(0)
    if start.startswith(ZIP):
        return _in_workbook(data)
    if start.startswith(OLD_EXCEL):
        raise BadInput(AN_OLD_WORKBOOK)
    if start.startswith(OTHER_FILES):
        raise BadInput(NO_TEXT)
    plain = start.replace(b"\0", b"")
    if OPML.search(plain):
        return given_in_outline(data)
    if MARKUP.match(plain.lstrip(b"\xef\xbb\xbf\xff\xfe").lstrip()):
        raise BadInput(OTHER_MARKUP)
    return given_in_text(text_lines(data), is_table=name.endswith(TABLES))


def _in_workbook(data: IO[bytes]) -> Iterator[GivenRow]:
    """The rows of a workbook, and what could not be read of it in the place where that was."""
    problems: list[str] = []

    def readable() -> Iterator[TableRow]:
        for row in workbook_rows(data):
            if isinstance(row, str):
                problems.append(row)
            else:
                yield row

    yield from given_in_table(readable())
    yield from (GivenRow(0, "", problem=problem) for problem in problems)


def _numbered(rows: Iterable[GivenRow]) -> Iterator[GivenRow]:
    """The rows with their numbers, and no more than a batch may have."""
    for number, row in enumerate(rows, 1):
        if number > MOST_ROWS:
            yield GivenRow(number, "", problem=TOO_MANY)
            return
        yield replace(row, number=number)
