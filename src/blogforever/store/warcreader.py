"""Responses out of .warc, .warc.gz and .wacz files: indexed once, then read by place, no bodies held."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit, urlunsplit
from uuid import NAMESPACE_URL, uuid5

from isal import igzip
from isal.igzip_lib import IsalError
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from blogforever.errors import ArchiveError, BadInput, UsageError
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Ref, why_cut

from .members import Head, head_at, is_arc, present
from .revisits import HOPS, Pointer, pointer_of
from .unpacking import BODY_LIMIT, teach_warcio
from .wayback import original, unwrapped, unwrapped_link

DRAWN = "urn:dom:"
"""Begins the name of the final DOM that a browser made of a page."""
GOOD = 2
SUFFIXES = (".warc", ".warc.gz", ".wacz", ".arc", ".arc.gz", ".warc.gz.open")
INNER = (".warc", ".warc.gz", ".arc", ".arc.gz")
WEB = ("http://", "https://")
FILES = ("image/", "font/", "text/css", "text/javascript", "application/javascript", "application/x-javascript")
"""How the types of files begin that pages load."""
COMPANIONS = frozenset({"request", "metadata"})
"""Records that say more of a response."""
CONTENT = frozenset({"resource", "conversion", "continuation"})
"""Records that may hold what somebody wants to have; which of them are not read is counted."""
log = logger("store")
teach_warcio()
# What warcio, gzip and zip readers raise on files that were cut short, altered or never were archives.
DAMAGE: tuple[type[Exception], ...] = (  # type: ignore[assignment]  # the stubs of isal call its class an instance
    *(OSError, EOFError, ValueError, AttributeError, KeyError, TypeError, RuntimeError, NotImplementedError),
    *(StopIteration, struct.error, ArchiveLoadFailed, zipfile.BadZipFile, zlib.error, igzip.BadGzipFile, IsalError),
)


# What a 304 says of the message that carried it, and not of the page it speaks for.
OF_THE_MESSAGE = frozenset({"content-length", "content-encoding", "content-type", "transfer-encoding", "connection"})


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    offset: int
    worth: int
    record_id: str
    digest: str
    date: str
    number: int


class WarcReader:
    """A random-access view of many WARC files."""

    def __init__(
        self,
        paths: Iterable[Path],
        root: Path | None = None,
        only: Container[str] | None = None,
        companions: bool = False,
    ) -> None:
        """`only` are the ids of the records that count; `companions` says that those of responses are looked for."""
        self._root, self._rooted, self._only = root or Path(), root is not None, only
        self._places: dict[str, _Place] = {}
        self._good: dict[str, list[_Place]] = {}
        self._files: list[str] = []
        self._count = 0
        self._originals: dict[str, dict[str, Ref]] = {}
        self._companions: dict[str, list[Ref]] | None = {} if companions else None
        self.passed_over: Counter[str] = Counter()
        """How many records of each kind were not read, though somebody may want to have what they hold."""
        self.has_files = False
        """Whether there is anything that pages load: a picture, a style sheet, a font, a script."""
        revisits: list[tuple[str, _Place, Pointer]] = []
        for path in warc_files(paths):
            self._index(path, revisits)
        for url, place, pointer in revisits:
            self._add_revisit(url, place, pointer)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def has_drawn(self) -> bool:
        """Whether there is anything that a browser drew."""
        return any(name.startswith(DRAWN) for name in self._places)

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """The place of the response to this address; unless `exact`, http and https are the same."""
        for spelling in [_normal(url)] if exact else _spellings(url):
            place = self._places.get(spelling)
            if place:
                return Ref(place.file, place.offset, place.record_id, place.digest)
        return None

    def captures(self, url: str) -> list[Ref]:
        """Every good response of an address, oldest first."""
        names = list(_spellings(url))
        places = [self._places[name] for name in names if name in self._places]
        places += [place for name in names for place in self._good.get(name, ())]
        found = {place for place in places if place.worth == GOOD}
        ordered = sorted(found, key=lambda place: (place.date, place.number))
        return [Ref(place.file, place.offset, place.record_id, place.digest) for place in ordered]

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one response."""
        try:
            return self._read(ref.file, ref.offset)
        except DAMAGE as error:
            raise ArchiveError(f"A response at {ref.offset} in {ref.file} cannot be read: {error}.") from error

    @contextmanager
    def at(self, ref: Ref) -> Iterator[IO[bytes]]:
        """The file of a record, to be read there; what is damaged is BadInput."""
        try:
            with _open(self._path(ref.file)) as file:
                yield file
        except DAMAGE as error:
            raise BadInput(f"A record at {ref.offset:,} in {ref.file} cannot be read: {error}.") from error

    def is_there(self, ref: Ref) -> bool:
        """Whether the record still lies at its place."""
        try:
            with self.at(ref) as file:
                head = head_at(file, ref.offset)
                # Records of ARC files have no names of their own, and some of WARC files have none.
                return is_arc(file) if head is None else head.record_id in (ref.record_id, "")
        except BadInput:
            return False

    def companions(self, record_id: str, other: str = "") -> list[Ref]:
        """The requests and remarks that say they belong to a response, and the one that the response names."""
        known = self._companions or {}
        return [*known.get(record_id, ()), *(ref for ref in known.get(other, ()) if ref.record_id == other)]

    def _read(self, name: str, offset: int, hops: int = HOPS) -> tuple[int, Page]:
        with _open(self._path(name)) as file:
            file.seek(offset)
            record = next(iter(ArchiveIterator(file, arc2warc=True)))
            if record.rec_type != "revisit":
                return _page(record)
        place = self.original(pointer_of(_record_headers(record)), name) if hops else None
        if place is None:
            raise ValueError("it repeats an earlier one that is not there")
        return _again(record, *self._read(place.file, place.offset, hops - 1))

    def original(self, pointer: Pointer, name: str) -> Ref | None:
        """The response that a revisit in this file points to: where it says, or by its names."""
        beside = name[: name.rfind("/") + 1] + pointer.file
        if pointer.file and (head := self._head_there(pointer, beside)):
            return Ref(beside, pointer.offset, head.record_id, head.headers.get("warc-payload-digest", ""))
        # Files of an archive are only looked for beside the revisit: each blog has its own.
        folder = "" if self._files else name.rpartition("/")[0]
        if folder not in self._originals:
            self._originals[folder] = self._gather(self._files or self._siblings(name))
        known = self._originals[folder]
        keys = (pointer.record_id, _moment(pointer.url, pointer.date), pointer.digest)
        return next((known[key] for key in keys if key in known), None)

    def _head_there(self, pointer: Pointer, name: str) -> Head | None:
        try:
            with _open(self._path(name)) as file:
                head = head_at(file, pointer.offset)
        except DAMAGE:
            return None
        return head if head is not None and pointer.fits(head) else None

    def _siblings(self, name: str) -> list[str]:
        box, mark, _inner = name.partition("!/")
        if mark:
            return _members(self._root / box)
        folder = (self._root / name).parent
        return [str(path) for path in sorted(folder.glob("*")) if path.name.endswith(SUFFIXES)]

    def _gather(self, names: Iterable[str]) -> dict[str, Ref]:
        """Every response by each name a revisit may call it; made only where a place alone does not do."""
        found: dict[str, Ref] = {}
        for name in names:
            known = self._known_as(name.removesuffix(".open"))
            for record, offset in _records(name):
                if record.rec_type == "response":
                    head = _record_headers(record)
                    when = _moment(head.get("warc-target-uri", "").strip("<>"), head.get("warc-date", ""))
                    ref = Ref(known, offset, head["warc-record-id"], head.get("warc-payload-digest", ""))
                    for key in (ref.record_id, ref.digest, when):
                        if key:
                            found.setdefault(key, ref)
        return found

    def _path(self, name: str) -> Path:
        if self._rooted and ".." in Path(name).parts:
            raise ValueError("it would lie outside the archive")
        path = self._root / name
        return path if "!/" in name else present(path)

    def _known_as(self, name: str) -> str:
        """Files of an archive are named from its folder on, wherever that lies."""
        path = Path(name)
        return str(path.relative_to(self._root)) if self._rooted and path.is_relative_to(self._root) else name

    def _index(self, path: Path, revisits: list[tuple[str, _Place, Pointer]]) -> None:
        try:
            members = _members(path)
        except DAMAGE as error:
            members = []
            log.warning("%s is damaged and cannot be read: %.100s", path, error)
        self._files += members
        for name in members:
            for record, offset in _records(name):
                url, place = _normal(_stands_for(record)[0]), self._place(name, offset, record)
                if self._only is not None and place.record_id not in self._only:
                    continue
                if url and _is_answer(record, url):
                    self._add(url, place)
                    self.has_files = self.has_files or _is_file(record)
                elif url and record.rec_type == "revisit":
                    revisits.append((url, place, pointer_of(_record_headers(record))))
                elif record.rec_type in CONTENT:
                    self.passed_over[record.rec_type] += 1
                elif self._companions is not None and record.rec_type in COMPANIONS:
                    _note_companion(self._companions, record, Ref(place.file, offset, place.record_id, place.digest))

    def _place(self, name: str, offset: int, record: Any) -> _Place:
        head, http = record.rec_headers, record.http_headers
        # A revisit that keeps no headers, or says that nothing changed, is as good as what it repeats.
        status = str(http.get_statuscode()) if http else "200"
        worth = 2 if status == "304" and record.rec_type == "revisit" else {"2": 2, "3": 1}.get(status[:1], 0)
        if head.get_header("WARC-Truncated") and self._is_cut(self._known_as(name), offset):
            worth = 0
        names = (head.get_header("WARC-Record-ID") or "", head.get_header("WARC-Payload-Digest") or "")
        self._count += 1
        return _Place(self._known_as(name), offset, worth, *names, _stands_for(record)[1][:19], self._count)

    def _is_cut(self, name: str, offset: int) -> bool:
        """Whether a response that came in part lacks anything; it is read again for that, as there are few."""
        try:
            page = self._read(name, offset)[1]
        except DAMAGE:
            return True
        return why_cut(page.headers.get("warc-truncated"), page.content) is not None

    def _add(self, url: str, place: _Place) -> None:
        known = self._places.get(url)
        if known and place.worth == GOOD == known.worth:
            self._good.setdefault(url, [known]).append(place)
        if not known or (place.worth, place.date, place.number) >= (known.worth, known.date, known.number):
            self._places[url] = place

    def _add_revisit(self, url: str, place: _Place, pointer: Pointer) -> None:
        """A repeated response counts like any other, where what it repeats is there."""
        if self.original(pointer, place.file):
            self._add(url, place)


