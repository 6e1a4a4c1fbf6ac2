"""The secret of an archive's service: signs what the service hands out and takes back; kept in a file of its own."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from blogforever.errors import ArchiveError

FILE = "service.key"
# Only who runs the service may read it: with it anybody could write forms and addresses that we
# believe.
MODE = 0o600
KEY_BYTES = 32
# Secrets that a process remembers: it serves one archive, tests a few.
REMEMBERED = 8


def service_key(folder: Path) -> bytes:
    """The secret of the archive in this folder, which is made where there is none; stays the same
    over restarts.
    """
    path = folder / FILE
    try:
        found = path.stat()
    except FileNotFoundError:
        _make_key(path)
        found = path.stat()
    if found.st_mode & 0o077:
        path.chmod(MODE)
    return _read_key(path, found.st_ino, found.st_size, found.st_mtime_ns)


def _make_key(path: Path) -> None:
    """A new secret, unless somebody else makes one at this moment."""
    with suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))


@lru_cache(maxsize=REMEMBERED)
def _read_key(path: Path, _inode: int, _size: int, _changed: int) -> bytes:
    """What the file holds. Every page asks for it: it is read again only once it is another file."""
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise ArchiveError(f"{path} is damaged; remove it, and a new one is made (addresses handed out end with it).")
    return key


def signature(key: bytes, purpose: str, *parts: str) -> str:
    """What only the holder of the key can write below these parts; another purpose needs another
    signature.
    """
    told = "\0".join((purpose, *parts)).encode("utf-8", "replace")
    return hmac.new(key, told, hashlib.sha256).hexdigest()


def is_signed(key: bytes, given: str, purpose: str, *parts: str) -> bool:
    """Whether this is the signature below these parts."""
    return hmac.compare_digest(signature(key, purpose, *parts).encode(), given.encode("utf-8", "replace"))
