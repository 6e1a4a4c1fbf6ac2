"""Responses into WARC 1.1 files: written before anybody looks at them, one gzip member a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO

from isal import isal_zlib
from isal.isal_zlib import IsalError
from warcio.archiveiterator import ArchiveIterator
from warcio.recordbuilder import RecordBuilder
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.protocols import Exchange, Ref

from .members import GZIP_WBITS, OPEN
from .revisits import UNCHANGED, KeptBodies, Original

# Bytes after which a new file is begun: what other tools and file systems still take easily.
FILE_LIMIT = 1_000_000_000
# Bytes that are read at a time where a file is looked through.
CHUNK = 65536
# Of isal's levels 0 to 3.
COMPRESSION = 2
# A file of the archive, and where in it a record begins.
Header = tuple[str, str]
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
    ) -> None:
        self._folder, self._root, self._info, self._limit = folder, root, dict(info), limit
        self._kept = kept
        self._file: BinaryIO | None = None
        self._path, self._name = folder, ""
        self._writer: _FastWriter | None = None
        self._torn = False

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
            place = self._name, self._file.tell()
            out = self._file if packed else _Member(self._file)
            for chunk in chunks:
                out.write(chunk)
            out.flush()
            return place

    def add(self, record: Any) -> Place:
        """Append a record of warcio's."""
        with self._writing():
            writer = self._ready()
            assert self._file is not None
            place = self._name, self._file.tell()
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
        writer = self._ready()
        assert self._file is not None
        offset, file = self._file.tell(), self._name
        make = _resource if exchange.kind == "resource" else _response
        record = make(writer, exchange)
        digest = record.rec_headers.get_header("WARC-Payload-Digest") or ""
        kept = self._kept if exchange.kind == "response" else None
        original = kept.original(exchange, digest) if kept else None
        if original:
            record, digest = _revisit(writer, exchange, original), original.head.digest
        writer.write_record(record)
        if kept and not original:
            kept.add(exchange, digest, file, offset)
        record_id = record.rec_headers.get_header("WARC-Record-ID")
        for companion in _companions(writer, exchange, record_id):
            writer.write_record(companion)
        return Ref(file, offset, record_id, digest)

    def _ready(self) -> _FastWriter:
        if self._file and self._file.tell() > self._limit:
            self.close()
        if not self._file or not self._writer:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._path = self._folder / _new_name(self._folder)
            self._file = self._path.open("xb")
            self._writer = _FastWriter(self._file, gzip=True, warc_version="1.1")
            final = _final(self._path)
            self._name = str(final.relative_to(self._root))
            self._writer.write_record(self._writer.create_warcinfo_record(final.name, self._info))
        return self._writer


def _new_name(folder: Path) -> str:
    stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
    taken = {path.name.removesuffix(OPEN) for path in folder.glob("*.warc.gz*")}
    number = next(n for n in range(len(taken) + 1) if f"{stamp}-{n:04}.warc.gz" not in taken)
    return f"{stamp}-{number:04}.warc.gz{OPEN}"


def _final(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(OPEN))


def _date(exchange: Exchange) -> str:
    return exchange.captured.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _clean(headers: Iterable[Header], dropped: tuple[str, ...] = ()) -> list[Header]:
    kept = [(name, value) for name, value in headers if name.lower() not in dropped]
    # A line break in a value would end it, and let a server write headers of its own into the
    # record.
    return [(name, re.sub(r"[\r\n]+", " ", value)) for name, value in kept]


def _http(exchange: Exchange) -> StatusAndHeaders:
    reason = exchange.reason or _phrase(exchange.status)
    # The body is kept as it came, compressed; only the chunks of the transfer are gone, and so must
    # be their header.
    headers = _clean(exchange.response_headers, ("transfer-encoding", "content-length"))
    headers.append(("Content-Length", str(len(exchange.body))))
    return StatusAndHeaders(f"{exchange.status} {reason}", headers, protocol="HTTP/1.1")


def _facts(exchange: Exchange) -> dict[str, str]:
    facts = {"WARC-IP-Address": exchange.ip, "WARC-Truncated": exchange.truncated}
    return {"WARC-Date": _date(exchange)} | {name: value for name, value in facts.items() if value}


def _response(writer: RecordBuilder, exchange: Exchange) -> Any:
    return writer.create_warc_record(
        exchange.url,
        "response",
        payload=BytesIO(exchange.body),
        length=len(exchange.body),
        http_headers=_http(exchange),
        warc_headers_dict=_facts(exchange),
    )


def _revisit(writer: RecordBuilder, exchange: Exchange, original: Original) -> Any:
    """The headers of the response, and where its body was kept before."""
    facts = _facts(exchange) | original.headers(unchanged=exchange.status == UNCHANGED)
    http = _http(exchange)
    return writer.create_warc_record(exchange.url, "revisit", http_headers=http, warc_headers_dict=facts)


def _resource(writer: RecordBuilder, exchange: Exchange) -> Any:
    """What we made of a page ourselves: no request brought it."""
    kind = dict(exchange.response_headers).get("Content-Type", "application/octet-stream")
    body = exchange.body
    more = {"WARC-Date": _date(exchange)}
    return writer.create_warc_record(
        exchange.url,
        "resource",
        payload=BytesIO(body),
        length=len(body),
        warc_content_type=kind,
        warc_headers_dict=more,
    )


def _companions(writer: RecordBuilder, exchange: Exchange, response_id: str) -> list[object]:
    """What is kept beside a response: the request, and what else is known of it."""
    if exchange.kind == "resource":
        return []
    more = {"WARC-Date": _date(exchange), "WARC-Concurrent-To": response_id}
    facts = dict(exchange.extra)
    if exchange.via:
        facts["via"] = exchange.via
    request = _request(writer, exchange, more)
    return [request, _metadata(writer, exchange, facts, more)] if facts else [request]


def _request(writer: RecordBuilder, exchange: Exchange, more: Mapping[str, str]) -> object:
    target = re.sub(r"^https?://[^/?#]*", "", exchange.url.partition("#")[0]) or "/"
    line = f"{exchange.method} {target} HTTP/1.1"
    http = StatusAndHeaders(line, _clean(exchange.request_headers), is_http_request=True)
    body = exchange.request_body
    sent: dict[str, Any] = {"payload": BytesIO(body), "length": len(body)} if body else {}
    sent |= {"http_headers": http, "warc_headers_dict": dict(more)}
    return writer.create_warc_record(exchange.url, "request", **sent)


def _metadata(
    writer: RecordBuilder,
    exchange: Exchange,
    facts: Mapping[str, str],
    more: Mapping[str, str],
) -> object:
    body = "".join(f"{name}: {value}\r\n" for name, value in facts.items()).encode()
    return writer.create_warc_record(
        exchange.url,
        "metadata",
        payload=BytesIO(body),
        length=len(body),
        warc_headers_dict=dict(more),
    )


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def seal_open_files(folder: Path) -> None:
    """Cut the torn last record off files that a crash left open, and give them their final name."""
    for path in sorted(folder.glob(f"**/*.warc.gz{OPEN}")):
        end = _sound_length(path)
        with path.open("r+b") as file:
            file.truncate(end)
        if end:
            path.rename(_final(path))
        else:
            path.unlink()
        log.info("closed %s, which an interrupted crawl had left open", path.name)


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
