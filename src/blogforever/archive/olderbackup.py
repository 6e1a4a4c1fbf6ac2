"""A backup that is older than an erasure: restored as it is, it would bring back what must not be kept."""

from __future__ import annotations

from pathlib import Path

from blogforever.care.decisions import Decision
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import Journal

from .erasing import renew_erasures


def erased_since(backup: Path, folder: Path) -> list[Decision]:
    """What the journal of a folder says of erasures that the journal of a backup does not know."""
    known = {_mark(one) for one in _erasures(backup)}
    return [one for one in _erasures(folder) if _mark(one) not in known]


def erase_again(archive: ArchiveFolder, decisions: list[Decision]) -> None:
    """Let these erasures hold in an archive that was restored: what they took is known by its digests."""
    if not decisions:
        return
    for decision in decisions:
        archive.journal.add(decision)
    archive.read_decisions()
    for blog in archive.library.blogs(everything=True):
        renew_erasures(archive, blog.id)
    archive.store.wipe()


def _erasures(folder: Path) -> list[Decision]:
    """The lines that say what was erased, and by which digests it is known; what is not finished is no erasure yet."""
    lines = Journal(folder / "journal").decisions()
    return [one for one in lines if one.what == "erased" or (one.what == "suppress" and one.erase)]


def _mark(decision: Decision) -> tuple[str, str | None, str, str]:
    return decision.what, decision.blog, decision.kind, decision.target
