"""Files that are broken or made to harm, given as lists of blogs: one sentence, in bounded time and memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from openpyxl import Workbook

from blogforever.source import reading
from blogforever.source.given import GivenRow
from blogforever.source.lines import LONGEST_LINE
from blogforever.source.reading import given_in_file


def read(data: bytes, name: str = "") -> list[GivenRow]:
    return list(given_in_file(io.BytesIO(data), name))


def workbook(*rows: tuple[object, ...]) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(list(row))
    book.save(out)
    return out.getvalue()


def rewritten(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A workbook with its parts changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return out.getvalue()


def in_sheet(old: bytes, new: bytes) -> Callable[[str, bytes], bytes]:
    return lambda name, part: part.replace(old, new) if name.startswith("xl/worksheets/") else part


def test_a_workbook_is_read_by_its_columns() -> None:
    rows = read(workbook(("My blogs",), (), ("Name", "URL", "Tags"), ("A", "a.blog", "x; y"), (), ("B", "b c", None)))
    assert [(row.number, row.title, row.url, row.tags) for row in rows[:1]] == [(1, "A", "https://a.blog/", ("x", "y"))]
    assert rows[1].problem.startswith("Row 6 of Sheet: 'b c' is not")


def test_each_sheet_has_names_of_its_own() -> None:
    book, out = Workbook(write_only=True), io.BytesIO()
    first, second = book.create_sheet("Eins"), book.create_sheet("Zwei")
    first.append(("URL",))
    first.append(("a.blog",))
    second.append(("Titel", "Adresse"))
    second.append(("B", "b.blog"))
    book.save(out)
    assert [(row.url, row.title) for row in read(out.getvalue())] == [("https://a.blog/", ""), ("https://b.blog/", "B")]


def test_formulas_lead_where_they_lead_or_are_told() -> None:
    link = '=HYPERLINK("https://a.blog/", "A")'
    first, second, third = read(workbook(("url",), (link,), ('="https://b.blog/"&A1',), ("c.blog",)))
    assert first.url == "https://a.blog/"
    assert "is a formula" in second.problem
    assert third.url == "https://c.blog/"


@pytest.mark.parametrize("cut", [5, 200, 2000, -30])
def test_a_workbook_that_breaks_off_is_one_sentence(cut: int) -> None:
    (row,) = read(workbook(("url",), ("a.blog",))[:cut], "x.xlsx")
    assert row.problem.startswith("The workbook is damaged")
    assert row.input == "x.xlsx"


def test_rows_before_the_damage_are_kept() -> None:
    many = workbook(("url",), *((f"b{n}.blog",) for n in range(3000)))
    broken = rewritten(many, in_sheet(b'<row r="2500"', b'<row r="2500"><<'))
    *good, last = read(broken)
    assert len(good) > 1000
    assert all(row.url for row in good)
    assert "is damaged after row" in last.problem


def test_a_workbook_packed_to_harm_is_not_unpacked() -> None:
    bomb = rewritten(
        workbook(("url",)), lambda name, part: part + b" " * (300 * 1024 * 1024 if "sheet1" in name else 0)
    )
    assert len(bomb) < 1024 * 1024
    (row,) = read(bomb)
    assert "too large when it is unpacked" in row.problem


def test_another_kind_of_packed_file_is_told() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("content.xml", "<x/>")
    assert "no XLSX" in read(out.getvalue())[0].problem


def test_entities_of_a_workbook_do_nothing() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    rows = read(rewritten(workbook(("url",), ("a.blog",)), in_sheet(b"<worksheet", bomb + b"<worksheet")))
    assert all("aaaa" not in row.input for row in rows)
    assert rows[-1].problem


def test_a_sheet_that_claims_to_be_huge_is_read_as_it_is() -> None:
    far = rewritten(workbook(("url",), ("a.blog",)), in_sheet(b'ref="A1:A2"', b'ref="A1:XFD1048576"'))
    assert [row.url for row in read(far)] == ["https://a.blog/"]


@pytest.mark.parametrize(
    "outline",
    [
        '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><opml><body><outline xmlUrl="&c;"/></body></opml>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><opml><body><outline text="&a;"/></body></opml>',
    ],
)
def test_entities_of_an_outline_are_refused(outline: str) -> None:
    (row,) = read(f'<?xml version="1.0"?>{outline}'.encode())
    assert "entities of its own" in row.problem


def test_what_was_read_of_a_damaged_outline_is_kept() -> None:
    first, second = read(b'<opml><body><outline xmlUrl="http://a.blog/"/><outline xmlUrl="http://b')
    assert first.url == "http://a.blog/"
    assert "damaged" in second.problem


def test_folders_without_end_are_left() -> None:
    rows = read(b"<opml><body>" + b'<outline text="x">' * 100_000)
    assert rows[-1].problem
    assert len(rows) < 3


def test_a_line_without_end_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = read(b"x" * (3 * LONGEST_LINE) + b"\na.blog")
    assert "no address is so long" in first.problem
    assert len(first.input) < 300
    assert second.url == "https://a.blog/"


def test_many_addresses_in_one_line_are_all_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blogforever.source.lines.LONGEST_LINE", 1000)
    rows = read(";".join(f"ü{n}.example" for n in range(500)).encode())
    assert [row.url for row in rows] == [f"https://ü{n}.example/" for n in range(500)]


def test_more_rows_than_a_batch_may_have_are_told_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_ROWS", 3)
    rows = read(b"a.blog\n" * 10)
    assert len(rows) == 4
    assert "first" in rows[-1].problem


def test_bytes_of_any_kind_give_rows_and_no_more() -> None:
    rows = read(bytes(range(256)) * 200 + b"\nhttps://a.blog/\n")
    assert rows[-1].url == "https://a.blog/"
    assert all(row.url or row.problem for row in rows)
