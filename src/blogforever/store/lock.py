"""One archive is written by one command at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from blogforever.errors import ArchiveError, ArchiveLocked

from .inside import LOCK, refuse_links


class Lock:
    """Holds the archive's lock file; the system lets it go when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        refuse_links(folder)
        try:
            self._handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise ArchiveError(f"The archive folder {folder} cannot be written: {error.strerror}.") from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._handle)
            raise ArchiveLocked(
                f"Another command, a crawl or an erasure, is writing the archive {folder}; try again when it has ended."
            ) from error

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
