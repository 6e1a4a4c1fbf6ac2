"""WARC files written again without some of their records, and with others made unreadable in part.

A changed response keeps its record id, gets new digests, is no longer compressed, and says in
`WARC-Erased` when that was done. What is not changed is copied byte by byte. Revisit records follow
their originals to where those lie now.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from warcio.archiveiterator import ArchiveIterator

from blogforever import clock
from blogforever.dom import decode
from blogforever.headway import tell
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.storage.values import Rewritten

from .documents import document_words, is_document
from .members import Head, Member, members, read_head
from .revisits import pointer_of
from .unpacking import BODY_LIMIT
from .warc import record_writer
from .warcstreams import DAMAGE

ENCODINGS = ("content-encoding", "content-length", "transfer-encoding", "content-md5", "etag", "digest")
SECOND = "%Y-%m-%dT%H:%M:%SZ"
log = logger("store")
# A text and its address in, the text that may stay out.
Blank = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Scanned:
    """One record of a WARC file: what it is, and what it says: as a page, or as the words of a
    document.

    `unread` says that it may hold words which cannot be searched.
    """

    head: Head
    page: Page | None = None
    words: tuple[str, ...] = ()
    unread: bool = False


def scan(paths: Iterable[Path]) -> Iterator[Scanned]:
    """Every record of some WARC files; what can be read of it is read."""
    seen = 0
    for path in paths:
        for member in members(path):
            seen += 1
            tell("searching what must go", seen, things="records")
            head = read_head(member.data) if member.data else None
            if head is not None and member.data is not None:
                yield _scanned(member.data, head)


def rewrite(paths: Iterable[Path], dest: Path, drop: set[str], blank: Mapping[str, Blank], root: str) -> Rewritten:
    """Write the files again into a folder: without the records in `drop`, and with those in `blank`
    made unreadable.

    Names of files in the answer begin with `root`.
    """
    done = Rewritten(dropped=set(drop))
    dest.mkdir(parents=True, exist_ok=True)
    written = 0
    for path in paths:
        with (dest / path.name).open("wb") as out:
            for member in members(path):
                written += 1
                tell("writing the WARC files again", written, things="records")
                head = read_head(member.data) if member.data else None
                if head is None or not _goes(head, done):
                    _write(out, path, member, head, blank, done, root)
            out.flush()
            os.fsync(out.fileno())
        done.files += 1
    return done


def foresee(paths: Iterable[Path], drop: set[str], blank: Collection[str]) -> Iterator[tuple[Head, bool]]:
    """Every record that `rewrite` would leave out (True) or change (False)."""
    done = Rewritten(dropped=set(drop))
    for path in paths:
        for member in members(path, whole=False):
            head = read_head(member.data) if member.data else None
            if head and _goes(head, done):
                yield head, True
            elif head and head.record_id in blank:
                yield head, False


def _goes(head: Head, done: Rewritten) -> bool:
    """Whether a record goes: on its own account, with the
    response it belongs to, or with the one it repeats.
    """
    others = (head.record_id, head.headers.get("warc-concurrent-to", ""), head.headers.get("warc-refers-to", ""))
    if not done.dropped.intersection(filter(None, others)):
        return False
    done.dropped.add(head.record_id)
    return True


def _write(
    out: IO[bytes],
    path: Path,
    member: Member,
    head: Head | None,
    blank: Mapping[str, Blank],
    done: Rewritten,
    root: str,
) -> None:
    offset = out.tell()
    digest = head.digest if head else ""
    if head and head.kind == "revisit" and member.data is not None:
        digest = write_revisit(out, member.data, head, done, blank.get(head.record_id)) or digest
    elif head and head.record_id in blank and member.data is not None:
        digest = _write_blanked(out, member.data, head, blank[head.record_id])
        done.blanked.add(head.record_id)
    else:
        copy_member(path, member, out)
    if head:
        done.places[head.record_id] = (f"{root}/{path.name}", offset, digest)


def copy_member(path: Path, member: Member, out: IO[bytes]) -> None:
    """Append a record of a file as it is."""
    with path.open("rb") as file:
        file.seek(member.offset)
        left = member.length
        while left > 0 and (chunk := file.read(min(left, 1 << 20))):
            out.write(chunk)
            left -= len(chunk)


def _write_blanked(out: IO[bytes], data: IO[bytes], head: Head, blank: Blank) -> str:
    data.seek(0)
    record = next(iter(ArchiveIterator(data)))
    raw, fields = _content(record)
    body = blank(decode(raw, fields), head.url).encode("utf-8", "replace")
    headers = record.rec_headers
    for name in ("WARC-Block-Digest", "WARC-Payload-Digest", "Content-Length", "WARC-Truncated"):
        headers.remove_header(name)
    headers.add_header("WARC-Erased", clock.now().strftime(SECOND))
    http = record.http_headers
    if http is not None:
        kept = [(n, _header(n, blank(v, head.url))) for n, v in http.headers if n.lower() not in ENCODINGS]
        http.headers = [*kept, *([("Content-Length", str(len(body)))] if head.kind == "response" else [])]
        http.statusline = blank(http.statusline, head.url)
    writer = record_writer(out)
    fresh = writer.create_warc_record(
        head.url, head.kind, payload=BytesIO(body), length=len(body), http_headers=http, warc_headers=headers
    )
    writer.write_record(fresh)
    return (
        fresh.rec_headers.get_header("WARC-Payload-Digest") or fresh.rec_headers.get_header("WARC-Block-Digest") or ""
    )


def _header(name: str, value: str) -> str:
    """A header of a changed response; its text is
    written in UTF-8, whatever the page says in itself.
    """
    return f"{value.partition(';')[0].strip()}; charset=utf-8" if name.lower() == "content-type" else value


def _content(record: Any) -> tuple[bytes, dict[str, str]]:
    """The unpacked body of a record, and the headers that say what it is."""
    if record.http_headers:
        headers = {name.lower(): value for name, value in record.http_headers.headers}
    else:
        headers = {"content-type": record.rec_headers.get_header("Content-Type") or ""}
    return record.content_stream().read(BODY_LIMIT), headers


def write_revisit(out: IO[bytes], data: IO[bytes], head: Head, done: Rewritten, blank: Blank | None = None) -> str:
    """A revisit with the place and the digest that its original has now; its headers may name what must go, too."""
    pointer = pointer_of(head.headers)
    place = done.places.get(pointer.record_id)
    data.seek(0)
    record = next(iter(ArchiveIterator(data)))
    headers = record.rec_headers
    if place:
        file, offset, digest = place
        changed = {"WARC-Refers-To-Filename": file.rpartition("/")[2], "WARC-Refers-To-File-Offset": str(offset)}
        if headers.get_header("WARC-Payload-Digest") and digest:
            changed["WARC-Payload-Digest"] = digest
        for name, value in changed.items():
            headers.replace_header(name, value)
    writer = record_writer(out)
    if blank and record.http_headers is not None:
        record = _with_clean_headers(writer, record, head, blank)
        done.blanked.add(head.record_id)
    writer.write_record(record)
    return str(headers.get_header("WARC-Payload-Digest") or "")


def _with_clean_headers(writer: Any, record: Any, head: Head, blank: Blank) -> Any:
    """A revisit whose HTTP headers are made unreadable where they must be."""
    headers, http = record.rec_headers, record.http_headers
    for name in ("WARC-Block-Digest", "Content-Length"):
        headers.remove_header(name)
    headers.add_header("WARC-Erased", clock.now().strftime(SECOND))
    http.headers = [(name, blank(value, head.url)) for name, value in http.headers]
    return writer.create_warc_record(head.url, head.kind, http_headers=http, warc_headers=headers)


def _scanned(data: IO[bytes], head: Head) -> Scanned:
    if head.kind == "warcinfo":
        return Scanned(head)
    data.seek(0)
    try:
        content, headers = _content(next(iter(ArchiveIterator(data))))
    except DAMAGE as error:
        log.warning("a record of %s cannot be read: %.100s", head.url, error)
        return Scanned(head, unread=True)
    if head.kind == "revisit":
        # What it repeats is elsewhere: here are its headers alone.
        return Scanned(head, Page(head.url, b"", headers))
    if not is_document(content, head.mime):
        return Scanned(head, Page(head.url, content, headers))
    words = document_words(content, head.mime)
    return Scanned(head, words=tuple(words or ()), unread=words is None)
