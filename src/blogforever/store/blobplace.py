"""Where the bytes of an archive are kept for good: in its folder, or in a store whose address
stands in archive.blobs.

As with archive.url, nothing in it opens anything: who may use a bucket is found in the environment
or in ~/.aws.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from blogforever.errors import ArchiveError, UsageError
from blogforever.storage.blobs import Blobs

from .diskblobs import DiskBlobs
from .s3blobs import S3Blobs
from .unfinished import write_whole

BLOBS_FILE = "archive.blobs"
LOOKS = "one looks like s3://bucket/prefix, or file:///some/folder"
# Letters: no address of a bucket is longer, and no name of a folder should be.
MOST = 1000
EVERYBODY = (
    "An address of a bucket has no password in it: put what opens it into the environment (AWS_ACCESS_KEY_ID and"
    " AWS_SECRET_ACCESS_KEY, or AWS_PROFILE) or into ~/.aws/credentials."
)


def blobs_at(address: str) -> Blobs:
    """The store at an address; UsageError where it is none."""
    address = address.strip()
    if len(address) > MOST or not address.isprintable():
        raise UsageError(f"That is no address of a store of blobs; {LOOKS}.")
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise UsageError(f"{address!r} is no address of a store of blobs; {LOOKS}.") from error
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(EVERYBODY)
    if parts.scheme == "s3" and parts.netloc:
        return S3Blobs(parts.netloc, parts.path)
    if parts.scheme == "file" and not parts.netloc and parts.path.strip("/"):
        return DiskBlobs(Path(unquote(parts.path)))
    raise UsageError(f"{address!r} is no address of a store of blobs; {LOOKS}.")


def blobs_of(folder: Path) -> Blobs | None:
    """The store that a folder points to."""
    path = folder / BLOBS_FILE
    try:
        return blobs_at(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{path} cannot be read: {error}.") from error


def settle_blobs(folder: Path, address: str) -> None:
    """Let an archive keep its bytes in this store; ArchiveError where they are in another one."""
    wanted, known = blobs_at(address), blobs_of(folder)
    if known is not None:
        if known.address != wanted.address:
            raise ArchiveError(f"The archive {folder} keeps its bytes in {known.address}, not in {wanted.address}.")
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / BLOBS_FILE, f"{wanted.address}\n")
    except OSError as error:
        raise ArchiveError(f"The archive folder {folder} cannot be written: {error.strerror}.") from error
