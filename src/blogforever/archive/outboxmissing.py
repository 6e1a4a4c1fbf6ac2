"""Files of the outbox that wait and are not in the folder of who serves them: another machine added
their rows, or served before, or somebody emptied the folder.

Only who serves has files. So when something is erased on any machine, what holds it goes here, and
nowhere else is anything of it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.storage.outbox import OutboxFile
from blogforever.store.folder import ArchiveFolder

from .outboxfiles import (
    OUTBOX,
    add_files,
    all_waiting,
    keeps_files,
    make_file,
    outbox_path,
    remove_file,
    sweep,
)


def make_missing(archive: ArchiveFolder, after: int) -> int:
    """Make the files after a number that wait and are not here; up to which number all are here
    now.
    """
    last = archive.store.outbox.last()
    if last <= after:
        return after
    missing = [file for file in all_waiting(archive, after) if not outbox_path(archive.folder, file).is_file()]
    for file in missing:
        _make(archive, file)
    if missing:
        # Whoever added them has ended others.
        sweep(archive)
    return last


def leave_outbox(folder: Path) -> None:
    """Keep no files where nobody serves them any more: nobody would take away here what is erased."""
    place = folder / OUTBOX
    if not keeps_files(folder) and place.is_dir():
        for path in place.iterdir():
            remove_file(path)


def _make(archive: ArchiveFolder, file: OutboxFile) -> None:
    """Make a file as its row has it; where that says something else than would be said now,
    another takes its place.
    """
    made = make_file(archive, file.post, file.blog, file.told)
    if (made.digest, made.hidden) == (file.digest, file.hidden):
        _rename(outbox_path(archive.folder, made), outbox_path(archive.folder, file))
        return
    with archive.store.transaction():
        add_files(archive, [replace(made, account=file.account)])
        archive.store.outbox.end([file.number], "withdrawn", clock.stamp())


def _rename(written: Path, path: Path) -> None:
    try:
        written.replace(path)
    except OSError as error:
        raise ArchiveError(f"The outbox cannot be written: {error.strerror or error}.") from error
