"""`changes.xml` as ping servers publish it, in one file or as a stream without an end, however
broken it is.

Whole rows are cut out of what came and read by expat. Where one of them is broken, it is read by
itself and the others go on behind it: a server that writes a bare `&` into one name must not cost
thousands of pings beside it.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Mapping
from contextlib import suppress
from xml.parsers import expat

from .notice import LONGEST_ADDRESS, LONGEST_NAME, Notice

# Under which names servers have given the same things.
FEED_NAMES = ("rss", "rssUrl", "rssurl", "feed")
TIME_NAMES = ("ts", "when")
# A row is far shorter; whatever has not ended by then is no row.
LONGEST_ROW = 64_000
# Bytes that are read at once: where every row is broken, reading costs this much for each.
PIECE = 65_536
UTF_8 = "utf-8"
# The first byte of a document in UTF-16, by its mark, and how encodings with wide letters are called.
UTF_16_BEGINS = (b"\xff", b"\xfe")
WIDE = ("utf-16", "utf-32", "ucs-", "iso-10646")
# What stands before the first row, if the encoding is said at all.
SAYS_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z][\w.-]{0,40})[\"']")
ROW_BEGINS = re.compile(rb"<weblog(?=[\s/>])")
# One row, less strict than XML: an ampersand may stand as it is.
LOOSE_ROW = re.compile(r"((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))+)\s*/?>")
LOOSE_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]+)\s*=\s*(?:\"([^\"<]*)\"|'([^'<]*)')")
# What rows stand in, so that they are XML by themselves.
ROOT = b"<weblogUpdates>"


class ChangesReader:
    """Reads pings as their bytes come in; `malformed` counts the rows that could not be read."""

    def __init__(self) -> None:
        self.malformed = 0
        self._begun = b""
        self._encoding = ""
        self._came_before = False
        self._wide: codecs.IncrementalDecoder | None = None

    def feed(self, chunk: bytes) -> list[Notice]:
        """The pings that are whole with these bytes."""
        chunk = self._narrowed(chunk)
        pieces = (chunk[begin : begin + PIECE] for begin in range(0, len(chunk), PIECE))
        return [notice for piece in pieces for notice in self._take_in(piece)]

    def _narrowed(self, chunk: bytes) -> bytes:
        """The same in UTF-8 where the first bytes mark UTF-16: no row is seen in that."""
        if chunk and not self._came_before:
            self._came_before = True
            # Whatever comes one by one, the first byte of the mark is one that no text in UTF-8 has.
            if chunk[:1] in UTF_16_BEGINS:
                self._wide = codecs.getincrementaldecoder("utf-16")(errors="replace")
        return self._wide.decode(chunk).encode(errors="replace") if self._wide else chunk

    def _take_in(self, piece: bytes) -> list[Notice]:
        came = self._begun + piece
        self._encoding = self._encoding or _said_encoding(came)
        ends = _end_of_last_row(came)
        whole, self._begun = came[:ends], came[ends:]
        if len(self._begun) > LONGEST_ROW:
            self.malformed += len(ROW_BEGINS.findall(self._begun))
            self._begun = b""
        return self._read(whole) if whole else []

    def _read(self, whole: bytes) -> list[Notice]:
        notices, malformed = _read_rows(whole, self._encoding)
        self.malformed += malformed
        return notices


def _said_encoding(came: bytes) -> str:
    """The encoding that the beginning of a document says; UTF-8 as soon as a row came without one."""
    said = SAYS_ENCODING.search(came)
    if said:
        named = said[1].decode("ascii")
        # Whose rows are seen writes a byte for each letter, whatever it says.
        return UTF_8 if named.lower().startswith(WIDE) else named
    return UTF_8 if ROW_BEGINS.search(came) else ""


def _end_of_last_row(came: bytes) -> int:
    empty, closed = came.rfind(b"/>"), came.rfind(b"</weblog>")
    return max(empty + len(b"/>") if empty >= 0 else 0, closed + len(b"</weblog>") if closed >= 0 else 0)


def _read_rows(whole: bytes, encoding: str) -> tuple[list[Notice], int]:
    """The rows that can be read, and how many cannot."""
    begins = [found.start() for found in ROW_BEGINS.finditer(whole)]
    notices: list[Notice] = []
    at = 0
    while at < len(begins):
        strictly = _StrictRows(encoding)
        strictly.read(whole[begins[at] :])
        notices += strictly.notices
        at += strictly.count
        if at < len(begins):
            notices += _read_loosely(whole[begins[at] :], encoding)
            at += 1
    return notices, len(begins) - len(notices)


class _StrictRows:
    """Rows as XML, up to one that is none."""

    def __init__(self, encoding: str) -> None:
        self.notices: list[Notice] = []
        self.count = 0
        self._encoding = encoding

    def read(self, rows: bytes) -> None:
        with suppress(expat.ExpatError, LookupError, ValueError):
            parser = expat.ParserCreate(self._encoding)
            parser.StartElementHandler = self._take
            parser.Parse(ROOT + rows, False)

    def _take(self, name: str, attributes: Mapping[str, str]) -> None:
        if name != "weblog":
            return
        self.count += 1
        if notice := _notice(attributes):
            self.notices.append(notice)


def _read_loosely(rows: bytes, encoding: str) -> list[Notice]:
    """The first of these rows by itself, if anything can be read of it."""
    ends = rows.find(b"<", 1)
    row = _decoded(rows[:ends] if ends > 0 else rows, encoding)
    found = LOOSE_ROW.match(row, len("<weblog"))
    notice = _notice(_loose_attributes(found[1])) if found else None
    return [notice] if notice else []


def _decoded(row: bytes, encoding: str) -> str:
    try:
        return row.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return row.decode(UTF_8, errors="replace")


def _loose_attributes(text: str) -> dict[str, str]:
    return {name: html.unescape(one or other) for name, one, other in LOOSE_ATTRIBUTE.findall(text)}


def _notice(attributes: Mapping[str, str]) -> Notice | None:
    """A ping as its row tells it; None where it names no address that could be one."""
    url = attributes.get("url", "").strip()
    if not url or len(url) > LONGEST_ADDRESS:
        return None
    return Notice(
        url,
        attributes.get("name", "")[:LONGEST_NAME],
        _first(attributes, FEED_NAMES)[:LONGEST_ADDRESS],
        attributes.get("service", "")[:LONGEST_NAME],
        _first(attributes, TIME_NAMES)[:LONGEST_NAME],
        attributes.get("polled") == "true",
    )


def _first(attributes: Mapping[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if value := attributes.get(name):
            return value
    return ""
