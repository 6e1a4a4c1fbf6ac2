"""Records out of somebody's WARC files into the archive: copied as they are, or pointed to."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import SEEK_END, BytesIO
from itertools import islice
from typing import IO, Any

from warcio.archiveiterator import ArchiveIterator
from warcio.recordbuilder import RecordBuilder

from blogforever.errors import BadInput
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Ref, ResponseReader

from .members import CHUNK, HEAD, MAGIC, Head, Section, member_at, members, read_head, told_status
from .revisits import HOPS, pointer_of
from .warc import WarcWriter
from .warcreader import WarcReader

# Names the records that say which records of earlier crawls a replay used: it did not copy those
# again.
USED_AGAIN = "urn:blogforever:used-again"
# Begins each line of theirs.
RECORD = "record: "
# Ids in one such record: so many fit, with its headers, into the first bytes of a record, which are
# always read.
IDS_AT_ONCE = 500
# Ends the headers of a record, and the record.
END = b"\r\n\r\n"
Keep = Callable[[Ref], Ref]
# Tells the database of a record that is kept now.
Note = Callable[[Head, Ref], None]
log = logger("store")


class Replayed:
    """Somebody's files as one crawl sees them: what
    it finds there is kept, and read where it is kept.
    """

    def __init__(self, source: WarcReader, own: ResponseReader, keep: Keep) -> None:
        self._source, self._own, self._keep = source, own, keep

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """The place of the response as the archive knows it; BadInput where the record is
        damaged.
        """
        ref = self._source.find(url, exact)
        return self._keep(ref) if ref else None

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one response."""
        return (self._source if ref.outside else self._own).response(ref)

    def captures(self, url: str) -> list[Ref]:
        """Every good response of an address, oldest first; those that are damaged are left out."""
        return [kept for ref in self._source.captures(url) if (kept := self._sound(ref))]

    def _sound(self, ref: Ref) -> Ref | None:
        try:
            return self._keep(ref)
        except BadInput as error:
            log.warning("%s", error)
            return None


class References:
    """Points to records where they lie; what the archive has itself is used there."""

    def __init__(self, source: WarcReader, known: Iterable[Ref], note: Note) -> None:
        self._source, self._note = source, note
        self._known = {ref.record_id: ref for ref in known}

    def keep(self, ref: Ref) -> Ref:
        """The place of this record as the archive knows it."""
        if ref.record_id not in self._known:
            with self._source.at(ref) as file:
                self._note(_piece_at(file, ref).head, ref)
            self._known[ref.record_id] = ref
        return replace(self._known[ref.record_id], digest=ref.digest)


class Copies:
    """Copies records into the WARC of one blog, each once;
    with a response go the records that accompany it.
    """

    def __init__(self, source: WarcReader, writer: WarcWriter, known: Iterable[Ref], note: Note) -> None:
        self._source, self._writer, self._note = source, writer, note
        self._earlier = {ref.record_id: ref for ref in known if not ref.outside}
        self._copied: dict[str, Ref] = {}
        self._used_again: dict[str, None] = {}

    def keep(self, ref: Ref) -> Ref:
        """The place of the archive's own copy of this record."""
        return self._kept(ref, HOPS)

    def close(self) -> None:
        """Write down which records of earlier crawls were
        used, so that this one can be gone through again.
        """
        ids, builder = iter(self._used_again), RecordBuilder(warc_version="1.1")
        while some := list(islice(ids, IDS_AT_ONCE)):
            body = "".join(f"{RECORD}{record_id}\r\n" for record_id in some).encode()
            payload = {"payload": BytesIO(body), "length": len(body)}
            self._writer.add(builder.create_warc_record(USED_AGAIN, "metadata", **payload))

    def _kept(self, ref: Ref, hops: int) -> Ref:
        if earlier := self._earlier.get(ref.record_id):
            self._used_again[ref.record_id] = None
            return replace(earlier, digest=ref.digest or earlier.digest)
        if ref.record_id not in self._copied:
            head = self._copy(ref, hops)
            self._note(head, self._copied[ref.record_id])
            self._copy_companions(ref, head)
        return self._copied[ref.record_id]

    def _copy_companions(self, ref: Ref, head: Head) -> None:
        other = head.headers.get("warc-concurrent-to", "")
        for companion in self._source.companions(ref.record_id, other):
            if companion.record_id not in self._copied:
                self._copy(companion, hops=0)

    def _copy(self, ref: Ref, hops: int) -> Head:
        with self._source.at(ref) as file:
            piece = _piece_at(file, ref)
            changed = self._changed(piece, ref, hops)
            digest = ref.digest
            if piece.arc:
                record = _as_warc(file, ref)
                place = self._writer.add(record)
                digest = record.rec_headers.get_header("WARC-Payload-Digest") or ""
            elif changed:
                own = _with_headers(_unpacked(file, ref, piece), changed)
                place = self._writer.append([own], packed=False)
            else:
                place = self._writer.append(_chunks(file, ref, piece), piece.packed)
        self._copied[ref.record_id] = Ref(*place, ref.record_id, digest)
        return piece.head

    def _changed(self, piece: _Piece, ref: Ref, hops: int) -> dict[str, str]:
        """The headers a copy must have that the record has not:
        a name, and where the response lies that it repeats.
        """
        head = piece.head
        changed = {} if head.record_id == ref.record_id else {"WARC-Record-ID": ref.record_id}
        if head.kind != "revisit":
            return changed
        original = self._source.original(pointer_of(head.headers), ref.file) if hops else None
        if original is None:
            place = f"The record at {ref.offset:,} in {ref.file}"
            raise BadInput(f"{place} repeats one that is not there.")
        own = self._kept(original, hops - 1)
        name = own.file.rpartition("/")[2]
        places = {"WARC-Refers-To-Filename": name, "WARC-Refers-To-File-Offset": str(own.offset)}
        return changed | {"WARC-Refers-To": own.record_id} | places


