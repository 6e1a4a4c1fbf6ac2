"""A body that is kept already is not written again; whoever reads the later response gets it all the same."""

from __future__ import annotations

import gzip
import json
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy import text
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from blogforever.errors import ArchiveError
from blogforever.protocols import Exchange, Ref
from blogforever.store.check import Counts, check_archive
from blogforever.store.folder import ArchiveFolder
from blogforever.store.wacz import Collection, write_wacz
from blogforever.store.warc import count_records
from blogforever.store.warcreader import WarcReader

URL = "https://b.example/a"
BODY = b"<p>What was written here.</p>" * 40
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
HTML = (("Content-Type", "text/html; charset=utf-8"), ("ETag", '"one"'))


def exchange(url: str = URL, body: bytes = BODY, status: int = 200, hours: int = 0) -> Exchange:
    return Exchange(url, "GET", (), status, "", HTML, body, NOON + timedelta(hours=hours))


def crawl(folder: Path, *exchanges: Exchange) -> list[Ref]:
    """One finished run."""
    with ArchiveFolder(folder, writing=True) as archive:
        run, _ = archive.store.runs.open("b")
        record = archive.recorder("b", run, {"software": "test"})
        refs = [record(one) for one in exchanges]
        archive.store.runs.close(run, "finished")
    return refs


def kinds(folder: Path) -> list[str]:
    found = []
    for path in sorted((folder / "warc").rglob("*.warc.gz")):
        with path.open("rb") as file:
            found += [r.rec_type for r in ArchiveIterator(file) if r.rec_type in ("response", "revisit")]
    return found


def revisit(folder: Path) -> dict[str, str]:
    """The headers of the last revisit record."""
    for path in sorted((folder / "warc").rglob("*.warc.gz"), reverse=True):
        with path.open("rb") as file:
            found = [dict(r.rec_headers.headers) for r in ArchiveIterator(file) if r.rec_type == "revisit"]
            if found:
                return found[-1]
    raise AssertionError("no revisit")


def damage(folder: Path) -> list[str]:
    with ArchiveFolder(folder, writing=False) as archive:
        return [finding.sentence for finding in check_archive(archive, Counts())]


def test_the_same_body_again_is_a_revisit_that_reads_like_a_response(tmp_path: Path) -> None:
    first, second, other = crawl(tmp_path, exchange(), exchange(hours=1), exchange("https://b.example/b", hours=2))
    assert kinds(tmp_path) == ["response", "revisit", "revisit"]
    assert first.digest == second.digest == other.digest
    for ref, url, hour in ((second, URL, 1), (other, "https://b.example/b", 2)):
        status, page = WarcReader((), tmp_path).response(ref)
        assert (status, page.url, page.content) == (200, url, BODY)
        assert page.captured == NOON + timedelta(hours=hour)
    assert damage(tmp_path) == []


