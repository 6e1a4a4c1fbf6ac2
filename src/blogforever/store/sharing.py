"""The seam between the small files of an archive and other machines that write them, too."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol


class Sharing(Protocol):
    """Where files are that others write, too."""

    def refresh(self) -> None:
        """Have them as they are now."""

    def writing(self, *paths: Path) -> AbstractContextManager[None]:
        """Write these files inside; then everybody has them so."""


class Alone:
    """One folder that all who write the archive share: its files are the files."""

    def refresh(self) -> None:
        """They are as they are."""

    def writing(self, *_paths: Path) -> AbstractContextManager[None]:
        """Nobody else must be told."""
        return nullcontext()
