"""The ferry blog as somebody has saved it: with requests, redirects and revisits; WARC packed or not, WACZ, ARC."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from .blogserver import Reply, routes, slug

BASE = "http://ferry.example"
WHEN = datetime(2019, 3, 1, 12, tzinfo=UTC)
FORMS = ("warc.gz", "warc", "wacz", "arc", "arc.gz")


@dataclass(frozen=True, slots=True)
class Kept:
    """One record of a WARC file."""

    id: str
    kind: str
    url: str
    date: str


def blog() -> dict[str, Reply]:
    """With a link that is redirected."""
    return routes(BASE, '<a href="/old-story/">old</a>')


def saved(
    path: Path,
    replies: dict[str, Reply] | None = None,
    when: datetime = WHEN,
    base: str = BASE,
    requests: bool = True,
) -> Path:
    """A file of this form with all that the blog answers."""
    replies = blog() if replies is None else replies
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name.endswith((".arc", ".arc.gz")):
        return _save_arc(path, replies, when)
    if path.suffix == ".wacz":
        inner = saved(path.with_name("data.warc.gz"), replies, when)
        with zipfile.ZipFile(path, "w") as box:
            box.write(inner, "archive/data.warc.gz")
        inner.unlink()
        return path
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=path.suffix == ".gz")
        for number, (place, reply) in enumerate(replies.items()):
            _write(writer, base + place, reply, _date(when, number), requests)
    return path


def add_revisit(path: Path, when: datetime) -> None:
    """A later visit to one post, which was as before; it names what it repeats by address and date only."""
    body = blog()[slug(3)].body
    with path.open("ab") as file:
        writer = WARCWriter(file, gzip=True)
        digest = "sha1:" + _sha1(body)
        record = writer.create_revisit_record(BASE + slug(3), digest, BASE + slug(3), _date_of(path, BASE + slug(3)))
        record.rec_headers.replace_header("WARC-Date", _date(when, 0))
        writer.write_record(record)


def add_resources(path: Path, bodies: dict[str, bytes]) -> None:
    """Records that hold something without saying how it was answered."""
    with path.open("ab") as file:
        writer = WARCWriter(file, gzip=True)
        for name, body in bodies.items():
            told = {"warc_content_type": "text/html", "payload": BytesIO(body), "length": len(body)}
            writer.write_record(writer.create_warc_record(name, "resource", **told))


def records(paths: Path) -> list[Kept]:
    """Every record of the WARC files in a folder, or of one file."""
    return list(_records([paths] if paths.is_file() else sorted(paths.rglob("*.warc.gz"))))


def _records(paths: list[Path]) -> Iterator[Kept]:
    for path in paths:
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                told = [record.rec_headers.get_header(f"WARC-{name}") for name in ("Record-ID", "Target-URI", "Date")]
                yield Kept(told[0], record.rec_type, told[1] or "", told[2])


def _write(writer: WARCWriter, url: str, reply: Reply, date: str, requests: bool) -> None:
    named = f"<urn:uuid:{uuid5(NAMESPACE_URL, f'{url} {date}')}>"
    headers = StatusAndHeaders(f"{reply.status} X", list(reply.headers.items()), protocol="HTTP/1.1")
    body: dict[str, Any] = {"payload": BytesIO(reply.body), "length": len(reply.body)}
    facts = {"WARC-Date": date, "WARC-Record-ID": named}
    writer.write_record(
        writer.create_warc_record(url, "response", http_headers=headers, warc_headers_dict=facts, **body)
    )
    if not requests:
        return
    asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "ferry.example")], is_http_request=True)
    facts = {"WARC-Date": date, "WARC-Concurrent-To": named}
    writer.write_record(writer.create_warc_record(url, "request", http_headers=asked, warc_headers_dict=facts))


def _save_arc(path: Path, replies: dict[str, Reply], when: datetime) -> Path:
    stamp = when.strftime("%Y%m%d%H%M%S")
    spec = b"1 0 somebody\nURL IP-address Archive-date Content-type Archive-length\n\n"
    pieces = [f"filedesc://blog.arc 0.0.0.0 {stamp} text/plain {len(spec)}\n".encode() + spec + b"\n"]
    for number, (place, reply) in enumerate(replies.items()):
        lines = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        whole = f"HTTP/1.1 {reply.status} X\r\n{lines}\r\n".encode() + reply.body
        day = (when + timedelta(seconds=number)).strftime("%Y%m%d%H%M%S")
        mime = reply.headers.get("Content-Type", "text/html").partition(";")[0]
        pieces.append(f"{BASE}{place} 127.0.0.1 {day} {mime} {len(whole)}\n".encode() + whole + b"\n")
    packed = path.suffix == ".gz"
    path.write_bytes(b"".join(gzip.compress(piece) if packed else piece for piece in pieces))
    return path


def _date(when: datetime, number: int) -> str:
    return (when + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _date_of(path: Path, url: str) -> str:
    return next(one.date for one in records(path) if one.url == url)


def _sha1(body: bytes) -> str:
    return base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
