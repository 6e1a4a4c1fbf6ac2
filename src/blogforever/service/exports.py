"""Exports, for people: asked for, listed, fetched for a day, then put away."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from blogforever import clock
from blogforever.errors import ArchiveError, UsageError
from blogforever.storage.searches import PostSearch
from blogforever.storage.tables import Store
from blogforever.storage.work import PERSON, JobFilter, JobRow, NewJob
from blogforever.store.folder import ArchiveFolder
from blogforever.store.spare import clear_left
from blogforever.typedjson import decoded
from blogforever.wording import day_of
from blogforever.work.retrying import moment_after

from .errands import ENDINGS, EXPORTS, Errand, ExportFormat, export_path, shared_name

WHOLE_BLOGS: tuple[ExportFormat, ...] = ("site", "wacz", "blogs")
"""Formats that cannot hold some posts alone."""
ALL_BLOGS, CHOSEN = "all-blogs", "chosen-posts"
KEPT = 24 * 3600.0
"""Seconds that an export can be fetched: what was exported is in the archive, and can be again."""


@dataclass(frozen=True, slots=True)
class ExportWish:
    """What somebody wants exported: one blog of the archive, or all; or the posts of a search."""

    format: ExportFormat
    blog: str = ""
    search: PostSearch | None = None


@dataclass(frozen=True, slots=True)
class ListedExport:
    """An export with the job that makes it; `file` where it can be fetched."""

    job: JobRow
    format: ExportFormat
    blog: str
    file: str | None
    search: PostSearch | None = None


def ask_for_export(archive: ArchiveFolder, wish: ExportWish, by: str) -> JobRow:
    """Have something exported; UsageError where there is no such blog."""
    followed = archive.store.followed.find(wish.blog)
    blog = (followed.blog if followed else None) or wish.blog
    if blog and archive.store.blogs.find(blog) is None:
        raise UsageError(f"The archive holds nothing of a blog {wish.blog!r}.")
    if wish.format == "wacz" and not blog:
        raise UsageError("A WACZ holds one blog: say which.")
    if wish.search is not None and wish.format in WHOLE_BLOGS:
        raise UsageError(f"The format {wish.format} holds whole blogs: choose by blog alone, or another format.")
    # Under no blog: nothing is written, and each export is one of its own.
    told = msgspec.json.encode(ExportWish(wish.format, blog, wish.search)).decode()
    return archive.store.jobs.put(NewJob("export", "", PERSON, asked_by=by, input=told), clock.stamp())


def errand_of(job: JobRow) -> Errand:
    """What the job of an export has to do."""
    try:
        wish = decoded(job.input, ExportWish)
    except msgspec.MsgspecError as error:
        raise UsageError(f"The job {job.id} does not say what to export.") from error
    return Errand("export", job.id, wish.blog, wish.format, wish.search)


def list_exports(archive: ArchiveFolder, limit: int, after: int | None = None) -> tuple[list[ListedExport], int | None]:
    """Exports, newest first, and the number after which the next page begins."""
    jobs = archive.store.jobs.newest(JobFilter(kind="export"), limit + 1, after)
    following = jobs[limit - 1].id if len(jobs) > limit else None
    return [listed_export(archive, job) for job in jobs[:limit]], following


def listed_export(archive: ArchiveFolder, job: JobRow) -> ListedExport:
    """An export as people see it."""
    errand = errand_of(job)
    path = export_path(archive.folder, job.id, errand.format)
    is_there = path.is_file() or _is_elsewhere(archive, path)
    name = _name_of_file(job, errand) if is_there else None
    return ListedExport(job, errand.format, errand.blog, name, errand.search)


def _name_of_file(job: JobRow, errand: Errand) -> str:
    """What an export is called by whoever saves it: of what, as what, of which day."""
    of_what = errand.blog or (CHOSEN if errand.search else ALL_BLOGS)
    return f"{of_what}-{day_of(job.created)}.{ENDINGS[errand.format]}"


def file_name(archive: ArchiveFolder, job: int) -> str:
    """The same, of the job with this number."""
    row = archive.store.jobs.find(job)
    if row is None:
        return ALL_BLOGS
    return _name_of_file(row, errand_of(row))


def size_of_file(archive: ArchiveFolder, one: ListedExport) -> int:
    """Bytes of an export; 0 where it is on another machine."""
    path = export_path(archive.folder, one.job.id, one.format)
    return path.stat().st_size if one.file and path.is_file() else 0


def _is_elsewhere(archive: ArchiveFolder, path: Path) -> bool:
    """Whether another machine has made it and sent it to the store of blobs."""
    row = archive.mirror.list.find(shared_name(path)) if archive.mirror else None
    return row is not None and row.stored and not row.gone


def fetched_export(archive: ArchiveFolder, job: int) -> Path | None:
    """The file of an export that is there."""
    row = archive.store.jobs.find(job)
    if row is None or row.kind != "export":
        return None
    path = export_path(archive.folder, job, errand_of(row).format)
    if archive.mirror is not None and not path.is_file() and _is_elsewhere(archive, path):
        archive.mirror.bring(shared_name(path))
    return path if path.is_file() and not path.is_symlink() else None


def put_exports_away(archive: ArchiveFolder) -> int:
    """Drop exports that nobody has fetched for a day, and what killed ones left, here and in the
    store of blobs; how many.
    """
    place, mirror = archive.folder / EXPORTS, archive.mirror
    dropped = clear_left(place)
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        if path.is_file() and not _is_wanted(archive.store, path.name):
            dropped += _dropped(path)
    for row in mirror.list.below(f"{EXPORTS}/") if mirror else ():
        if mirror and not row.gone and not _is_wanted(archive.store, Path(row.name).name):
            mirror.take_away(row.name)
            dropped += 1
    return dropped


def _is_wanted(store: Store, name: str) -> bool:
    """Whether an export may still be fetched, or is just being made."""
    number = name.partition(".")[0].partition("-")[0]
    job = store.jobs.find(int(number)) if number.isdecimal() else None
    return job is not None and (job.ended is None or job.ended > moment_after(-KEPT))


def _dropped(path: Path) -> int:
    try:
        path.unlink()
    except OSError as error:
        raise ArchiveError(f"{path} cannot be removed: {error.strerror or error}.") from error
    return 1
