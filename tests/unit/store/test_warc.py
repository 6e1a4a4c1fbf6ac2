from __future__ import annotations

import gzip
import random
import zipfile
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.errors import ArchiveError, UsageError
from blogforever.fetch.replay import ReplayFetcher
from blogforever.protocols import Ask, Exchange
from blogforever.store.cdxj import index_file, update_index
from blogforever.store.members import members, read_head
from blogforever.store.revisits import KeptBodies
from blogforever.store.warc import WarcWriter, count_records, seal_open_files
from blogforever.store.warcreader import WarcReader

URL = "https://blog.example/2013/a-post/"


def exchange(url: str = URL, body: bytes = b"<h1>Hi</h1>", status: int = 200) -> Exchange:
    return Exchange(
        url=url,
        method="GET",
        request_headers=(("User-Agent", "x"),),
        status=status,
        reason="",
        response_headers=(("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("X-Bad", "a\r\nb")),
        body=body,
        captured=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        ip="192.0.2.1",
        via="https://blog.example/",
    )


def writer(root: Path, limit: int = 10**9) -> WarcWriter:
    return WarcWriter(root / "warc" / "blog", root, {"software": "test"}, limit)


def test_what_is_written_can_be_read_at_once_and_after_closing(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    ref = warc.write(exchange())
    reader = WarcReader((), tmp_path)
    assert reader.response(ref)[1].content == b"<h1>Hi</h1>"
    warc.close()
    status, page = reader.response(ref)
    assert (status, page.url, page.content) == (200, URL, b"<h1>Hi</h1>")
    assert page.captured == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_files_are_warc_1_1_with_whole_records(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.close()
    (path,) = (tmp_path / "warc").rglob("*.warc.gz")
    with path.open("rb") as file:
        records = [
            (r.rec_type, r.rec_headers.protocol, r.content_stream().read())
            for r in ArchiveIterator(file, check_digests="raise")
        ]
    assert [kind for kind, _, _ in records] == ["warcinfo", "response", "request", "metadata"]
    assert {version for _, version, _ in records} == {"WARC/1.1"}
    assert b"via: https://blog.example/" in records[3][2]
    assert count_records(path) == 4


def test_a_response_says_whence_it_came_and_each_member_holds_one_record(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.write(replace(exchange(f"{URL}2"), truncated="time", ip="2001:db8::1"))
    warc.close()
    (path,) = (tmp_path / "warc").rglob("*.warc.gz")
    heads = []
    for member in members(path):
        assert member.data
        member.data.seek(0)
        assert member.data.read().count(b"WARC/1.1\r\n") == 1
        heads.append(read_head(member.data))
    first, second = (head.headers for head in heads if head and head.kind == "response")
    assert (first["warc-ip-address"], second["warc-ip-address"]) == ("192.0.2.1", "2001:db8::1")
    assert (first.get("warc-truncated"), second["warc-truncated"]) == (None, "time")
    for head in (first, second):
        assert head["warc-block-digest"].startswith("sha1:")
        assert head["warc-payload-digest"].startswith("sha1:")


def test_headers_that_are_not_ascii_lose_no_page(tmp_path: Path) -> None:
    headers = (("Content-Type", "text/html"), ("X-Stra\xdfe", "a"), ("X-Author", "J\xf6rg"))
    warc = writer(tmp_path)
    refs = [warc.write(replace(exchange(), response_headers=some)) for some in (headers, headers[::2])]
    warc.close()
    (path,) = (tmp_path / "warc").rglob("*.warc.gz")
    assert count_records(path) == 7
    assert {WarcReader((), tmp_path).response(ref)[1].content for ref in refs} == {b"<h1>Hi</h1>"}


def test_who_wrote_a_file_has_its_index_lines_without_reading_it(tmp_path: Path) -> None:
    folder = tmp_path / "warc" / "blog"
    warc = WarcWriter(folder, tmp_path, {"software": "test"}, kept=KeptBodies(tmp_path))
    first = warc.write(exchange())
    warc.write(exchange(f"{URL}again"))
    warc.write(replace(exchange(), status=304, body=b"", earlier=first))
    warc.write(replace(exchange("urn:picture"), kind="resource"))
    warc.write(exchange(f"{URL}large", random.Random(4).randbytes(2_000_000)))
    warc.close()
    (path,) = folder.glob("*.warc.gz")
    read = list(index_file(path))
    assert warc.written() == {path.name: read}
    assert [line.mime for line in read] == ["text/html", "warc/revisit", "warc/revisit", "text/html", "text/html"]
    path.write_bytes(b"")
    assert update_index(tmp_path / "blog.cdxj", [path], warc.written()) == read


def test_a_file_with_records_of_others_is_read_for_its_index(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.append([b"WARC/1.1\r\n\r\n"], packed=False)
    warc.close()
    assert warc.written() == {}


def test_a_full_file_is_followed_by_the_next(tmp_path: Path) -> None:
    warc = writer(tmp_path, limit=100)
    refs = [warc.write(exchange(f"{URL}{n}")) for n in range(3)]
    warc.close()
    assert len({ref.file for ref in refs}) == 3
    assert len(WarcReader([tmp_path])) == 3
    for path in (tmp_path / "warc/blog").iterdir():
        with path.open("rb") as file:
            info = next(iter(ArchiveIterator(file)))
            assert (info.rec_type, info.rec_headers.get_header("WARC-Filename")) == ("warcinfo", path.name)


def test_a_torn_record_is_cut_and_the_file_closed(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.write(exchange(f"{URL}2", b"x" * 5000))
    (path,) = (tmp_path / "warc").rglob("*.open")
    whole = path.read_bytes()
    warc.close()
    sealed = path.with_name(path.name.removesuffix(".open"))
    sealed.unlink()
    for cut in (1, 50, len(whole) // 2, len(whole) - 3):
        path.write_bytes(whole[:cut])
        seal_open_files(tmp_path / "warc")
        assert sealed.exists() == (cut > 400)
        if sealed.exists():
            assert 1 <= count_records(sealed) <= 6
            sealed.unlink()
        assert not path.exists()


@pytest.mark.parametrize(
    "asked",
    [
        "https://blog.example/caf%C3%A9/#part",
        "http://blog.example/caf%c3%a9/",
        "https://BLOG.example:443/café/",
    ],
)
def test_look_up_knows_other_spellings(tmp_path: Path, asked: str) -> None:
    warc = writer(tmp_path)
    warc.write(exchange("https://blog.example/caf%C3%A9/"))
    warc.close()
    assert WarcReader([tmp_path]).find(asked)


def test_a_slash_at_the_end_is_another_address(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.close()
    assert WarcReader([tmp_path]).find(URL.rstrip("/")) is None


def test_a_good_response_wins_over_a_failed_one(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange(body=b"good"))
    warc.write(exchange(body=b"gone", status=503))
    warc.write(exchange(body=b"moved", status=301))
    warc.close()
    reader = WarcReader([tmp_path])
    ref = reader.find(URL)
    assert ref
    assert reader.response(ref)[1].content == b"good"


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wacz_is_read_through(tmp_path: Path, packing: int) -> None:
    warc = writer(tmp_path)
    for number in range(3):
        warc.write(exchange(f"{URL}{number}", b"<h1>%d</h1>" % number))
    warc.close()
    (path,) = (tmp_path / "warc").rglob("*.warc.gz")
    with zipfile.ZipFile(tmp_path / "a.wacz", "w", packing) as box:
        box.writestr("pages/pages.jsonl", "{}")
        box.write(path, "archive/data.warc.gz")
        box.writestr("datapackage.json", "{}")
    reader = WarcReader([tmp_path / "a.wacz"])
    for number in (2, 0, 1):
        ref = reader.find(f"{URL}{number}")
        assert ref
        assert reader.response(ref)[1].content == b"<h1>%d</h1>" % number


def test_damage_loses_only_what_comes_after_it(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.close()
    (path,) = (tmp_path / "warc").rglob("*.warc.gz")
    path.write_bytes(path.read_bytes() + b"garbage" * 10)
    assert WarcReader([path]).find(URL)


def test_nothing_to_read_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No \.warc"):
        WarcReader([tmp_path])
    with pytest.raises(UsageError, match="no file or folder"):
        WarcReader([tmp_path / "missing"])


NO_ADDRESS = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999\r\n\r\nHTTP/1.1 200"


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.wacz"])
@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 999, b"PK\x03\x04" * 99, b"\x1f\x8b\x08\0" * 99, NO_ADDRESS, gzip.compress(NO_ADDRESS, mtime=0)[:60]],
    ids=["empty", "NULs", "half a zip", "half a gzip", "no address", "cut short"],
)
def test_a_file_that_is_no_archive_holds_nothing(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert WarcReader([tmp_path / name]).find(URL) is None


def test_any_damage_to_a_file_leaves_what_can_still_be_read(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(exchange())
    warc.close()
    whole = next((tmp_path / "warc").rglob("*.warc.gz")).read_bytes()
    rnd, place = random.Random(7), tmp_path / "damaged.warc.gz"
    for _ in range(60):
        data = bytearray(whole[: rnd.randrange(len(whole))] if rnd.random() < 0.3 else whole)
        for _ in range(rnd.randrange(4) if data else 0):
            data[rnd.randrange(len(data))] = rnd.randrange(256)
        place.write_bytes(bytes(data))
        reader = WarcReader([place])
        if (ref := reader.find(URL)) is not None:
            with suppress(ArchiveError):
                reader.response(ref)


def test_a_response_that_was_cut_never_stands_for_a_whole_one(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    whole, later = exchange(), datetime(2026, 5, 5, tzinfo=UTC)
    kept = warc.write(whole)
    cut = replace(whole, body=b"<h1>H", truncated="length", captured=later)
    warc.write(cut)
    only = warc.write(replace(cut, url=f"{URL}2", truncated="disconnect"))
    wrong_length = warc.write(replace(cut, url=f"{URL}3", truncated="disconnect", body=b"<html></html>\n"))
    warc.close()
    reader = WarcReader([tmp_path / "warc"], tmp_path)
    assert (reader.find(URL), reader.captures(URL)) == (kept, [kept])
    assert (reader.find(f"{URL}2"), reader.captures(f"{URL}2")) == (only, [])
    assert reader.captures(f"{URL}3") == [wrong_length]
    replayed = ReplayFetcher(reader)
    failure = replayed.answer(reader, Ask(f"{URL}2", "entry")).failure
    assert failure
    assert failure.reason == "cut off"
    assert replayed.answer(reader, Ask(f"{URL}3", "entry")).page


def test_a_replay_answers_another_spelling_of_an_address_as_its_server_would(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    warc.write(replace(exchange(), url="http://www.blog.example/2017/05/a-post/"))
    warc.close()
    reader = WarcReader([tmp_path / "warc"], tmp_path)
    for asked in ("http://www.blog.example/2017/05/a-post", "http://blog.example/2017/05/a-post"):
        answer = ReplayFetcher(reader).answer(reader, Ask(asked, "entry"))
        assert (answer.status, answer.location) == (301, "http://www.blog.example/2017/05/a-post/")
        # A crawl of ours that is gone through again had an answer to everything: this was none.
        assert ReplayFetcher(reader, whole=True).answer(reader, Ask(asked, "entry")).status == 404
    assert ReplayFetcher(reader).answer(reader, Ask("http://www.blog.example/2017/05/", "entry")).status == 404
