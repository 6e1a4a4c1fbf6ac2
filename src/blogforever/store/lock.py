"""One archive is written by one command at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from blogforever.errors import ArchiveError, ArchiveLocked


class Lock:
    """Holds the archive's lock file; the system lets it go when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ".lock"
        try:
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
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