def _is_answer(record: Any, url: str) -> bool:
    """Whether the record holds what an address answered: with its HTTP headers, or, as a resource, without."""
    if record.rec_type == "resource":
        return url.startswith((DRAWN, *WEB))
    return record.rec_type == "response" and bool(record.http_headers)


def _is_file(record: Any) -> bool:
    mime = record.http_headers.get_header("Content-Type") if record.http_headers else ""
    return (mime or "").strip().lower().startswith(FILES)


def _note_companion(known: dict[str, list[Ref]], record: Any, ref: Ref) -> None:
    """By its own name and by that of what it belongs to: either of the two records may name the other."""
    belongs = {value for name, value in record.rec_headers.headers if name.lower() == "warc-concurrent-to"}
    for name in {ref.record_id, *belongs}:
        known.setdefault(name, []).append(ref)


def warc_files(paths: Iterable[Path]) -> list[Path]:
    """The WARC and WACZ files among these files and folders; finding none there is a UsageError."""
    found: list[Path] = []
    asked = list(paths)
    for path in asked:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.is_file() and p.name.endswith(SUFFIXES))
        elif path.is_file():
            found.append(path)
        else:
            raise UsageError(f"There is no file or folder {path}.")
    if asked and not found:
        raise UsageError(f"No .warc, .warc.gz, .arc, .arc.gz or .wacz file was found in {', '.join(map(str, asked))}.")
    return found


