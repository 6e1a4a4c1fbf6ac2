"""Where a sentence stands in a folder: in every file, unpacked, whatever is between its words."""

from __future__ import annotations

import gzip
import html
import re
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every byte of a folder, as it lies there and unpacked."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield from unpacked(str(file), file.read_bytes())


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """What is in a file: all of it, and where that is packed, what it holds."""
    if name.endswith(".gz"):
        yield f"{name} unpacked", gzip.decompress(data)
    else:
        yield name, data
    if name.endswith(".warc.gz"):
        for record in ArchiveIterator(BytesIO(data)):
            yield f"{name} {record.rec_type}", record.content_stream().read()
    if name.endswith(".wacz"):
        with zipfile.ZipFile(BytesIO(data)) as box:
            for inner in box.namelist():
                yield from unpacked(f"{name}!/{inner}", box.read(inner))


UNSEEN = re.compile("<wbr/?>|[\u00ad\u200b-\u200f\u2060\ufeff]")
_GAPS = re.compile(r"\W+")
_MARK_UP = re.compile(r"<[^>]*>|\\n|\\u\w{4}")


def words(text: str) -> str:
    text = UNSEEN.sub("", html.unescape(text))
    return _GAPS.sub(" ", html.unescape(_MARK_UP.sub(" ", text))).strip()


SMALL = 40_000  # bytes: a page, not a database
PAGES, LARGE = 1_000, 30
"""So many of each kind are remembered: what stayed as it was is the same in every copy of an archive, and large files
take room.
"""


def _words_in(data: bytes) -> str:
    return _words_of_page(data) if len(data) < SMALL else _words_of_large(data)


def _decoded_words(data: bytes) -> str:
    return words(data.decode("utf-8", "replace"))


_words_of_page = lru_cache(maxsize=PAGES)(_decoded_words)
_words_of_large = lru_cache(maxsize=LARGE)(_decoded_words)


def places(folder: Path, sentence: str) -> list[str]:
    """Where a sentence stands, whatever is between its words."""
    return found(folder, [sentence]).get(sentence, [])


def found(folder: Path, sentences: list[str]) -> dict[str, list[str]]:
    """Those of the sentences that stand anywhere, and where."""
    wanted = {sentence: words(sentence) for sentence in sentences}
    where: dict[str, list[str]] = {}
    for name, data in everything(folder):
        text = _words_in(data)
        for sentence in (sentence for sentence, said in wanted.items() if said in text):
            where.setdefault(sentence, []).append(name)
    return where
