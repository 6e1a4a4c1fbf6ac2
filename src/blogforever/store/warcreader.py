"""Responses out of WARC, ARC and WACZ files: indexed once, then read by place, no bodies held."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit, urlunsplit

from warcio.archiveiterator import ArchiveIterator

from blogforever.errors import ArchiveError, BadInput
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Ref, why_cut

from .members import OPEN, Head, head_at, is_arc, present, told_status
from .mirror import Mirror
from .revisits import HOPS, Pointer, pointer_of
from .unpacking import BODY_LIMIT
from .warcstreams import DAMAGE, SUFFIXES, opened, records_in, streams_of, warc_files
from .wayback import original, unwrapped, unwrapped_link

# What a record without a status of its own stands for: it holds the page.
FOUND = 200
HEXADECIMAL = 16
# Begins the name of the final DOM that a browser made of a page.
DRAWN = "urn:dom:"
# What a response is worth: an error or a part of one, a way to another address, a page.
USELESS, REDIRECT, GOOD = 0, 1, 2
# Letters of a date up to its second; the parts of seconds are not written by all.
SECOND = len("2021-03-04T05:06:07")
WEB = ("http://", "https://")
# How the types of files begin that pages load.
SCRIPTS = ("text/javascript", "application/javascript", "application/x-javascript")
FILES = ("image/", "font/", "text/css", *SCRIPTS)
OTHER_SCHEME = {"http": "https", "https": "http"}
# Records that say more of a response.
COMPANIONS = frozenset({"request", "metadata"})
# Records that may hold what somebody wants to have; which of them are not read is counted.
CONTENT = frozenset({"resource", "conversion", "continuation"})
ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
NOT_PRINTABLE = re.compile(r"[^!-~]+")
# How the names of an archive's own files begin.
OWN = "warc/"
log = logger("store")
# What a 304 says of the message that carried it, and not of the page it speaks for.
OF_THE_MESSAGE = frozenset(["content-length", "content-encoding", "content-type", "transfer-encoding", "connection"])


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    offset: int
    worth: int
    record_id: str
    digest: str
    date: str
    number: int

    @property
    def rank(self) -> tuple[int, str, int]:
        """Of two responses of one address the better one counts, then the later one."""
        return self.worth, self.date, self.number

    @property
    def ref(self) -> Ref:
        return Ref(self.file, self.offset, self.record_id, self.digest)


# A response that repeats another: its address, where it lies, and what it says of the other.
_Revisit = tuple[str, _Place, Pointer]


class WarcReader:
    """A random-access view of many WARC files."""

    def __init__(
        self,
        paths: Iterable[Path],
        root: Path | None = None,
        only: Container[str] | None = None,
        companions: bool = False,
        mirror: Mirror | None = None,
    ) -> None:
        """`only` are the ids of the records that count; `companions` says that those of responses
        are looked for; files that are not here are read from the `mirror`.
        """
        self._mirror = mirror
        self._root, self._rooted, self._only = root or Path(), root is not None, only
        self._places: dict[str, _Place] = {}
        self._good: dict[str, list[_Place]] = {}
        self._files: list[str] = []
        self._count = 0
        self._originals: dict[str, dict[str, Ref]] = {}
        self._companions: dict[str, list[Ref]] | None = {} if companions else None
        self.passed_over: Counter[str] = Counter()
        """How many records of each kind were not read,
        though somebody may want to have what they hold.
        """
        self.has_files = False
        """Whether there is anything that pages load: a picture, a style sheet, a font, a script."""
        revisits: list[_Revisit] = []
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
        """The place of the response to this address; unless `exact`, http and https are the
        same.
        """
        for spelling in [_normal(url)] if exact else _spellings(url):
            if place := self._places.get(spelling):
                return place.ref
        return None

    def captures(self, url: str) -> list[Ref]:
        """Every good response of an address, oldest first."""
        names = list(_spellings(url))
        places = [self._places[name] for name in names if name in self._places]
        places += [place for name in names for place in self._good.get(name, ())]
        found = {place for place in places if place.worth == GOOD}
        ordered = sorted(found, key=lambda place: (place.date, place.number))
        return [place.ref for place in ordered]

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one response."""
        try:
            return self._read(ref.file, ref.offset)
        except DAMAGE as error:
            place = f"A response at {ref.offset} in {ref.file}"
            raise ArchiveError(f"{place} cannot be read: {error}.") from error

    @contextmanager
    def at(self, ref: Ref) -> Iterator[IO[bytes]]:
        """The file of a record, to be read there; what is damaged is BadInput."""
        try:
            with self._opened(ref.file) as file:
                yield file
        except DAMAGE as error:
            place = f"A record at {ref.offset:,} in {ref.file}"
            raise BadInput(f"{place} cannot be read: {error}.") from error

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
        """The requests and remarks that say they belong to
        a response, and the one that the response names.
        """
        known = self._companions or {}
        named = [ref for ref in known.get(other, ()) if ref.record_id == other]
        return [*known.get(record_id, ()), *named]

    def _read(self, name: str, offset: int, hops: int = HOPS) -> tuple[int, Page]:
        with self._opened(name) as file:
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
            digest = head.headers.get("warc-payload-digest", "")
            return Ref(beside, pointer.offset, head.record_id, digest)
        # Files of an archive are only looked for beside the revisit: each blog has its own.
        folder = "" if self._files else name.rpartition("/")[0]
        if folder not in self._originals:
            self._originals[folder] = self._gather(self._files or self._siblings(name))
        known = self._originals[folder]
        keys = (pointer.record_id, _moment(pointer.url, pointer.date), pointer.digest)
        return next((known[key] for key in keys if key in known), None)

    def _head_there(self, pointer: Pointer, name: str) -> Head | None:
        try:
            with self._opened(name) as file:
                head = head_at(file, pointer.offset)
        except DAMAGE:
            return None
        return head if head is not None and pointer.fits(head) else None

    def _siblings(self, name: str) -> list[str]:
        box, mark, _inner = name.partition("!/")
        if mark:
            return streams_of(self._root / box)
        folder = (self._root / name).parent
        if self._mirror and name.startswith(OWN):
            for row in self._mirror.warcs(folder.name):
                self._mirror.bring(row.name)
        return [str(path) for path in sorted(folder.glob("*")) if path.name.endswith(SUFFIXES)]

    def _gather(self, names: Iterable[str]) -> dict[str, Ref]:
        """Every response by each name a revisit may call
        it; made only where a place alone does not do.
        """
        found: dict[str, Ref] = {}
        for name in names:
            known = self._known_as(name.removesuffix(".open"))
            for record, offset in records_in(name):
                if record.rec_type == "response":
                    for key, ref in _names_of(record, known, offset):
                        found.setdefault(key, ref)
        return found

    def _opened(self, name: str) -> AbstractContextManager[IO[bytes]]:
        path = self._path(name)
        is_being_written = path.name.endswith(OPEN)
        if self._mirror and name.startswith(OWN) and not is_being_written:
            return self._mirror.open(name)
        return opened(path)

    def _path(self, name: str) -> Path:
        if self._rooted and ".." in Path(name).parts:
            raise ValueError("it would lie outside the archive")
        path = self._root / name
        return path if "!/" in name else present(path)

    def _known_as(self, name: str) -> str:
        """Files of an archive are named from its folder on, wherever that lies."""
        path = Path(name)
        is_own = self._rooted and path.is_relative_to(self._root)
        return str(path.relative_to(self._root)) if is_own else name

    def _index(self, path: Path, revisits: list[_Revisit]) -> None:
        try:
            streams = streams_of(path)
        except DAMAGE as error:
            log.warning("%s is damaged and cannot be read: %.100s", path, error)
            return
        self._files += streams
        for name in streams:
            for record, offset in records_in(name):
                self._index_record(record, self._place(name, offset, record), revisits)

    def _index_record(self, record: Any, place: _Place, revisits: list[_Revisit]) -> None:
        if self._only is not None and place.record_id not in self._only:
            return
        url = _normal(_stands_for(record)[0])
        if url and _is_answer(record, url):
            self._add(url, place)
            self.has_files = self.has_files or _is_file(record)
        elif url and record.rec_type == "revisit":
            revisits.append((url, place, pointer_of(_record_headers(record))))
        elif record.rec_type in CONTENT:
            self.passed_over[record.rec_type] += 1
        elif self._companions is not None and record.rec_type in COMPANIONS:
            _note_companion(self._companions, record, place.ref)

    def _place(self, name: str, offset: int, record: Any) -> _Place:
        head, file = record.rec_headers, self._known_as(name)
        is_part = bool(head.get_header("WARC-Truncated")) and self._is_cut(file, offset)
        worth = USELESS if is_part else _worth(record)
        record_id = head.get_header("WARC-Record-ID") or ""
        digest = head.get_header("WARC-Payload-Digest") or ""
        second = _stands_for(record)[1][:SECOND]
        self._count += 1
        return _Place(file, offset, worth, record_id, digest, second, self._count)

    def _is_cut(self, name: str, offset: int) -> bool:
        """Whether a response that came in part lacks
        anything; it is read again for that, as there are few.
        """
        try:
            page = self._read(name, offset)[1]
        except DAMAGE:
            return True
        return why_cut(page.headers.get("warc-truncated"), page.content) is not None

    def _add(self, url: str, place: _Place) -> None:
        best = self._places.get(url)
        if best and place.worth == GOOD == best.worth:
            self._good.setdefault(url, [best]).append(place)
        if not best or place.rank >= best.rank:
            self._places[url] = place

    def _add_revisit(self, url: str, place: _Place, pointer: Pointer) -> None:
        """A repeated response counts like any other, where what it repeats is there."""
        if self.original(pointer, place.file):
            self._add(url, place)


