"""The list that a copy for reading keeps of its own files."""

from __future__ import annotations

import json
from pathlib import Path

MARKER = "blogforever-copy.json"


def files_of(marker: Path) -> list[str]:
    """The files that a copy says it has; none where its list cannot be read. They may lead anywhere."""
    try:
        return [str(path) for path in json.loads(marker.read_text(encoding="utf-8"))["files"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
