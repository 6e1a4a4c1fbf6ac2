"""One archive is written by one command at a time."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from blogforever.errors import ArchiveError, ArchiveLocked

from .inside import LOCK, refuse_links

TRIES, PAUSE = 5, 0.02
"""A command that reads holds the lock for a moment to see whether it is free: that is waited for."""


class Lock:
    """Holds the archive's lock file; the system lets it go when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        refuse_links(folder)
        try:
            self._handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise ArchiveError(f"The archive folder {folder} cannot be written: {error.strerror}.") from error
        if not any(self._taken(after) for after in range(TRIES)):
            os.close(self._handle)
            raise ArchiveLocked(
                f"Another command, a crawl or an erasure, is writing the archive {folder}; try again when it has ended."
            )
        self.tell(())

    def _taken(self, tries: int) -> bool:
        time.sleep(PAUSE if tries else 0)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def tell(self, blogs: Iterable[str]) -> None:
        """Say in the lock file which blogs are being crawled, for those who only read."""
        # A disk that is full keeps nobody from writing less.
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, json.dumps(list(blogs)).encode(), 0)

    def release(self) -> None:
        """Let the next one in."""
        fcntl.flock(self._handle, fcntl.LOCK_UN)
        os.close(self._handle)

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


def is_held(folder: Path) -> bool:
    """Whether somebody writes the archive now; asked by those who must not write, so that no file is made for it."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def crawled_now(folder: Path) -> frozenset[str]:
    """The blogs that another command is crawling at this moment."""
    if not is_held(folder):
        return frozenset()
    try:
        return frozenset(map(str, json.loads((folder / LOCK).read_bytes() or b"[]")))
    except (OSError, ValueError, TypeError):
        return frozenset()
