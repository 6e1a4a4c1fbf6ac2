"""Bodies packed with Brotli or Zstandard come out of a WARC as they went in, and no larger than a body may be."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import brotli
import pytest

from blogforever.protocols import Exchange
from blogforever.store import unpacking
from blogforever.store.warc import WarcWriter
from blogforever.store.warcreader import WarcReader

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACK = {"br": brotli.compress, "zstd": zstd.compress}


def kept(folder: Path, encoding: str, body: bytes) -> bytes:
    """The body as it is read back."""
    headers = (("Content-Type", "text/html"), ("Content-Encoding", encoding))
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    exchange = Exchange("http://blog.example/", "GET", (), 200, "OK", headers, PACK[encoding](body), moment)
    writer = WarcWriter(folder / "warc", folder, {})
    ref = writer.write(exchange)
    writer.close()
    return WarcReader((), folder).response(ref)[1].content


@pytest.mark.parametrize("encoding", PACK)
@pytest.mark.parametrize("size", [0, 1, 3_000_000])
def test_a_packed_body_is_read_back(tmp_path: Path, encoding: str, size: int) -> None:
    body = (b"<p>The shelf " + bytes(range(256)))[:size] * max(1, size // 269)
    assert kept(tmp_path, encoding, body) == body


@pytest.mark.parametrize("encoding", PACK)
def test_a_bomb_is_cut_at_the_limit(tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "BODY_LIMIT", 2_000_000)
    assert 2_000_000 <= len(kept(tmp_path, encoding, bytes(30_000_000))) < 4_000_000
