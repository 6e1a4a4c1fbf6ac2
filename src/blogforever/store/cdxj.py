"""The CDXJ index of a blog's WARC files: one sorted file, in which replay tools find a response.

A line is `urlkey timestamp {"url", "mime", "status", "digest", "length", "offset", "filename"}`;
the key is the address written backwards (SURT), so that a site's pages stand together. It can be
rebuilt from the WARC files at any time.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit

from blogforever.urls import host_of

from .members import Head, Member, members, read_head, told_status

INDEXED = frozenset(["response", "revisit", "resource"])
PORTS = {"http": 80, "https": 443}
KEPT = "/%:@!$&'()*+,;=~?[]"
WORDS = ("url", "mime", "status", "digest")
# Letters of a date up to its second.
SECOND = len("2021-03-04T05:06:07")
# Digits of a date in an index; one that says less is filled with zeros.
STAMP = len("20210304050607")
# What stands before the name of the file, which ends each line.
FILENAME = b', "filename": '
# Files whose lines are counted one after the other, as an update finds them. Of more, all lines are taken apart.
COUNTED = 12
# Lines that are put between the others one by one. An update that finds nothing new has no more,
# and need not take a large index apart; for more, sorting all is the shorter way.
FEW = 50
# What a record that does not say when it was captured counts as: older than all that do.
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
SESSION = re.compile(r"(?:^|&)(?:jsessionid|phpsessid|sid)=[0-9a-f]{32}(?=&|$)", re.I)


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One response in the index."""

    key: str
    stamp: str
    url: str
    mime: str
    status: str
    digest: str
    length: int
    offset: int
    file: str
    record_id: str = ""

    @property
    def captured(self) -> datetime:
        """When it was fetched."""
        return moment_of(self.stamp)

    def text(self) -> str:
        """As it stands in the file."""
        fields = {"url": self.url, "mime": self.mime, "status": self.status, "digest": self.digest}
        fields |= {"length": str(self.length), "offset": str(self.offset), "filename": self.file}
        known = {name: value for name, value in fields.items() if value}
        return f"{self.key} {self.stamp} {json.dumps(known)}"


# Lines one behind the other, each with its line break.
Lines = mmap.mmap | bytes
# The index lines of whole files, by the names of these.
Written = Mapping[str, Sequence[IndexLine]]


def stamp_of(date: str) -> str:
    """The date of a record as an index writes it."""
    return "".join(char for char in date[:SECOND] if char.isdigit()).ljust(STAMP, "0")


