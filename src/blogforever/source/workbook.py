"""XLSX: the rows of a workbook's sheets as cells of text; what is broken, huge or packed to harm is one sentence."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZipFile

from blogforever.errors import BadInput, in_one_line

from .table import MOST_COLUMNS, TableRow

if TYPE_CHECKING:
    from openpyxl import Workbook

# Bytes of a workbook when it is unpacked, and of the texts that all its sheets share: those are in
# memory at once.
LARGEST_UNPACKED, LARGEST_TEXTS = 256 * 1024 * 1024, 64 * 1024 * 1024
TEXTS = "xl/sharedStrings.xml"
# Parts of a workbook: pictures, charts and sheets; one with more is no list of blogs.
MOST_PARTS = 10_000
FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
PIECE = 65_536
# A cell that shows a text and leads to an address: =HYPERLINK("https://some.blog/"; "Some blog")
LINK = re.compile(r'=\s*HYPERLINK\(\s*"([^"]+)"', re.IGNORECASE)
# Rows of a sheet that are looked at, its empty ones counted: as many as Excel has.
LAST_ROW = 1_048_576


def workbook_rows(data: IO[bytes]) -> Iterator[TableRow | str]:
    """The rows of all sheets; a text among them says what could not be read.

    BadInput where nothing can be.
    """
    has_formulas = _checked(data)
    with closing(_opened(data, values=True)) as values:
        formulas = _opened(data, values=False) if has_formulas else None
        try:
            for place, sheet in enumerate(values.worksheets):
                yield from _sheet_rows(sheet, formulas.worksheets[place] if formulas else None)
        finally:
            if formulas:
                formulas.close()


def _checked(data: IO[bytes]) -> bool:
    """Whether any sheet has formulas; BadInput for what
    is no workbook, or too large when it is unpacked.
    """
    try:
        with ZipFile(data) as packed:
            parts = packed.infolist()
            names = {part.filename for part in parts}
            if "xl/workbook.xml" not in names:
                raise BadInput("The file is packed, but is no XLSX workbook; save it as XLSX or CSV.")
            size, texts = sum(part.file_size for part in parts), max((_shared(part) for part in parts), default=0)
            if len(parts) > MOST_PARTS or size > LARGEST_UNPACKED or texts > LARGEST_TEXTS:
                raise BadInput("The workbook is far too large when it is unpacked; nothing of it was read.")
            return any(_has_formula(packed, name) for name in names if name.startswith("xl/worksheets/"))
    except BadInput:
        raise
    except Exception as error:  # what a broken archive makes its reader raise is no closed list
        raise BadInput(f"The workbook is damaged and cannot be read ({in_one_line(error)}).") from error


def _shared(part: Any) -> int:
    return int(part.file_size) if part.filename == TEXTS else 0


def _has_formula(packed: ZipFile, name: str) -> bool:
    with packed.open(name) as file:
        before = b""
        while piece := file.read(PIECE):
            if FORMULA.search(before[-20:] + piece):
                return True
            before = piece
    return False


def _opened(data: IO[bytes], values: bool) -> Workbook:
    """The workbook, to be read row by row: what its formulas gave, or the formulas."""
    from openpyxl import load_workbook  # noqa: PLC0415  heavy, and seldom needed

    data.seek(0)
    try:
        with warnings.catch_warnings():
            # It speaks of colours and drop-down lists that it does not know.
            warnings.simplefilter("ignore")
            return load_workbook(data, read_only=True, data_only=values, keep_links=False)
    except Exception as error:  # as above
        raise BadInput(f"The workbook is damaged and cannot be read ({in_one_line(error)}).") from error


def _sheet_rows(sheet: Any, formulas: Any) -> Iterator[TableRow | str]:
    """The rows of one sheet that hold anything, as far as they can be read."""
    limits = {"max_row": LAST_ROW, "max_col": MOST_COLUMNS, "values_only": True}
    number = 0
    try:
        # What a sheet says of its own size may be wrong.
        sheet.reset_dimensions()
        beside = None
        if formulas is not None:
            formulas.reset_dimensions()
            beside = formulas.iter_rows(**limits)
        for number, values in enumerate(sheet.iter_rows(**limits), 1):
            written = next(beside, ()) if beside else ()
            cells = [_text(value, written[at] if at < len(written) else None) for at, value in enumerate(values)]
            if any(cells):
                yield TableRow(f"Row {number} of {sheet.title}", cells, sheet.title)
    except Exception as error:  # as above
        why = in_one_line(error)
        yield f"The sheet {sheet.title} is damaged after row {number} ({why}); what follows was not read."


def _text(value: object, formula: object) -> str:
    """What a cell says; one that leads to an address says the address."""
    if isinstance(formula, str) and (link := LINK.match(formula)):
        return link[1]
    if value is None:
        return formula if isinstance(formula, str) else ""
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    return str(value).strip()
