"""An archive whose bytes lie in a bucket: moto's server over HTTP, real crawls, a real PostgreSQL."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive, open_shared
from blogforever.care.decisions import Decision
from blogforever.cli import run
from blogforever.protocols import Ref
from blogforever.store import mirror
from blogforever.store.catalogue import Sealed
from blogforever.store.fixity import digest_of
from blogforever.store.journal import moment
from server import talkblog
from server.blogserver import serve_answers
from server.objectstore import client, door, new_bucket, use_store
from server.postgres import bare_database
from server.talkblog import POSTS, path, tale

pytestmark = pytest.mark.long

CRAWL = ("--allow-private", "--delay", "0")


@pytest.fixture(autouse=True)
def no_copies_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the store has is not kept here as well."""
    monkeypatch.setattr(mirror, "ROOM", 0)
    use_store(monkeypatch)


@pytest.fixture
def site() -> Iterator[str]:
    with serve_answers(talkblog.answers("")) as server:
        yield server.base


def call(archive: Path, *arguments: str, code: int = 0) -> None:
    assert run([*arguments, "--archive", str(archive)]) == code


def crawled(site: str, archive: Path, bucket: str) -> Path:
    call(archive, "crawl", site, *CRAWL, "--blobs", f"s3://{bucket}/kept")
    return archive


def objects(bucket: str) -> dict[str, bytes]:
    """Everything in a bucket, every version of it, as it can be read."""
    said = client().list_object_versions(Bucket=bucket)
    found = {}
    for one in said.get("Versions", ()):
        body = client().get_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])["Body"].read()
        found[f"{one['Key']} {one['VersionId']}"] = gzip.decompress(body) if one["Key"].endswith(".gz") else body
    return found


def warcs(folder: Path) -> list[Path]:
    return list((folder / "warc").rglob("*.warc.gz*"))


def blog_in(folder: Path) -> str:
    with open_archive(folder, writing=False) as archive:
        return archive.library.blogs()[0].id


def posts(folder: Path) -> list[str]:
    with open_archive(folder, writing=False) as archive:
        return sorted(post.url for blog in archive.library.blogs() for post in archive.library.posts(blog.id))


def page(folder: Path, url: str, blog: str = "") -> bytes:
    """What is kept of an address, as who looks at archived pages gets it."""
    with open_archive(folder, writing=False) as archive:
        blog = blog or archive.library.blogs()[0].id
        index = archive.index(blog)
        assert index
        line = index.find(url)[-1]
        index.close()
        return archive.reader().response(Ref(f"warc/{blog}/{line.file}", line.offset))[1].content


def test_a_crawl_ends_in_the_bucket_and_everything_is_read_from_there(
    tmp_path: Path, site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bucket = new_bucket()
    archive = crawled(site, tmp_path / "archive", bucket)
    assert warcs(archive) == []
    kinds = {name.split("/")[1] for name in objects(bucket)}
    assert kinds >= {"warc", "indexes", "rules"}
    assert tale(1)[2].encode() in page(archive, site + path(1))
    call(archive, "crawl", site, *CRAWL)
    call(archive, "reextract")
    call(archive, "export", "--format", "wacz", str(tmp_path / "all.wacz"))
    capsys.readouterr()
    call(archive, "verify")
    assert "a-word-nobody-may-read" not in "".join(capsys.readouterr())
    assert warcs(archive) == []
    assert "a-word-nobody-may-read" not in (archive / "archive.blobs").read_text(encoding="utf-8")


def test_an_archive_that_was_in_its_folder_is_sent(
    tmp_path: Path, site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, bucket = tmp_path / "archive", new_bucket()
    call(archive, "crawl", site, *CRAWL)
    before = posts(archive)
    assert warcs(archive)
    capsys.readouterr()
    call(archive, "archive", "send", "--blobs", f"s3://{bucket}", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["sent"] > 0
    assert told["waiting"] == 0
    assert warcs(archive) == []
    assert posts(archive) == before
    call(archive, "verify")


def test_a_backup_has_what_the_bucket_has_and_an_archive_is_made_of_either(tmp_path: Path, site: str) -> None:
    bucket = new_bucket()
    archive = crawled(site, tmp_path / "archive", bucket)
    call(archive, "backup", str(tmp_path / "backup"))
    assert list((tmp_path / "backup/warc").rglob("*.warc.gz"))
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "again")]) == 0
    assert posts(tmp_path / "again") == posts(archive)
    # The machine and its database are lost: all that is left is the bucket.
    assert run(["restore", "--archive", str(tmp_path / "other"), "--blobs", f"s3://{bucket}/kept"]) == 0
    assert posts(tmp_path / "other") == posts(archive)
    call(tmp_path / "other", "verify")


