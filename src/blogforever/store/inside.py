"""The border between a name that stands in a file and a path: nothing is reached outside its
folder, or by a link.

An archive, a backup or a copy may come from somebody else. So every name that its files hold
(journal, plans, lists, database) passes here before it becomes a path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath, PurePosixPath

from blogforever.care.decisions import is_blog_name
from blogforever.errors import ArchiveError

PARTS = ("warc", "indexes", "journal", "rules", "logs")
DATABASE = ("archive.db", "archive.db-wal", "archive.db-shm")
OWN_ENDING = re.compile(r"(\.(cdxj|jsonl?))?(\.part)?$")
LOCK = ".lock"
# The lock files of blogs, one for each that is being written.
LOCKS = ".locks"
# Beside them, when each service was last asked by whoever writes the archive: no blog can have such
# a name.
TURNS = "_turns"


def blog_part(blog: str) -> str:
    """The name of a blog as one part of a path; ArchiveError for what is no such name."""
    if not is_blog_name(blog):
        raise ArchiveError(f"{blog!r} is no name that a blog has in an archive; nothing is done under it.")
    return blog


def inside(folder: Path, name: str) -> Path:
    """The file of this name below a folder; ArchiveError
    where it would lie elsewhere, or behind a symbolic link.
    """
    parts = PurePosixPath(name).parts
    if not parts or "\0" in name or ".." in parts or PurePosixPath(name).is_absolute():
        raise ArchiveError(f"{name!r} is no name of a file in {folder}; nothing is done with it.")
    path = folder
    for part in parts:
        path = path / part
        _refuse_link(path)
    return path


def owner_of(place: PurePath) -> str | None:
    """The blog that a file belongs to, given where it lies
    in the archive; None for what belongs to no single one.
    """
    top, *inner = place.parts
    if top not in PARTS or not inner:
        return None
    # warc/BLOG/..., but indexes/BLOG.cdxj, rules/BLOG.json, journal/BLOG.jsonl,
    # journal/unfinished/BLOG.json
    name = inner[0] if top == "warc" else OWN_ENDING.sub("", inner[-1])
    return name if is_blog_name(name) else None


def refuse_links(folder: Path) -> None:
    """ArchiveError where a part of the archive is a symbolic
    link: who writes there would write somewhere else.
    """
    for path in _own_places(folder):
        _refuse_link(path)


def names_in(folder: Path, ending: str) -> list[Path]:
    """The files and folders in a folder whose names end so, in their order; none where there is no
    folder.

    Every command asks this several times: `Path.glob` takes longer to understand its pattern than
    this to answer.
    """
    if not folder.is_dir():
        return []
    try:
        named = [entry for entry in os.scandir(folder) if entry.name.endswith(ending)]
    except OSError as error:
        raise ArchiveError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    for entry in named:
        # Who opened a pipe would wait for ever.
        if not (entry.is_file() or entry.is_dir() or entry.is_symlink()):
            raise ArchiveError(f"{entry.path} is neither a file nor a folder; take it away.")
    return sorted((Path(entry.path) for entry in named), key=lambda path: path.name)


def holds_file(path: Path) -> bool:
    """Whether there is a file; ArchiveError where something else stands in its place: who opened a pipe would wait for
    ever, and who passed over a folder would not know what is lost.
    """
    if not path.exists():
        return False
    if not path.is_file():
        raise ArchiveError(f"{path} is no file; take it away.")
    return True


def _own_places(folder: Path) -> Iterator[Path]:
    """What the archive itself may write to: its own files and folders, and every link that lies in
    these.
    """
    yield from (folder / name for name in (*DATABASE, LOCK, LOCKS, *PARTS))
    for part in (*PARTS, LOCKS):
        yield from _links(folder / part)


def _links(folder: Path) -> Iterator[Path]:
    """Every symbolic link below a folder; links to folders are not followed."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        # Who cannot look into it cannot write there, either.
        return
    for entry in entries:
        # What kind of file it is stands in the folder itself: an archive may have a hundred
        # thousand.
        if entry.is_symlink():
            yield Path(entry.path)
        elif entry.is_dir(follow_symlinks=False):
            yield from _links(Path(entry.path))


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise ArchiveError(f"{path} is a symbolic link; nothing is written or removed through it.")
