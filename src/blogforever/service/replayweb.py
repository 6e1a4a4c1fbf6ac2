"""Archived pages with their scripts, by ReplayWeb.page: an extra that is not part of this program,
because of its licence (AGPL). Who wants it names the folder that holds its `ui.js` and `sw.js`.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import Lock

from blogforever.archive.packing import export_wacz
from blogforever.errors import UsageError
from blogforever.store.folder import ArchiveFolder

from .spare import spare_folder

PROGRAM = ("ui.js", "sw.js")
# Bytes of a blog's WARC files that are packed while somebody waits.
LARGEST = 2_000_000_000


class ScriptedReplay:
    """The program's files, and the blogs of an archive packed for it, each once until something new
    came.
    """

    def __init__(self, archive: ArchiveFolder, program: str) -> None:
        self._archive, self._program = archive, Path(program)
        missing = [name for name in PROGRAM if not (self._program / name).is_file()]
        if missing:
            raise UsageError(f"{program} does not hold ReplayWeb.page: {' and '.join(missing)} must be there.")
        self._packed: dict[str, tuple[object, Path]] = {}
        self._lock = Lock()

    def file(self, name: str) -> Path | None:
        """A file of the program; None where it has none of this name."""
        return self._program / name if name in PROGRAM else None

    def wacz(self, blog: str) -> Path | None:
        """A blog as one file; None where there is nothing to pack, or too much."""
        warcs = self._archive.warcs(blog)
        sizes = [(path.name, path.stat().st_size) for path in warcs]
        if not warcs or sum(size for _name, size in sizes) > LARGEST or self._archive.veil.blog(blog):
            return None
        mark = (self._archive.veil.mark(blog), *sizes)
        with self._lock:
            known = self._packed.get(blog)
            if known is None or known[0] != mark:
                place = self._folder / f"{len(self._packed)}-{len(sizes)}.wacz"
                place.unlink(missing_ok=True)
                export_wacz(self._archive.folder, place, blog)
                self._packed[blog] = known = (mark, place)
            return known[1]

    @cached_property
    def _folder(self) -> Path:
        return spare_folder(self, "replay")
