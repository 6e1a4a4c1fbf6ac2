"""Where a sentence stands in a folder: in every file, unpacked, whatever is between its words."""

from __future__ import annotations

import gzip
import html
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every byte of a folder, as it lies there and unpacked."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield from unpacked(str(file), file.read_bytes())


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, data
    if name.endswith(".gz"):
        yield f"{name} unpacked", gzip.decompress(data)
    if name.endswith(".warc.gz"):
        for record in ArchiveIterator(BytesIO(data)):
            yield f"{name} {record.rec_type}", record.content_stream().read()
    if name.endswith(".wacz"):
        with zipfile.ZipFile(BytesIO(data)) as box:
            for inner in box.namelist():
                yield from unpacked(f"{name}!/{inner}", box.read(inner))


UNSEEN = re.compile("<wbr/?>|[\u00ad\u200b-\u200f\u2060\ufeff]")


def words(text: str) -> str:
    text = UNSEEN.sub("", html.unescape(text))
    return " ".join(re.findall(r"\w+", html.unescape(re.sub(r"<[^>]*>|\\n|\\u\w{4}", " ", text))))


def places(folder: Path, sentence: str) -> list[str]:
    """Where a sentence stands, whatever is between its words."""
    return found(folder, [sentence]).get(sentence, [])


def found(folder: Path, sentences: list[str]) -> dict[str, list[str]]:
    """Those of the sentences that stand anywhere, and where."""
    wanted = {sentence: words(sentence) for sentence in sentences}
    where: dict[str, list[str]] = {}
    for name, data in everything(folder):
        text = words(data.decode("utf-8", "replace"))
        for sentence in (sentence for sentence, said in wanted.items() if said in text):
            where.setdefault(sentence, []).append(name)
    return where
