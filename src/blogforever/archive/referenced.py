"""Responses that the archive only points to (`--reference`): said by every command that cannot do its work on them."""

from __future__ import annotations

from pathlib import Path

from blogforever.store.folder import ArchiveFolder
from blogforever.wording import counted

SHOWN = 3


def referenced_only(archive: ArchiveFolder, what: str, blog: str | None = None) -> list[str]:
    """For each blog that has such responses, where they lie, `what` that means, and what to do about it."""
    homes = {one.id: one.url or one.id for one in archive.library.blogs(everything=True)}
    return [
        f"{counted(sum(files.values()), 'response')} of {name} only referenced, in {_shown(list(files))}: {what}."
        f" To keep them in the archive: blogforever crawl {homes.get(name, name)} --replay {_where(list(files))}"
        for name, files in archive.store.captures.outside(blog).items()
    ]


def _shown(files: list[str]) -> str:
    more = f" and {counted(len(files) - SHOWN, 'more file')}" if len(files) > SHOWN else ""
    return ", ".join(files[:SHOWN]) + more


def _where(files: list[str]) -> str:
    """The file, or the folder they lie in where there are several."""
    return files[0] if len(files) == 1 else str(Path(files[0]).parent)
