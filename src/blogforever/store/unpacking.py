"""Bodies packed with Brotli or Zstandard, unpacked for warcio, within a limit whatever they claim
to hold; and lines, which it reads without one.

warcio's own reader of Brotli sets an attribute that Brotli's newer releases refuse, and it has none
for Zstandard. A line that never ends it puts together in quadratic time, as long as there is memory.
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
LINE_LIMIT = 16 * 1024 * 1024
"""Bytes of one line: there are lines in headers only, and no server is let send any that comes near."""


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


def _read_line(self: BufferedReader, length: int | None = None) -> bytes:
    """What `BufferedReader.readline` gives; ValueError where a line is longer than any."""
    parts: list[bytes] = []
    left = LINE_LIMIT if length is None else min(length, LINE_LIMIT)
    while left > 0 and not (parts and parts[-1].endswith(b"\n")):
        self._fillbuff()
        if self.empty():
            break
        parts.append(self.buff.readline(left))
        left -= len(parts[-1])
    if sum(map(len, parts)) == LINE_LIMIT:
        raise ValueError("it has a line without an end")
    return b"".join(parts)


def teach_warcio() -> None:
    """Let warcio read what servers send packed these two ways, and no line without an end."""
    BufferedReader.readline = _read_line
    BufferedReader.DECOMPRESSORS["br"] = lambda: _Bounded(_Brotli())
    BufferedReader.DECOMPRESSORS["zstd"] = lambda: _Bounded(_Zstandard())
