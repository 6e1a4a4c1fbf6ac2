"""Bodies that are kept already: a response that brings one again becomes a revisit record, which
points to it.

Two profiles of WARC 1.1 are written: the same payload again, and a server's word that nothing
changed (304). Beside the standard's three names for the earlier record stand its file and offset,
so that it is found without an index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import IO

from blogforever.errors import ArchiveError
from blogforever.protocols import Exchange, Ref

from .members import Head, head_at, present
from .mirror import Mirror

PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
SAME_PAYLOAD, NOT_MODIFIED = PROFILE + "identical-payload-digest", PROFILE + "server-not-modified"
REDIRECTS = range(300, 400)
# The status of an answer that has no body, because the earlier one still holds.
UNCHANGED = 304
HOPS = 3
# Bodies that are looked up one by one. An update of an unchanged blog has no more, and need not
# read where thousands lie; for more, reading all at once is the shorter way.
FEW = 10

# Where what earlier runs kept lies, oldest first.
Known = Callable[[], Iterable[Ref]]
# The oldest response with this digest.
Find = Callable[[str], Ref | None]


@dataclass(frozen=True, slots=True)
class Pointer:
    """What a revisit record says about the response it repeats; empty where it does not say."""

    record_id: str = ""
    url: str = ""
    date: str = ""
    digest: str = ""
    file: str = ""
    offset: int = -1

    def fits(self, head: Head) -> bool:
        """Whether this is the record pointed to, and not what came to lie at its place."""
        if head.kind not in ("response", "revisit"):
            return False
        return head.record_id == self.record_id if self.record_id else bool(self.digest) and head.digest == self.digest


def pointer_of(headers: Mapping[str, str]) -> Pointer:
    """The pointer in the headers of a revisit record, their names in small letters."""
    offset = headers.get("warc-refers-to-file-offset", "")
    return Pointer(
        record_id=headers.get("warc-refers-to", ""),
        url=headers.get("warc-refers-to-target-uri", "").strip("<>"),
        date=headers.get("warc-refers-to-date", ""),
        digest=headers.get("warc-payload-digest", ""),
        file=headers.get("warc-refers-to-filename", "").rpartition("/")[2],
        offset=int(offset) if offset.isascii() and offset.isdigit() else -1,
    )


@dataclass(frozen=True, slots=True)
class Original:
    """A response whose body is kept."""

    file: str
    offset: int
    head: Head

    def headers(self, unchanged: bool) -> dict[str, str]:
        """How a revisit record points here."""
        head = self.head
        return {
            "WARC-Profile": NOT_MODIFIED if unchanged else SAME_PAYLOAD,
            "WARC-Refers-To": head.record_id,
            "WARC-Refers-To-Target-URI": head.url,
            "WARC-Refers-To-Date": head.date,
            "WARC-Refers-To-Filename": self.file.rpartition("/")[2],
            "WARC-Refers-To-File-Offset": str(self.offset),
        } | ({} if unchanged else {"WARC-Payload-Digest": head.digest})


class KeptBodies:
    """The bodies of one blog by their digest; a place
    is trusted only after a look at what lies there.
    """

    def __init__(
        self, root: Path, known: Known = tuple, find: Find | None = None, mirror: Mirror | None = None
    ) -> None:
        """What is not here is looked at in the `mirror`."""
        self._root, self._known, self._find, self._mirror = root, known, find, mirror
        self._own: dict[str, tuple[str, int]] = {}
        self._places: dict[str, tuple[str, int]] | None = None
        self._sought = 0

    def original(self, exchange: Exchange, digest: str) -> Original | None:
        """The kept response that this one repeats."""
        if exchange.status == UNCHANGED:
            return self._followed(exchange.earlier) if exchange.earlier else None
        place = self._place(digest) if _may_repeat(exchange) else None
        head = self._head(*place) if place else None
        if not place or not head or (head.kind, head.digest, head.status) != ("response", digest, str(exchange.status)):
            return None
        return Original(*place, head) if head.mime == _mime(exchange) else None

    def add(self, exchange: Exchange, digest: str, file: str, offset: int) -> None:
        """Remember a body that was written."""
        if _may_repeat(exchange):
            self._own[digest] = (file, offset)

    def _place(self, digest: str) -> tuple[str, int] | None:
        """Where a body with this digest was last written, or else first kept."""
        if digest in self._own:
            return self._own[digest]
        self._sought += 1
        if self._find is None or self._sought > FEW:
            return self._all().get(digest)
        ref = self._find(digest)
        return (ref.file, ref.offset) if ref else None

    def _all(self) -> dict[str, tuple[str, int]]:
        if self._places is None:
            self._places = {}
            for ref in self._known():
                self._places.setdefault(ref.digest, (intern(ref.file), ref.offset))
        return self._places

    def _followed(self, ref: Ref) -> Original | None:
        """What was kept there, or what that repeats."""
        file, offset = ref.file, ref.offset
        for _ in range(HOPS):
            head = self._head(file, offset)
            if head is None or head.kind == "response":
                return Original(file, offset, head) if head else None
            pointer = pointer_of(head.headers)
            file, offset = f"{file.rpartition('/')[0]}/{pointer.file}", pointer.offset
        return None

    def _head(self, file: str, offset: int) -> Head | None:
        try:
            with self._opened(file) as stream:
                return head_at(stream, offset)
        except (OSError, ArchiveError):
            # What cannot be looked at now is written once more.
            return None

    def _opened(self, file: str) -> AbstractContextManager[IO[bytes]]:
        path = present(self._root / file)
        return self._mirror.open(file) if self._mirror and not path.exists() else path.open("rb")


def _may_repeat(exchange: Exchange) -> bool:
    """Bodies that are whole and not empty; those of redirects are not worth two looks at the
    disk.
    """
    return bool(exchange.body) and not exchange.truncated and exchange.status not in REDIRECTS


def _mime(exchange: Exchange) -> str:
    found = next((value for name, value in exchange.response_headers if name.lower() == "content-type"), "")
    return found.partition(";")[0].strip().lower()
