"""Responses that the archive only points to (`--reference`)."""

from __future__ import annotations

from dataclasses import dataclass

from blogforever.store.folder import ArchiveFolder


@dataclass(frozen=True, slots=True)
class OutsideResponses:
    """The responses of one blog that lie in files outside the archive; `home` is what a crawl of it
    is given.
    """

    blog: str
    home: str
    number: int
    files: tuple[str, ...]


def responses_outside(archive: ArchiveFolder, blog: str | None = None) -> tuple[OutsideResponses, ...]:
    """What the archive only points to, for each blog that has such responses, or for one."""
    homes = {summary.id: summary.url or summary.id for summary in archive.library.blogs(everything=True)}
    return tuple(
        OutsideResponses(name, homes.get(name, name), sum(files.values()), tuple(files))
        for name, files in archive.store.captures.outside(blog).items()
    )
