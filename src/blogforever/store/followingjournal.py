"""The journal of what people decide of followed blogs: JSON lines, only ever added to, in a file of
its own.

It stands apart from the decisions about posts because every command reads those, and a list of
twenty thousand blogs is one line here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Set
from pathlib import Path

from blogforever.errors import ArchiveError, BadInput
from blogforever.storage.deciding import AnyDecided, read_decided, titles_given, write_decided

from .inside import holds_file, inside
from .journal import append_line
from .sharing import Alone, Sharing

# No blog can have such a name, so that the file belongs to none.
FILE = "service/_following.jsonl"
DECISIONS = f"journal/{FILE}"
"""Where it lies in the archive folder."""


class FollowingFile:
    """The decisions of one archive about what it follows."""

    def __init__(self, journal: Path, sharing: Sharing | None = None) -> None:
        self._journal, self._sharing = journal, sharing or Alone()
        self._titles: tuple[int, Set[str]] = (0, frozenset())

    def add(self, decision: AnyDecided) -> None:
        """Write a decision down, and let it reach the disk before anything follows from it."""
        path = inside(self._journal, FILE)
        with self._sharing.writing(path):
            append_line(self._journal, path, write_decided(decision), cut_broken_line)

    def decisions(self) -> Iterator[AnyDecided]:
        """Every decision in the order it was written; the last line of one who was killed is none."""
        self._sharing.refresh()
        path = inside(self._journal, FILE)
        if not holds_file(path):
            return
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if line.strip() and line.endswith("\n"):
                    yield _read(path, number, line)

    def titles(self) -> Set[str]:
        """The names that people gave followed blogs; read again only where something was written since."""
        self._sharing.refresh()
        path = inside(self._journal, FILE)
        size = path.stat().st_size if holds_file(path) else 0
        if size != self._titles[0]:
            self._titles = (size, titles_given(self.decisions()))
        return self._titles[1]


def cut_broken_line(path: Path) -> None:
    """What one wrote who was killed over it is no decision: nothing has followed from it."""
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        if size and file.read(1) != b"\n":
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)


def _read(path: Path, number: int, line: str) -> AnyDecided:
    try:
        return read_decided(line)
    except BadInput as error:
        raise ArchiveError(f"Line {number} of {path} cannot be understood; it is to be mended by hand.") from error
