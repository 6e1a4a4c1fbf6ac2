"""Who may write what: one blog is written by one command at a time, several blogs by several.

Who writes blogs holds the archive's lock file with others and each blog's lock file alone; who
writes all of the archive holds its lock file alone. Always the archive first, then all blogs at
once in the order of their names: so nobody ever waits for somebody who waits for him. The system
lets every lock go when its process ends.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Self

from blogforever.care.decisions import is_blog_name
from blogforever.errors import ArchiveError, ArchiveLocked
from blogforever.logs import logger

from .inside import LOCK, LOCKS, blog_part, refuse_links
from .serverlocks import ServerLocks

# A command that reads holds a lock for a moment to see whether it is free: even who does not wait
# waits for that.
PAUSES = (0.02,) * 4
# Seconds between two tries of one who waits until it is free.
WAITING = 0.1
# In the lock file of a blog that is being crawled; in those of other writers is nothing.
CRAWL = "crawl"
# Everybody may see who is writing, as everybody may read the archive.
FILE_MODE = 0o644
# Lock files of what belongs to all blogs, beside those of blogs: none can have such a name.
JOURNAL, CLEANING, SERVICE, TEXTS = "_journal", "_cleaning", "_service", "_texts"
# The folder of the lock files of workers: each holds its own as long as it lives.
WORKERS = "_workers"
COUNT_DIGITS = 12
# The archive itself, among what is held on a server.
ARCHIVE = "the archive"
log = logger("store")


class Elsewhere:
    """The same lock on the server that several machines share."""

    def __init__(self, server: ServerLocks, name: str) -> None:
        self._server, self._name = server, name

    def take(self, alone: bool) -> bool:
        """Hold it, in place of what was held of it before; whether nobody was in the way."""
        self._server.let_go(self._name)
        return self._server.take(self._name, alone)

    def let_go(self) -> None:
        """Let others have it."""
        self._server.let_go(self._name)


class Lock:
    """Holds one lock file, alone or with others; the system lets it go when the process ends.

    `name` says in sentences what is locked. Where somebody else has it, and `wait` is wanted, this
    waits until he ends; unless it is `hopeless` to have it alone, which says why.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        wait: bool,
        alone: bool = True,
        hopeless: Callable[[], str] = lambda: "",
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self._path, self._name, self._wait, self._hopeless = path, name, wait, hopeless
        self._elsewhere = elsewhere
        self.waited = False
        """Whether somebody else had it: then what was read before may no longer be so."""
        self._open_and_take(alone)
        while not self._is_current():
            os.close(self._handle)
            self._open_and_take(alone)

    def change(self, alone: bool) -> None:
        """Hold it alone from now on, or with others; in between somebody else may have had it."""
        self._take(alone)

    def write(self, word: str) -> None:
        """Say in the lock file what is being done, for those who only read."""
        # A disk that is full keeps nobody from writing less.
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, word.encode(), 0)

    def release(self) -> None:
        """Let the next one in."""
        try:
            if self._elsewhere:
                self._elsewhere.let_go()
        finally:
            os.close(self._handle)

    def remove(self) -> None:
        """Let the next one in, and leave no file behind; he makes a new one."""
        with suppress(OSError):
            self._path.unlink()
        self.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()

    def _open_and_take(self, alone: bool) -> None:
        self._handle = self._opened()
        try:
            self._take(alone)
        except BaseException:
            os.close(self._handle)
            raise

    def _opened(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, FILE_MODE)
        except OSError as error:
            why = f"{self._path.parent} cannot be written: {error.strerror}."
            raise ArchiveError(f"The archive folder {why}") from error

    def _is_current(self) -> bool:
        """Whether the file that was waited for is still the
        one at its path: who had it may have removed it.
        """
        try:
            there = self._path.lstat()
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(self._handle))

    def _take(self, alone: bool) -> None:
        kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        if any(self._taken(kind, after) for after in (0, *PAUSES)):
            return
        busy = f"Another command is writing {self._name}"
        if alone and (why := self._hopeless()):
            raise ArchiveLocked(why)
        if not self._wait:
            raise ArchiveLocked(f"{busy}; try again when it has ended.")
        self.waited = True
        # What is held for a moment only has no name, and is not worth a line.
        if self._name:
            log.warning("%s; waiting until it has ended (Ctrl-C ends the waiting).", busy)
        # Not one call that waits: a signal that comes just before it is only heard when it ends.
        while not self._taken(kind, WAITING):
            pass

    def _taken(self, kind: int, after: float) -> bool:
        """Whether it could be taken after so many seconds."""
        time.sleep(after)
        try:
            fcntl.flock(self._handle, kind | fcntl.LOCK_NB)
        except OSError:
            return False
        # What is free here may be held on another machine.
        return self._elsewhere is None or self._elsewhere.take(kind == fcntl.LOCK_EX)


