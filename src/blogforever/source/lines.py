"""Lines of text out of any bytes: whatever encoding, however long a line; never more than a piece in memory."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, AnyStr

# Bytes of a line that are read at once; a paste of ten thousand addresses in one line is shorter.
LONGEST_LINE = 4 * 1024 * 1024
SEPARATORS = ("\t", ";", ",", " ")
# Bytes at the beginning by which the encoding is told.
GLANCE = 4096
MARKED = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Of the bytes of a Latin text in UTF-16 nearly half are NUL; other texts have none.
MANY = 0.3


def text_lines(data: IO[bytes]) -> Iterator[str]:
    """The lines of a text, without their ends; one that is
    too long comes in pieces, cut between two addresses.
    """
    encoding = _encoding(data)
    if encoding:
        lines = _in_encoding(data, encoding)
    else:
        lines = map(_decoded, _bounded(data.readline, b"\n", [mark.encode() for mark in SEPARATORS]))
    for line in lines:
        # Macs of old ended their lines so, and some programs still do.
        yield from line.rstrip("\r\n").split("\r")


def _in_encoding(data: IO[bytes], encoding: str) -> Iterator[str]:
    """The lines of a text in one encoding; the file stays open, for it is the caller's."""
    text = io.TextIOWrapper(data, encoding=encoding, errors="replace", newline=None)
    try:
        yield from _bounded(text.readline, "\n", SEPARATORS)
    finally:
        with suppress(ValueError):  # the caller has closed it already
            text.detach()


def _bounded(readline: Callable[[int], AnyStr], end: AnyStr, separators: Iterable[AnyStr]) -> Iterator[AnyStr]:
    """Lines; of one that is too long and has nothing to cut it at, only the beginning."""
    start = end[:0]
    while piece := readline(LONGEST_LINE):
        line, start = start + piece, end[:0]
        is_cut = len(piece) == LONGEST_LINE and not piece.endswith(end)
        place = max(line.rfind(mark) for mark in separators) if is_cut else 0
        if place > 0:
            line, start = line[:place], line[place:]
        elif is_cut:
            _skip_line(readline, end)
        yield line
    if start:
        yield start


def _skip_line(readline: Callable[[int], AnyStr], end: AnyStr) -> None:
    while piece := readline(LONGEST_LINE):
        if piece.endswith(end):
            return


def _encoding(data: IO[bytes]) -> str:
    """The encoding that the first bytes tell; empty where each line tells its own."""
    start = data.read(GLANCE)
    data.seek(0)
    for mark, encoding in MARKED.items():
        if start.startswith(mark):
            return encoding
    if start.count(0) > MANY * len(start):
        return "utf-16-le" if start[1:2] == b"\0" else "utf-16-be"
    return ""


def _decoded(line: bytes) -> str:
    """A line as UTF-8, or else as the encoding of old
    Western programs, in which every byte means something.
    """
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")
