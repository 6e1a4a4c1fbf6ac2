"""Responses into WARC 1.1 files: written before anybody looks at them, one gzip member a record."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO

from isal import isal_zlib
from isal.isal_zlib import IsalError
from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.protocols import Exchange, Ref

from .cdxj import IndexLine, line_of
from .exchanges import WarcRecord, companions, digest_of, resource_record, response_record, revisit_record
from .inside import names_in
from .members import GZIP_WBITS, OPEN, Member, read_head
from .revisits import KeptBodies, Original

# Bytes after which a new file is begun: what other tools and file systems still take easily.
FILE_LIMIT = 1_000_000_000
# Bytes that are read at a time where a file is looked through.
CHUNK = 65536
# Of isal's levels 0 to 3.
COMPRESSION = 2
# Bytes of a record that are put together to be packed at once, which is faster; of more there are
# no two copies in memory.
AT_ONCE = 1 << 20
# Letters of a blog's or a machine's name in that of a file: a name has 255 bytes at most.
LONGEST_PART = 80
STAMPED = re.compile(r"(?:^|-)(\d{14})-\d{4}(?:-[a-z0-9]+)?\.warc\.gz")
# A file of the archive, and where in it a record begins.
Place = tuple[str, int]
log = logger("store")


class _Member:
    """One gzip member; isal is four times faster than the level 9 that warcio is fixed to."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._packer = isal_zlib.compressobj(COMPRESSION, isal_zlib.DEFLATED, GZIP_WBITS)

    def write(self, data: bytes) -> None:
        self._out.write(self._packer.compress(data))

    def flush(self) -> None:
        self._out.write(self._packer.flush())
        self._out.flush()


class _FastWriter(WARCWriter):  # type: ignore[misc]  # warcio has no types
    """warcio's writer with our gzip around each record."""

    def write_record(self, record: object, params: object = None) -> None:
        member = _Member(self.out)
        self.gzip = False
        self._write_warc_record(member, record)

    def curr_warc_date(self) -> str:
        return clock.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def record_writer(out: IO[bytes]) -> WARCWriter:
    """Writes single records, each as a gzip member, to an open file."""
    return _FastWriter(out, gzip=True, warc_version="1.1")


