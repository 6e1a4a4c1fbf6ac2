"""What every store of blobs does: a folder, and storage that speaks S3 (moto's server, over HTTP)."""

from __future__ import annotations

import hashlib
from io import SEEK_END
from pathlib import Path

import pytest

from blogforever.errors import ArchiveError, BlobsAway, UsageError
from blogforever.storage.blobs import Blob, Blobs
from blogforever.store.blobplace import blobs_at, blobs_of, settle_blobs
from blogforever.store.diskblobs import DiskBlobs
from blogforever.store.s3blobs import S3Blobs
from server.objectstore import door, new_bucket, use_store

NAME = "warc/some.blog/20260101000000-0000.warc.gz"
CONTENT = bytes(range(256)) * 5000


@pytest.fixture(params=["disk", "s3", "versioned"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Blobs:
    if request.param == "disk":
        place = tmp_path / "store"
        place.mkdir()
        return DiskBlobs(place)
    use_store(monkeypatch)
    return S3Blobs(new_bucket(versions=request.param == "versioned"), "some/prefix")


def put(blobs: Blobs, tmp_path: Path, name: str = NAME, content: bytes = CONTENT) -> str:
    path = tmp_path / "sent"
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    assert blobs.put(name, path, digest) == 0
    return digest


def test_what_was_put_is_there_and_comes_back(blobs: Blobs, tmp_path: Path) -> None:
    digest = put(blobs, tmp_path)
    assert blobs.find(NAME) == Blob(NAME, len(CONTENT), digest)
    blobs.get(NAME, tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == CONTENT


def test_a_part_of_it_is_read_from_any_place(blobs: Blobs, tmp_path: Path) -> None:
    put(blobs, tmp_path)
    with blobs.open(NAME, len(CONTENT)) as file:
        file.seek(1_000_000)
        assert file.read(300) == CONTENT[1_000_000:1_000_300]
        file.seek(0)
        assert file.read(3) == CONTENT[:3]
        assert file.read() == CONTENT[3:]
        assert file.read() == b""
        file.seek(-5, SEEK_END)
        assert file.read(99) == CONTENT[-5:]


def test_names_come_in_order_and_only_those_asked_for(blobs: Blobs, tmp_path: Path) -> None:
    names = ["warc/b.blog/2.warc.gz", "warc/a.blog/1.warc.gz", "journal/_archive.jsonl"]
    for name in names:
        put(blobs, tmp_path, name, b"some")
    assert list(blobs.names("")) == sorted(names)
    assert list(blobs.names("warc/a")) == ["warc/a.blog/1.warc.gz"]


def test_what_is_replaced_is_gone(blobs: Blobs, tmp_path: Path) -> None:
    put(blobs, tmp_path, content=b"with a name in it")
    digest = put(blobs, tmp_path, content=b"without")
    assert blobs.find(NAME) == Blob(NAME, 7, digest)
    if isinstance(blobs, S3Blobs):
        assert versions(blobs) == 1


def test_what_is_removed_is_gone(blobs: Blobs, tmp_path: Path) -> None:
    put(blobs, tmp_path)
    assert blobs.remove(NAME) == 0
    assert blobs.remove("warc/never.blog/was.warc.gz") == 0
    assert blobs.find(NAME) is None
    assert list(blobs.names("")) == []
    if isinstance(blobs, S3Blobs):
        assert versions(blobs) == 0


def test_what_is_not_there_is_said_to_be_not_there(blobs: Blobs, tmp_path: Path) -> None:
    assert blobs.find(NAME) is None
    with pytest.raises(FileNotFoundError):
        blobs.get(NAME, tmp_path / "back")
    with pytest.raises(FileNotFoundError), blobs.open(NAME, 1) as file:
        file.read(1)


def test_what_is_sent_must_be_what_is_meant(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "sent").write_bytes(CONTENT)
    blobs = DiskBlobs(tmp_path / "store")
    with pytest.raises(BlobsAway, match="did not keep"):
        blobs.put(NAME, tmp_path / "sent", hashlib.sha256(b"other").hexdigest())
    assert list(blobs.names("")) == []


def test_large_files_go_in_parts_and_are_verified_by_the_digest_of_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_store(monkeypatch)
    blobs = S3Blobs(new_bucket(), "")
    content = bytes(40_000_000)
    digest = put(blobs, tmp_path, content=content)
    head = blobs._head(NAME)
    assert head
    assert head["ETag"].strip('"').endswith("-3")
    assert blobs.find(NAME) == Blob(NAME, len(content), digest)


def test_a_store_that_is_away_is_said_to_be_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BlobsAway, match="no such folder"):
        DiskBlobs(tmp_path / "nowhere").find(NAME)
    with door() as entry:
        use_store(monkeypatch, entry.port)
        blobs = S3Blobs(new_bucket(), "")
        entry.shut = True
        with pytest.raises(BlobsAway) as told:
            blobs.find(NAME)
        assert "a-word-nobody-may-read" not in str(told.value)
        entry.shut = False
        assert blobs.find(NAME) is None


def test_a_bucket_that_is_not_there_is_trouble_and_no_empty_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_store(monkeypatch)
    path = tmp_path / "sent"
    path.write_bytes(CONTENT)
    with pytest.raises(BlobsAway):
        S3Blobs("no-such-bucket", "").put(NAME, path, hashlib.sha256(CONTENT).hexdigest())


def test_an_upload_cut_in_the_middle_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with door() as entry:
        use_store(monkeypatch, entry.port)
        blobs = S3Blobs(new_bucket(), "")
        path = tmp_path / "sent"
        path.write_bytes(CONTENT)
        entry.cutting = len(CONTENT) // 2
        with pytest.raises(BlobsAway):
            blobs.put(NAME, path, hashlib.sha256(CONTENT).hexdigest())
        assert entry.cuts
        entry.cutting = None
        assert blobs.find(NAME) is None
        put(blobs, tmp_path)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "bucket",
        "s3://",
        "http://host/x",
        "file://",
        "file:///",
        "s3://[",
        "s3://key:word@bucket/x",
        "s3://b/\0",
        "s3://" + "b" * 2000,
    ],
)
def test_what_is_no_address_of_a_store_is_wrong_usage_and_not_repeated_with_what_opens_it(address: str) -> None:
    with pytest.raises(UsageError) as told:
        blobs_at(address)
    assert "word@" not in str(told.value)


def test_a_folder_remembers_one_store(tmp_path: Path) -> None:
    settle_blobs(tmp_path, "s3://bucket/some/prefix")
    settle_blobs(tmp_path, "s3://bucket/some/prefix/")
    found = blobs_of(tmp_path)
    assert found
    assert found.address == "s3://bucket/some/prefix"
    with pytest.raises(ArchiveError, match="not in s3://other"):
        settle_blobs(tmp_path, "s3://other")


def versions(blobs: S3Blobs) -> int:
    return len(blobs._versions(f"some/prefix/{NAME}"))
