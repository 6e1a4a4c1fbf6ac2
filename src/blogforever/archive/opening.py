"""Open an archive; finish what was begun to be erased, only for those who write.

Who reads an archive, perhaps somebody else's, deletes nothing in it. What is not yet erased is
hidden from him, and he is told which command takes it away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from blogforever.care.decisions import Hidden
from blogforever.logs import logger
from blogforever.store.blobplace import settle_blobs
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import is_held_alone, written_now
from blogforever.store.place import has_records
from blogforever.store.unfinished import Plan

from .erasing import FinishedErasure, erase_target, forget, renew_erasures
from .filejoining import finish_joining
from .notices import cut_off_sentence, finished_sentence
from .relocating import settle_database

ALL = "all blogs"
log = logger("archive")


def is_archive(folder: Path) -> bool:
    """Whether there is an archive in a folder."""
    return has_records(folder)


def open_archive(folder: Path, writing: bool, min_free: int = 0, wait: bool = True) -> ArchiveFolder:
    """The archive in a folder; who writes to blogs of it says with `write_to` to which, and shares
    it with others.
    """
    archive = ArchiveFolder(folder, writing, min_free, alone=False, wait=wait)
    if not writing:
        tell_unfinished(archive)
    return archive


def open_shared(
    database: str, blobs: str, folder: Path, writing: bool, min_free: int = 0, wait: bool = True
) -> ArchiveFolder:
    """An archive that several machines share: its records in the database at an address, its bytes
    in the store at another, and in the folder, which is this machine's own, what it writes and
    reads just now.

    The folder remembers both addresses, so that afterwards every command finds the archive by it.
    """
    settle_database(folder, database, is_flag=False)
    settle_blobs(folder, blobs)
    return open_archive(folder, writing, min_free, wait)


def write_to(archive: ArchiveFolder, blogs: Iterable[str] | None) -> bool:
    """Let nobody else write to these blogs (None: to all), and erase there what was begun to be
    erased.

    Whether the archive may be another than it was: then what is known of it must be looked up
    again.
    """
    names = None if blogs is None else set(blogs)
    changed = _hold(archive, names)
    done = finish_begun(archive, names)
    if done:
        archive.read_decisions()
    tell_unfinished(archive)
    return changed or bool(done)


def _hold(archive: ArchiveFolder, blogs: set[str] | None) -> bool:
    """Have these blogs, with nothing left that must be erased in all; whether anything may have
    changed meanwhile.
    """
    if blogs is None:
        archive.hold_all()
        return True
    changed = archive.hold(blogs)
    if any(one.blog is None for one in _named(archive, blogs)):
        archive.hold_all()
        finish_begun(archive, None)
        archive.share()
        archive.hold(blogs)
        changed = True
    return changed


def tell_unfinished(archive: ArchiveFolder) -> None:
    """Say that something is not erased yet, and what to do."""
    if blogs := cut_off(archive):
        log.warning("%s", cut_off_sentence(blogs))


def cut_off(archive: ArchiveFolder) -> tuple[str, ...]:
    """The blogs of which something is not erased yet, unless another command is just about it."""
    names = sorted(unfinished(archive) - _written_by_others(archive))
    only_reads = not archive.writing
    if only_reads and is_held_alone(archive.folder):
        return ()
    return tuple(names)


def unfinished(archive: ArchiveFolder) -> set[str]:
    """The blogs of which something was begun to be erased, and is not yet gone."""
    plans = {plan.blog for plan in archive.unfinished.plans() if plan.what != "join"}
    return plans | {one.blog or ALL for one in _named(archive, None)}


def _written_by_others(archive: ArchiveFolder) -> set[str]:
    return {blog for blog in written_now(archive.folder) if not archive.holds(blog)}


def finish_erasures(folder: Path, blogs: Iterable[str] | None = None, wait: bool = True) -> list[FinishedErasure]:
    """Finish what was begun in these blogs, or in all."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        joined = {plan.blog for plan in archive.unfinished.plans() if plan.what == "join"}
        names = unfinished(archive) | joined if blogs is None else set(blogs)
        wanted = None if ALL in names else names
        _hold(archive, wanted)
        return list(_finish(archive, wanted))


def finish_begun(archive: ArchiveFolder, blogs: set[str] | None) -> bool:
    """Finish what was begun in these blogs, or in all; whether that was anything."""
    done = False
    for finished in _finish(archive, blogs):
        log.warning("%s", finished_sentence(finished))
        done = True
    return done


def _finish(archive: ArchiveFolder, blogs: set[str] | None) -> Iterator[FinishedErasure]:
    plans = [plan for plan in archive.unfinished.plans() if blogs is None or plan.blog in blogs]
    yield from _finish_plans(archive, plans)
    for one in _named(archive, blogs):
        if one.kind == "blog":
            forget(archive, one.target, one.reason)
            yield FinishedErasure("forgotten", one.target)
        else:
            yield FinishedErasure("erased", one.blog, erase_target(archive, one))
    for plan in plans:
        archive.unfinished.done(plan.blog)


def _finish_plans(archive: ArchiveFolder, plans: list[Plan]) -> Iterator[FinishedErasure]:
    """What was begun in single blogs; files that are being joined are no erasure, and settled before one reads them."""
    for plan in plans:
        if plan.what == "join":
            finish_joining(archive, plan)
        if plan.what == "forget":
            forget(archive, plan.blog, plan.reason, plan.at)
            yield FinishedErasure("forgotten", plan.blog)
    for plan in plans:
        done = renew_erasures(archive, plan.blog) if plan.what == "renew" else None
        if done and done.anything:
            yield FinishedErasure("renewed", plan.blog, done)


def _named(archive: ArchiveFolder, blogs: set[str] | None) -> list[Hidden]:
    """What was to be erased and is still written out, in these blogs or in all; what is meant for
    all is in each.
    """
    named = [one for one in archive.journal.state().hidden if one.erased and one.named]
    return [one for one in named if blogs is None or one.blog is None or one.blog in blogs]
