"""The seam to where the bytes of an archive lie for good: WARC files, indexes, rules and journal as
named blobs.

A blob is one whole file under a name such as `warc/some.blog/20260101000000-0000.warc.gz`. Two
implementations pass tests/contract/test_blobs.py: a folder (store/diskblobs.py) and storage that
speaks S3 (store/s3blobs.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol


@dataclass(frozen=True, slots=True)
class Blob:
    """What is known of a file in the store; its SHA-256 in hexadecimal digits, empty where nobody wrote it down."""

    name: str
    size: int
    sha256: str


class Blobs(Protocol):
    """Whole files under names. Whatever keeps it from answering is a `BlobsAway`, a name that
    nobody gave a FileNotFoundError.
    """

    @property
    def address(self) -> str:
        """Where it is, as everybody may read it."""

    def put(self, name: str, path: Path, sha256: str) -> int:
        """Keep a file under a name, in place of what was there; when this returns it is there, byte
        by byte.

        How many earlier versions of it the store keeps nevertheless.
        """

    def get(self, name: str, path: Path) -> None:
        """Write a blob into a file."""

    def open(self, name: str, size: int) -> AbstractContextManager[IO[bytes]]:
        """A blob of this size to be read from any place, without all of it being fetched; one that
        is missing is noticed when it is read at the latest.
        """

    def find(self, name: str) -> Blob | None:
        """What is kept under a name."""

    def names(self, prefix: str) -> Iterator[str]:
        """All names that begin so, in their order."""

    def remove(self, name: str) -> int:
        """Keep nothing under a name, nor any earlier version; how many the store keeps nevertheless."""


@dataclass(frozen=True, slots=True)
class WaitingBlobs:
    """The files that are on one machine only: how many, since when the oldest waits, and why the
    one that was tried last could not be sent.
    """

    machine: str
    files: int
    bytes: int
    since: str
    error: str
