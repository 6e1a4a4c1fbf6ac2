"""Folders for what a running service needs for a while, and nobody after it."""

from __future__ import annotations

from pathlib import Path
from weakref import finalize

from blogforever.store.spare import SpareFolder


def spare_folder(owner: object, name: str) -> Path:
    """A temporary folder that goes with its owner, or with the process, whichever ends first."""
    folder = SpareFolder(f"{name}-")
    finalize(owner, folder.remove)
    return folder.path
