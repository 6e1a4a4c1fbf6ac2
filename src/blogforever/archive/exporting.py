"""Records out of the archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from blogforever.store.folder import ArchiveFolder


def export_jsonl(folder: Path) -> Iterator[str]:
    """Every record of the archive as a JSON line: blogs, posts, failures."""
    with ArchiveFolder(folder, writing=False) as archive:
        yield from archive.records.export()
