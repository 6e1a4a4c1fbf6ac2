"""What must not be shown: hidden with a reason, for good or up to a day, and shown again; or erased."""

from __future__ import annotations

from dataclasses import dataclass

from blogforever.archive.erasing import Erased
from blogforever.archive.foreseeing import Foreseen, Remaining
from blogforever.archive.suppressing import Meant, foresee_suppressing, need_reason, suppress, unsuppress
from blogforever.care.decisions import Hidden
from blogforever.store.folder import ArchiveFolder


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """What an erasure would take, and what it would not reach."""

    foreseen: Foreseen
    remaining: Remaining


def hide(archive: ArchiveFolder, meant: Meant, reason: str, until: str = "") -> None:
    """Show something to nobody from now on: for good, or up to a day (an embargo). The archive
    keeps it.
    """
    archive.store.flush()
    suppress(archive.folder, meant, reason, until=until or None, wait=False)
    archive.read_decisions()


def seen_before_erasing(archive: ArchiveFolder, meant: Meant, reason: str) -> SeenBefore:
    """What erasing this would do; nothing is touched. UsageError where it would be refused."""
    need_reason(reason)
    archive.store.flush()
    _target, foreseen, remaining = foresee_suppressing(archive.folder, meant)
    return SeenBefore(foreseen, remaining)


def erase_for_good(archive: ArchiveFolder, meant: Meant, reason: str) -> Erased:
    """Take something out of the archive, without a way back."""
    archive.store.flush()
    done = suppress(archive.folder, meant, reason, erase=True, wait=False).erased
    archive.read_decisions()
    return done or Erased()


def show_again(archive: ArchiveFolder, target: str, kind: str, reason: str) -> None:
    """Show again what was hidden."""
    archive.store.flush()
    unsuppress(archive.folder, target, kind, reason, wait=False)
    archive.read_decisions()


def hidden_things(archive: ArchiveFolder) -> list[Hidden]:
    """What is hidden, the last first; what was erased to the end has no name any more."""
    return sorted(archive.journal.state().hidden, key=lambda one: one.since, reverse=True)