def _members(path: Path) -> list[str]:
    """The WARC streams of one file; inside a WACZ they are called file.wacz!/archive/data.warc.gz."""
    if not zipfile.is_zipfile(path):
        return [str(path)]
    with zipfile.ZipFile(path) as box:
        return [f"{path}!/{name}" for name in box.namelist() if name.endswith(INNER)]


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    outer, mark, inner = str(path).partition("!/")
    if not mark:
        with path.open("rb") as file:
            yield file
        return
    with zipfile.ZipFile(outer) as box:
        info = box.getinfo(inner)
        if info.compress_type != zipfile.ZIP_STORED:
            with box.open(info) as file:
                yield file
            return
    # zipfile reads its way to a place; in a file that is stored as it is one can go there.
    with Path(outer).open("rb") as file:
        yield io.BufferedReader(_Window(file, info))


class _Window(io.RawIOBase):
    """One file that lies unpacked inside another."""

    def __init__(self, file: IO[bytes], info: zipfile.ZipInfo) -> None:
        file.seek(info.header_offset)
        name, extra = struct.unpack("<26xHH", file.read(30))
        self._file, self._start, self._size = file, info.header_offset + 30 + name + extra, info.file_size
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


def _records(name: str) -> Iterator[tuple[Any, int]]:
    """Each record of a file with its offset; what comes after damage is left out."""
    try:
        with _open(Path(name)) as file:
            arc = is_arc(file)
            file.seek(0)
            records = ArchiveIterator(file, arc2warc=True)
            for record in records:
                yield _named(record, arc), records.get_record_offset()
    except DAMAGE as error:
        log.warning("%s is damaged and read only in part: %.100s", name, error)


