"""What has not reached the store of blobs yet, for those who look after an archive."""

from __future__ import annotations

from itertools import groupby

from blogforever.storage.blobs import WaitingBlobs
from blogforever.wording import counted, shown_size

from .catalogue import Listed
from .folder import ArchiveFolder


def waiting_files(archive: ArchiveFolder) -> list[Listed]:
    """The files that are only on the machine that wrote them, by machine."""
    rows = archive.mirror.list.waiting() if archive.mirror else []
    return sorted(rows, key=lambda row: row.machine)


def waiting_blobs(archive: ArchiveFolder) -> list[WaitingBlobs]:
    """The same, counted for each machine."""
    return [_counted(machine, [*rows]) for machine, rows in groupby(waiting_files(archive), lambda row: row.machine)]


def _counted(machine: str, rows: list[Listed]) -> WaitingBlobs:
    last = max(rows, key=lambda row: (bool(row.error), row.since))
    return WaitingBlobs(machine, len(rows), sum(row.size for row in rows), min(row.since for row in rows), last.error)


def waiting_sentences(archive: ArchiveFolder) -> list[str]:
    """One for each machine that has such files."""
    address = archive.mirror.blobs.address if archive.mirror else ""
    return [_sentence(one, address) for one in waiting_blobs(archive)]


def _sentence(one: WaitingBlobs, address: str) -> str:
    files = f"{counted(one.files, 'file')} ({shown_size(one.bytes)}) on {one.machine}"
    why = f" When it was last tried: {one.error}" if one.error else ""
    return f"{files} wait since {one.since} to be sent to {address}.{why}"