class ArchiveLocks:
    """What one command holds of an archive: the archive itself, and blogs of it."""

    def __init__(self, folder: Path, wait: bool = True, alone: bool = True, server: ServerLocks | None = None) -> None:
        refuse_links(folder)
        self._folder, self._wait, self._server = folder, wait, server
        try:
            name, hopeless = f"the archive {folder}", partial(_served, folder)
            self._archive = Lock(folder / LOCK, name, wait, alone, hopeless, self._elsewhere(ARCHIVE))
        except BaseException:
            self._close_server()
            raise
        self.alone = alone
        """Whether nobody else writes anything in the archive."""
        self._blogs: dict[str, Lock] = {}
        with suppress(OSError):
            (folder / LOCKS).mkdir(exist_ok=True)

    def has(self, blog: str) -> bool:
        """Whether this command may write a blog."""
        return self.alone or blog in self._blogs

    def hold(self, blogs: Iterable[str]) -> bool:
        """Let nobody else write these blogs; whether that was waited for, so that they may have
        changed meanwhile.

        Blogs that are held already are let go first where others come to them: they are taken in
        their order, always.
        """
        wanted = set(map(blog_part, blogs))
        if wanted <= self._blogs.keys():
            return False
        missed = bool(self._blogs)
        wanted |= self._blogs.keys()
        self.let_go(self._blogs)
        for blog in sorted(wanted):
            self._hold(blog, self._wait)
        return missed or any(lock.waited for lock in self._blogs.values())

    def hold_if_free(self, blog: str) -> bool:
        """Let nobody else write a blog, unless somebody does; whether it is held now."""
        if blog in self._blogs:
            return True
        try:
            self._hold(blog_part(blog), wait=False)
        except ArchiveLocked:
            return False
        return True

    def _hold(self, blog: str, wait: bool) -> None:
        path, elsewhere = self._folder / LOCKS / blog, self._elsewhere(f"the blog {blog}")
        lock = self._blogs[blog] = Lock(path, f"the blog {blog}", wait, elsewhere=elsewhere)
        # A crawl that was killed may have left its word.
        lock.write("")

    def hold_all(self) -> None:
        """Let nobody else write anything in the archive; everything may have changed meanwhile."""
        # Who waits for all others must hold nothing that one of them may wait for.
        self.let_go(self._blogs)
        self._archive.change(alone=True)
        self.alone = True

    def share(self) -> None:
        """Let others write other blogs again."""
        self._archive.change(alone=False)
        self.alone = False

    def let_go(self, blogs: Iterable[str]) -> None:
        """Let others write these blogs."""
        for blog in list(blogs):
            if lock := self._blogs.pop(blog, None):
                lock.remove()

    def tell_crawled(self, blogs: Iterable[str]) -> None:
        """Let those who read meanwhile know which blogs are being crawled."""
        self.hold(blogs)
        for blog in blogs:
            self._blogs[blog].write(CRAWL)

    def release(self) -> None:
        """Let everything go."""
        try:
            self.let_go(self._blogs)
            self._archive.release()
        finally:
            self._close_server()

    def _close_server(self) -> None:
        if self._server:
            self._server.close()

    def _elsewhere(self, name: str) -> Elsewhere | None:
        return Elsewhere(self._server, name) if self._server else None


def is_held_alone(folder: Path) -> bool:
    """Whether somebody holds the archive alone now; no file
    is made to ask, since this is for those who only read.
    """
    return _is_held(folder / LOCK)


def written_now(folder: Path) -> frozenset[str]:
    """The blogs that are being written at this moment, by whomever."""
    return frozenset(path.name for path in _lock_files(folder) if _is_held(path))


