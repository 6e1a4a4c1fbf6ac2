"""Records that are made here are the ones warcio would write, byte for byte."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from blogforever.protocols import Exchange
from blogforever.store.exchanges import WarcRecord, companions, digest_of, resource_record, response_record

URL = "https://ada.example/2021/05/?a=b#part"
WHEN = datetime(2021, 5, 4, 3, 2, 1, 123456, UTC)
BODIES = [b"", b"<p>Hello</p>", "<p>Grüße</p>\r\n\r\n".encode()]


def exchange(body: bytes, **more: object) -> Exchange:
    values: dict[str, object] = {
        "url": URL,
        "method": "GET",
        "request_headers": (("User-Agent", "BlogForever"), ("Accept", "*/*")),
        "status": 200,
        "reason": "OK",
        "response_headers": (("Content-Type", "text/html"), ("X-Twice", "1"), ("X-Twice", "2")),
        "body": body,
        "captured": WHEN,
        "ip": "192.0.2.7",
    }
    return Exchange(**(values | more))  # type: ignore[arg-type]  # the values of the fields above


def bytes_of(record: WarcRecord) -> bytes:
    return b"".join(record.parts)


def by_warcio(ours: bytes) -> bytes:
    """What warcio writes that is given the headers, the HTTP message and the body of our record."""
    head, _, block = ours.removesuffix(b"\r\n\r\n").partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    kind, content = fields["WARC-Type"], fields["Content-Type"]
    given = {
        name: value
        for name, value in fields.items()
        if name not in ("WARC-Type", "WARC-Target-URI", "Content-Type", "Content-Length") and "Digest" not in name
    }
    http = None
    if "msgtype" in content:
        message, _, block = block.partition(b"\r\n\r\n")
        first, *lines = message.decode().split("\r\n")
        headers = [(name, value) for name, value in (line.split(": ", 1) for line in lines)]
        http = StatusAndHeaders(first, headers, is_http_request=content.endswith("request"))
    out = BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="1.1")
    writer.write_record(
        writer.create_warc_record(
            fields["WARC-Target-URI"],
            kind,
            payload=BytesIO(block),
            length=len(block),
            warc_content_type=content,
            warc_headers_dict=given,
            http_headers=http,
        )
    )
    return out.getvalue()


def sorted_head(record: bytes) -> tuple[list[bytes], bytes]:
    """The headers of a record, whose order says nothing, and all that follows."""
    head, _, rest = record.partition(b"\r\n\r\n")
    return sorted(head.split(b"\r\n")), rest


@pytest.mark.parametrize("body", BODIES)
def test_a_response_is_written_as_warcio_writes_it(body: bytes) -> None:
    ours = bytes_of(response_record(exchange(body), digest_of(body)))
    assert sorted_head(ours) == sorted_head(by_warcio(ours))
    assert ours.endswith(body + b"\r\n\r\n")


def test_what_stands_beside_a_response_is_written_as_warcio_writes_it() -> None:
    response = response_record(exchange(b"x"), digest_of(b"x"))
    request, metadata = companions(exchange(b"x", via="https://ada.example/"), response.record_id)
    for ours in map(bytes_of, (request, metadata)):
        assert sorted_head(ours) == sorted_head(by_warcio(ours))
    assert re.search(rb"\r\nGET /2021/05/\?a=b HTTP/1.1\r\n", bytes_of(request))


def test_what_we_made_ourselves_is_written_as_warcio_writes_it() -> None:
    ours = bytes_of(resource_record(exchange(b"<p>drawn</p>", kind="resource"), digest_of(b"<p>drawn</p>")))
    assert sorted_head(ours) == sorted_head(by_warcio(ours))