def _worth(record: Any) -> int:
    """How much a response is worth beside others of the same address."""
    http = record.http_headers
    # A revisit that keeps no headers, or says that nothing changed, is as good as what it repeats.
    status = str(http.get_statuscode()) if http else "200"
    if status == "304" and record.rec_type == "revisit":
        return GOOD
    return {"2": GOOD, "3": REDIRECT}.get(status[:1], USELESS)


def _is_answer(record: Any, url: str) -> bool:
    """Whether the record holds what an address answered:
    with its HTTP headers, or, as a resource, without.
    """
    if record.rec_type == "resource":
        return url.startswith((DRAWN, *WEB))
    return record.rec_type == "response" and bool(record.http_headers)


def _is_file(record: Any) -> bool:
    mime = record.http_headers.get_header("Content-Type") if record.http_headers else ""
    return (mime or "").strip().lower().startswith(FILES)


def _names_of(record: Any, file: str, offset: int) -> Iterator[tuple[str, Ref]]:
    """What a revisit may call this response, each with its place: id, digest, address and time."""
    head = _record_headers(record)
    when = _moment(head.get("warc-target-uri", "").strip("<>"), head.get("warc-date", ""))
    ref = Ref(file, offset, head["warc-record-id"], head.get("warc-payload-digest", ""))
    for key in (ref.record_id, ref.digest, when):
        if key:
            yield key, ref