def head_of(reader: WarcReader, ref: Ref) -> Head | None:
    """What the record at this place says; None where none can be read."""
    try:
        with reader.at(ref) as file:
            return _piece_at(file, ref).head
    except BadInput as error:
        log.info("%s", error)
        return None


def used_again(section: Section) -> Iterator[str]:
    """The ids of the records of earlier crawls that the replay which wrote this part of a file used."""
    for member in members(section.path, False, section.start, section.end):
        head = read_head(member.data) if member.data else None
        if member.data and head and head.url == USED_AGAIN:
            member.data.seek(0)
            body = member.data.read(HEAD).partition(END)[2].decode("utf-8", "replace")
            for line in body.split("\r\n"):
                if line.startswith(RECORD):
                    yield line.removeprefix(RECORD)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A record as it stands in a file: what it says, and how
    many bytes it has up to its end, or as a gzip member.
    """

    head: Head
    length: int = 0
    packed: bool = False
    arc: bool = False


def _piece_at(file: IO[bytes], ref: Ref) -> _Piece:
    """ValueError where no whole record lies there."""
    file.seek(ref.offset)
    start = file.read(HEAD)
    packed = start.startswith(MAGIC)
    member = member_at(file, ref.offset) if packed else None
    if member and member.broken:
        raise ValueError(member.broken)
    head = read_head(member.data if member and member.data else BytesIO(start))
    if head is None:
        return _Piece(_arc_head(_as_warc(file, ref)), arc=True)
    if member:
        return _Piece(head, member.length, packed)
    length = start.index(END) + len(END) + int(head.headers.get("content-length", ""))
    if file.seek(0, SEEK_END) < ref.offset + length:
        raise ValueError("it ends before its last byte")
    return _Piece(head, length)


def _as_warc(file: IO[bytes], ref: Ref) -> Any:
    """A record of an ARC file as one of a WARC."""
    file.seek(ref.offset)
    record = next(iter(ArchiveIterator(file, arc2warc=True)))
    record.rec_headers.replace_header("WARC-Record-ID", ref.record_id)
    return record


def _arc_head(record: Any) -> Head:
    headers, http = record.rec_headers, record.http_headers
    url, date = headers.get_header("WARC-Target-URI"), headers.get_header("WARC-Date")
    record_id = headers.get_header("WARC-Record-ID")
    status = told_status(str(http.get_statuscode())) if http else ""
    content_type = (http.get_header("Content-Type") if http else None) or ""
    mime = content_type.partition(";")[0].strip().lower()
    return Head(record.rec_type, url, date, record_id, "", status, mime)


def _chunks(file: IO[bytes], ref: Ref, piece: _Piece) -> Iterator[bytes]:
    """The bytes of a record, packed as they are, or up to their end."""
    file.seek(ref.offset)
    left = piece.length
    while left > 0 and (chunk := file.read(min(left, CHUNK))):
        left -= len(chunk)
        yield chunk
    if not piece.packed:
        yield END


def _unpacked(file: IO[bytes], ref: Ref, piece: _Piece) -> bytes:
    whole = b"".join(_chunks(file, ref, piece))
    return gzip.decompress(whole) if piece.packed else whole


def _with_headers(record: bytes, changed: Mapping[str, str]) -> bytes:
    """The record with these headers instead of its own; all the rest stays as it is, to the
    byte.
    """
    top, mark, rest = record.partition(END)
    names = {name.lower().encode() for name in changed}
    lines = [line for line in top.split(b"\r\n") if _header_name(line) not in names]
    lines += [f"{name}: {value}".encode() for name, value in changed.items()]
    return b"\r\n".join(lines) + mark + rest


def _header_name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()