def moment_of(date: str) -> datetime:
    """The date of a record."""
    try:
        return datetime.strptime(stamp_of(date), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return LONG_AGO


def surt(url: str) -> str:
    """The address as an index sorts it: host backwards,
    no scheme, no www, small letters, query in order.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = host_of(url), parts.port
    except ValueError:
        return quote(url.lower(), KEPT)
    if parts.scheme not in PORTS or not host:
        return quote(url.lower(), KEPT)
    is_usual_port = port in (None, 0, PORTS[parts.scheme])
    shown_port = "" if is_usual_port else f":{port}"
    path = re.sub("/{2,}", "/", quote(parts.path, KEPT).lower()).rstrip("/") or "/"
    return f"{_backwards(host)}{shown_port}){path}{_sorted_query(parts.query)}"


def _backwards(host: str) -> str:
    host = re.sub(r"^www\d*\.", "", host)
    is_ipv6 = ":" in host
    return host.strip("[]") if is_ipv6 else ",".join(reversed(host.split(".")))


def _sorted_query(query: str) -> str:
    """A query with its question mark, in order and without
    what names a visitor; empty where there is none.
    """
    fields = SESSION.sub("", quote(query, KEPT).lower()).strip("&").split("&")
    in_order = "&".join(sorted(fields))
    return f"?{in_order}" if in_order else ""


def index_file(path: Path, start: int = 0, end: int | None = None) -> Iterator[IndexLine]:
    """The index lines of one WARC file, or of a part of it, in the order of its records; what is
    broken is left out.
    """
    for member in members(path, False, start, end):
        head = read_head(member.data) if member.data else None
        if head and head.kind in INDEXED and head.url:
            yield line_of(head, member, path.name)


def line_of(head: Head, member: Member, name: str) -> IndexLine:
    """The index line of one record."""
    stamp = stamp_of(head.date)
    mime = "warc/revisit" if head.kind == "revisit" else head.mime or "unk"
    says = surt(head.url), stamp, head.url, mime, head.status, head.digest
    return IndexLine(*says, member.length, member.offset, name, head.record_id)


def read_line(text: str) -> IndexLine | None:
    """An index line read back; None for what is no index line, or names no file beside the
    others.
    """
    key, _, rest = text.rstrip("\n").partition(" ")
    stamp, _, fields = rest.partition(" ")
    try:
        found = json.loads(fields)
        length, offset, file = int(found["length"]), int(found["offset"]), str(found["filename"])
        url, mime, status, digest = (str(found.get(name) or "") for name in WORDS)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    # A name that leads elsewhere was not written by us.
    if "/" in file or "\0" in file:
        return None
    return IndexLine(key, stamp, url, mime, told_status(status), digest, length, offset, file)


def read_index(path: Path) -> Iterator[IndexLine]:
    """Every line of an index that can be read."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            if line := read_line(text):
                yield line


def update_index(index: Path, warcs: Iterable[Path], written: Written | None = None) -> list[IndexLine]:
    """Add what files of the blog are not in its index
    yet, drop what is gone; gives the lines that came new.

    Of the files in `written` all lines are known: who just wrote them need not read them again.
    """
    known, fresh = _lines_of(index, warcs, written or {})
    if fresh or not index.is_file():
        write_index(index, fresh, known)
    return fresh


def index_beside(index: Path, warcs: Iterable[Path], spare: Path) -> Path:
    """An index of all these files, for those who must not
    write: the blog's own, or a fuller one put into `spare`.
    """
    known, fresh = _lines_of(index, warcs, {})
    if index.is_file() and not fresh:
        return index
    write_index(spare / index.name, fresh, known)
    return spare / index.name


def write_index(path: Path, fresh: Iterable[IndexLine], known: bytes = b"") -> None:
    """Sort these lines into those that were written already, and write; a reader sees the old file
    or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.writelines(_merged(known, [_written(line) for line in fresh]))
    part.replace(path)


def _merged(known: bytes, fresh: list[bytes]) -> Iterator[bytes | memoryview]:
    """All lines in the order of their bytes, as every other reader of such files compares."""
    if len(fresh) > FEW:
        yield from sorted([*known.splitlines(keepends=True), *fresh])
        return
    # A large index is not copied to be written.
    lines, place = memoryview(known), 0
    for line in sorted(fresh):
        before, place = place, _first_from(known, line, place)
        yield lines[before:place]
        yield line
    yield lines[place:]


def _lines_of(index: Path, warcs: Iterable[Path], written: Written) -> tuple[bytes, list[IndexLine]]:
    """The lines an index has of these files, as they are written, and those that it lacks."""
    files = {path.name: path for path in warcs}
    known, covered = _known_lines(index, files.keys(), written.keys())
    fresh: list[IndexLine] = []
    for name in sorted(files.keys() - covered):
        fresh += written[name] if name in written else index_file(files[name])
    return known, fresh


def covered(index: Path, names: Collection[str]) -> set[str]:
    """Which of the files with these names an index has lines of."""
    return _known_lines(index, names)[1]


def _known_lines(index: Path, names: Collection[str], new: Collection[str] = ()) -> tuple[bytes, set[str]]:
    """The lines an index has of the files with these names, and which of the files that are; it has hardly any of
    those that are `new`.
    """
    known = index.read_bytes() if index.is_file() else b""
    older = [name for name in names if name not in new]
    if len(older) <= COUNTED and (counted := _counted(known, older)):
        return known, counted
    if (told := _told_by_ends(known, names)) is not None:
        return known, told
    read = [line for line in read_index(index) if line.file in names]
    return b"".join(sorted(map(_written, read))), {line.file for line in read}


def _told_by_ends(known: bytes, names: Iterable[str]) -> set[str] | None:
    """Which files the lines are of, where the end of each tells: a large blog has many, and nearly always all end as we
    write them, so that they need not be read.
    """
    ends = {_end_of_line(name): name for name in names}
    _first, *rests = known.split(FILENAME)
    found = {rest.partition(b"\n")[0] for rest in rests}
    is_all_ours = len(rests) == known.count(b"\n") and known[-1:] in (b"", b"\n")
    return {ends[end] for end in found} if is_all_ours and ends.keys() >= found else None


def _counted(known: bytes, names: Iterable[str]) -> set[str]:
    """Which files the lines are of, where each is of one of these, and written as we write them; else none."""
    times = {name: known.count(FILENAME + _end_of_line(name) + b"\n") for name in names}
    is_all_ours = sum(times.values()) == known.count(b"\n") and known[-1:] == b"\n"
    return {name for name, lines in times.items() if lines} if is_all_ours else set()


def _written(line: IndexLine) -> bytes:
    return f"{line.text()}\n".encode("utf-8", "replace")


def _end_of_line(name: str) -> bytes:
    """How a line ends that speaks of this file, from its name on."""
    return json.dumps(name).encode() + b"}"


def _after(lines: Lines, start: int) -> int:
    """Where the line ends that begins there; the last one may lack its line break."""
    end = lines.find(b"\n", start)
    return len(lines) if end < 0 else end + 1


def _first_from(lines: Lines, key: bytes, low: int = 0) -> int:
    """Where the first line begins that is not before the key, of those from `low` on."""
    high = len(lines)
    while low < high:
        middle = (low + high) // 2
        start = max(lines.rfind(b"\n", 0, middle) + 1, low)
        end = _after(lines, start)
        if lines[start:end] < key:
            low = end
        else:
            high = start
    return low


class IndexFile:
    """Finds addresses in an index on disk by halving it; nothing is held in memory."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._map: Lines = b""
        # What is empty cannot be mapped.
        if path.stat().st_size:
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)

    def close(self) -> None:
        """Let the file go."""
        if isinstance(self._map, mmap.mmap):
            self._map.close()
        self._file.close()

    def find(self, url: str) -> list[IndexLine]:
        """The lines of this address, oldest first."""
        key = f"{surt(url)} ".encode("utf-8", "replace")
        start = _first_from(self._map, key)
        found = []
        while self._map[start : start + len(key)] == key:
            end = _after(self._map, start)
            line = read_line(self._map[start:end].decode("utf-8", "replace"))
            found += [line] if line else []
            start = end
        return found
