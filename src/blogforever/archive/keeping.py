"""Backups: WARC files, journal and rules in another folder; the rest is rebuilt from them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from blogforever import clock
from blogforever.errors import ArchiveError, UsageError
from blogforever.headway import tell, told_of
from blogforever.store.fixity import digest_of
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import inside, owner_of
from blogforever.store.lock import is_served, journal_lock
from blogforever.wording import shown_size

from .opening import tell_unfinished
from .referenced import OutsideResponses, responses_outside

LIST = "blogforever-backup.json"
JOURNAL = "journal"
KEPT = ("warc", JOURNAL, "rules")
# Blogs that are named where a backup is another archive's.
NAMED = 3
# Files that somebody is writing.
UNFINISHED = (".part", ".open")


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds, and what this one had to do for it."""

    files: int
    copied: int
    removed: int
    size: int
    left_out: tuple[OutsideResponses, ...] = ()
    """What the archive has no bytes of, so that a backup cannot have them."""
    written: tuple[str, ...] = ()
    """Blogs that were being written beside it: what they got meanwhile is in the next backup."""


def back_up(folder: Path, dest: Path, wait: bool = True) -> Backup:
    """Copy what is new or has changed, compare what was copied, remove what the archive no longer
    has.
    """
    if dest.resolve() == folder.resolve() or folder.resolve() in dest.resolve().parents:
        raise UsageError("A backup belongs on another place than into the archive.")
    known, identity = read_list(dest), _identity_of(dest)
    if known is None and dest.is_dir() and any(dest.iterdir()):
        raise UsageError(f"The folder {dest} holds other things; give an empty or a new one, or that of a backup.")
    # Nobody else may write while files are copied: they must fit each other. A service never ends
    # of itself: beside one they fit blog by blog.
    with ArchiveFolder(folder, writing=True, wait=wait, alone=not is_served(folder)) as archive:
        tell_unfinished(archive)
        _check_same(archive, dest, known or {}, identity)
        try:
            done = _copy_all(archive, dest, known or {})
        except OSError as error:
            raise ArchiveError(f"The backup {dest} cannot be written: {error.strerror or error}.") from error
        return replace(done, left_out=responses_outside(archive))


def _check_same(archive: ArchiveFolder, dest: Path, listed: dict[str, str], identity: str) -> None:
    """UsageError where the backup is of another archive, all of which would be removed from it."""
    backed_up = {owner for name in listed if (owner := owner_of(PurePosixPath(name)))}
    is_same = identity == archive.journal.state().identity if identity else _may_be_same(archive, backed_up)
    if not is_same:
        names = f" ({', '.join(sorted(backed_up)[:NAMED])})" if backed_up else ""
        raise UsageError(
            f"The folder {dest} has the backup of another archive{names}; nothing was changed. Give another folder."
        )


def _may_be_same(archive: ArchiveFolder, backed_up: set[str]) -> bool:
    """Whether a backup from before archives could be told apart may be of this one: it has no blogs, or some that this
    archive has, or the archive forgot some.
    """
    is_known = not backed_up or bool(backed_up & set(_by_blog(archive)))
    return is_known or bool(archive.journal.state().forgotten)


def _identity_of(dest: Path) -> str:
    """By what the archive of a backup is told from others; empty where the backup does not say."""
    said = _said_in(dest).get("archive")
    return said if isinstance(said, str) else ""


