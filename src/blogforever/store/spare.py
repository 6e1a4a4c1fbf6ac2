"""Folders for what is needed for a while, and by nobody after it: they go with who made them, and
where that one was killed, with the next process that comes by.

What lies in them may be whole copies of an archive, with words that are erased by now. So none may
stay. Whose process lives is told by a file in each, which that process holds locked: no number of a
process is trusted, since those are given again.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from types import TracebackType
from weakref import finalize

from blogforever.logs import logger

# Begins the name of each.
PREFIX = "blogforever-"
# The file that is locked; beside it what is kept, so that nobody meets it there.
MARK, INSIDE = "held", "kept"
# The same before it is locked: nobody looks for it.
UNLOCKED = "new"
log = logger("store")
# Where this process has looked for what was left.
_looked_into: set[Path] = set()


class SpareFolder:
    """One such folder, in the system's place for them or beside something; gone when it is left, or
    when nobody has it any more.
    """

    def __init__(self, name: str = "", beside: Path | None = None) -> None:
        place = beside or Path(gettempdir())
        if place not in _looked_into:
            _looked_into.add(place)
            clear_left(place)
        whole = Path(mkdtemp(prefix=f"{PREFIX}{name}", dir=place))
        self._removing = finalize(self, _remove, whole, _locked(whole))
        self.path = whole / INSIDE
        self.path.mkdir()

    def remove(self) -> None:
        """It is not needed any more."""
        self._removing()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()


def clear_left(place: Path | None = None) -> int:
    """Remove what processes that were killed have left there; how many folders. Only what is ours,
    by its owner and its mark, is touched.
    """
    removed, folder = 0, place or Path(gettempdir())
    for path in [folder / name for name in _names_in(folder) if name.startswith(PREFIX)]:
        with suppress(OSError), _left(path) as is_left:
            if is_left:
                rmtree(path)
                removed += 1
    if removed:
        log.info("removed %d folders that processes which were killed had left", removed)
    return removed


def _names_in(folder: Path) -> list[str]:
    """What there is; nothing where nobody may look."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  thousands of names may be there, and few are ours
    except OSError:
        return []


@contextmanager
def _left(path: Path) -> Iterator[bool]:
    """Whether nobody has a folder any more; while this is asked, nobody else finds the same."""
    if not _is_own(path.lstat(), stat.S_ISDIR):
        yield False
        return
    handle = os.open(path / MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        yield _is_own(os.fstat(handle), stat.S_ISREG) and _is_free(handle)
    finally:
        os.close(handle)


def _is_own(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    return is_kind(found.st_mode) and found.st_uid == os.getuid()


def _is_free(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _locked(folder: Path) -> int:
    """Mark a folder as that of this process: nobody can find the mark before it is locked."""
    handle = os.open(folder / UNLOCKED, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    (folder / UNLOCKED).rename(folder / MARK)
    return handle


def _remove(folder: Path, handle: int) -> None:
    rmtree(folder, ignore_errors=True)
    os.close(handle)
