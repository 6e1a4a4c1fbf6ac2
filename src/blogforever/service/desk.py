"""Where decisions about followed blogs are taken: each is written into the journal, and then done."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.storage.decided import put_in_force
from blogforever.storage.deciding import AnyDecided, FollowingJournal
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder

# Hexadecimal digits that tell apart what is made in one second.
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Desk:
    """The store and the journal of an archive, and who sits there."""

    store: Store
    journal: FollowingJournal
    by: str = ""

    def decide(self, decision: AnyDecided) -> None:
        """Write a decision down, and do it."""
        self.journal.add(decision)
        put_in_force(self.store, decision)


def desk_of(archive: ArchiveFolder, by: str = "") -> Desk:
    """The desk of an archive that is open for writing."""
    return Desk(archive.store, archive.following, by)


@contextmanager
def opened_desk(folder: Path, by: str = "", wait: bool = True) -> Iterator[Desk]:
    """The desk of the archive in a folder, which is made where there is none."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        yield desk_of(archive, by)


@contextmanager
def opened_to_read(folder: Path) -> Iterator[Store]:
    """The store of the archive in a folder, for who only reads."""
    with open_archive(folder, writing=False) as archive:
        yield archive.store


def new_id() -> str:
    """A name for what is made now; what is made later sorts behind it."""
    return f"{clock.now():%Y%m%d%H%M%S%f}-{secrets.token_hex(DIGITS // 2)}"