def _said_in(folder: Path) -> dict[str, Any]:
    """What the list of a backup says; nothing where there is none that can be read."""
    try:
        said = json.loads(inside(folder, LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def read_list(folder: Path) -> dict[str, str] | None:
    """The files of a backup with their digests; None where there is none, ArchiveError where one
    lies elsewhere.
    """
    files = _said_in(folder).get("files")
    if not isinstance(files, dict):
        return None
    listed = {str(name): str(digest) for name, digest in files.items()}
    for name in listed:
        inside(folder, name)
        if name.partition("/")[0] not in KEPT:
            raise ArchiveError(f"The list of the backup {folder} names {name!r}, which is no part of an archive.")
    return listed


def check_backup(folder: Path) -> dict[str, str]:
    """The files of a backup; ArchiveError where one is missing or is not what was copied."""
    files = read_list(folder)
    if files is None:
        raise UsageError(f"There is no backup in {folder}.")
    for name, digest in told_of(files.items(), "checking the backup", len(files), "files"):
        path = folder / name
        if not path.is_file():
            raise ArchiveError(f"The backup {folder} lacks {name}.")
        if digest_of(path) != digest:
            raise ArchiveError(f"The file {name} of the backup {folder} is damaged.")
    return files


def kept_files(folder: Path) -> Iterator[Path]:
    """The files of an archive that cannot be rebuilt from others."""
    for part in KEPT:
        files = (path for path in (folder / part).rglob("*") if path.is_file())
        yield from sorted(path for path in files if path.suffix not in UNFINISHED)


@dataclass(slots=True)
class _Copying:
    """Copies what differs from what the backup lists; `files` are those it has then, with their
    digests.
    """

    folder: Path
    dest: Path
    listed: dict[str, str]
    files: dict[str, str] = field(default_factory=dict)
    copied: int = 0
    size: int = 0

    def copy(self, path: Path) -> None:
        """One file of the archive."""
        name = path.relative_to(self.folder).as_posix()
        target, digest = inside(self.dest, name), digest_of(path)
        length = path.stat().st_size
        is_there = self.listed.get(name) == digest and target.is_file() and target.stat().st_size == length
        if not is_there:
            _copy(path, target, inside(self.dest, f"{name}.part"), digest)
            self.copied += 1
        self.files[name] = digest
        self.size += length

    def copy_if_still(self, path: Path) -> None:
        """One file that somebody may be changing: then the backup keeps what it has of it."""
        name = path.relative_to(self.folder).as_posix()
        try:
            self.copy(path)
        except (ArchiveError, FileNotFoundError):
            if name in self.listed:
                self.files[name] = self.listed[name]


def _copy_all(archive: ArchiveFolder, dest: Path, listed: dict[str, str]) -> Backup:
    """Copy what is kept, blog by blog, and remove from the backup what the archive no longer has."""
    copying, moving = _Copying(archive.folder, dest, listed), []
    identity = archive.journal.identity()
    for blog, paths in _by_blog(archive).items():
        with _kept_still(archive, blog) as is_still:
            copy = copying.copy if is_still else copying.copy_if_still
            for path in _all_files(archive, blog, paths):
                tell("copying", len(copying.files), things=f"files ({shown_size(copying.size)})")
                copy(path)
            if blog and not is_still:
                moving.append(blog)
    gone = listed.keys() - copying.files.keys()
    for name in gone:
        # What was erased or forgotten must not live on in the backup.
        inside(dest, name).unlink(missing_ok=True)
    _write_list(dest, identity, copying.files)
    return Backup(len(copying.files), copying.copied, len(gone), copying.size, written=tuple(moving))


@contextmanager
def _kept_still(archive: ArchiveFolder, blog: str | None) -> Iterator[bool]:
    """Whether nobody writes the files of a blog meanwhile, or those that belong to no single one."""
    if blog is None:
        with journal_lock(archive.folder / JOURNAL):
            yield True
    else:
        with archive.borrowed(blog) as held:
            yield held


def _by_blog(archive: ArchiveFolder) -> dict[str | None, list[Path]]:
    """The files to keep that are here by the blog they belong to, all blogs among them; under None
    what belongs to no single one.
    """
    found: dict[str | None, list[Path]] = {}
    for path in kept_files(archive.folder):
        found.setdefault(owner_of(path.relative_to(archive.folder)), []).append(path)
    for blog in archive.mirror.blogs() if archive.mirror else ():
        found.setdefault(blog, [])
    return found


def _all_files(archive: ArchiveFolder, blog: str | None, here: list[Path]) -> Iterator[Path]:
    """The files of a blog, those from the store of blobs, too: fetched one after the other."""
    mirror = archive.mirror if blog else None
    if mirror is None or blog is None:
        yield from here
        return
    rows = [row for row in mirror.warcs(blog) if not mirror.waits_elsewhere(row)]
    brought = {archive.folder / row.name for row in rows}
    yield from (path for path in here if path not in brought)
    for row in rows:
        yield mirror.bring(row.name)
    mirror.let_go()
    mirror.make_room()


def _write_list(dest: Path, identity: str, files: dict[str, str]) -> None:
    made = {
        "archive": identity,
        "made": clock.stamp(),
        "software": f"blogforever {version('blogforever')}",
    }
    dest.mkdir(parents=True, exist_ok=True)
    inside(dest, LIST).write_text(json.dumps(made | {"files": files}, indent=1), encoding="utf-8")


def _copy(path: Path, target: Path, part: Path, digest: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, part)
    if digest_of(part) != digest:
        part.unlink()
        raise ArchiveError(f"The copy of {path} is not what was copied; the disk may be failing.")
    part.replace(target)
