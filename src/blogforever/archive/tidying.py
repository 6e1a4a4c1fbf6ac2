"""Join the small WARC files that updates leave: one for each blog and update, thousands in a year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blogforever.headway import told_of
from blogforever.store.folder import ArchiveFolder
from blogforever.store.joinedfiles import Unit

from .filejoining import join_files, joinable
from .opening import finish_begun, open_archive
from .reading import choose_blog

BUSY = "another command is writing it"
INTERRUPTED = "its last crawl was interrupted, and the next one goes on with its files"


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was done with the WARC files of a blog, or would be: how many were joined to how many,
    and their bytes; `left` says why nothing was.
    """

    blog: str
    before: int = 0
    after: int = 0
    size: int = 0
    left: str = ""


def tidy(folder: Path, wanted: Sequence[str] = (), dry_run: bool = False, wait: bool = True) -> Iterator[Tidied]:
    """Join what can be joined in these blogs, or in all; one after the other, each told when it is
    done.

    A blog that another command is writing is left for the next time.
    """
    with open_archive(folder, writing=not dry_run, wait=wait) as archive:
        names = [choose_blog(archive, name, everything=True).id for name in wanted] or archive.warc_blogs()
        interrupted = {blog.id for blog in archive.library.blogs(everything=True) if blog.unfinished}
        for blog in told_of(names, "tidying", len(names), "blogs"):
            if blog in interrupted:
                yield Tidied(blog, left=INTERRUPTED)
            else:
                yield _foreseen(archive, blog) if dry_run else _tidied(archive, blog)


def _foreseen(archive: ArchiveFolder, blog: str) -> Tidied:
    return _summed(blog, joinable(archive, blog))


def _tidied(archive: ArchiveFolder, blog: str) -> Tidied:
    if not archive.take(blog):
        return Tidied(blog, left=BUSY)
    try:
        finish_begun(archive, {blog})
        units = joinable(archive, blog)
        summed = _summed(blog, units)
        if units:
            join_files(archive, blog, units)
        return summed
    finally:
        archive.give_back(blog)


def _summed(blog: str, units: list[Unit]) -> Tidied:
    joined = [unit for unit in units if unit.is_joined]
    paths = [path for unit in joined for path in unit.paths]
    return Tidied(blog, len(paths), len(joined), sum(path.stat().st_size for path in paths))
