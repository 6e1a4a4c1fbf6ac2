"""Files in the archive folder that are not its own: exports, copies, what a crash left."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from blogforever.care.erasure import Erasure
from blogforever.dom import decode
from blogforever.errors import ArchiveError
from blogforever.headway import told_of
from blogforever.store.blobplace import BLOBS_FILE
from blogforever.store.documents import LARGEST, document_words, is_document
from blogforever.store.erasing import scan
from blogforever.store.folder import ArchiveFolder
from blogforever.store.held import HELD
from blogforever.store.inside import DATABASE, LOCK, LOCKS, PARTS, inside
from blogforever.store.lock import cleaning_lock, journal_lock
from blogforever.store.place import ADDRESS_FILE
from blogforever.store.spare import SpareFolder
from blogforever.store.unfinished import write_whole

from .copylist import MARKER, files_of
from .outboxfiles import OUTBOX

# Files of the outbox are made anew: a changed one would not fit the digest that its row says.
OWN = {"warc": "*/*.warc.gz*", "indexes": "*.cdxj", "journal": "**/*.json*", OUTBOX: "*"}
WARCS = (".warc", ".warc.gz", ".wacz")
PART = ".part"
Blank = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class _Fate:
    """What becomes of a file: how it is told (`changed`, `removed`, `unread`, or not at all),
    whether it goes, or what it says from then on.
    """

    told: str = ""
    goes: bool = False
    fresh: str | None = None


_STAYS, _UNREAD, _REMOVED = _Fate(), _Fate("unread"), _Fate("removed", goes=True)


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
        for path in list(_touched_copies(archive.folder, erasure)):
            path.unlink(missing_ok=True)
            done.removed.append(path.relative_to(archive.folder).as_posix())
        for path in told_of(other_files(archive.folder), "cleaning other files", things="files"):
            place = path.relative_to(archive.folder)
            with archive.borrowed_for(place) as free:
                fate = _fate(path, place, erasure) if free else _UNREAD
                _carry_out(path, fate)
            if fate.told:
                getattr(done, fate.told).append(place.as_posix())
    return done


def foresee_others(folder: Path, erasure: Erasure) -> Others:
    """What would become of such files; nothing is touched."""
    copies = set(_touched_copies(folder, erasure))
    foreseen = Others(removed=sorted(path.relative_to(folder).as_posix() for path in copies))
    for path in other_files(folder):
        place = path.relative_to(folder)
        fate = _fate(path, place, erasure) if path not in copies else _STAYS
        if fate.told:
            getattr(foreseen, fate.told).append(place.as_posix())
    return foreseen


def _touched_copies(folder: Path, erasure: Erasure) -> Iterator[Path]:
    """The files of every copy for reading in which something must go: its menus, lists and search
    name it in words of their own, and one command makes it anew.
    """
    for marker in [path for path in other_files(folder) if path.name == MARKER]:
        files = [path for path in (_in_copy(marker, name) for name in files_of(marker)) if path and path.is_file()]
        if any(_is_touched(path, folder, erasure) for path in files):
            yield from (*files, marker)


def _in_copy(marker: Path, name: str) -> Path | None:
    """A file that the list of a copy names; None for what would lie elsewhere."""
    try:
        return inside(marker.parent, name)
    except ArchiveError:
        return None


def _is_touched(path: Path, folder: Path, erasure: Erasure) -> bool:
    """Whether something must go from a file of a copy."""
    if _is_called_so(path.relative_to(folder), erasure):
        return True
    content = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    texts = document_words(content) if is_document(content, "") or b"\0" in content else [decode(content, {})]
    return any(erasure.blank(text) != text for text in texts or ())


def _fate(path: Path, place: Path, erasure: Erasure) -> _Fate:
    """What becomes of a file; what a crash left goes without a word."""
    if not path.is_file():
        # Who was writing it has renamed it meanwhile.
        return _STAYS
    if path.suffix == PART and place.parts[0] in PARTS:
        return _Fate(goes=True)
    return _REMOVED if _is_called_so(place, erasure) else _fate_by_words(path, erasure)


def _carry_out(path: Path, fate: _Fate) -> None:
    if fate.goes:
        path.unlink()
    elif fate.fresh is not None:
        write_whole(path, fate.fresh)


def _is_called_so(place: Path, erasure: Erasure) -> bool:
    """Whether the name of a file, or of a folder in a copy, says what must go."""
    name = f"/{place.as_posix()}"
    return any(erasure.blank(one) != one for one in (name, f"{name}/", *place.parts))


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
    own |= {folder / ADDRESS_FILE, folder / BLOBS_FILE} | set((folder / HELD).rglob("*"))
    for path in sorted(folder.rglob("*")):
        if path not in own and path.is_file() and not path.is_symlink():
            yield path


def _fate_by_words(path: Path, erasure: Erasure) -> _Fate:
    """What becomes of a file by what it says."""
    blank = erasure.blank
    if path.name.endswith(WARCS):
        return _whole_fate(_warc_texts(path), blank)
    if path.stat().st_size > LARGEST:
        return _UNREAD
    content = path.read_bytes()
    if is_document(content, "") or b"\0" in content:
        return _whole_fate(document_words(content), blank)
    text = decode(content, {})
    fresh = blank(_without_posts(text, erasure.posts))
    return _Fate("changed", fresh=fresh) if fresh != text else _STAYS


def _without_posts(text: str, posts: frozenset[str]) -> str:
    """An export of records without the lines of posts that are gone."""
    if not text.startswith("{") or not any(post in text for post in posts):
        return text
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not any(f'"id":"{post}"' in line for post in posts))


def _whole_fate(texts: Iterable[str] | None, blank: Blank) -> _Fate:
    """What becomes of a file that cannot be changed in part."""
    if texts is None:
        return _UNREAD
    return _STAYS if all(blank(text) == text for text in texts) else _REMOVED


def _warc_texts(path: Path) -> list[str] | None:
    """Everything that can be read in a WARC file or a WACZ."""
    if path.suffix != ".wacz":
        return list(_texts([path]))
    with SpareFolder() as place, zipfile.ZipFile(path) as box:
        warcs = [name for name in box.namelist() if name.endswith(".warc.gz")]
        unpacked = [place / f"{number}.warc.gz" for number in range(len(warcs))]
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
