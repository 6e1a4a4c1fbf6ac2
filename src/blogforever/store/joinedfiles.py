"""Several WARC files as one: records are copied byte by byte, only revisits learn where their
originals lie now.

Each part keeps the warcinfo record it began with, so that it is known which crawl wrote what, and
under which name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blogforever.headway import tell
from blogforever.storage.values import Rewritten

from .erasing import copy_member, write_revisit
from .members import Head, Member, members, read_head
from .revisits import pointer_of

# A file is small where ten of it make one that is full.
SMALL_SHARE = 10


@dataclass(frozen=True, slots=True)
class Unit:
    """Files that stand together from now on, oldest first: one, or neighbours that are small."""

    paths: tuple[Path, ...]

    @property
    def is_joined(self) -> bool:
        """Whether these were more than one file."""
        return len(self.paths) > 1


def units_of(paths: Sequence[Path], limit: int) -> list[Unit]:
    """The files of a blog, small neighbours together as long as they fit into one of `limit` bytes;
    what is damaged is left alone.
    """
    units: list[Unit] = []
    room = 0
    for path in paths:
        size = path.stat().st_size
        is_small = size <= limit // SMALL_SHARE and _is_sound(path)
        if is_small and size <= room:
            units[-1] = Unit((*units[-1].paths, path))
            room -= size
        else:
            units.append(Unit((path,)))
            room = limit - size if is_small else 0
    return units


def _is_sound(path: Path) -> bool:
    return not any(member.broken for member in members(path, whole=False))


def points_elsewhere(path: Path, done: Rewritten) -> bool:
    """Whether a file repeats responses that lie elsewhere now."""
    heads = (read_head(member.data) if member.data else None for member in members(path, whole=False))
    return any(_is_stale(head, done) for head in heads if head)


def write_joined(unit: Unit, dest: Path, name: str, done: Rewritten) -> None:
    """Write the records of some files one behind the other, and note in `done` where each lies: in
    the archive the new file is called `name`.
    """
    with dest.open("wb") as out:
        for path, member in _records(unit):
            head = read_head(member.data) if member.data else None
            offset = out.tell()
            tell("joining WARC files", len(done.places), things="records")
            if head and member.data is not None and _is_stale(head, done):
                write_revisit(out, member.data, head, done)
            else:
                copy_member(path, member, out)
            if head:
                done.places[head.record_id] = (name, offset, head.digest)
        out.flush()
        os.fsync(out.fileno())
    done.files += 1


def _records(unit: Unit) -> Iterator[tuple[Path, Member]]:
    for path in unit.paths:
        for member in members(path):
            yield path, member


def moved_units(units: Iterable[Unit], done: Rewritten) -> Iterator[Unit]:
    """Of units in the order of time those that must be written: joined ones, and files that repeat
    what was moved before; what is asked for is written before the next is.
    """
    for unit in units:
        if unit.is_joined or (done.places and points_elsewhere(unit.paths[0], done)):
            yield unit


def _is_stale(head: Head, done: Rewritten) -> bool:
    """Whether a revisit says of its original where it lay before."""
    if head.kind != "revisit":
        return False
    pointer = pointer_of(head.headers)
    file, offset, _digest = done.places.get(pointer.record_id, ("", 0, ""))
    return bool(file) and (file.rpartition("/")[2], offset) != (pointer.file, pointer.offset)
