"""Blobs in a folder: a disk that several machines see, or another disk of this one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from blogforever.errors import BlobsAway
from blogforever.storage.blobs import Blob

from .fixity import digest_of
from .inside import inside

PART = ".part"


class DiskBlobs:
    """Keeps each blob as a file below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def address(self) -> str:
        """The folder as an address."""
        return self._folder.absolute().as_uri()

    def put(self, name: str, path: Path, sha256: str) -> int:
        """Copy a file, compare the copy, and only then give it its name."""
        place, part = inside(self._folder, name), inside(self._folder, name + PART)
        with self._there():
            place.parent.mkdir(parents=True, exist_ok=True)
            with path.open("rb") as source, part.open("wb") as copy:
                shutil.copyfileobj(source, copy)
                copy.flush()
                os.fsync(copy.fileno())
            if digest_of(part) != sha256:
                part.unlink()
                raise BlobsAway(f"{self.address} did not keep {name} as it was sent.")
            part.replace(place)
        return 0

    def get(self, name: str, path: Path) -> None:
        """Copy it."""
        with self._there():
            shutil.copyfile(inside(self._folder, name), path)

    @contextmanager
    def open(self, name: str, size: int) -> Iterator[IO[bytes]]:
        """Open the file."""
        with self._there():
            file = inside(self._folder, name).open("rb")
        with file:
            yield file

    def find(self, name: str) -> Blob | None:
        """Read the file to know its digest."""
        path = inside(self._folder, name)
        with self._there():
            return Blob(name, path.stat().st_size, digest_of(path)) if path.is_file() else None

    def names(self, prefix: str) -> Iterator[str]:
        """Every file below the folder that begins so."""
        with self._there():
            files = (path for path in self._folder.rglob("*") if path.is_file() and path.suffix != PART)
            names = sorted(path.relative_to(self._folder).as_posix() for path in files)
        yield from (name for name in names if name.startswith(prefix))

    def remove(self, name: str) -> int:
        """Remove the file."""
        with self._there():
            inside(self._folder, name).unlink(missing_ok=True)
        return 0

    @contextmanager
    def _there(self) -> Iterator[None]:
        """A folder that is not there, such as a disk that is not mounted, is another thing than a missing file."""
        if not self._folder.is_dir():
            raise BlobsAway(f"{self.address} cannot be reached: there is no such folder.")
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise BlobsAway(f"{self.address} cannot be used: {error.strerror or error}.") from error
