"""The files of the outbox: each written whole, then added by a row, and put away in the end.

Files lie in the folder of who serves them. Where each machine has a folder of its own, others only
add and end rows: who serves makes what he lacks (outboxmissing.py), and takes away what waits no
more.

When something was erased, files that wait are made anew. Which of them is told by the posts as they
are now, not by what was erased: so who comes after somebody who was killed, and knows no more what
it was, can do it again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import IO

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.export.spiderxml import gone_in, sent_xml, tombstone_xml
from blogforever.records import SUPPRESSED, PostRecord
from blogforever.storage.outbox import OutboxFile, OutboxKind, OutboxState, Taking
from blogforever.store.blobplace import BLOBS_FILE
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import is_served

from .outboxchoice import Chooser

OUTBOX = "outbox"
"""The folder of the archive in which the files lie; it is no part of a backup: all of it can be
made again.
"""
AT_ONCE = 100
"""Files that are made before the database hears of them: others wait while it does."""
ALL = "all"
"""What is hidden of a post that nobody may see."""
MARK_DIGITS = 16
# In the name of a file on the disk: two of one post never have the same.
TOKEN_BYTES = 8
# Rows that are in memory at a time.
MOST_READ = 500
# Files of one post that wait: more than its news and the wishes of all accounts make in a day.
MOST_OF_ONE = 10_000


def outbox_path(folder: Path, file: OutboxFile) -> Path:
    """Where a file lies."""
    return folder / OUTBOX / file.place


def keeps_files(folder: Path) -> bool:
    """Whether files are kept in an archive's folder: where each machine has one of its own, only in
    that of the service.
    """
    return not (folder / BLOBS_FILE).exists() or is_served(folder)


def all_waiting(archive: ArchiveFolder, after: int = 0) -> Iterator[OutboxFile]:
    """Every file that waits, after a number, some at a time."""
    while files := archive.store.outbox.waiting(after=after, limit=MOST_READ):
        yield from files
        after = files[-1].number


def hidden_now(archive: ArchiveFolder, post: str) -> tuple[PostRecord | None, list[str], str]:
    """A post as it may be seen, the ids of its comments that may not, and a mark of what is hidden."""
    record = archive.store.posts.find(post)
    shown = archive.veil.post(record) if record else None
    if record is None or shown is None or shown.status == SUPPRESSED:
        return None, [], ALL
    gone = [comment.id for comment in archive.veil.comments(record)]
    names = "\n".join(sorted(gone))
    return shown, gone, hashlib.sha256(names.encode()).hexdigest()[:MARK_DIGITS] if gone else ""


def make_file(archive: ArchiveFolder, post: str, blog: str, told: Iterable[str] = ()) -> OutboxFile:
    """The file of a post as it is now, on the disk, and not yet seen by anybody; `told` are
    comments of which was said before that they are gone.
    """
    said = _said_now(archive, post, blog, told)
    place = f"{post}-{token_hex(TOKEN_BYTES)}.xml"
    measured = _write(archive.folder, place, said.pieces) if keeps_files(archive.folder) else _measured(said.pieces)
    return OutboxFile(post, blog, said.kind, clock.stamp(), *measured, place, said.version, said.hidden, said.gone)


def is_as_now(archive: ArchiveFolder, file: OutboxFile) -> bool:
    """Whether a file says what would be said of its post now."""
    said = _said_now(archive, file.post, file.blog, told_gone(archive, file))
    return (file.hidden, file.digest) == (said.hidden, _measured(said.pieces)[1])


def renew_waiting(archive: ArchiveFolder, blog: str) -> None:
    """Withdraw the files of a blog that say something else than its posts do now, and make them
    anew; what somebody who was killed has left goes, too.
    """
    archive.notice_decisions()
    after = ""
    while sent := archive.store.outbox.sent(blog, after, AT_ONCE):
        _exchange(archive, [_renewed(archive, one.post) for one in sent])
        after = sent[-1].post
    sweep(archive)


def add_files(archive: ArchiveFolder, files: Iterable[OutboxFile]) -> None:
    """Let these be fetched."""
    chooser = Chooser(archive)
    for file in files:
        add_for_some(archive, file, chooser)


def add_for_some(archive: ArchiveFolder, file: OutboxFile, chooser: Chooser) -> bool:
    """Let those fetch a file who have chosen its post; whether anybody has."""
    file = _up_to_date(archive, file)
    unwanted = chooser.unwanted_by(file)
    meant = sum(file.account in ("", one.name) for one in chooser.accounts)
    if unwanted and len(unwanted) == meant:
        remove_file(outbox_path(archive.folder, file))
        return False
    number = archive.store.outbox.add(file).number
    for account in unwanted:
        archive.store.outbox.take(Taking(number, account, deleted=file.made, passed=True))
    return True


def put_away(archive: ArchiveFolder, files: Iterable[OutboxFile], state: OutboxState) -> None:
    """Nobody fetches these any more."""
    files = list(files)
    archive.store.outbox.end([file.number for file in files], state, clock.stamp())
    for file in files:
        remove_file(outbox_path(archive.folder, file))


def sweep(archive: ArchiveFolder) -> None:
    """Remove files that nobody sees: what was left by somebody who was killed. Who is just making
    one makes it again.
    """
    place, is_held = archive.folder / OUTBOX, archive.store.outbox.is_held
    there = list(place.iterdir()) if place.is_dir() else []
    held = {file.place for file in all_waiting(archive)} if there else set()
    left = [path for path in there if path.name not in held]
    if left:
        # Inside, nobody else can add a file between the question and the answer.
        with archive.store.transaction():
            for path in left:
                if not is_held(path.name):
                    remove_file(path)


def remove_file(path: Path) -> None:
    """Take a file from the disk, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be removed: {error.strerror or error}.") from error


