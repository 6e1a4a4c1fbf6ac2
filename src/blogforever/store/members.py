"""The gzip members of a WARC file, one record each, with their places; what is broken is passed over and named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO

from isal import isal_zlib
from isal.isal_zlib import IsalError

CHUNK = 1 << 17
FIRST = 1 << 13  # most members are small, and what is read beyond one is read again
GZIP_WBITS = 31
MAGIC = b"\x1f\x8b\x08"
OPEN = ".open"
HELD = 1 << 24
HEAD = 1 << 16
STATUS = re.compile(r"[0-9]{3}")


@dataclass(frozen=True, slots=True)
class Member:
    """One gzip member: where it lies, and what was in it, or why that cannot be told."""

    offset: int
    length: int
    data: IO[bytes] | None = None
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """What the first bytes of a record say: its own headers, and those of the response in it."""

    kind: str
    url: str
    date: str
    record_id: str
    digest: str
    status: str = ""
    mime: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Section:
    """What one crawl wrote of a WARC file: from a warcinfo record up to the next; most files have one."""

    path: Path
    info: dict[str, str]
    start: int = 0
    end: int | None = None


def members(path: Path, whole: bool = True, start: int = 0, end: int | None = None) -> Iterator[Member]:
    """Every member in order, readable until the next is asked for: `whole`, or its first 64 kB. Of
    a part of a file those that begin in it.
    """
    size = path.stat().st_size if end is None else end
    with path.open("rb") as file:
        offset = start
        while offset < size:
            with SpooledTemporaryFile(HELD) if whole else BytesIO() as data:
                member = _member(file, offset, data, whole)
                yield member
            following = offset + member.length if not member.broken else _next_magic(file, offset + 1)
            if following is None:
                return
            offset = following


def member_at(file: IO[bytes], offset: int) -> Member:
    """The member that begins at this place, with its first 64 kB."""
    return _member(file, offset, BytesIO(), whole=False)


def file_info(path: Path) -> dict[str, str]:
    """What a WARC file says of itself in its warcinfo record,
    names in small letters; nothing where it has none.
    """
    for first in members(path, whole=False):
        head = read_head(first.data) if first.data else None
        if first.data is None or head is None or head.kind != "warcinfo":
            return {}
        return _info(first.data)
    return {}


def _info(data: IO[bytes]) -> dict[str, str]:
    """What a warcinfo record says."""
    data.seek(0)
    return _fields(data.read(HEAD).partition(b"\r\n\r\n")[2].decode("utf-8", "replace").split("\r\n"))


def sections(path: Path) -> list[Section]:
    """The parts of a WARC file by who wrote them; where it does not say, it is one."""
    begun: list[tuple[int, dict[str, str]]] = []
    for member in members(path, whole=False):
        head = read_head(member.data) if member.data else None
        if member.data is not None and head is not None and head.kind == "warcinfo":
            begun.append((member.offset, _info(member.data)))
    if not begun or begun[0][0] > 0:
        begun.insert(0, (0, {}))
    ends = [*(start for start, _info_of in begun[1:]), None]
    return [Section(path, info, start, end) for (start, info), end in zip(begun, ends, strict=True)]


def present(path: Path) -> Path:
    """Where a file lies now: one that is still being written has its final name only later."""
    being_written = path.with_name(path.name + OPEN)
    return being_written if not path.exists() and being_written.exists() else path


def head_at(file: IO[bytes], offset: int) -> Head | None:
    """The headers of the record at this place, packed
    or not, without its body; None where there is none.
    """
    return read_head(BytesIO(_first_bytes(file, offset))) if offset >= 0 else None


def is_arc(file: IO[bytes]) -> bool:
    """Whether this is an ARC file, the elder of WARC."""
    return _first_bytes(file, 0).startswith(b"filedesc:")


def _first_bytes(file: IO[bytes], offset: int) -> bytes:
    """Some bytes of what lies there, unpacked; none where they cannot be."""
    file.seek(offset)
    data = file.read(FIRST)
    try:
        return isal_zlib.decompressobj(GZIP_WBITS).decompress(data, HEAD) if data.startswith(MAGIC) else data
    except IsalError:  # type: ignore[misc]  # isal has no types
        return b""


def read_head(data: IO[bytes]) -> Head | None:
    """The headers of a WARC record, and status and type
    of the response in it; None where there is no record.
    """
    data.seek(0)
    top, mark, rest = data.read(HEAD).partition(b"\r\n\r\n")
    lines = top.decode("utf-8", "replace").split("\r\n")
    if not mark or not lines[0].startswith("WARC/"):
        return None
    headers = _fields(lines[1:])
    status, mime = _response(rest, headers)
    return Head(
        kind=headers.get("warc-type", ""),
        url=headers.get("warc-target-uri", "").strip("<>"),
        date=headers.get("warc-date", ""),
        record_id=headers.get("warc-record-id", ""),
        digest=headers.get("warc-payload-digest") or _block_digest(headers),
        status=status,
        mime=mime,
        headers=headers,
    )


def told_status(text: str) -> str:
    """A status that a response tells; nothing where it tells something else: HTTP has three digits for it."""
    return text if STATUS.fullmatch(text) else ""


def _block_digest(headers: dict[str, str]) -> str:
    """That of the payload, too, unless the payload is elsewhere."""
    return headers.get("warc-block-digest", "") if headers.get("warc-type") != "revisit" else ""


def _response(rest: bytes, headers: dict[str, str]) -> tuple[str, str]:
    if not headers.get("content-type", "").startswith("application/http"):
        return "", headers.get("content-type", "").partition(";")[0].strip()
    lines = rest.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    mime = _fields(lines[1:]).get("content-type", "").partition(";")[0].strip().lower()
    return (told_status(words[1]) if len(words) > 1 else ""), mime


def _fields(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        name, mark, value = line.partition(":")
        if mark:
            found.setdefault(name.strip().lower(), value.strip())
    return found


def _member(file: IO[bytes], offset: int, data: IO[bytes], whole: bool) -> Member:
    file.seek(offset)
    unpacker: Any = isal_zlib.decompressobj(GZIP_WBITS)
    read = held = 0
    try:
        while not unpacker.eof:
            chunk = file.read(CHUNK if read else FIRST)
            if not chunk:
                return Member(offset, read, broken="it ends before its last byte")
            read += len(chunk)
            part = unpacker.decompress(chunk)
            if whole or held < HEAD:
                held += data.write(part)
    except IsalError as error:  # type: ignore[misc]  # isal has no types
        return Member(offset, read, broken=f"it cannot be unpacked ({error})")
    return Member(offset, read - len(unpacker.unused_data), data)


def _next_magic(file: BinaryIO, start: int) -> int | None:
    """Where the next member may begin."""
    file.seek(start)
    tail = b""
    place = start
    while chunk := file.read(CHUNK):
        found = (tail + chunk).find(MAGIC)
        if found >= 0:
            return place - len(tail) + found
        place += len(chunk)
        tail = (tail + chunk)[-2:]
    return None