def _named(record: Any, arc: bool) -> Any:
    """The record with an id: one of an ARC file has none, and must have the same each time it is read."""
    headers = record.rec_headers
    if arc or not headers.get_header("WARC-Record-ID"):
        told = f"{headers.get_header('WARC-Target-URI')} {headers.get_header('WARC-Date')}"
        headers.replace_header("WARC-Record-ID", f"<urn:uuid:{uuid5(NAMESPACE_URL, told)}>")
    return record


def _record_headers(record: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in record.rec_headers.headers}


def _moment(url: str, date: str) -> str:
    """An address at a second; the parts of seconds are not written by all."""
    return f"{_normal(url)} {date[:19]}" if url and date else ""


def _stands_for(record: Any) -> tuple[str, str]:
    """The address and the time of a record; a page of a web archive is that of the blog at an earlier time."""
    url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
    return original(url) or (url, record.rec_headers.get_header("WARC-Date") or "")


def _again(record: Any, status: int, earlier: Page) -> tuple[int, Page]:
    """The page of a revisit: the body kept earlier, under the address, time and headers of the later response."""
    own = {name.lower(): value for name, value in (record.http_headers.headers if record.http_headers else ())}
    code = str(record.http_headers.get_statuscode()) if record.http_headers else "304"
    if code == "304":
        headers = {**earlier.headers, **{name: value for name, value in own.items() if name not in OF_THE_MESSAGE}}
    else:
        headers, status = own, int(code) if code.isdecimal() else 0
    url, stamp = _stands_for(record)
    return status, Page(url, earlier.content, headers, _captured(stamp))


def _page(record: Any) -> tuple[int, Page]:
    http = record.http_headers
    kind = [("content-type", record.rec_headers.get_header("Content-Type") or "")]
    headers = {name.lower(): value for name, value in (http.headers if http else kind)}
    if flag := record.rec_headers.get_header("WARC-Truncated"):
        headers["warc-truncated"] = flag
    url, stamp = _stands_for(record)
    body = record.content_stream().read(BODY_LIMIT)
    if url != (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>"):
        body = unwrapped(body)
        headers |= {"location": unwrapped_link(headers["location"])} if "location" in headers else {}
    if url.startswith(DRAWN):
        url = url.removeprefix(DRAWN).replace("%23", "#")
    status = http.get_statuscode() if http else "200"
    page = Page(url=url, content=body, headers=headers, captured=_captured(stamp))
    return (int(status) if str(status).isdecimal() else 0), page


def _captured(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    except ValueError:
        return None


def _spellings(url: str) -> Iterator[str]:
    normal = _normal(url)
    yield normal
    if normal.startswith("https:"):
        yield "http:" + normal[6:]
    elif normal.startswith("http:"):
        yield "https:" + normal[5:]


def _normal(url: str) -> str:
    """One spelling of an address: host in small letters, no fragment, percent-encoding in capitals and ASCII only."""
    try:
        parts = urlsplit(url.strip())
        host = parts.netloc.lower().removesuffix(":80" if parts.scheme == "http" else ":443")
    except ValueError:
        return url
    return urlunsplit((parts.scheme.lower(), host, _percent(parts.path) or "/", _percent(parts.query), ""))


def _percent(text: str) -> str:
    text = "".join(c if "!" <= c <= "~" else "".join(f"%{b:02X}" for b in c.encode(errors="replace")) for c in text)
    return re.sub(r"%[0-9a-fA-F]{2}", _plain, text)


def _plain(match: re.Match[str]) -> str:
    char = chr(int(match[0][1:], 16))
    return char if char.isascii() and (char.isalnum() or char in "-._~") else match[0].upper()
