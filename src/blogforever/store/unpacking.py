"""Bodies packed with Brotli or Zstandard, unpacked for warcio, within a limit whatever they claim
to hold.

warcio's own reader of Brotli sets an attribute that Brotli's newer releases refuse, and it has none
for Zstandard.
"""

from __future__ import annotations

import sys
from typing import Protocol

import brotli
from warcio.bufferedreaders import BufferedReader

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BODY_LIMIT = 64 * 1024 * 1024
AT_ONCE = 1 << 20


class _Unpacker(Protocol):
    """One stream on its way out of its packing."""

    def some(self, data: bytes, most: int) -> bytes:
        """What the data gives; where that is so many bytes or more, the next calls give the
        rest.
        """


class _Brotli:
    def __init__(self) -> None:
        self._inner = brotli.Decompressor()

    def some(self, data: bytes, most: int) -> bytes:
        return b"" if self._inner.is_finished() else bytes(self._inner.process(data, output_buffer_limit=most))


class _Zstandard:
    def __init__(self) -> None:
        self._inner = zstd.ZstdDecompressor()

    def some(self, data: bytes, most: int) -> bytes:
        return b"" if self._inner.eof else self._inner.decompress(data, most)


class _Bounded:
    """A decompressor as warcio calls it; a body ends where its limit is reached."""

    unused_data = b""

    def __init__(self, unpacker: _Unpacker) -> None:
        self._unpacker, self._left = unpacker, BODY_LIMIT

    def decompress(self, data: bytes) -> bytes:
        parts: list[bytes] = []
        while self._left > 0:
            part = self._unpacker.some(data, AT_ONCE)
            data = b""
            parts.append(part)
            self._left -= len(part)
            if len(part) < AT_ONCE:
                break
        return b"".join(parts)


def teach_warcio() -> None:
    """Let warcio read what servers send packed these two ways."""
    BufferedReader.DECOMPRESSORS["br"] = lambda: _Bounded(_Brotli())
    BufferedReader.DECOMPRESSORS["zstd"] = lambda: _Bounded(_Zstandard())