def test_a_revisit_names_what_it_repeats_in_every_way(tmp_path: Path) -> None:
    first, _ = crawl(tmp_path, exchange(), exchange("https://b.example/b"))
    found = revisit(tmp_path)
    assert found["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert (found["WARC-Refers-To"], found["WARC-Refers-To-Target-URI"]) == (first.record_id, URL)
    assert found["WARC-Refers-To-Date"] == "2026-01-02T12:00:00.000000Z"
    assert found["WARC-Payload-Digest"] == first.digest
    assert (found["WARC-Refers-To-Filename"], found["WARC-Refers-To-File-Offset"]) == (
        first.file.rpartition("/")[2],
        str(first.offset),
    )


def test_a_later_run_knows_the_bodies_of_the_earlier_ones(tmp_path: Path) -> None:
    crawl(tmp_path, exchange())
    (later,) = crawl(tmp_path, exchange(hours=30))
    assert kinds(tmp_path) == ["response", "revisit"]
    assert len(list((tmp_path / "warc/b").glob("*.warc.gz"))) == 2
    assert WarcReader((), tmp_path).response(later)[1].content == BODY
    assert damage(tmp_path) == []


def test_a_server_that_says_nothing_changed_leaves_the_earlier_page(tmp_path: Path) -> None:
    (first,) = crawl(tmp_path, exchange())
    unchanged = Exchange(
        URL,
        "GET",
        (("If-None-Match", '"one"'),),
        304,
        "",
        (("ETag", '"one"'), ("X-Now", "2")),
        b"",
        NOON,
        earlier=first,
    )
    (second,) = crawl(tmp_path, replace(unchanged, captured=NOON + timedelta(days=1)))
    (third,) = crawl(tmp_path, replace(unchanged, captured=NOON + timedelta(days=2), earlier=second))
    assert kinds(tmp_path) == ["response", "revisit", "revisit"]
    found = revisit(tmp_path)
    assert found["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
    assert found["WARC-Refers-To"] == first.record_id
    assert "WARC-Payload-Digest" not in found
    for ref, days in ((second, 1), (third, 2)):
        status, page = WarcReader((), tmp_path).response(ref)
        assert (status, page.content, ref.digest) == (200, BODY, first.digest)
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["x-now"] == "2"
        assert page.captured == NOON + timedelta(days=days)
    assert damage(tmp_path) == []


def test_a_304_that_nobody_can_trace_back_is_kept_as_it_is(tmp_path: Path) -> None:
    lost = Ref("warc/b/gone.warc.gz", 7)
    crawl(tmp_path, exchange(status=304, body=b""), replace(exchange(status=304, body=b""), earlier=lost))
    assert kinds(tmp_path) == ["response", "response"]


@pytest.mark.parametrize(
    "second",
    [
        exchange(status=404),
        exchange(status=301),
        replace(exchange(), truncated="length"),
        replace(exchange(), response_headers=(("Content-Type", "text/plain"),)),
    ],
    ids=["other status", "redirect", "truncated", "other type"],
)
def test_what_only_has_the_same_bytes_is_written_whole(tmp_path: Path, second: Exchange) -> None:
    crawl(tmp_path, exchange(), second)
    assert kinds(tmp_path) == ["response", "response"]


def test_empty_bodies_and_redirects_are_never_revisits(tmp_path: Path) -> None:
    crawl(tmp_path, exchange(body=b""), exchange(body=b""), exchange(status=302), exchange(status=302))
    assert set(kinds(tmp_path)) == {"response"}


def test_a_body_that_is_no_longer_there_is_written_again(tmp_path: Path) -> None:
    crawl(tmp_path, exchange())
    for path in (tmp_path / "warc/b").glob("*.warc.gz"):
        path.unlink()
    crawl(tmp_path, exchange(hours=1))
    assert kinds(tmp_path) == ["response"]


def test_verify_tells_of_a_revisit_without_its_original(tmp_path: Path) -> None:
    (first,) = crawl(tmp_path, exchange())
    (later,) = crawl(tmp_path, exchange(hours=1))
    (tmp_path / first.file).unlink()
    (tmp_path / "indexes/b.cdxj").unlink()
    assert any(f"repeats {first.record_id}, which is not there" in sentence for sentence in damage(tmp_path))
    with pytest.raises(ArchiveError, match="repeats an earlier one"):
        WarcReader((), tmp_path).response(later)
    assert WarcReader([tmp_path / "warc"]).find(URL) is None


def test_an_original_that_moved_is_found_by_its_name(tmp_path: Path) -> None:
    first, _ = crawl(tmp_path, exchange(), exchange("https://b.example/b"))
    path = tmp_path / first.file
    path.rename(path.with_name("renamed.warc.gz"))
    reader = WarcReader([tmp_path / "warc"])
    found = reader.find("https://b.example/b")
    assert found
    assert reader.response(found)[1].content == BODY


def test_the_newest_answer_counts_also_where_it_repeats_an_old_one(tmp_path: Path) -> None:
    crawl(tmp_path, exchange(), exchange(body=b"<p>changed</p>", hours=1), exchange(hours=2))
    reader = WarcReader([tmp_path / "warc"])
    found = reader.find(URL)
    assert found
    assert reader.response(found)[1].content == BODY
    crawl(tmp_path, exchange(body=b"<p>new</p>", hours=3))
    reader = WarcReader([tmp_path / "warc"])
    found = reader.find(URL)
    assert found
    assert reader.response(found)[1].content == b"<p>new</p>"


def test_a_wacz_with_revisits_is_read_through(tmp_path: Path) -> None:
    crawl(tmp_path / "a", exchange(), exchange("https://b.example/b"))
    crawl(tmp_path / "a", exchange("https://b.example/c"))
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as box:
        for path in (tmp_path / "a/warc/b").glob("*.warc.gz"):
            box.write(path, f"archive/{path.name}")
    reader = WarcReader([tmp_path / "a.wacz"])
    for name in "abc":
        found = reader.find(f"https://b.example/{name}")
        assert found
        assert reader.response(found)[1].content == BODY


def foreign(path: Path, gzip: bool, with_headers: bool) -> None:
    """A WARC as others write them: no record id, no place."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=gzip, warc_version="1.0")
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        date = {"WARC-Date": "2026-01-02T12:00:00Z"}
        first = writer.create_warc_record(
            URL, "response", payload=BytesIO(BODY), length=len(BODY), http_headers=http, warc_headers_dict=date
        )
        writer.write_record(first)
        digest = first.rec_headers.get_header("WARC-Payload-Digest") if with_headers else "sha1:unknown"
        again = writer.create_revisit_record(
            "https://b.example/b", digest, URL, "2026-01-02T12:00:00Z", http if with_headers else None
        )
        writer.write_record(again)


@pytest.mark.parametrize("with_headers", [True, False])
@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz"])
def test_revisits_that_others_wrote_are_resolved(tmp_path: Path, name: str, with_headers: bool) -> None:
    foreign(tmp_path / name, name.endswith("gz"), with_headers)
    reader = WarcReader([tmp_path / name])
    found = reader.find("https://b.example/b")
    assert found
    status, page = reader.response(found)
    assert (status, page.url, page.content) == (200, "https://b.example/b", BODY)


def test_what_was_written_before_a_kill_is_known_after_it(tmp_path: Path) -> None:
    """The rows of the database may lag behind the WARC, or be ahead of what a torn file still holds."""
    (first,) = crawl(tmp_path, exchange())
    with ArchiveFolder(tmp_path, writing=True) as archive, archive.engine.begin() as connection:
        connection.execute(text('UPDATE captures SET "offset" = 100000'))
    (later,) = crawl(tmp_path, exchange(hours=1))
    assert kinds(tmp_path) == ["response", "response"]
    assert WarcReader((), tmp_path).response(later)[1].content == BODY
    assert count_records(tmp_path / later.file) == 3
    assert count_records(tmp_path / first.file) == 3


def test_the_index_of_a_wacz_is_made_for_replay(tmp_path: Path) -> None:
    """No 304, which a browser can make nothing of, and addresses also with escapes as blogs write them."""
    (first,) = crawl(tmp_path, exchange("https://b.example/caf%C3%A9"))
    crawl(tmp_path, replace(exchange(status=304, body=b"", url="https://b.example/caf%C3%A9"), earlier=first))
    warcs = sorted((tmp_path / "warc/b").glob("*.warc.gz"))
    collection = Collection("b", "", None, "test", warcs, tmp_path / "indexes/b.cdxj")
    assert write_wacz(tmp_path / "b.wacz", collection, ()) == (0, 2)
    with zipfile.ZipFile(tmp_path / "b.wacz") as box:
        lines = gzip.decompress(box.read("indexes/index.cdx.gz")).decode().splitlines()
    found = [json.loads(line.split(" ", 2)[2]) for line in lines]
    assert [(line["url"], line["status"]) for line in found] == [
        ("https://b.example/caf%C3%A9", "200"),
        ("https://b.example/caf%c3%a9", "200"),
    ]
    assert lines == sorted(lines)
