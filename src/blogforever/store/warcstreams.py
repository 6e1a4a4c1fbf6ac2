"""Opens what holds web archives: WARC and ARC files, packed or not, also inside a WACZ."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from uuid import NAMESPACE_URL, uuid5

from isal import igzip
from isal.igzip_lib import IsalError
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from blogforever.errors import UsageError
from blogforever.logs import logger

from .members import is_arc
from .unpacking import teach_warcio

SUFFIXES = (".warc", ".warc.gz", ".wacz", ".arc", ".arc.gz", ".warc.gz.open")
INNER = (".warc", ".warc.gz", ".arc", ".arc.gz")
# The lengths of name and extra field, at the end of the header that a ZIP has before each of its
# files.
LOCAL_HEADER = "<26xHH"
LOCAL_HEADER_SIZE = struct.calcsize(LOCAL_HEADER)
OPEN_BOXES = 2
"""WACZ files that stay open: one after the other is read, and hardly ever two in turns."""
log = logger("store")
teach_warcio()
# What warcio, gzip and zip readers raise on files that were cut short, altered or never were
# archives.
DAMAGE: tuple[type[Exception], ...] = (  # type: ignore[assignment]  # isal's class has no type
    *(OSError, EOFError, ValueError, AttributeError, KeyError, TypeError, RuntimeError, OverflowError),
    *(NotImplementedError, StopIteration, struct.error, ArchiveLoadFailed, zipfile.BadZipFile),
    *(zlib.error, igzip.BadGzipFile, IsalError),
)


def warc_files(paths: Iterable[Path]) -> list[Path]:
    """The WARC and WACZ files among these files and folders; finding none there is a UsageError."""
    found: list[Path] = []
    asked = list(paths)
    for path in asked:
        if path.is_dir():
            inside = sorted(path.rglob("*"))
            found += [file for file in inside if file.is_file() and file.name.endswith(SUFFIXES)]
        elif path.is_file():
            found.append(path)
        else:
            raise UsageError(f"There is no file or folder {path}.")
    if asked and not found:
        places = ", ".join(map(str, asked))
        raise UsageError(f"No .warc, .warc.gz, .arc, .arc.gz or .wacz file was found in {places}.")
    return found


def streams_of(path: Path) -> list[str]:
    """The WARC streams of one file; inside a WACZ they are called
    file.wacz!/archive/data.warc.gz.
    """
    if not zipfile.is_zipfile(path):
        return [str(path)]
    with zipfile.ZipFile(path) as box:
        return [f"{path}!/{name}" for name in box.namelist() if name.endswith(INNER)]


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A WARC stream, to be read from any place."""
    outer, mark, inner = str(path).partition("!/")
    if not mark:
        with path.open("rb") as file:
            yield file
        return
    box = _box(outer, Path(outer).stat().st_mtime_ns)
    info = box.getinfo(inner)
    if info.compress_type != zipfile.ZIP_STORED:
        with box.open(info) as file:
            yield file
        return
    # zipfile reads its way to a place; in a file that is stored as it is one can go there.
    with Path(outer).open("rb") as file:
        yield io.BufferedReader(_Window(file, info))


@lru_cache(maxsize=OPEN_BOXES)
def _box(path: str, _changed: int) -> zipfile.ZipFile:
    """A WACZ, opened once: its list of files would else be read for each of them, and a stranger's may
    have as many as he likes.
    """
    return zipfile.ZipFile(path)


class _Window(io.RawIOBase):
    """One file that lies unpacked inside another."""

    def __init__(self, file: IO[bytes], info: zipfile.ZipInfo) -> None:
        file.seek(info.header_offset)
        name, extra = struct.unpack(LOCAL_HEADER, file.read(LOCAL_HEADER_SIZE))
        self._file, self._size = file, info.file_size
        self._start = info.header_offset + LOCAL_HEADER_SIZE + name + extra
        self._at = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place of the inner file."""
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Read from there, not beyond its end."""
        self._file.seek(self._start + self._at)
        data = self._file.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def records_in(name: str) -> Iterator[tuple[Any, int]]:
    """Each record of a file with its offset; what comes after damage is left out."""
    try:
        with opened(Path(name)) as file:
            arc = is_arc(file)
            file.seek(0)
            records = ArchiveIterator(file, arc2warc=True)
            for record in records:
                yield _named(record, arc), records.get_record_offset()
    except DAMAGE as error:
        log.warning("%s is damaged and read only in part: %.100s", name, error)


def _named(record: Any, arc: bool) -> Any:
    """The record with an id: one of an ARC file has
    none, and must have the same each time it is read.
    """
    headers = record.rec_headers
    if arc or not headers.get_header("WARC-Record-ID"):
        name = f"{headers.get_header('WARC-Target-URI')} {headers.get_header('WARC-Date')}"
        headers.replace_header("WARC-Record-ID", f"<urn:uuid:{uuid5(NAMESPACE_URL, name)}>")
    return record
