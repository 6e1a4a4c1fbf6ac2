"""The border between a name that stands in a file and a path: nothing is reached outside its folder, or by a link.

An archive, a backup or a copy may come from somebody else. So every name that its files hold
(journal, plans, lists, database) passes here before it becomes a path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from blogforever.care.decisions import is_blog_name
from blogforever.errors import ArchiveError

PARTS = ("warc", "indexes", "journal", "rules", "logs")
DATABASE = ("archive.db", "archive.db-wal", "archive.db-shm")
OWN_ENDING = re.compile(r"(\.(cdxj|jsonl?))?(\.part)?$")
LOCK = ".lock"
# The lock files of blogs, one for each that is being written.
LOCKS = ".locks"


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


def owner_of(place: Path) -> str | None:
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


def _own_places(folder: Path) -> Iterator[Path]:
    """Whatever the archive itself may write, with every folder on the way."""
    yield from (folder / name for name in (*DATABASE, LOCK, LOCKS, *PARTS))
    for part in (*PARTS, LOCKS):
        for place, folders, files in os.walk(folder / part):
            yield from (Path(place, name) for name in (*folders, *files))


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise ArchiveError(f"{path} is a symbolic link; nothing is written or removed through it.")
