"""An exchange as records of a WARC file: the response, or where its body was kept before, and what
stands beside it.

The bytes are those that warcio would write. They are made here because a record is made for every
request, and warcio takes ten times as long for it: it copies bodies and looks for each header among
all others.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from http import HTTPStatus
from uuid import uuid4

from warcio.statusandheaders import StatusAndHeaders

from blogforever.protocols import Exchange

from .revisits import UNCHANGED, Original

Header = tuple[str, str]
RESPONSE, REQUEST = "application/http; msgtype=response", "application/http; msgtype=request"
FIELDS = "application/warc-fields"
LINE_BREAKS = re.compile(r"[\r\n]+")
ORIGIN = re.compile(r"^https?://[^/?#]*")
OF_THE_TRANSFER = frozenset({"transfer-encoding", "content-length"})
"""The body is kept as it came, compressed; only the chunks of the transfer are gone, and so must be
their header.
"""


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """One record: its headers with those of the HTTP message in it, and the body behind them."""

    record_id: str
    digest: str
    head: bytes
    body: bytes = b""

    @property
    def parts(self) -> tuple[bytes, bytes, bytes]:
        """All bytes of the record, in their order."""
        return self.head, self.body, b"\r\n\r\n"


def digest_of(*parts: bytes) -> str:
    """The digest of these bytes as WARC files write it."""
    digest = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        digest.update(part)
    return f"sha1:{b32encode(digest.digest()).decode()}"


NO_BODY = digest_of()


def response_record(exchange: Exchange, digest: str) -> WarcRecord:
    """What came; `digest` is that of its body."""
    http = _http(exchange)
    return _record("response", exchange.url, RESPONSE, _facts(exchange), (http, exchange.body), digest)


def revisit_record(exchange: Exchange, original: Original) -> WarcRecord:
    """The headers of the response, and where its body was kept before."""
    facts = _facts(exchange) | original.headers(unchanged=exchange.status == UNCHANGED)
    return _record("revisit", exchange.url, RESPONSE, facts, (_http(exchange), b""))


def resource_record(exchange: Exchange, digest: str) -> WarcRecord:
    """What we made of a page ourselves: no request brought it."""
    kind = dict(exchange.response_headers).get("Content-Type", "application/octet-stream")
    return _record("resource", exchange.url, kind, {"WARC-Date": _date(exchange)}, (b"", exchange.body), digest)


def companions(exchange: Exchange, response_id: str) -> list[WarcRecord]:
    """What is kept beside a response: the request, and what else is known of it."""
    if exchange.kind == "resource":
        return []
    more = {"WARC-Date": _date(exchange), "WARC-Concurrent-To": response_id}
    request = _request(exchange, more)
    facts = dict(exchange.extra) | ({"via": exchange.via} if exchange.via else {})
    return [request, _metadata(exchange.url, facts, more)] if facts else [request]


def _record(
    kind: str, url: str, content: str, facts: Mapping[str, str], message: tuple[bytes, bytes], digest: str = ""
) -> WarcRecord:
    http, body = message
    record_id = f"<urn:uuid:{uuid4()}>"
    fields = {
        **facts,
        "WARC-Type": kind,
        "WARC-Record-ID": record_id,
        "WARC-Target-URI": url,
        **({"WARC-Payload-Digest": digest} if digest else {}),
        "WARC-Block-Digest": digest_of(http, body) if http else digest,
        "Content-Type": content,
        "Content-Length": str(len(http) + len(body)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return WarcRecord(record_id, digest, f"WARC/1.1\r\n{lines}\r\n".encode() + http, body)


def _request(exchange: Exchange, more: Mapping[str, str]) -> WarcRecord:
    target = ORIGIN.sub("", exchange.url.partition("#")[0]) or "/"
    http = _message(f"{exchange.method} {target} HTTP/1.1", _clean(exchange.request_headers))
    body = exchange.request_body
    return _record("request", exchange.url, REQUEST, more, (http, body), digest_of(body) if body else NO_BODY)


def _metadata(url: str, facts: Mapping[str, str], more: Mapping[str, str]) -> WarcRecord:
    body = "".join(f"{name}: {value}\r\n" for name, value in facts.items()).encode()
    return _record("metadata", url, FIELDS, more, (b"", body), digest_of(body))


def _http(exchange: Exchange) -> bytes:
    reason = exchange.reason or _phrase(exchange.status)
    headers = _clean(header for header in exchange.response_headers if header[0].lower() not in OF_THE_TRANSFER)
    headers.append(("Content-Length", str(len(exchange.body))))
    return _message(f"HTTP/1.1 {exchange.status} {reason}", headers)


def _message(first: str, headers: list[Header]) -> bytes:
    """The head of an HTTP message."""
    text = "".join((first, "\r\n", *(f"{name}: {value}\r\n" for name, value in headers), "\r\n"))
    if text.isascii():
        return text.encode()
    try:
        # What is not ASCII is written as an RFC has it, and warcio knows that one.
        return bytes(StatusAndHeaders(first, headers).to_ascii_bytes())
    except UnicodeEncodeError:
        # It has no way to write such a name; no page is lost for that, and the bytes stay as they
        # came.
        return text.encode("latin-1", "replace")


def _clean(headers: Iterable[Header]) -> list[Header]:
    """Without line breaks: one in a value would end it, and let a server write headers of its own
    into the record.
    """
    return [(name, LINE_BREAKS.sub(" ", value)) for name, value in headers]


def _facts(exchange: Exchange) -> dict[str, str]:
    facts = {"WARC-IP-Address": exchange.ip, "WARC-Truncated": exchange.truncated}
    return {"WARC-Date": _date(exchange)} | {name: value for name, value in facts.items() if value}


def _date(exchange: Exchange) -> str:
    return exchange.captured.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
