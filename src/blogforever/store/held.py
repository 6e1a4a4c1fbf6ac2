"""What a machine knows of the copies it has of blobs: which version each is, and whether it was changed here since."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .inside import inside

# Beside the archive's own parts; what is in it can be removed at any time: then all is compared
# anew.
HELD = ".blobs"
USED = ".used"


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy as it was when it was the same as in the store."""

    version: int
    size: int
    changed: int

    def fits(self, path: Path) -> bool:
        """Whether nobody wrote the file since."""
        found = path.stat()
        return (found.st_size, found.st_mtime_ns) == (self.size, self.changed)


class HeldCopies:
    """Small notes, one for each file of the archive that is the same in the store."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._notes = folder, folder / HELD
        self._used: dict[Path, int] = {}

    def of(self, name: str) -> Copy | None:
        """What was noted of a file."""
        try:
            version, size, changed = inside(self._notes, name).read_text(encoding="ascii").split()
            return Copy(int(version), int(size), int(changed))
        except (OSError, ValueError):
            return None

    def note(self, name: str, version: int) -> None:
        """The file as it lies here is this version."""
        found = (self._folder / name).stat()
        note = inside(self._notes, name)
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{version} {found.st_size} {found.st_mtime_ns}", encoding="ascii")

    def drop(self, name: str) -> None:
        """Keep neither the copy nor what was noted of it."""
        inside(self._folder, name).unlink(missing_ok=True)
        inside(self._notes, name).unlink(missing_ok=True)

    def copies(self) -> list[tuple[str, int]]:
        """The names of WARC files that lie here and are the same in the store, those used longest
        ago first; each with its size.
        """
        notes = [path for path in (self._notes / "warc").rglob("*.warc.gz") if path.is_file()]
        notes.sort(key=lambda path: path.stat().st_mtime_ns)
        names = [path.relative_to(self._notes).as_posix() for path in notes]
        found = ((name, self._folder / name, self.of(name)) for name in names)
        return [(name, copy.size) for name, path, copy in found if copy and path.is_file() and copy.fits(path)]

    def use(self, name: str) -> None:
        """Let nobody on this machine take copies beside this file away until they are let go."""
        box = inside(self._notes, name).parent
        if box not in self._used:
            box.mkdir(parents=True, exist_ok=True)
            handle = os.open(box / USED, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
            fcntl.flock(handle, fcntl.LOCK_SH)
            self._used[box] = handle
        with suppress(OSError):
            os.utime(inside(self._notes, name))

    def let_go(self) -> None:
        """What was used may be taken away."""
        while self._used:
            os.close(self._used.popitem()[1])

    @contextmanager
    def unused(self, name: str) -> Iterator[bool]:
        """Whether nobody on this machine uses files beside this one; until the end nobody begins to."""
        handle = os.open(inside(self._notes, name).parent / USED, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        try:
            yield _is_taken(handle)
        finally:
            os.close(handle)


def _is_taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
