"""SHA-256 of every finished WARC file, written beside the files as `sha256sum -c` reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

MANIFEST = "manifest-sha256.txt"
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
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    digests: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        digest, apart, name = line.partition("  ")
        # A line of another form was not written by us, and says nothing of a file.
        if apart:
            digests[name] = digest
    return digests


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
    lines = [f"{digest}  {name}\n" for name, digest in digests.items()]
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