def test_what_is_erased_is_in_no_version_of_any_object(tmp_path: Path, site: str) -> None:
    bucket = new_bucket(versions=True)
    archive = crawled(site, tmp_path / "archive", bucket)
    word = tale(3)[2].encode()
    assert any(word in body for body in objects(bucket).values())
    call(archive, "suppress", site + path(3), "--erase", "--reason", "asked")
    assert [name for name, body in objects(bucket).items() if word in body] == []
    call(archive, "verify")
    call(archive, "forget", blog_in(archive), "--reason", "asked")
    assert {name.split("/")[1] for name in objects(bucket)} <= {"journal"}


def test_a_store_that_is_away_keeps_no_crawl_and_loses_nothing(
    tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bucket, archive = new_bucket(), tmp_path / "archive"
    with door() as entry:
        use_store(monkeypatch, entry.port)
        entry.shut = True
        crawled(site, archive, bucket)
        assert warcs(archive)
        assert len(posts(archive)) == POSTS
        capsys.readouterr()
        call(archive, "doctor", code=4)
        said = capsys.readouterr().out
        assert "wait since" in said
        assert "cannot be used" in said
        call(archive, "archive", "send", code=4)
        entry.shut = False
        capsys.readouterr()
        call(archive, "verify")
        assert "wait since" in capsys.readouterr().out
        call(archive, "archive", "send")
    use_store(monkeypatch)
    assert warcs(archive) == []
    call(archive, "verify")


def test_an_upload_that_is_cut_is_repeated_and_nothing_goes_before_it_is_there(
    tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket, archive = new_bucket(), tmp_path / "archive"
    with door() as entry:
        use_store(monkeypatch, entry.port)
        # More than the heads of a request, and less than any WARC file.
        entry.cutting = 3000
        crawled(site, archive, bucket)
        assert entry.cuts
        kept = warcs(archive)
        assert kept
        assert not [name for name in objects(bucket) if ".warc.gz" in name]
        entry.cutting = None
        call(archive, "crawl", site, *CRAWL)
    use_store(monkeypatch)
    assert warcs(archive) == []
    assert {name.split()[0].rpartition("/")[2] for name in objects(bucket)} >= {path.name for path in kept}
    call(archive, "verify")


@pytest.mark.parametrize("name", ["rules/{}.json", "journal/{}.jsonl", "indexes/{}.cdxj", "journal/_archive.jsonl"])
def test_what_waits_without_a_warc_file_is_sent_as_well(tmp_path: Path, site: str, name: str) -> None:
    bucket, folder = new_bucket(), tmp_path / "archive"
    crawled(site, folder, bucket)
    file = folder / name.format(blog_in(folder))
    with open_archive(folder, writing=True) as archive:
        assert archive.mirror
        file.parent.mkdir(exist_ok=True)
        with file.open("a") as end:
            end.write("\n")
        archive.mirror.list.wait([Sealed(file.relative_to(folder).as_posix(), file.stat().st_size, digest_of(file))])
    with open_archive(folder, writing=False) as archive:
        assert archive.mirror
        assert archive.mirror.list.waiting() == []


def test_two_machines_share_a_database_and_a_bucket(tmp_path: Path) -> None:
    bucket, one, two = new_bucket(), tmp_path / "one", tmp_path / "two"
    with bare_database("shared_blobs") as url, serve_answers(talkblog.answers("")) as first:
        where = ("--database", url.render_as_string(), "--blobs", f"s3://{bucket}/kept")
        call(one, "crawl", first.base, *CRAWL, *where)
        with serve_answers(talkblog.answers("<p>elsewhere</p>"), host="localhost") as second:
            call(two, "crawl", second.base, *CRAWL, *where)
        assert posts(one) == posts(two)
        assert len(posts(one)) == 2 * POSTS
        # What one decides holds for the other at once; what one writes the other goes on with.
        with open_archive(one, writing=True) as mine, open_archive(two, writing=False) as yours:
            names = {record.id for record in yours.library.blogs()}
            blog = next(name for name in names if name.startswith("127"))
            mine.decide(Decision(moment(), "note", blog, text="seen on both", reason="both"))
            assert [each.text for each in yours.journal.decisions()] == ["seen on both"]
            assert any(tale(1)[2] in post.text for post in yours.library.posts(blog))
        assert tale(1)[2].encode() in page(two, first.base + path(1), blog)
        call(two, "crawl", first.base, *CRAWL)
        call(one, "reextract", blog)
        for folder in (one, two):
            assert warcs(folder) == []
            call(folder, "verify")
        with open_shared(url.render_as_string(), f"s3://{bucket}/kept", tmp_path / "three", writing=False) as third:
            assert {record.id for record in third.library.blogs()} == names
            assert next(each.text for each in third.journal.decisions()) == "seen on both"
        # What is erased on one machine is in no copy of the other.
        call(two, "suppress", first.base + path(3), "--erase", "--reason", "asked")
        assert not [name for name, body in objects(bucket).items() if tale(3)[2].encode() in body and "127" in name]
        call(one, "verify")
