"""Bytes that were packed with gzip, as sitemaps and some feeds lie on their servers."""

from __future__ import annotations

import zlib

# What zlib wants to be told for gzip.
_GZIP = 31
# Bytes of a broken file that are unpacked at once: so many are lost at its end.
_PIECE = 1024
# How gzip begins, and how often one file is packed: by its program, its server, and one between.
_MARK, _MOST_TIMES = b"\x1f\x8b", 3


def inflate(content: bytes, largest: int) -> bytes:
    """The bytes of a gzip file up to a bound, broken ones as far as they go.

    Other bytes as they are; what was packed twice is unpacked twice.
    """
    for _ in range(_MOST_TIMES):
        if not content.startswith(_MARK):
            break
        content = _inflate_once(content, largest)
    return content[:largest]


def _inflate_once(content: bytes, largest: int) -> bytes:
    """The same for one of several packings."""
    unpacker = zlib.decompressobj(wbits=_GZIP)
    try:
        return unpacker.decompress(content, largest)
    except zlib.error:
        return _inflate_slowly(content, largest)


def _inflate_slowly(content: bytes, largest: int) -> bytes:
    """The same piece by piece, so that what stands before the fault is kept."""
    unpacker, parts, size = zlib.decompressobj(wbits=_GZIP), [], 0
    try:
        for start in range(0, len(content), _PIECE):
            parts.append(unpacker.decompress(content[start : start + _PIECE], largest - size))
            size += len(parts[-1])
            if size >= largest:
                break
    except zlib.error:
        pass
    return b"".join(parts)
