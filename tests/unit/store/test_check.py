"""`verify` names what is wrong, and nothing else."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from blogforever.protocols import Exchange
from blogforever.store.cdxj import read_index
from blogforever.store.check import Counts, Damage, check_archive
from blogforever.store.database import open_database
from blogforever.store.folder import ArchiveFolder
from server.somerecords import some_post

URLS = [f"https://b.example/{n}" for n in range(6)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A finished crawl of six pages, two of them posts."""
    with ArchiveFolder(tmp_path, writing=True) as folder:
        run, _ = folder.store.runs.open("b")
        record = folder.recorder("b", run, {"software": "test"})
        refs = [
            record(
                Exchange(url, "GET", (), 200, "OK", (("Content-Type", "text/html"),), b"<p>" * 500, datetime.now(UTC))
            )
            for url in URLS
        ]
        for number in range(2):
            source = {"record_id": refs[number].record_id, "url": URLS[number], "digest": refs[number].digest}
            post = some_post(id=f"p{number}", url=URLS[number], title="t", published="2020", sources=[source])
            folder.store.posts.keep(run, post)
        folder.store.runs.close(run, "finished")
    return tmp_path


def findings(folder: Path) -> list[Damage]:
    with ArchiveFolder(folder, writing=False) as archive:
        return list(check_archive(archive, Counts()))


def damage(folder: Path) -> str:
    return "\n".join(finding.sentence for finding in findings(folder) if finding.damage)


def warc(folder: Path) -> Path:
    (path,) = (folder / "warc/b").glob("*.warc.gz")
    return path


def statement(folder: Path, sql: str) -> None:
    engine = open_database(folder / "archive.db")
    with engine.begin() as connection:
        connection.execute(text("PRAGMA foreign_keys=OFF"))
        connection.execute(text(sql))
    engine.dispose()


def places(folder: Path) -> Iterator[int]:
    yield from sorted(line.offset for line in read_index(folder / "indexes/b.cdxj"))


def test_a_sound_archive_has_no_finding(archive: Path) -> None:
    counts = Counts()
    with ArchiveFolder(archive, writing=False) as folder:
        assert list(check_archive(folder, counts)) == []
    assert (counts.files, counts.records, counts.indexes, counts.posts) == (1, 13, 1, 2)


def test_a_torn_end_is_told(archive: Path) -> None:
    path = warc(archive)
    path.write_bytes(path.read_bytes()[:-20])
    assert "ends in the middle of a record" in damage(archive)


def test_a_flipped_bit_is_told_with_its_place_and_the_rest_is_still_checked(archive: Path) -> None:
    path = warc(archive)
    data = bytearray(path.read_bytes())
    third = list(places(archive))[2]
    data[third + 60] ^= 0xFF
    path.write_bytes(data)
    told = damage(archive)
    assert f"at byte {third:,}" in told
    assert "ends in the middle" not in told
    assert told.count("has a response at byte") <= 1


def test_a_changed_body_is_told_by_its_digest(archive: Path) -> None:
    path = warc(archive)
    data, offset = path.read_bytes(), next(places(archive))
    length = next(line.length for line in read_index(archive / "indexes/b.cdxj") if line.offset == offset)
    record = gzip.decompress(data[offset : offset + length]).replace(b"<p><p>", b"<q><q>")
    packed = gzip.compress(record, 1)
    path.write_bytes(data[:offset] + packed + data[offset + length :])
    assert "digest" in damage(archive)


def test_junk_between_records_is_told(archive: Path) -> None:
    path = warc(archive)
    path.write_bytes(path.read_bytes() + gzip.compress(b"no record at all"))
    assert "is damaged" in damage(archive)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM captures WHERE url LIKE '%/3'", "does not know 1 of the responses"),
        ('UPDATE captures SET "offset" = "offset" + 1 WHERE url LIKE \'%/3\'', "has a response at byte"),
        ("UPDATE captures SET digest = 'sha1:X' WHERE url LIKE '%/3'", "another than the database says"),
        ("UPDATE captures SET file = 'warc/b/gone.warc.gz' WHERE url LIKE '%/3'", "gone.warc.gz, which is not there"),
        ("UPDATE posts SET record = '{' WHERE id = 'p1'", "record of the post p1 cannot be read"),
        ("UPDATE posts SET record = replace(record, 'urn:uuid:', 'urn:none:')", "was made from <urn:none:"),
        ("DELETE FROM runs", "belongs to nothing in runs"),
        ("DELETE FROM addresses WHERE post = 'p1'", "post p1 is not found by its own addresses"),
        ("UPDATE addresses SET url = url || '?' WHERE post = 'p0'", "post p0 is not found by its own addresses"),
        ("INSERT INTO tallies VALUES ('jobs', 'update', 'done', 7)", "numbers of rows in jobs are not what is there"),
        ("INSERT INTO addresses VALUES ('p9', 'u', 'b', 'u')", "addresses of the post p9, which is not there"),
    ],
)
def test_a_database_that_disagrees_is_told(archive: Path, sql: str, words: str) -> None:
    statement(archive, sql)
    if "'{'" in sql:
        with ArchiveFolder(archive, writing=False) as folder:
            first = next(iter(check_archive(folder, Counts())))
        assert words in first.sentence
    else:
        assert words in damage(archive)


def test_an_index_that_disagrees_is_told(archive: Path) -> None:
    index = archive / "indexes/b.cdxj"
    lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
    index.write_text("".join(reversed(lines)), encoding="utf-8")
    assert "is not in order" in damage(archive)
    index.write_text("".join(lines[:-1]), encoding="utf-8")
    assert "disagree on 1 responses" in damage(archive)
    index.unlink()
    assert damage(archive) == ""
    assert "not in the index yet" in findings(archive)[0].sentence


def test_a_missing_file_is_told(archive: Path) -> None:
    warc(archive).unlink()
    told = damage(archive)
    assert "which is not there" in told
    assert "was made from" in told


def test_an_interrupted_crawl_is_no_damage(archive: Path) -> None:
    with ArchiveFolder(archive, writing=True) as folder:
        folder.store.runs.open("b")
    (archive / "warc/b/20990101000000-0000.warc.gz.open").write_bytes(b"\x1f\x8b")
    told = findings(archive)
    assert not [finding for finding in told if finding.damage]
    assert any("interrupted" in finding.sentence for finding in told)
    assert any("still open" in finding.sentence for finding in told)


def test_what_a_crash_kept_from_the_database_is_told_to_it_later(archive: Path) -> None:
    statement(archive, "DELETE FROM captures")
    (archive / "indexes/b.cdxj").unlink()
    with ArchiveFolder(archive, writing=True) as folder:
        run, _ = folder.store.runs.open("b")
        folder.recorder("b", run, {})
        folder.store.runs.close(run, "finished")
    assert findings(archive) == []


def test_a_file_that_changed_after_it_was_written_is_found(archive: Path) -> None:
    (path,) = (archive / "warc").rglob("*.warc.gz")
    assert (path.parent / "manifest-sha256.txt").read_text(encoding="utf-8").endswith(f"  {path.name}\n")
    whole = path.read_bytes()
    path.write_bytes(whole + gzip.compress(b""))
    assert "has changed since it was written" in damage(archive)
    path.write_bytes(whole)
    assert damage(archive) == ""
    path.unlink()
    assert "was written and is not there" in damage(archive)
