"""Join the small WARC files of one blog; what was cut off is gone on with, or taken back.

The new files are whole, and in the store of blobs where there is one, before the database speaks of
them; the old ones go after it does. A plan lies in the archive meanwhile, so that whoever writes
the blog next knows which are which.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.storage.values import Rewritten
from blogforever.store.cdxj import update_index
from blogforever.store.fixity import update_manifest
from blogforever.store.folder import ArchiveFolder
from blogforever.store.joinedfiles import Unit, moved_units, units_of, write_joined
from blogforever.store.journal import moment
from blogforever.store.unfinished import Plan
from blogforever.store.warc import begun_at, new_name

log = logger("archive")


def joinable(archive: ArchiveFolder, blog: str) -> list[Unit]:
    """The files of a blog as they should stand; nothing where none are to be joined."""
    units = units_of(archive.warcs(blog), archive.file_limit)
    return units if any(unit.is_joined for unit in units) else []


def join_files(archive: ArchiveFolder, blog: str, units: Iterable[Unit]) -> None:
    """Join these files of a blog that is held."""
    assert archive.holds(blog), "only who holds a blog writes its files"
    folder = archive.warc_folder(blog)
    part = folder / "part"
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        done, old, new = _written(archive, blog, units, part)
        plan = Plan(blog, "join", moment(), files=tuple(old), into=tuple(new))
        archive.unfinished.begin(plan)
        for name in new:
            (part / name).replace(folder / name)
        part.rmdir()
        # Nothing may speak of a file that other machines cannot have.
        archive.send(blog, insist=True)
        archive.store.relocate(blog, done)
        _settle(archive, plan)
    except OSError as error:
        raise ArchiveError(f"The WARC files of {blog} cannot be joined: {error.strerror or error}.") from error


def finish_joining(archive: ArchiveFolder, plan: Plan) -> None:
    """Bring to its end what was cut off: forwards where the database speaks of the new files, else back."""
    shutil.rmtree(archive.warc_folder(plan.blog) / "part", ignore_errors=True)
    log.info("the WARC files of %s were being joined; that is brought to its end", plan.blog)
    try:
        if _are_used(archive, plan.blog, plan.into):
            _settle(archive, plan)
        else:
            _drop(archive, plan.blog, plan.into)
            archive.unfinished.done(plan.blog)
    except OSError as error:
        what = f"The WARC files of {plan.blog} were being joined, and that cannot be brought to its end"
        raise ArchiveError(f"{what}: {error.strerror or error}.") from error


def _written(
    archive: ArchiveFolder, blog: str, units: Iterable[Unit], part: Path
) -> tuple[Rewritten, list[str], list[str]]:
    """Write the new files: where every record lies then, which files go, and which come."""
    done = Rewritten()
    old: list[str] = []
    new: list[str] = []
    known = {path.name for path in archive.warc_paths(blog)}
    for unit in moved_units(units, done):
        name = new_name(archive.warc_folder(blog), {*known, *new}, begun_at(unit.paths[0].name))
        write_joined(unit, part / name, f"warc/{blog}/{name}", done)
        old += [path.name for path in unit.paths]
        new.append(name)
    return done, old, new


def _settle(archive: ArchiveFolder, plan: Plan) -> None:
    """The database speaks of the new files: let index and digests do so, too, and take the old ones away."""
    blog = plan.blog
    left = [path for path in archive.warcs(blog) if path.name not in plan.files]
    update_index(archive.index_path(blog), left)
    update_manifest(archive.warc_folder(blog), left)
    archive.send(blog, insist=True)
    if _are_used(archive, blog, plan.files):
        raise ArchiveError(f"The database speaks of WARC files of {blog} that were joined: none is taken away.")
    _drop(archive, blog, plan.files)
    archive.unfinished.done(blog)


def _are_used(archive: ArchiveFolder, blog: str, names: Iterable[str]) -> bool:
    """Whether the database speaks of a response in one of these files."""
    return any(ref for name in names for ref in archive.store.captures.in_file(f"warc/{blog}/{name}"))


def _drop(archive: ArchiveFolder, blog: str, names: Iterable[str]) -> None:
    for name in names:
        if archive.mirror is not None:
            archive.mirror.take_away(f"warc/{blog}/{name}")
        (archive.warc_folder(blog) / name).unlink(missing_ok=True)
