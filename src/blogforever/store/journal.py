"""The journal: what people decided, as JSON lines; one file for each blog, one for the archive.

Lines are only ever added; what is erased is the one exception.

It is no index of anything: with the WARC files it is what everything else can be rebuilt from.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from blogforever import clock
from blogforever.care.decisions import Decision, InForce, in_force, read_decision, write_decision
from blogforever.care.veil import Veil
from blogforever.errors import ArchiveError, BadInput

from .inside import blog_part, holds_file, names_in
from .lock import journal_count, journal_lock, wait_for_journal
from .sharing import Alone, Sharing
from .unfinished import write_whole

ARCHIVE = "_archive"
UNTIL = "it may hide something, so nothing is shown until it can be: mend it, or put the file of a backup in its place"


class Journal:
    """The decisions of one archive."""

    def __init__(self, folder: Path, sharing: Sharing | None = None) -> None:
        self.folder, self._sharing = folder, sharing or Alone()
        self._said: tuple[tuple[object, ...], InForce] | None = None

    def files(self) -> list[Path]:
        """Every file of the journal, that of the archive first.

        So the order of writing is kept without a clock: a blog that was forgotten has no lines from
        before in a file of its own, and no other decision of one blog changes one about all.
        """
        self._sharing.refresh()
        own = self._path(None)
        return sorted(names_in(self.folder, ".jsonl"), key=lambda path: (path != own, path.name))

    def decisions(self) -> Iterator[Decision]:
        """Every decision in the order it was written."""
        for path in self.files():
            yield from _decisions(path)

    def state(self, until: datetime | None = None) -> InForce:
        """What is in force, or was at a moment."""
        if until is not None:
            return in_force(one for one in self.decisions() if datetime.fromisoformat(one.at) <= until)
        # Every look at a blog asks this several times, and a service has decisions about thousands
        # of blogs.
        mark = self._mark()
        if self._said is None or self._said[0] != mark:
            self._said = (mark, in_force(self.decisions()))
        return self._said[1]

    def _mark(self) -> tuple[object, ...]:
        """Stands for all that is written: another one where somebody wrote a line, also by hand to
        the file of the archive, or added or removed a file.
        """
        self._sharing.refresh()
        written = self.folder.stat().st_mtime_ns if self.folder.is_dir() else 0
        own = self._path(None)
        told = own.stat() if own.is_file() else None
        return (journal_count(self.folder), written, *((told.st_size, told.st_mtime_ns) if told else ()))

    def extent(self, blog: str) -> tuple[int, ...]:
        """How much is written of a blog, and of all: where this is the same, nobody has decided
        anything since.
        """
        paths = (self._path(blog), self._path(None))
        return tuple(path.stat().st_size if path.is_file() else 0 for path in paths)

    def veil(self) -> Veil:
        """What is hidden today."""
        return Veil(self.state().hidden, clock.today().isoformat())

    def add(self, decision: Decision) -> None:
        """Write a decision down, and let it reach the disk before anything follows from it."""
        path = self._path(decision.blog if decision.what != "forget" else None)
        with self._sharing.writing(path):
            append_line(self.folder, path, write_decision(decision))

    def identity(self) -> str:
        """By what the archive is told from all others, wherever it is moved or made anew; given to it when first asked
        for.
        """
        if not self.state().identity:
            self.add(Decision(moment(), "identity", text=uuid4().hex))
        return self.state().identity

    def rewrite(self, change: Callable[[Decision], Decision]) -> None:
        """Change lines in place: only what is erased is ever taken out of the journal.

        The file that says what is to be erased comes last: as long as it does, the next command
        goes on with it.
        """
        with self._sharing.writing(*self.files()), journal_lock(self.folder):
            written = {path: list(_decisions(path)) for path in self.files()}
            for path in sorted(written, key=lambda path: any(one.erase for one in written[path])):
                changed = [change(one) for one in written[path]]
                if changed != written[path]:
                    write_whole(path, "".join(write_decision(one) + "\n" for one in changed))

    def forget(self, blog: str) -> None:
        """Remove the decisions about a blog."""
        path = self._path(blog)
        with self._sharing.writing(path):
            path.unlink(missing_ok=True)

    def _path(self, blog: str | None) -> Path:
        return self.folder / f"{ARCHIVE if blog is None else blog_part(blog)}.jsonl"


def append_line(journal: Path, path: Path, line: str, mend: Callable[[Path], None] = lambda _path: None) -> None:
    """Add a line to a file of the journal; it is on the disk when this returns. What is to be
    mended there is first.
    """
    try:
        holds_file(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with journal_lock(journal), path.open("a", encoding="utf-8") as file:
            mend(path)
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = error.strerror or error
        raise ArchiveError(f"The journal {path} cannot be written: {why}.") from error


def moment() -> str:
    """This moment as the journal writes it."""
    return clock.stamp("microseconds")


def _decisions(path: Path) -> Iterator[Decision]:
    """The lines of a file; one that cannot be understood
    must not be passed over, it may hide something.
    """
    for number, line in enumerate(_text(path).splitlines(), 1):
        if line.strip():
            yield _read(path, number, line)


def _text(path: Path) -> str:
    """What a file says; another command may just be writing its last line."""
    try:
        text = path.read_text(encoding="utf-8")
        if not text or text.endswith("\n"):
            return text
        wait_for_journal(path.parent)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise ArchiveError(f"The journal {path} cannot be read: {why}; {UNTIL}.") from error


def _read(path: Path, number: int, line: str) -> Decision:
    try:
        return read_decision(line)
    except BadInput as error:
        raise ArchiveError(f"Line {number} of {path} cannot be understood; {UNTIL}.") from error