@dataclass(frozen=True, slots=True)
class _Said:
    """What a file says of a post."""

    kind: OutboxKind
    version: int
    hidden: str
    pieces: Iterator[str]
    gone: tuple[str, ...] = ()


def _said_now(archive: ArchiveFolder, post: str, blog: str, told: Iterable[str]) -> _Said:
    shown, gone, hidden = hidden_now(archive, post)
    if shown is None:
        return _Said("tombstone", 0, hidden, tombstone_xml(post, blog))
    here = {comment.id for comment in shown.comments}
    names = tuple(name for name in dict.fromkeys((*told, *gone)) if name not in here)
    return _Said("post", shown.version, hidden, sent_xml(shown, names), names)


def told_gone(archive: ArchiveFolder, file: OutboxFile) -> tuple[str, ...]:
    """The comments of which a file says that they are gone; one of an earlier version says it itself."""
    if file.told:
        return file.told
    try:
        return gone_in(outbox_path(archive.folder, file).read_bytes())
    except FileNotFoundError:
        return ()


@dataclass(frozen=True, slots=True)
class _Renewal:
    """Files of a post that must not be seen any more, and those that take their place."""

    old: list[OutboxFile]
    new: list[OutboxFile]


def _renewed(archive: ArchiveFolder, post: str) -> _Renewal:
    """Each account, or all together, for whom a file waited gets one anew, unless another says it already."""
    waiting = archive.store.outbox.waiting(post=post, limit=MOST_OF_ONE)
    old = [file for file in waiting if not is_as_now(archive, file)]
    told = [name for file in old for name in told_gone(archive, file)]
    served = {file.account for file in waiting if file not in old}
    missing = {file.account: file.blog for file in old if file.account not in served}
    new = [replace(make_file(archive, post, blog, told), account=account) for account, blog in missing.items()]
    return _Renewal(old, new)


def _exchange(archive: ArchiveFolder, renewals: Iterable[_Renewal]) -> None:
    """Withdraw and add in one: whoever looks in between finds the one or the other."""
    renewals = [one for one in renewals if one.old]
    old = [file for one in renewals for file in one.old]
    with archive.store.transaction():
        add_files(archive, [file for one in renewals for file in one.new])
        archive.store.outbox.end([file.number for file in old], "withdrawn", clock.stamp())
    for file in old:
        remove_file(outbox_path(archive.folder, file))


def _up_to_date(archive: ArchiveFolder, file: OutboxFile) -> OutboxFile:
    """A file that was just written, or another where an erasure came between."""
    path = outbox_path(archive.folder, file)
    is_there = path.is_file() or not keeps_files(archive.folder)
    if is_there and is_as_now(archive, file):
        return file
    fresh = make_file(archive, file.post, file.blog, told_gone(archive, file))
    remove_file(path)
    return replace(fresh, account=file.account)


def _write(folder: Path, place: str, pieces: Iterator[str]) -> tuple[int, str]:
    """Write a file, under a name where nobody looks for it yet; its size and its digest."""
    try:
        (folder / OUTBOX).mkdir(exist_ok=True)
        with (folder / OUTBOX / place).open("xb") as file:
            measured = _measured(pieces, file)
            file.flush()
            os.fsync(file.fileno())
            return measured
    except OSError as error:
        raise ArchiveError(f"The outbox cannot be written: {error.strerror or error}.") from error


def _measured(pieces: Iterator[str], file: IO[bytes] | None = None) -> tuple[int, str]:
    """The size and the digest of what a file says; it is written where there is a file."""
    digest, size = hashlib.sha256(), 0
    for piece in pieces:
        data = piece.encode("utf-8", "replace")
        digest.update(data)
        size += len(data)
        if file is not None:
            file.write(data)
    return size, digest.hexdigest()