def _note_companion(known: dict[str, list[Ref]], record: Any, ref: Ref) -> None:
    """By its own name and by that of what it belongs
    to: either of the two records may name the other.
    """
    headers = record.rec_headers.headers
    belongs = {value for name, value in headers if name.lower() == "warc-concurrent-to"}
    for name in {ref.record_id, *belongs}:
        known.setdefault(name, []).append(ref)


def _record_headers(record: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in record.rec_headers.headers}


def _moment(url: str, date: str) -> str:
    """An address at a second."""
    return f"{_normal(url)} {date[:SECOND]}" if url and date else ""


def _stands_for(record: Any) -> tuple[str, str]:
    """The address and the time of a record; a page of a
    web archive is that of the blog at an earlier time.
    """
    url = _target(record)
    return original(url) or (url, record.rec_headers.get_header("WARC-Date") or "")


def _target(record: Any) -> str:
    return (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def _again(record: Any, status: int, earlier: Page) -> tuple[int, Page]:
    """The page of a revisit: the body kept earlier, under
    the address, time and headers of the later response.
    """
    http = record.http_headers
    own = {name.lower(): value for name, value in (http.headers if http else ())}
    code = str(http.get_statuscode()) if http else "304"
    if code == "304":
        of_the_page = {name: value for name, value in own.items() if name not in OF_THE_MESSAGE}
        headers = {**earlier.headers, **of_the_page}
    else:
        headers, status = own, _number(code)
    url, stamp = _stands_for(record)
    return status, Page(url, earlier.content, headers, _captured(stamp))


def _number(status: str) -> int:
    """A status; 0 where a server wrote something else."""
    return int(told_status(status) or 0)


def _page(record: Any) -> tuple[int, Page]:
    http = record.http_headers
    kind = [("content-type", record.rec_headers.get_header("Content-Type") or "")]
    headers = {name.lower(): value for name, value in (http.headers if http else kind)}
    if flag := record.rec_headers.get_header("WARC-Truncated"):
        headers["warc-truncated"] = flag
    url, stamp = _stands_for(record)
    body = record.content_stream().read(BODY_LIMIT)
    if url != _target(record):
        # A web archive has put its own address before every link.
        body = unwrapped(body)
        if "location" in headers:
            headers["location"] = unwrapped_link(headers["location"])
    if url.startswith(DRAWN):
        url = url.removeprefix(DRAWN).replace("%23", "#")
    status = _number(str(http.get_statuscode())) if http else FOUND
    return status, Page(url=url, content=body, headers=headers, captured=_captured(stamp))


def _captured(stamp: str) -> datetime | None:
    """When a record says it was made; nothing where that is no moment that can be compared with others."""
    try:
        found = datetime.fromisoformat(stamp.replace("Z", "+00:00"))
        found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found


def _spellings(url: str) -> Iterator[str]:
    normal = _normal(url)
    yield normal
    scheme, mark, rest = normal.partition(":")
    if scheme in OTHER_SCHEME:
        yield OTHER_SCHEME[scheme] + mark + rest


def _normal(url: str) -> str:
    """One spelling of an address: host in small letters, no
    fragment, percent-encoding in capitals and ASCII only.
    """
    try:
        parts = urlsplit(url.strip())
        host = parts.netloc.lower().removesuffix(":80" if parts.scheme == "http" else ":443")
    except ValueError:
        return url
    path, query = _percent(parts.path) or "/", _percent(parts.query)
    return urlunsplit((parts.scheme.lower(), host, path, query, ""))


def _percent(text: str) -> str:
    return ESCAPE.sub(_plain, NOT_PRINTABLE.sub(_escaped, text))


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="replace"))


def _plain(match: re.Match[str]) -> str:
    """An escape that need not be one as its letter, all others in capitals (RFC 3986, 6.2.2)."""
    char = chr(int(match[0][1:], HEXADECIMAL))
    is_unreserved = char.isascii() and (char.isalnum() or char in "-._~")
    return char if is_unreserved else match[0].upper()
