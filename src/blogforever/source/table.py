"""Rows of cells to given rows: what each column holds is told by its name, or by what stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, groupby, islice

from .columns import named_columns
from .given import BlogMetadata, GivenRow
from .typed import addresses_in, given_address, is_address, only_addresses, shortened

# Rows above the names of the columns: a heading, a date, an empty line.
MOST_ROWS_ABOVE = 20
# Characters of a note, and of any other cell, that are kept: they are remarks, not documents.
LONGEST_NOTE, LONGEST_CELL = 4000, 300
# Tags of one blog.
MOST_TAGS = 50
# Columns that are looked at: a table of blogs has a dozen.
MOST_COLUMNS = 64


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: where it stands, for people, its
    cells, and the sheet it is of, where there are several.
    """

    place: str
    cells: Sequence[str]
    sheet: str = ""

    @property
    def text(self) -> str:
        """All that is written in it."""
        return "; ".join(cell.strip() for cell in self.cells if cell.strip())


def given_in_table(rows: Iterable[TableRow]) -> Iterator[GivenRow]:
    """The given rows of a table, in order; the caller numbers
    them. Each sheet has names of its own for its columns.
    """
    for _sheet, own in groupby(rows, key=lambda row: row.sheet):
        filled = (row for row in own if row.text)
        above = list(_until_address(filled))
        columns, start = _names_among(above)
        for row in chain(above[start:], filled):
            yield from _given(row, columns)


def _until_address(rows: Iterator[TableRow]) -> Iterator[TableRow]:
    """The first rows, up to one that holds an address."""
    for row in islice(rows, MOST_ROWS_ABOVE):
        yield row
        if any(is_address(cell) for cell in row.cells):
            return


def _names_among(rows: Sequence[TableRow]) -> tuple[Mapping[str, int], int]:
    """The columns as one of these rows names them, and where
    what stands below begins; headings above give nothing.
    """
    for place, row in enumerate(rows):
        has_address = any(is_address(cell) for cell in row.cells)
        if not has_address and (columns := _names(row.cells)):
            return columns, place + 1
    return {}, 0


def _names(cells: Sequence[str]) -> Mapping[str, int]:
    """The columns that a row names; a row with one
    name among other words may be a row like any other.
    """
    found = named_columns(cells)
    names_address = "url" in found or "feed" in found
    filled = sum(bool(cell.strip()) for cell in cells)
    return found if names_address or len(found) * 2 > filled else {}


def _given(row: TableRow, columns: Mapping[str, int]) -> Iterator[GivenRow]:
    said = {name: _cell(row, place) for name, place in columns.items()}
    addresses = _addresses(row, columns, said)
    feeds = tuple(url for typed in addresses_in(said.get("feed", "")) if (url := given_address(typed)[0]))
    if not addresses:
        yield GivenRow(0, shortened(row.text), problem=f"{row.place}: there is no address in it.")
    for typed in addresses:
        url, problem = given_address(typed)
        problem = f"{row.place}: {problem}" if problem else ""
        title = said.get("title") or _title_beside(row, columns)
        yield _with_words(GivenRow(0, shortened(typed), url, problem, title[:LONGEST_CELL]), said, feeds)


def _cell(row: TableRow, place: int) -> str:
    return row.cells[place].strip() if place < len(row.cells) else ""


def _addresses(row: TableRow, columns: Mapping[str, int], said: Mapping[str, str]) -> list[str]:
    """The addresses of a row: those of its column, or
    else of whatever cell holds some, or else the feed's;
    a row of one cell among others is a line like any other.
    """
    own = list(addresses_in(said.get("url", "")))
    if own:
        return own
    named = set(columns.values())
    others = [cell for place, cell in enumerate(row.cells[:MOST_COLUMNS]) if place not in named]
    found = [address for cell in others for address in only_addresses(cell)]
    if found:
        return found
    if not columns and sum(bool(cell.strip()) for cell in row.cells) == 1:
        return list(addresses_in("".join(row.cells)))
    return list(addresses_in(said.get("feed", "")))[:1]


def _title_beside(row: TableRow, columns: Mapping[str, int]) -> str:
    """In a table without names, the one cell beside the address."""
    if columns:
        return ""
    words = [cell.strip() for cell in row.cells if cell.strip() and not is_address(cell)]
    return words[0] if len(words) == 1 else ""


def _with_words(row: GivenRow, said: Mapping[str, str], feeds: tuple[str, ...]) -> GivenRow:
    """The row with all that its table says of the blog."""
    kept = {name: said.get(name, "")[:LONGEST_CELL] for name in BlogMetadata.__slots__}
    return GivenRow(
        row.number,
        row.input,
        row.url,
        row.problem,
        row.title,
        tags_in(said.get("tags", "")),
        said.get("notes", "")[:LONGEST_NOTE],
        _day(said.get("until", "")),
        feeds,
        BlogMetadata(**kept),
    )


def tags_in(text: str) -> tuple[str, ...]:
    """The tags of a cell, with semicolons or commas between them; each once."""
    words = (" ".join(word.split())[:LONGEST_CELL] for word in text.replace(";", ",").split(","))
    return tuple(dict.fromkeys(word for word in words if word))[:MOST_TAGS]


def _day(text: str) -> str:
    """An ISO day; what is none is left out: nobody stops following a blog by a misprint."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
