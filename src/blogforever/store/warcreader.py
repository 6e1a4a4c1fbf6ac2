"""Responses out of .warc, .warc.gz and .wacz files: indexed once, then read by place, no bodies held."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit, urlunsplit

from isal import igzip
from isal.igzip_lib import IsalError
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from blogforever.errors import ArchiveError, UsageError
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Ref

BODY_LIMIT = 64 * 1024 * 1024
SUFFIXES = (".warc", ".warc.gz", ".wacz", ".warc.gz.open")
log = logger("store")
# What warcio, gzip and zip readers raise on files that were cut short, altered or never were archives.
DAMAGE: tuple[type[Exception], ...] = (  # type: ignore[assignment]  # the stubs of isal call its class an instance
    *(OSError, EOFError, ValueError, AttributeError, KeyError, TypeError, RuntimeError, NotImplementedError),
    *(StopIteration, ArchiveLoadFailed, zipfile.BadZipFile, zlib.error, igzip.BadGzipFile, IsalError),
)


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    offset: int
    worth: int
    record_id: str
    digest: str


class WarcReader:
    """A random-access view of many WARC files."""

    def __init__(self, paths: Iterable[Path], root: Path | None = None) -> None:
        self._root, self._rooted = root or Path(), root is not None
        self._places: dict[str, _Place] = {}
        for path in warc_files(paths):
            self._index(path)

    def __len__(self) -> int:
        return len(self._places)

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """The place of the response to this address; unless `exact`, http and https are the same."""
        for spelling in [_normal(url)] if exact else _spellings(url):
            place = self._places.get(spelling)
            if place:
                return Ref(place.file, place.offset, place.record_id, place.digest)
        return None

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one response."""
        try:
            with _open(self._path(ref.file)) as file:
                file.seek(ref.offset)
                return _page(next(iter(ArchiveIterator(file))))
        except DAMAGE as error:
            raise ArchiveError(f"A response at {ref.offset} in {ref.file} cannot be read: {error}.") from error

    def _path(self, name: str) -> Path:
        """A file that is still being written has its final name only later."""
        path = self._root / name
        being_written = path.with_name(path.name + ".open")
        return being_written if "!/" not in name and not path.exists() and being_written.exists() else path

    def _known_as(self, name: str) -> str:
        """Files of an archive are named from its folder on, wherever that lies."""
        path = Path(name)
        return str(path.relative_to(self._root)) if self._rooted and path.is_relative_to(self._root) else name

    def _index(self, path: Path) -> None:
        try:
            members = _members(path)
        except DAMAGE as error:
            members = []
            log.warning("%s is damaged and cannot be read: %.100s", path, error)
        for name in members:
            try:
                self._index_file(name)
            except DAMAGE as error:
                log.warning("%s is damaged and read only in part: %.100s", name, error)

    def _index_file(self, name: str) -> None:
        with _open(Path(name)) as file:
            records = ArchiveIterator(file)
            for record in records:
                url = record.rec_headers.get_header("WARC-Target-URI")
                if record.rec_type == "response" and url and record.http_headers:
                    self._add(_normal(url.strip("<>")), name, records.get_record_offset(), record)

    def _add(self, url: str, name: str, offset: int, record: Any) -> None:
        worth = {"2": 2, "3": 1}.get(str(record.http_headers.get_statuscode())[:1], 0)
        known = self._places.get(url)
        if not known or worth >= known.worth:
            head = record.rec_headers
            names = (head.get_header("WARC-Record-ID") or "", head.get_header("WARC-Payload-Digest") or "")
            self._places[url] = _Place(self._known_as(name), offset, worth, *names)


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
        raise UsageError(f"No .warc, .warc.gz or .wacz file was found in {', '.join(map(str, asked))}.")
    return found


def _members(path: Path) -> list[str]:
    """The WARC streams of one file; inside a WACZ they are called file.wacz!/archive/data.warc.gz."""
    if not zipfile.is_zipfile(path):
        return [str(path)]
    with zipfile.ZipFile(path) as box:
        return [f"{path}!/{name}" for name in box.namelist() if name.endswith((".warc", ".warc.gz"))]


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    outer, mark, inner = str(path).partition("!/")
    if mark:
        with zipfile.ZipFile(outer) as box, box.open(inner) as file:
            yield file
    else:
        with path.open("rb") as file:
            yield file


def _page(record: Any) -> tuple[int, Page]:
    headers = {name.lower(): value for name, value in record.http_headers.headers}
    if flag := record.rec_headers.get_header("WARC-Truncated"):
        headers["warc-truncated"] = flag
    stamp = record.rec_headers.get_header("WARC-Date") or ""
    url = record.rec_headers.get_header("WARC-Target-URI").strip("<>")
    body = record.content_stream().read(BODY_LIMIT)
    status = record.http_headers.get_statuscode()
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
