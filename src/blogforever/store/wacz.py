"""A blog's WARC files in one WACZ (1.1.1): archive, index, pages, and a description with digests."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.headway import told_of
from blogforever.records import json_line

from .cdxj import IndexFile, IndexLine, read_index

VERSION = "1.1.1"
PAGES_HEAD = b'{"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true}\n'
# A reader unpacks a whole block to find one line of it, and reads the list of all blocks first.
LINES_PER_BLOCK = 3000
CHUNK = 1 << 20
ESCAPES = re.compile(r"%[0-9A-F]{2}")


@dataclass(frozen=True, slots=True)
class Collection:
    """What is packed, and what is said about it."""

    title: str
    description: str
    url: str | None
    software: str
    warcs: list[Path]
    index: Path


@dataclass(frozen=True, slots=True)
class WaczPage:
    """A page that a reader of the WACZ is shown in its list."""

    id: str
    url: str
    captured: str | None
    title: str | None
    text: str


def write_wacz(dest: Path, collection: Collection, pages: Iterable[WaczPage]) -> tuple[int, int]:
    """Write the file; says how many pages and responses
    it holds. A reader sees a whole file or none.
    """
    part = dest.with_name(dest.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED, allowZip64=True) as box:
            counts = _Package(box, collection).write(pages)
        part.replace(dest)
    except OSError as error:
        raise ArchiveError(f"{dest} cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
    return counts


class _Package:
    def __init__(self, box: zipfile.ZipFile, collection: Collection) -> None:
        self._box, self._collection = box, collection
        self._resources: list[dict[str, Any]] = []

    def write(self, pages: Iterable[WaczPage]) -> tuple[int, int]:
        warcs = list(self._collection.warcs)
        for path in told_of(warcs, "packing", len(warcs), "WARC files"):
            self._add(f"archive/{path.name}", _chunks(path), size=path.stat().st_size)
        responses = self._add_index()
        listed = self._add_pages(pages)
        described = json.dumps(self._description(), indent=2, ensure_ascii=False).encode()
        digest = {"path": "datapackage.json", "hash": f"sha256:{sha256(described).hexdigest()}"}
        self._put("datapackage.json", [described])
        self._put("datapackage-digest.json", [json.dumps(digest, indent=2).encode()])
        return listed, responses

    def _add(self, name: str, chunks: Iterable[bytes], packed: bool = False, size: int = 0) -> None:
        """Put a file in and remember it with its length and digest."""
        digest, length = self._put(name, chunks, packed, size)
        entry = {"name": name.rpartition("/")[2], "path": name}
        self._resources.append(entry | {"hash": f"sha256:{digest}", "bytes": length})

    def _put(self, name: str, chunks: Iterable[bytes], packed: bool = False, size: int = 0) -> tuple[str, int]:
        info = zipfile.ZipInfo(name, clock.now().timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        # Long headers only where the size needs them: ReplayWeb.page takes the short ones for
        # granted elsewhere.
        info.file_size = size
        digest, length = sha256(), 0
        with self._box.open(info, "w") as file:
            for chunk in chunks:
                file.write(chunk)
                digest.update(chunk)
                length += len(chunk)
        return digest.hexdigest(), length

    def _add_index(self) -> int:
        """The index in blocks that can be unpacked one by one, and the list of the blocks."""
        lines = (line.text() + "\n" for line in _replayed(self._collection.index))
        blocks: list[str] = []

        def packed() -> Iterator[bytes]:
            offset = 0
            while block := list(islice(lines, LINES_PER_BLOCK)):
                data = gzip.compress("".join(block).encode(), mtime=0)
                key, stamp, _ = block[0].split(" ", 2)
                digest = f"sha256:{sha256(data).hexdigest()}"
                fields = {"offset": offset, "length": len(data), "digest": digest}
                fields |= {"filename": "index.cdx.gz"}
                blocks.append(f"{key} {stamp} {json.dumps(fields)}\n")
                offset += len(data)
                yield data

        self._add("indexes/index.cdx.gz", packed())
        meta = f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': 'index.cdx.gz'})}\n"
        self._add("indexes/index.idx", [(meta + "".join(blocks)).encode()], packed=True)
        return sum(1 for _ in read_index(self._collection.index))

    def _add_pages(self, pages: Iterable[WaczPage]) -> int:
        listed = 0
        home = self._home()

        def lines() -> Iterator[bytes]:
            nonlocal listed
            yield PAGES_HEAD
            for page in home:
                yield (json_line(page) + "\n").encode()
                listed += 1
            for post in pages:
                stamp = _rfc3339(post.captured)
                title = post.title or post.url
                page = {"id": post.id, "url": post.url, "ts": stamp, "title": title, "text": post.text}
                yield (json_line(page) + "\n").encode()
                listed += 1

        self._add("pages/pages.jsonl", lines(), packed=True)
        return listed

    def _home(self) -> list[dict[str, str]]:
        """The blog's front page, where it was captured."""
        collection = self._collection
        index = IndexFile(collection.index)
        try:
            found = [line for line in index.find(collection.url or "") if line.status == "200"]
        finally:
            index.close()
        if not found:
            return []
        newest = found[-1]
        stamp = newest.captured.strftime("%Y-%m-%dT%H:%M:%SZ")
        return [{"id": "home", "url": newest.url, "ts": stamp, "title": collection.title}]

    def _description(self) -> dict[str, Any]:
        collection = self._collection
        now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        home = self._home()
        return {
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": collection.title,
            **({"description": collection.description} if collection.description else {}),
            "created": now,
            "modified": now,
            "software": collection.software,
            **({"mainPageUrl": home[0]["url"], "mainPageDate": home[0]["ts"]} if home else {}),
            "resources": self._resources,
        }


def _replayed(index: Path) -> Iterator[IndexLine]:
    """The lines of an index as replay tools need them.

    A server's word that nothing changed is left out: they would hand it to a browser that has
    nothing to keep. And ReplayWeb.page compares addresses letter by letter, so one with escapes
    stands there as blogs write it, too.
    """
    for line in read_index(index):
        if line.status == "304":
            continue
        yield line
        small = ESCAPES.sub(lambda match: match[0].lower(), line.url)
        if small != line.url:
            yield replace(line, url=small)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _rfc3339(moment: str | None) -> str:
    """A moment of the record in the one form that every reader of pages.jsonl takes."""
    try:
        # A moment at the beginning or the end of time may have none in UTC.
        found = datetime.fromisoformat((moment or "").replace("Z", "+00:00")).astimezone(UTC)
    except (ValueError, OverflowError):
        found = clock.now()
    return found.strftime("%Y-%m-%dT%H:%M:%SZ")
