"""Files in the archive folder that are not its own: exports, copies, what a crash left."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from blogforever.care.erasure import Erasure
from blogforever.dom import decode
from blogforever.store.documents import LARGEST, document_words, is_document
from blogforever.store.erasing import scan
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import DATABASE, LOCK, LOCKS, PARTS
from blogforever.store.lock import cleaning_lock, journal_lock
from blogforever.store.unfinished import write_whole

OWN = {"warc": "*/*.warc.gz*", "indexes": "*.cdxj", "journal": "**/*.json*"}
WARCS = (".warc", ".warc.gz", ".wacz")
PART = ".part"
Blank = Callable[[str], str]


@dataclass(slots=True)
class Others:
    """What became of such files: words made unreadable, the whole file removed, or not searched at
    all.
    """

    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def clean_others(archive: ArchiveFolder, erasure: Erasure) -> Others:
    """Take what must go out of every such file; where that cannot be done in the file, the file
    goes.

    What belongs to a blog that another command is writing is left alone, and said to be unread.
    """
    done = Others()
    with cleaning_lock(archive.folder):
        _clean_journal(archive)
        for path in other_files(archive.folder):
            place = path.relative_to(archive.folder)
            with archive.borrowed_for(place) as free:
                fate = _fate(path, place, erasure) if free else "unread"
            if fate:
                getattr(done, fate).append(place.as_posix())
    return done


def _fate(path: Path, place: Path, erasure: Erasure) -> str:
    """What was done with a file: `changed`, `removed`, `unread`, or nothing that is worth a word."""
    if not path.is_file():
        # Who was writing it has renamed it meanwhile.
        return ""
    if path.suffix == PART and place.parts[0] in PARTS:
        path.unlink()
        return ""
    return _clean(path, erasure)


def _clean_journal(archive: ArchiveFolder) -> None:
    """What a crash left of the journal; who writes it now holds its lock."""
    with journal_lock(archive.journal.folder):
        for path in archive.journal.folder.glob(f"*{PART}"):
            path.unlink()


def other_files(folder: Path) -> Iterator[Path]:
    """Every file in the folder that the archive does not need."""
    own = {path for top, form in OWN.items() for path in (folder / top).glob(form) if path.suffix != PART}
    own |= set((folder / "journal").glob(f"*{PART}"))
    own |= {folder / name for name in (*DATABASE, LOCK)} | set((folder / LOCKS).glob("*"))
    own |= set((folder / "warc").glob("*/manifest-sha256.txt"))
    for path in sorted(folder.rglob("*")):
        if path not in own and path.is_file() and not path.is_symlink():
            yield path


def _clean(path: Path, erasure: Erasure) -> str:
    """What was done with a file: `changed`, `removed`, `unread`, or nothing."""
    blank = erasure.blank
    if path.name.endswith(WARCS):
        return _remove(path, _warc_texts(path), blank)
    if path.stat().st_size > LARGEST:
        return "unread"
    content = path.read_bytes()
    if is_document(content, "") or b"\0" in content:
        return _remove(path, document_words(content), blank)
    text = decode(content, {})
    fresh = blank(_without_posts(text, erasure.posts))
    if fresh == text:
        return ""
    write_whole(path, fresh)
    return "changed"


def _without_posts(text: str, posts: frozenset[str]) -> str:
    """An export of records without the lines of posts that are gone."""
    if not text.startswith("{") or not any(post in text for post in posts):
        return text
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not any(f'"id":"{post}"' in line for post in posts))


def _remove(path: Path, texts: Iterable[str] | None, blank: Blank) -> str:
    if texts is None:
        return "unread"
    if all(blank(text) == text for text in texts):
        return ""
    path.unlink()
    return "removed"


def _warc_texts(path: Path) -> list[str] | None:
    """Everything that can be read in a WARC file or a WACZ."""
    if path.suffix != ".wacz":
        return list(_texts([path]))
    with TemporaryDirectory(prefix="blogforever-") as place, zipfile.ZipFile(path) as box:
        warcs = [name for name in box.namelist() if name.endswith(".warc.gz")]
        unpacked = [Path(place) / f"{number}.warc.gz" for number in range(len(warcs))]
        for name, dest in zip(warcs, unpacked, strict=True):
            with box.open(name) as packed, dest.open("wb") as out:
                shutil.copyfileobj(packed, out)
        rest = [name for name in box.namelist() if name not in warcs and box.getinfo(name).file_size <= LARGEST]
        return [
            *_texts(unpacked),
            *(text for name in rest for text in document_words(box.read(name)) or ()),
        ]


def _texts(paths: Iterable[Path]) -> Iterator[str]:
    for one in scan(paths):
        yield one.head.url
        yield from one.words
        if one.page is not None:
            yield decode(one.page.content, one.page.headers)
