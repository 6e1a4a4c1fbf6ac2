from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.protocols import Exchange
from blogforever.store.cdxj import (
    COUNTED,
    IndexFile,
    IndexLine,
    index_file,
    read_index,
    read_line,
    surt,
    update_index,
    write_index,
)
from blogforever.store.warc import WarcWriter

NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def exchange(url: str, body: bytes = b"<p>hi", status: int = 200) -> Exchange:
    headers = (("Content-Type", "Text/HTML; charset=utf-8"),)
    return Exchange(url, "GET", (), status, "OK", headers, body, NOW, via="https://x.example/")


def write(folder: Path, *urls: str) -> Path:
    writer = WarcWriter(folder / "warc", folder, {"software": "test"})
    for url in urls:
        writer.write(exchange(url))
    writer.close()
    return max((folder / "warc").glob("*.warc.gz"))


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.com/Path/", "com,example)/path"),
        ("http://example.com:8080/a/b.html?z=1&a=2", "com,example:8080)/a/b.html?a=2&z=1"),
        ("http://127.0.0.1:8017/2019/07/heat/", "1,0,0,127:8017)/2019/07/heat"),
        ("https://www2.blog.example.co.uk/x?utm_source=1", "uk,co,example,blog)/x?utm_source=1"),
        ("http://example.com/wp?PHPSESSID=0123456789abcdef0123456789abcdef&x=1", "com,example)/wp?x=1"),
        ("https://example.com/Ü?q=ä", "com,example)/%c3%9c?q=%c3%a4"),
        ("http://münchen.example/", "example,xn--mnchen-3ya)/"),
        ("http://example.com/a//b/", "com,example)/a/b"),
        ("http://[::1]:80/x", "::1)/x"),
    ],
)
def test_keys_are_those_of_other_tools(url: str, key: str) -> None:
    assert surt(url) == key


@given(st.text(max_size=60))
def test_every_address_has_a_key_without_spaces(text: str) -> None:
    for url in (text, f"http://example.com/{text}", f"http://{text}/"):
        assert " " not in surt(url)
        assert "\n" not in surt(url)


def test_a_file_is_indexed_by_its_responses(tmp_path: Path) -> None:
    path = write(tmp_path, "https://b.example/x", "https://b.example/")
    first, second = index_file(path)
    assert (first.url, first.mime, first.status, first.stamp) == (
        "https://b.example/x",
        "text/html",
        "200",
        "20240506070809",
    )
    assert first.file == path.name
    assert first.digest.startswith("sha1:")
    data = path.read_bytes()
    assert data[first.offset : first.offset + 2] == b"\x1f\x8b"
    assert second.offset >= first.offset + first.length
    assert second.captured == NOW
    key, stamp, fields = first.text().split(" ", 2)
    assert (key, stamp) == ("example,b)/x", "20240506070809")
    assert json.loads(fields)["offset"] == str(first.offset)


def test_an_index_is_sorted_grows_and_forgets(tmp_path: Path) -> None:
    index = tmp_path / "indexes/blog.cdxj"
    first = write(tmp_path, "https://b.example/z", "https://b.example/a")
    assert len(update_index(index, [first])) == 2
    assert not update_index(index, [first])
    second = first.with_name("99990101000000-0000.warc.gz")
    second.write_bytes(first.read_bytes())
    assert len(update_index(index, [first, second])) == 2
    lines = index.read_bytes().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 4
    second.unlink()
    update_index(index, [first])
    third = write(tmp_path, "https://b.example/m")
    update_index(index, [first, third])
    assert {line.file for line in read_index(index)} == {first.name, third.name}