def crawled_now(folder: Path) -> frozenset[str]:
    """The blogs that are being crawled at this moment."""
    return frozenset(blog for blog in written_now(folder) if _word(folder / LOCKS / blog) == CRAWL)


class JournalLock(Lock):
    """Held for a moment by who writes the journal: a decision about all blogs stands beside those
    about each.

    Its file counts who had it, so that who has read the journal knows whether it may say something
    else by now.
    """

    def __enter__(self) -> Self:
        self._count()
        return self

    def __exit__(self, *_error: object) -> None:
        self._count()
        self.release()

    def _count(self) -> None:
        told = os.pread(self._handle, COUNT_DIGITS, 0)
        number = int(told) + 1 if told.isdigit() else 1
        # A disk that is full keeps nobody from deciding something: a file of this size has its room
        # already.
        with suppress(OSError):
            os.pwrite(self._handle, f"{number:0{COUNT_DIGITS}}".encode(), 0)


def journal_lock(journal: Path) -> JournalLock:
    """The lock of a journal, to be entered."""
    return JournalLock(_lock_file_of_all(journal.parent, JOURNAL), "", wait=True)


def journal_count(journal: Path) -> bytes:
    """As it is counted there; another number means that somebody has been writing since."""
    try:
        return (journal.parent / LOCKS / JOURNAL).read_bytes()
    except OSError:
        return b""


def wait_for_journal(journal: Path) -> None:
    """Return when nobody is in the middle of a line; no file
    is made for it, since this is for those who only read.
    """
    with suppress(OSError):
        handle = os.open(journal.parent / LOCKS / JOURNAL, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
        finally:
            os.close(handle)


def cleaning_lock(folder: Path) -> Lock:
    """Held by who takes words out of files that belong
    to no blog: two at once would undo each other's work.
    """
    return Lock(_lock_file_of_all(folder, CLEANING), "", wait=True)


def texts_lock(folder: Path) -> Lock:
    """Held for a moment by who brings small files to the state in which other machines have them."""
    return Lock(_lock_file_of_all(folder, TEXTS), "", wait=True)


def service_lock(folder: Path) -> Lock:
    """Held by the service that follows the archive's blogs: two would plan the same looks."""
    (folder / LOCKS).mkdir(parents=True, exist_ok=True)
    try:
        return Lock(folder / LOCKS / SERVICE, "", wait=False)
    except ArchiveLocked as error:
        raise ArchiveLocked(f"Another service is running for the archive {folder}; one is enough.") from error


def is_served(folder: Path) -> bool:
    """Whether a service follows the archive's blogs at this moment."""
    return _is_held(folder / LOCKS / SERVICE)


def _served(folder: Path) -> str:
    """Why nobody can have an archive for himself: a service holds it as long as it runs."""
    if not is_served(folder):
        return ""
    return f"A service is running for the archive {folder}; end it first: this needs the archive for itself."


def worker_lock(folder: Path, name: str) -> Lock:
    """Held by a worker as long as it lives, however it ends."""
    place = folder / LOCKS / WORKERS
    place.mkdir(parents=True, exist_ok=True)
    for path in place.iterdir():
        if not _is_held(path):
            path.unlink(missing_ok=True)
    return Lock(place / name, f"as the worker {name}", wait=False)


def living_workers(folder: Path) -> frozenset[str]:
    """The workers that live at this moment."""
    return frozenset(path.name for path in _worker_files(folder) if _is_held(path))


def fallen_workers(folder: Path) -> frozenset[str]:
    """The workers that died and left their lock file."""
    return frozenset(path.name for path in _worker_files(folder) if not _is_held(path))


def _worker_files(folder: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError):
        yield from (folder / LOCKS / WORKERS).iterdir()


def _lock_file_of_all(folder: Path, file: str) -> Path:
    (folder / LOCKS).mkdir(parents=True, exist_ok=True)
    return folder / LOCKS / file


def _lock_files(folder: Path) -> Iterator[Path]:
    """The lock files of blogs."""
    with suppress(OSError):
        yield from (path for path in (folder / LOCKS).iterdir() if is_blog_name(path.name))


def _is_held(path: Path) -> bool:
    """Whether somebody has this lock alone."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _word(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
