"""Web archives made by hand, to harm or by mistake: what is wrong in one record is a fault of that record only."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from warcio.bufferedreaders import BufferedReader

from blogforever.archive.copylist import MARKER, files_of
from blogforever.cli import run
from blogforever.protocols import Exchange
from blogforever.store import unpacking
from blogforever.store.unpacking import teach_warcio
from blogforever.store.warc import WarcWriter
from blogforever.store.warcreader import WarcReader
from hostile.growth import assert_linear

URL = "http://blog.example/"
TEXT = "The lamp at the end of the pier went out again, and nobody but the keeper saw it. " * 6
ITEM = (
    f"<item><title>Lamp</title><link>{URL}lamp</link><description>{TEXT}</description>"
    "<pubDate>Mon, 06 Sep 2010 00:01:00 +0000</pubDate></item>"
)
PAGES = {
    URL: f"<title>Pier</title><link rel=alternate type=application/rss+xml href={URL}feed><a href={URL}lamp>Lamp</a>",
    f"{URL}feed": f"<?xml version='1.0'?><rss version='2.0'><channel><title>Pier</title>{ITEM}</channel></rss>",
    f"{URL}lamp": f"<title>Lamp</title><body><h1>Lamp</h1><div class=post><p>{TEXT}</p></div>",
}


def record(
    url: str, text: str = "", date: str = "2015-01-01T00:00:00Z", status: str = "200 OK", length: str = ""
) -> bytes:
    kind = "application/rss+xml" if url.endswith("feed") else "text/html"
    answer = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n{text}"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
    head += f"WARC-Record-ID: <urn:x:{len(url)}>\r\nContent-Type: application/http; msgtype=response\r\n"
    return f"{head}Content-Length: {length or len(answer)}\r\n\r\n{answer}\r\n\r\n".encode("latin-1")


def saved(folder: Path, *more: bytes, date: str = "2015-01-01T00:00:00Z") -> Path:
    file = folder / "saved.warc"
    file.write_bytes(b"".join([*(record(url, text, date) for url, text in PAGES.items()), *more]))
    return file


@pytest.mark.parametrize(
    "odd",
    [
        record(f"{URL}odd", "lamp", length="99999999999999999999"),
        record(f"{URL}odd", "lamp", status=f"{'2' * 30} OK"),
        record(URL, PAGES[URL], status=f"{'2' * 30} OK"),
        record(URL, PAGES[URL], status="\u00b2\u00b2\u00b2 OK"),
    ],
)
def test_a_number_that_no_database_takes_is_no_end_of_a_harvest(tmp_path: Path, odd: bytes) -> None:
    archive = ["--archive", str(tmp_path / "archive")]
    assert run(["crawl", URL, "--replay", str(saved(tmp_path, odd)), *archive]) in (0, 3)


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00"])
def test_a_moment_outside_of_time_is_none(tmp_path: Path, date: str) -> None:
    archive = ["--archive", str(tmp_path / "archive")]
    assert run(["crawl", URL, "--replay", str(saved(tmp_path, date=date)), *archive]) == 0
    assert run(["export", "--format", "wacz", str(tmp_path / "all.wacz"), *archive]) == 0


def test_a_line_without_an_end_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "LINE_LIMIT", 50_000)
    endless, sound = tmp_path / "endless.warc", saved(tmp_path)
    endless.write_bytes(record(URL, "lamp") + b"WARC/1.0\r\nX: " + bytes(1_000_000))
    reader = WarcReader([endless, sound])
    assert reader.find(f"{URL}lamp") is not None


def test_a_line_is_read_in_time_that_grows_with_it() -> None:
    teach_warcio()
    assert_linear(lambda text: BufferedReader(io.BytesIO(text), 1 << 10).readline(), bytes, 500_000)


def test_lines_are_cut_where_somebody_wants_no_more_of_them() -> None:
    reader = BufferedReader(io.BytesIO(b"one\ntwo\nthree"), 2)
    assert [reader.readline(), reader.readline(2), reader.readline(0), reader.readline(), reader.readline(9)] == [
        *(b"one\n", b"tw", b"", b"o\n", b"three")
    ]


def test_the_list_of_a_wacz_is_read_once_however_many_files_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    class Counted(zipfile.ZipFile):
        def __init__(self, file: str) -> None:
            opened.append(file)
            super().__init__(file)

    with zipfile.ZipFile(tmp_path / "many.wacz", "w", zipfile.ZIP_DEFLATED) as box:
        for number in range(30):
            box.writestr(f"archive/{number}.warc", record(f"{URL}{number}", "lamp"))
    monkeypatch.setattr(zipfile, "ZipFile", Counted)
    reader = WarcReader([tmp_path / "many.wacz"])
    assert [reader.find(f"{URL}{number}") is not None for number in range(30)] == [True] * 30
    # To list what is in it, and to read that.
    assert len(opened) == 2


def test_options_that_nobody_can_read_are_none_of_a_crawl(tmp_path: Path) -> None:
    folder, moment = tmp_path / "archive/warc/blog.example", datetime(2026, 1, 1, tzinfo=UTC)
    writer = WarcWriter(folder, tmp_path / "archive", {"isPartOf": "blog.example", "options": "[" * 50_000})
    writer.write(Exchange(URL, "GET", (), 200, "OK", (("Content-Type", "text/html"),), b"<p>lamp", moment))
    writer.close()
    assert run(["restore", "--archive", str(tmp_path / "archive")]) in (0, 1, 3)


def test_the_list_of_a_copy_that_is_nested_too_deep_names_no_file(tmp_path: Path) -> None:
    (tmp_path / MARKER).write_text('{"files": ' + "[" * 200_000, encoding="utf-8")
    assert files_of(tmp_path / MARKER) == []
