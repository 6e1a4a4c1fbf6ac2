"""SHA-256 of every finished WARC file, written beside the files as `sha256sum -c` reads it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

MANIFEST = "manifest-sha256.txt"
LINE = re.compile(r"[0-9a-f]{64}  [^/\0\ufffd]+")
# Bytes of a file that are in memory at a time.
CHUNK = 1 << 20


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def read_manifest(folder: Path) -> dict[str, str]:
    """The digests that were written down, by the name of the file."""
    digests: dict[str, str] = {}
    for line in _lines(folder):
        digest, apart, name = line.partition("  ")
        # A line of another form was not written by us, and says nothing of a file.
        if apart:
            digests[name] = digest
    return digests


def manifest_is_ours(folder: Path) -> bool:
    """Whether every line that was written down is a digest and a name."""
    return all(LINE.fullmatch(line) for line in _lines(folder))


def _lines(folder: Path) -> list[str]:
    """What is written, whatever a disk or an editor made of it."""
    path = folder / MANIFEST
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def update_manifest(folder: Path, files: Iterable[Path], anew: bool = False) -> None:
    """Write down the digests of files that are new;
    of all where they were written `anew` on purpose.
    """
    if not folder.is_dir():
        return
    known = {} if anew else read_manifest(folder)
    digests = {path.name: known.get(path.name) or digest_of(path) for path in sorted(files)}
    if digests == known:
        return
    write_manifest(folder, digests)


def write_manifest(folder: Path, digests: Mapping[str, str]) -> None:
    """Write these digests down; a reader sees the old list or the new one."""
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items())]
    part = folder / f"{MANIFEST}.part"
    part.write_text("".join(lines), encoding="utf-8")
    part.replace(folder / MANIFEST)


def check_manifest(folder: Path, files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Files that are not as they were written, each with what is wrong; `new` is no damage."""
    known = read_manifest(folder)
    there = {path.name: path for path in files}
    for name, path in there.items():
        if name not in known:
            yield name, "new"
        elif digest_of(path) != known[name]:
            yield name, "changed"
    for name in sorted(known.keys() - there.keys()):
        yield name, "missing"
