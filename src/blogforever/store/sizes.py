"""How much room archived pages take: those of a blog, and those of all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from .files import ArchiveFiles

# WARC files whose sizes are asked for while somebody waits for a page: some tenths of a second.
MOST_FILES = 20_000


@dataclass(frozen=True, slots=True)
class KeptBytes:
    """WARC files, and the bytes they have; at least so many, where not all were asked."""

    size: int
    files: int
    is_all: bool = True


def kept_of_blog(archive: ArchiveFiles, blog: str) -> KeptBytes:
    """The WARC files of a blog, here or in the store of blobs."""
    if archive.mirror:
        rows = archive.mirror.warcs(blog)
        return KeptBytes(sum(row.size for row in rows), len(rows))
    return _sized(archive.warc_paths(blog))


def kept_of_all(archive: ArchiveFiles, most: int = MOST_FILES) -> KeptBytes | None:
    """The WARC files of all blogs; None where they lie in a store of blobs, which tells that itself."""
    if archive.mirror:
        return None
    paths = list(islice(chain.from_iterable(map(archive.warc_paths, archive.warc_blogs())), most + 1))
    kept = _sized(paths[:most])
    return KeptBytes(kept.size, kept.files, is_all=len(paths) <= most)


def _sized(paths: list[Path]) -> KeptBytes:
    sizes = [size for path in paths if (size := _size(path)) is not None]
    return KeptBytes(sum(sizes), len(sizes))


def _size(path: Path) -> int | None:
    """The bytes of a file; one that is joined with another or erased at this moment has none."""
    try:
        return path.stat().st_size
    except OSError:
        return None
