"""The list that a copy for reading keeps of its own files."""

from __future__ import annotations

import json
from pathlib import Path

MARKER = "blogforever-copy.json"
BEGUN = "blogforever-copy.part"
"""What a copy that is being made has so far, a line for each file: one that is cut off is told by it."""


def files_of(marker: Path) -> list[str]:
    """The files that a copy says it has; none where its list cannot be read. They may lead anywhere."""
    try:
        return [str(path) for path in json.loads(marker.read_text(encoding="utf-8"))["files"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def files_begun(begun: Path) -> list[str]:
    """The files of a copy that was cut off; they may lead anywhere, too."""
    try:
        return begun.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