class WarcWriter:
    """Writes the exchanges of one blog to files that end in `.open` until they are closed.

    A body that is among the `kept` ones is not written again.
    """

    def __init__(
        self,
        folder: Path,
        root: Path,
        info: Mapping[str, str],
        limit: int = FILE_LIMIT,
        kept: KeptBodies | None = None,
        taken: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """`taken` are names that files of the blog have elsewhere."""
        self._folder, self._root, self._info, self._limit = folder, root, dict(info), limit
        self._kept, self._taken = kept, taken
        self._file: BinaryIO | None = None
        self._path, self._name = folder, ""
        self._writer: _FastWriter | None = None
        self._torn = False
        self._lines: dict[str, list[IndexLine]] = {}
        self._foreign: set[str] = set()

    def write(self, exchange: Exchange) -> Ref:
        """Append request, response and metadata; the response's place is returned."""
        with self._writing():
            return self._write(exchange)

    def append(self, chunks: Iterable[bytes], packed: bool) -> Place:
        """Append a record that somebody else wrote, as it
        is: a gzip member, or the bytes that go into one.
        """
        with self._writing():
            self._ready()
            assert self._file is not None
            place = self._foreign_place()
            out = self._file if packed else _Member(self._file)
            for chunk in chunks:
                out.write(chunk)
            out.flush()
            return place

    def add(self, record: Any) -> Place:
        """Append a record of warcio's."""
        with self._writing():
            writer = self._ready()
            place = self._foreign_place()
            writer.write_record(record)
            return place

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._torn = True
            where = f"The WARC in {self._folder}"
            raise ArchiveError(f"{where} could not be written: {error}.") from error

    def close(self) -> None:
        """Finish the current file and give it its final name;
        one with a torn record waits for `seal_open_files`.
        """
        if not self._file:
            return
        try:
            self._file.close()
            if not self._torn:
                self._path.rename(_final(self._path))
        except OSError as error:
            raise ArchiveError(f"The WARC {self._path} could not be closed: {error}.") from error
        finally:
            self._file = None

    def _write(self, exchange: Exchange) -> Ref:
        self._ready()
        assert self._file is not None
        digest = digest_of(exchange.body)
        kept = self._kept if exchange.kind == "response" else None
        original = kept.original(exchange, digest) if kept else None
        record = _record_of(exchange, digest, original)
        member = self._put(record)
        self._note(record, member)
        if kept and not original:
            kept.add(exchange, digest, self._name, member.offset)
        for companion in companions(exchange, record.record_id):
            self._put(companion)
        # Before anybody looks at the response.
        self._file.flush()
        return Ref(self._name, member.offset, record.record_id, original.head.digest if original else digest)

    def written(self) -> dict[str, list[IndexLine]]:
        """The index lines of the files in which every response was written from an exchange: they
        need not be read again.
        """
        return {name: lines for name, lines in self._lines.items() if name not in self._foreign}

    def _put(self, record: WarcRecord) -> Member:
        """Append a record: where it lies."""
        assert self._file is not None
        offset = self._file.tell()
        if len(record.body) <= AT_ONCE:
            self._file.write(isal_zlib.compress(b"".join(record.parts), COMPRESSION, GZIP_WBITS))
        else:
            member = _Member(self._file)
            for part in record.parts:
                member.write(part)
            member.flush()
        return Member(offset, self._file.tell() - offset)

    def _note(self, record: WarcRecord, member: Member) -> None:
        head = read_head(BytesIO(record.head))
        assert head is not None, "what was just written can be read"
        name = _final(self._path).name
        self._lines[name].append(line_of(head, member, name))

    def _foreign_place(self) -> Place:
        """Where the next record comes to lie, which somebody else has made: what it says is read
        when it is indexed.
        """
        assert self._file is not None
        self._foreign.add(_final(self._path).name)
        return self._name, self._file.tell()

    def _ready(self) -> _FastWriter:
        if self._file and self._file.tell() > self._limit:
            self.close()
        if not self._file or not self._writer:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._path = self._folder / f"{new_name(self._folder, self._taken())}{OPEN}"
            self._file = self._path.open("xb")
            self._writer = _FastWriter(self._file, gzip=True, warc_version="1.1")
            final = _final(self._path)
            self._name = str(final.relative_to(self._root))
            self._lines[final.name] = []
            self._writer.write_record(self._writer.create_warcinfo_record(final.name, self._info))
        return self._writer


def new_name(folder: Path, elsewhere: Iterable[str], moment: str = "") -> str:
    """Blog, moment (now, unless another is given), number and machine: no two files have one name,
    whoever brings them together.
    """
    begun = f"{folder.name[:LONGEST_PART]}-{moment or clock.now().strftime('%Y%m%d%H%M%S')}"
    taken = {path.name.removesuffix(OPEN) for path in names_in(folder, "")} | set(elsewhere)
    names = (f"{begun}-{number:04}-{_machine()}.warc.gz" for number in range(len(taken) + 1))
    return next(name for name in names if name not in taken)


@cache
def _machine() -> str:
    """What this machine is called, without its domain."""
    name = socket.gethostname().partition(".")[0].lower()
    return "".join(letter for letter in name if letter.isalnum() and letter.isascii())[:LONGEST_PART] or "here"


def begun_at(name: str) -> str:
    """When the file of this name was begun, in the digits of a date; earlier versions named files
    by that alone.
    """
    found = STAMPED.search(name)
    return found[1] if found else ""


def _record_of(exchange: Exchange, digest: str, original: Original | None) -> WarcRecord:
    if original:
        return revisit_record(exchange, original)
    return resource_record(exchange, digest) if exchange.kind == "resource" else response_record(exchange, digest)


def _final(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(OPEN))


def seal_open_files(folder: Path) -> None:
    """Cut the torn last record off files that a crash left open, and give them their final name."""
    for path in _open_files(folder):
        end = _sound_length(path)
        with path.open("r+b") as file:
            file.truncate(end)
        if end:
            path.rename(_final(path))
        else:
            path.unlink()
        log.info("closed %s, which an interrupted crawl had left open", path.name)


def _open_files(folder: Path) -> list[Path]:
    below = ((place, name) for place, _folders, names in os.walk(folder) for name in names)
    return [Path(place, name) for place, name in below if name.endswith(f".warc.gz{OPEN}")]


def _sound_length(path: Path) -> int:
    """Bytes up to the end of the last whole gzip member; zlib checks each one's length and sum."""
    sound = 0
    with path.open("rb") as file:
        while True:
            length = _member_length(file, sound)
            if not length:
                return sound
            sound += length


def _member_length(file: BinaryIO, start: int) -> int:
    file.seek(start)
    unpacker = isal_zlib.decompressobj(GZIP_WBITS)
    read = 0
    try:
        while not unpacker.eof:
            chunk = file.read(CHUNK)
            if not chunk:
                return 0
            read += len(chunk)
            unpacker.decompress(chunk)
    except IsalError:  # type: ignore[misc]  # isal has no types
        return 0
    return read - len(unpacker.unused_data)


def count_records(path: Path) -> int:
    """How many records a WARC holds; raises what warcio raises when it is broken."""
    with path.open("rb") as file:
        return sum(1 for _ in ArchiveIterator(file, check_digests="raise"))
