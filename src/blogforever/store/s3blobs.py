"""Blobs in storage that speaks S3, through s3fs: the one module that knows it.

Who may use the bucket stands where every program of this kind looks: in the environment
(AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_ENDPOINT_URL ...), in ~/.aws, or with the machine. Nothing of
it is read, kept or shown here.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import IO, Any

from blogforever.errors import BlobsAway, UsageError, in_one_line
from blogforever.logs import logger
from blogforever.storage.blobs import Blob

from .fixity import CHUNK

NO_LIBRARY = "Storage that speaks S3 needs a library that is not installed: pip install 'blogforever[s3]'."
# Bytes of a part of what is sent in parts; s3fs sends what is smaller than two of them as one.
PART = 16 * 1024 * 1024
# Bytes that are fetched at a time where one record of a file is read: nearly every page is smaller.
BLOCK = 1 << 20
# Seconds: a store that does not answer must not keep a crawl for long; a part may take its time.
CONNECT, READ = 5, 60
# Tries before a file waits for the next occasion.
TRIES = 2
# The digest stands with the object, for who has lost everything else.
DIGEST = "sha256"
OPENS = re.compile(r"//[^/@\s]*@")
log = logger("store")


class S3Blobs:
    """Keeps each blob as an object below a prefix of a bucket."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket, self._prefix = bucket, f"{prefix.strip('/')}/".lstrip("/")

    @property
    def address(self) -> str:
        """Bucket and prefix."""
        return f"s3://{self._bucket}/{self._prefix}".rstrip("/")

    def put(self, name: str, path: Path, sha256: str) -> int:
        """Send a file until the store has it as it is; what it had before goes, with its versions."""
        expected = etag_of(path)
        for _ in range(TRIES):
            with self._reached():
                self._files.put_file(str(path), self._path(name), chunksize=PART, Metadata={DIGEST: sha256})
                if self._is_kept(name, path.stat().st_size, expected, sha256):
                    return self._drop_versions(name, but_latest=True)
            log.warning("%s did not keep %s as it was sent; it is sent again", self.address, name)
        raise BlobsAway(f"{self.address} did not keep {name} as it was sent.")

    def get(self, name: str, path: Path) -> None:
        """Fetch the whole object."""
        with self._reached():
            self._files.get_file(self._path(name), str(path))

    @contextmanager
    def open(self, name: str, size: int) -> Iterator[IO[bytes]]:
        """Fetch some bytes at a time: one request for most records. A file of s3fs would ask for
        the head of the object first.
        """
        with io.BufferedReader(_ObjectReader(partial(self._bytes, name), size), BLOCK) as file:
            yield file

    def _bytes(self, name: str, start: int, end: int) -> bytes:
        with self._reached():
            data: bytes = self._files.cat_file(self._path(name), start=start, end=end)
            return data

    def find(self, name: str) -> Blob | None:
        """What the head of the object says."""
        head = self._head(name)
        return Blob(name, head["ContentLength"], head.get("Metadata", {}).get(DIGEST, "")) if head else None

    def names(self, prefix: str) -> Iterator[str]:
        """List what is below the prefix."""
        below = len(f"{self._bucket}/{self._prefix}")
        with self._reached():
            paths = self._files.find(f"{self._bucket}/{self._prefix}")
        yield from sorted(name for path in paths if (name := path[below:]).startswith(prefix))

    def remove(self, name: str) -> int:
        """Delete the object, and where the bucket keeps versions, these, too."""
        with self._reached():
            self._files.call_s3("delete_object", Bucket=self._bucket, Key=self._prefix + name)
            return self._drop_versions(name, but_latest=False)

    def _head(self, name: str) -> dict[str, Any] | None:
        with self._reached(), suppress(FileNotFoundError):
            found: dict[str, Any] = self._files.call_s3("head_object", Bucket=self._bucket, Key=self._prefix + name)
            return found
        return None

    def _is_kept(self, name: str, size: int, etag: str, sha256: str) -> bool:
        """Whether the object is what was sent: by the digest of its bytes that the store made, or,
        where that is made otherwise (as with keys of one's own), by reading it back.
        """
        head = self._head(name)
        if head is None or head["ContentLength"] != size:
            return False
        return head.get("ETag", "").strip('"') == etag or self._digest(name, size) == sha256

    def _digest(self, name: str, size: int) -> str:
        digest = hashlib.sha256()
        with self.open(name, size) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def _drop_versions(self, name: str, but_latest: bool) -> int:
        """Delete earlier versions of an object, or all; how many the store keeps nevertheless."""
        if not self._has_versions:
            return 0
        key, kept = self._prefix + name, 0
        for one in self._versions(key):
            if but_latest and one["IsLatest"]:
                continue
            try:
                self._files.call_s3("delete_object", Bucket=self._bucket, Key=key, VersionId=one["VersionId"])
            except PermissionError:
                kept += 1
        return kept

    def _versions(self, key: str) -> list[dict[str, Any]]:
        said = self._files.call_s3("list_object_versions", Bucket=self._bucket, Prefix=key)
        found = [*said.get("Versions", ()), *said.get("DeleteMarkers", ())]
        return [one for one in found if one["Key"] == key]

    @cached_property
    def _has_versions(self) -> bool:
        """Whether the bucket keeps what is replaced; who may not ask takes it that it does."""
        try:
            return bool(self._files.call_s3("get_bucket_versioning", Bucket=self._bucket).get("Status"))
        except PermissionError:
            return True

    def _path(self, name: str) -> str:
        return f"{self._bucket}/{self._prefix}{name}"

    @cached_property
    def _files(self) -> Any:
        try:
            import s3fs  # noqa: PLC0415  seldom needed, and may be missing
        except ModuleNotFoundError as error:
            raise UsageError(NO_LIBRARY) from error
        limits = {"connect_timeout": CONNECT, "read_timeout": READ, "retries": {"max_attempts": 1}}
        return s3fs.S3FileSystem(config_kwargs=limits, use_listings_cache=False, skip_instance_cache=True)

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Whatever the library raises as one sentence that says where; never with what opens the bucket."""
        try:
            yield
        except (FileNotFoundError, UsageError, BlobsAway) as error:
            if isinstance(error, FileNotFoundError) and "specified bucket" in str(error):
                raise BlobsAway(f"{self.address} cannot be used: there is no such bucket.") from error
            raise
        except Exception as error:
            # An endpoint may be written with a name and a password before its host.
            said = OPENS.sub("//", in_one_line(error)).rstrip(".")
            raise BlobsAway(f"{self.address} cannot be used: {said}.") from error


class _ObjectReader(io.RawIOBase):
    """An object of which ranges of bytes are read."""

    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        super().__init__()
        self._read, self._size, self._place = read, size, 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def seekable(self) -> bool:
        """From any place."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        beginning = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, beginning + offset)
        return self._place

    def tell(self) -> int:
        """Where it is."""
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Read what fits."""
        end = min(self._place + len(buffer), self._size)
        if self._place >= end:
            return 0
        data = self._read(self._place, end)
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)


def etag_of(path: Path) -> str:
    """The digest that a store makes of an object as we send it: MD5 of its bytes, or of the MD5 of its parts."""
    size = path.stat().st_size
    if size < 2 * PART:
        return str(_md5(path, 0, size).hexdigest())
    parts = [_md5(path, start, PART).digest() for start in range(0, size, PART)]
    return f"{hashlib.md5(b''.join(parts), usedforsecurity=False).hexdigest()}-{len(parts)}"


def _md5(path: Path, start: int, length: int) -> Any:
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        file.seek(start)
        while length > 0 and (chunk := file.read(min(CHUNK, length))):
            digest.update(chunk)
            length -= len(chunk)
    return digest
