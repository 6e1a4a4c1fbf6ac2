"""Where the records of an archive are kept: in its folder, or in a database of PostgreSQL; and the way between them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from blogforever.care.decisions import is_blog_name
from blogforever.errors import UsageError
from blogforever.store.blobplace import settle_blobs
from blogforever.store.database import shown
from blogforever.store.folder import ArchiveFolder
from blogforever.store.place import OWN, Relocation, begin_relocation, read_address, settle

# Where libpq looks for a password.
PASSWORD = "PGPASSWORD"  # noqa: S105  the name of a variable
EVERYBODY = (
    "A password on the command line can be read by everybody on this machine; put it into BLOGFOREVER_DATABASE,"
    " PGPASSWORD, blogforever.toml or ~/.pgpass."
)


@dataclass(frozen=True, slots=True)
class Relocated:
    """What was carried, and between which places."""

    rows: int
    posts: int
    old: str
    new: str


def settle_database(folder: Path, address: str, is_flag: bool) -> None:
    """Let an archive keep its records at this address; a password in it is kept in the environment
    only, for this process and those it starts.
    """
    url, password = read_address(address)
    if password and is_flag:
        raise UsageError(EVERYBODY)
    if password:
        os.environ[PASSWORD] = password
    settle(folder, url)


def keep_bytes_at(folder: Path, address: str) -> None:
    """Let an archive keep its bytes in the store at this address; what opens it is no part of the address."""
    settle_blobs(folder, address)


@dataclass(frozen=True, slots=True)
class Sending:
    """What was sent to a store of blobs, and what still waits here."""

    address: str
    sent: int
    waiting: int


def send_all(folder: Path, wait: bool = True) -> Sending:
    """Send everything that is only here to the store of blobs."""
    with ArchiveFolder(folder, writing=True, wait=wait, alone=False) as archive:
        mirror = archive.mirror
        if mirror is None:
            raise UsageError(
                f"The archive {folder} keeps its bytes in its folder; --blobs names a store to send them to."
            )
        names = {blog: len(mirror.unsent(blog)) for blog in archive.warc_blogs() if is_blog_name(blog)}
        sent = sum(count for blog, count in names.items() if count and _send(archive, blog))
        mirror.send_shared()
        return Sending(mirror.blobs.address, sent, sum(names.values()) - sent)


def send_waiting(folder: Path, left_behind: bool = False) -> int:
    """Send what waits on this machine for the store of blobs, but for what somebody is just
    writing; and what a process that was killed has `left_behind`. Of how many blogs something was
    sent.
    """
    with ArchiveFolder(folder, writing=True, wait=False, alone=False) as archive:
        if archive.mirror is None:
            return 0
        blogs = {*archive.mirror.waiting_here(), *(archive.mirror.left_here() if left_behind else ())}
        return sum(_take_and_send(archive, blog) for blog in sorted(filter(is_blog_name, blogs)))


def _take_and_send(archive: ArchiveFolder, blog: str) -> bool:
    if not archive.take(blog):
        return False
    try:
        archive.index_left_behind(blog)
    finally:
        archive.give_back(blog)
    return True


def _send(archive: ArchiveFolder, blog: str) -> bool:
    with archive.borrowed(blog) as held:
        if held:
            archive.refresh_blog(blog)
            archive.index_left_behind(blog)
        return held and archive.send(blog)


def relocate(folder: Path, to: str, wait: bool = True) -> Relocated:
    """Carry the records of an archive into another database, compare them row by row, and keep them
    there from now on; the words that can be searched for are cut anew.
    """
    url, password = (None, None) if to == OWN else read_address(to)
    if password:
        raise UsageError(EVERYBODY)
    with ArchiveFolder(folder, writing=True, wait=wait) as archive:
        archive.store.flush()
        old = shown(archive.place)
        move: Relocation = begin_relocation(folder, url)
        rows = move.carry(archive.engine)
    move.settle()
    with ArchiveFolder(folder, writing=True, wait=wait) as archive:
        archive.search.update()
        posts = sum(blog.kept for blog in archive.library.blogs(everything=True))
        return Relocated(rows, posts, old, shown(archive.place))
