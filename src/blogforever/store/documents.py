"""The words inside documents: PDF, Office and EPUB files, packed text, what a picture says of
itself.

Documents come from strangers. What would be too large is not unpacked, and a PDF is read by a
process of its own, with little time and memory. What cannot be read is None, so that nobody takes
it for a document without words.
"""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO

from blogforever.dom import with_few_marks

from .members import GZIP_WBITS

PICTURES = ("image/", "audio/", "video/", "font/", "application/font")
# Bytes of one document, and of all that is unpacked from it.
LARGEST = 64_000_000
DEPTH = 3
SECONDS = 30.0
# Bytes in which a PDF says that it is one: something else may stand before that.
BEGINNING = 1024
# What one note in a picture may be unpacked to: a picture may have several.
LARGEST_NOTE = LARGEST // 8
# A PNG is its mark and then blocks: length and kind, a word each, then data, then a checksum.
PNG, PNG_WORD = b"\x89PNG\r\n\x1a\n", 4
PNG_HEAD = 2 * PNG_WORD
PDF, ZIP, GZIP = b"%PDF-", b"PK\x03\x04", b"\x1f\x8b\x08"
PACKED = ("application/zip", "application/pdf", "application/octet-stream", "application/gzip", "application/epub")
WORDED = (".xml", ".xhtml", ".html", ".htm", ".txt", ".opf", ".ncx", ".rels", ".json", ".md", ".csv", ".css", ".svg")
_LATIN = re.compile(rb"[\x20-\x7e\r\n\t]{16,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e\r\n\t]\x00){12,}")
_XMP = re.compile(rb"<x:xmpmeta(?:.*?</x:xmpmeta>|.*)|<rdf:RDF(?:.*?</rdf:RDF>|.*)", re.DOTALL)
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=\w)")


def is_document(content: bytes, mime: str) -> bool:
    """Whether a response is no text, by its type or
    by its first bytes, whatever its server calls it.
    """
    return (mime.startswith((*PICTURES, *PACKED)) and "svg" not in mime) or content.startswith((PDF, ZIP, GZIP))


def document_words(content: bytes, mime: str = "") -> list[str] | None:
    """The texts in a document; None where it cannot be searched, an empty list where it has
    none.
    """
    head = content[:BEGINNING]
    if mime.startswith(PICTURES) and "svg" not in mime and PDF not in head:
        return list(_metadata(content[:LARGEST]))
    if len(content) > LARGEST:
        return None
    if PDF in head:
        return _pdf(content)
    if head.startswith(ZIP):
        return _zip(content)
    if head.startswith(GZIP):
        unpacked = _gunzip(content)
        return None if unpacked is None else document_words(unpacked)
    return [content.decode("utf-8", "replace"), *_strings(content)]


def _pdf(content: bytes) -> list[str] | None:
    command = [sys.executable, "-m", "blogforever.store.pdfwords"]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603  our own module, no shell
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    text = unicodedata.normalize("NFKC", with_few_marks(done.stdout.decode("utf-8", "replace")))
    # A word may be cut at the end of a line, or be written with a hyphen that stands there.
    return [text, _HYPHEN.sub("", text), _HYPHEN.sub("-", text), *_metadata(content)]


def _zip(content: bytes, depth: int = DEPTH) -> list[str] | None:
    found: list[str] = []
    left = LARGEST
    try:
        with zipfile.ZipFile(BytesIO(content)) as box:
            for info in box.infolist():
                if info.is_dir() or info.file_size == 0:
                    continue
                left -= info.file_size
                if left < 0 or info.flag_bits & 1:
                    return None
                inner = _inner(box.read(info), info.filename, depth)
                if inner is None:
                    return None
                found += [*inner, info.filename]
            found.append(box.comment.decode("utf-8", "replace"))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError, EOFError):
        return None
    return found


def _inner(data: bytes, name: str, depth: int) -> list[str] | None:
    if data.startswith(ZIP):
        return _zip(data, depth - 1) if depth > 1 else None
    if data.startswith(PDF):
        return _pdf(data)
    if name.lower().endswith(WORDED):
        return [data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")]
    return list(_metadata(data))


def _gunzip(content: bytes) -> bytes | None:
    unpacker = zlib.decompressobj(GZIP_WBITS)
    try:
        data = unpacker.decompress(content, LARGEST)
    except zlib.error:
        return None
    return None if unpacker.unconsumed_tail or data.startswith(GZIP) else data


def _metadata(content: bytes) -> Iterator[str]:
    """What a picture, a sound or a film says of itself."""
    yield from (found[0].decode("utf-8", "replace") for found in _XMP.finditer(content))
    yield from _strings(content)
    if content.startswith(PNG[:PNG_WORD]):
        yield from _png_texts(content)


def _strings(content: bytes) -> Iterator[str]:
    yield from (found[0].decode("latin-1") for found in _LATIN.finditer(content))
    yield from (found[0].decode("utf-16-le", "replace") for found in _WIDE.finditer(content))


def _png_texts(content: bytes) -> Iterator[str]:
    place = len(PNG)
    while place + PNG_HEAD <= len(content):
        size = int.from_bytes(content[place : place + PNG_WORD], "big")
        kind = content[place + PNG_WORD : place + PNG_HEAD]
        data = content[place + PNG_HEAD : place + PNG_HEAD + size]
        if kind in (b"zTXt", b"iTXt"):
            yield data.decode("utf-8", "replace")
            packed = data.find(b"x")  # the first byte of what zlib packs
            if packed >= 0:
                yield _inflated(data[packed:])
        place += PNG_HEAD + size + PNG_WORD


def _inflated(data: bytes) -> str:
    try:
        return zlib.decompressobj().decompress(data, LARGEST_NOTE).decode("utf-8", "replace")
    except zlib.error:
        return ""