@pytest.mark.parametrize("count", [1, 3, 200])
def test_lines_come_between_those_that_are_there_however_many_they_are(tmp_path: Path, count: int) -> None:
    def line(number: int, file: str) -> IndexLine:
        url = f"https://blog.example/{number * 37 % 100}/{file}"
        return IndexLine(surt(url), "20240102030405", url, "text/html", "200", "sha1:A", 5, number, file)

    index = tmp_path / "blog.cdxj"
    written = {name: [line(number, name) for number in range(size)] for name, size in (("a", 80), ("b", count))}
    assert len(update_index(index, [tmp_path / "a"], written)) == 80
    assert update_index(index, [tmp_path / "a", tmp_path / "b"], written) == written["b"]
    lines = index.read_bytes().splitlines()
    assert lines == sorted(one.text().encode() for file in written.values() for one in file)


def test_lines_that_another_program_wrote_are_read_before_more_are_added(tmp_path: Path) -> None:
    index = tmp_path / "i.cdxj"
    line = IndexLine(
        surt("http://x.example/"), "20240101000000", "http://x.example/", "text/html", "200", "", 1, 0, "f"
    )
    index.write_bytes(line.text().replace('": "', '":"').encode() + b"\nno line of an index\n")
    assert update_index(index, [tmp_path / "f"]) == []
    assert list(read_index(index)) == [line]


@given(st.lists(st.text("ab/?=é ", max_size=6), unique=True, max_size=30), st.text("ab/?=é ", max_size=6))
def test_halving_finds_what_reading_finds(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str], asked: str
) -> None:
    path = tmp_path_factory.mktemp("index") / "i.cdxj"
    urls = [f"http://x.example/{p}" for p in paths]
    write_index(
        path, [IndexLine(surt(u), "20240101000000", u, "text/html", "200", "", 1, n, "f") for n, u in enumerate(urls)]
    )
    index = IndexFile(path)
    for url in [*urls, f"http://x.example/{asked}", "http://zzz.example/", "http://a.example/"]:
        expected = {line.offset for line in read_index(path) if line.key == surt(url)}
        assert {line.offset for line in index.find(url)} == expected
    index.close()


@pytest.mark.parametrize("count", [2, COUNTED, COUNTED + 1, COUNTED + 5])
def test_an_index_of_many_files_has_what_they_have_and_nothing_of_those_that_are_gone(
    tmp_path: Path, count: int
) -> None:
    index, files = tmp_path / "b.cdxj", [write(tmp_path, f"https://b.example/{number}") for number in range(count)]
    names = [path.with_name(f"{number:02}.warc.gz") for number, path in enumerate(sorted(set(files)))]
    warcs = [path.rename(name) for path, name in zip(sorted(set(files)), names, strict=True)]
    update_index(index, warcs[:-1])
    assert [line.file for line in update_index(index, warcs)] == [warcs[-1].name]
    assert update_index(index, warcs) == []
    fresh = write(tmp_path, "https://b.example/fresh")
    assert len(update_index(index, [*warcs[1:], fresh], {fresh.name: list(index_file(fresh))})) == 1
    assert {line.file for line in read_index(index)} == {path.name for path in [*warcs[1:], fresh]}
    assert index.read_bytes().splitlines() == sorted(index.read_bytes().splitlines())


@pytest.mark.parametrize(
    "fields",
    [
        *('"length": Infinity, "offset": 1', '"length": 10, "offset": 1e999', '"length": NaN, "offset": 1'),
        '"length": 10, "offset": 1, "more": ' + "[" * 100_000,
    ],
)
def test_a_line_with_numbers_that_are_none_is_no_index_line(fields: str) -> None:
    assert read_line(f'com,x)/ 20200101000000 {{"filename": "a.warc.gz", {fields}}}') is None


@pytest.mark.parametrize("status", ["abc", "\u00b2", "20000000000000000000", "-1"])
def test_a_status_that_is_none_is_not_believed(status: str) -> None:
    fields = json.dumps({"filename": "a.warc.gz", "length": 10, "offset": 1, "status": status})
    line = read_line(f"com,x)/ 20200101000000 {fields}")
    assert line is not None
    assert line.status == ""
