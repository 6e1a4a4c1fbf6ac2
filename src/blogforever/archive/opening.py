"""Open an archive; what an earlier command began to erase and could not finish is finished first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from blogforever.care.decisions import Hidden
from blogforever.errors import ArchiveError, ArchiveLocked
from blogforever.logs import logger
from blogforever.store.folder import ArchiveFolder

from .erasing import erase_target, forget, renew_erasures

log = logger("archive")


def open_archive(folder: Path, writing: bool, min_free: int = 0) -> ArchiveFolder:
    """The archive in a folder, with nothing left to erase in it.

    Who only reads is not kept from it where that cannot be finished: what is being erased is hidden already.
    """
    archive = ArchiveFolder(folder, writing, min_free)
    if not unfinished(archive):
        return archive
    archive.close()
    try:
        for sentence in finish_erasures(folder):
            log.warning("%s", sentence)
    except ArchiveLocked:
        if writing:
            raise
    except ArchiveError as error:
        if writing:
            raise
        log.warning("An erasure was cut off and cannot be finished now: %s", error)
    return ArchiveFolder(folder, writing, min_free)


def unfinished(archive: ArchiveFolder) -> bool:
    """Whether something was begun to be erased, and is not yet gone."""
    return bool(_named(archive) or archive.unfinished.plans())


def finish_erasures(folder: Path) -> list[str]:
    """Finish what was begun; sentences say what that was."""
    with ArchiveFolder(folder, writing=True) as archive:
        return list(_finish(archive))


def _finish(archive: ArchiveFolder) -> Iterator[str]:
    for plan in archive.unfinished.plans():
        if plan.what == "forget":
            forget(archive, plan.blog, plan.reason, plan.at)
            yield f"The blog {plan.blog} was not wholly forgotten; now it is."
    for plan in archive.unfinished.plans():
        if plan.what == "renew":
            done = renew_erasures(archive, plan.blog)
            if any(done.counts().values()):
                yield f"What a crawl of {plan.blog} had brought back is erased again: {done}."
    for one in _named(archive):
        if one.kind == "blog":
            forget(archive, one.target, one.reason)
            yield f"The blog {one.target} was not wholly forgotten; now it is."
        else:
            yield f"An erasure that was cut off is finished: {erase_target(archive, one)}."
    for plan in archive.unfinished.plans():
        archive.unfinished.done(plan.blog)


def _named(archive: ArchiveFolder) -> list[Hidden]:
    return [one for one in archive.journal.state().hidden if one.erased and one.named]
