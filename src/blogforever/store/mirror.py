"""The files of an archive here and in its store of blobs: written here first, sent when they are
sealed, and fetched.

A file is taken away here only when the store has it byte by byte.

Who writes a blog holds it, so that a file has one writer at a time. A file here that is not as it
was when it was last the same in the store was written here and waits to be sent; where the store
cannot be reached it goes on waiting.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Engine

from blogforever.errors import ArchiveError, BlobsAway
from blogforever.logs import logger
from blogforever.storage.blobs import Blobs

from .catalogue import Catalogue, Listed, Sealed
from .fixity import MANIFEST, digest_of, read_manifest, write_manifest
from .held import HELD, HeldCopies
from .inside import blog_part, inside, names_in

# Bytes of copies that may stay here, so that what was just written or read is not fetched again.
ROOM = 2_000_000_000
# Seconds until a store that could not be reached is tried again: each try keeps a crawl waiting.
AWAY = 60
WARC = ".warc.gz"
# What all blogs share.
OF_ALL = ("journal/_archive.jsonl", "journal/service/_following.jsonl")
# Folders in which each blog has one file that is named after it.
ONE_FILE_A_BLOG = ("indexes", "rules", "journal")
log = logger("store")


def this_machine(folder: Path) -> str:
    """How others are told where a file waits."""
    return f"{socket.gethostname()}:{folder.absolute()}"


class Mirror:
    """The files of one archive, here and in the store."""

    def __init__(self, folder: Path, blobs: Blobs, engine: Engine) -> None:
        self.folder, self.blobs = folder, blobs
        self.list = Catalogue(engine, this_machine(folder))
        self._held = HeldCopies(folder)
        self._tried: float | None = None

    def warcs(self, blog: str) -> list[Listed]:
        """The WARC files of a blog that anybody finished."""
        rows = self.list.below(f"warc/{blog_part(blog)}/")
        return [row for row in rows if row.name.endswith(WARC) and not row.gone]

    def blogs(self) -> list[str]:
        """The blogs of which there are WARC files."""
        rows = (row for row in self.list.below("warc/") if not row.gone)
        return sorted({row.name.split("/")[1] for row in rows})

    def waits_elsewhere(self, row: Listed) -> bool:
        """Whether a file is still on the machine that wrote it, and that is another one."""
        return not row.stored and row.machine != self.list.machine

    def is_here(self, name: str, row: Listed | None = None) -> bool:
        """Whether a file lies here as it is now; a copy of an earlier version, or of what is gone, is dropped."""
        path = inside(self.folder, name)
        if not path.is_file():
            return False
        row, copy = row or self.list.find(name), self._held.of(name)
        if row is None or copy is None:
            return True
        is_current = copy.version == row.version and not row.gone
        if is_current or (copy.version >= row.version and not copy.fits(path)):
            return True
        self._held.drop(name)
        return False

    def bring(self, name: str) -> Path:
        """A file, fetched if need be; it stays until copies are let go."""
        row = self.list.find(name)
        self._held.use(name)
        path = inside(self.folder, name)
        if self.is_here(name, row):
            return path
        if row is None or row.gone:
            raise ArchiveError(f"The file {name} is nowhere in the archive.")
        if not row.stored:
            raise ArchiveError(f"The file {name} has not reached {self.blobs.address} yet: {where(row)}.")
        return self._fetch(row, path)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A file to read a record of it: as it lies here, or from the store without fetching all of it."""
        row = self.list.find(name)
        if self.is_here(name, row):
            with inside(self.folder, name).open("rb") as file:
                yield file
            return
        if row is None or row.gone:
            raise FileNotFoundError(f"{name} is nowhere in the archive")
        if not row.stored:
            raise ArchiveError(f"The file {name} has not reached {self.blobs.address} yet: {where(row)}.")
        with self.blobs.open(name, row.size) as file:
            yield file

    def _fetch(self, row: Listed, path: Path) -> Path:
        part = inside(self.folder, f"{HELD}/{row.name}.part")
        part.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.blobs.get(row.name, part)
        except FileNotFoundError as error:
            raise ArchiveError(f"The file {row.name} was stored in {self.blobs.address} and is not there.") from error
        if digest_of(part) != row.sha256:
            part.unlink()
            raise ArchiveError(f"The file {row.name} in {self.blobs.address} has changed since it was written.")
        part.replace(path)
        self._held.note(row.name, row.version)
        return path

    def refresh(self, blog: str) -> None:
        """Have what is known of a blog as it is now: its index and the digests of its files; copies
        of what is gone are dropped.
        """
        rows = self.list.below(f"warc/{blog_part(blog)}/")
        for row in rows:
            self.is_here(row.name, row)
        listed = {Path(row.name).name: row.sha256 for row in rows if row.name.endswith(WARC) and not row.gone}
        folder = inside(self.folder, f"warc/{blog}")
        if listed.items() - read_manifest(folder).items():
            folder.mkdir(parents=True, exist_ok=True)
            write_manifest(folder, read_manifest(folder) | listed)
        index = self.list.find(index_name(blog))
        if index and index.stored and not index.gone and not self.is_here(index.name, index):
            self._fetch(index, inside(self.folder, index.name))

    def is_overtaken(self, name: str) -> bool:
        """Whether a file was written here on the ground of an earlier version than there is now."""
        row, copy = self.list.find(name), self._held.of(name)
        return row is not None and row.stored and not row.gone and (copy is None or copy.version < row.version)

    def replace(self, name: str) -> None:
        """Have the version that there is now, in place of what was written here."""
        row = self.list.find(name)
        assert row is not None, "only what is listed is overtaken"
        self._fetch(row, inside(self.folder, name))

    def send(self, blog: str, insist: bool = False) -> bool:
        """Send what was written of a blog here and is not in the store yet; whether all of it is
        there now.

        Where the store cannot be reached, it waits; who must not go on before `insist`s, and gets
        the BlobsAway.
        """
        return self._send_all(self.unsent(blog), insist)

    def send_shared(self) -> bool:
        """The same for what belongs to no single blog."""
        return self._send_all([name for name in OF_ALL if self._is_unsent(name)], insist=False)

    def hand_over(self, name: str) -> None:
        """Send a file that others fetch, and keep it no longer here; BlobsAway where that cannot be."""
        self._send_all([name], insist=True)
        self._held.drop(name)

    def unsent(self, blog: str) -> list[str]:
        """The finished files of a blog that are not in the store as they are here."""
        return [name for name in self._own(blog) if self._is_unsent(name)]

    def _own(self, blog: str) -> list[str]:
        """The names that a blog's files have, those of WARC files that lie here first."""
        part = blog_part(blog)
        warcs = [f"warc/{part}/{path.name}" for path in names_in(self.folder / "warc" / part, WARC)]
        texts = (f"rules/{part}.json", f"journal/{part}.jsonl")
        return [*warcs, f"warc/{part}/{MANIFEST}", index_name(part), *texts]

    def _is_unsent(self, name: str) -> bool:
        if name.endswith(WARC) and not self.is_here(name):
            # Somebody wrote it anew on the ground of what is in the store.
            return False
        path, copy = inside(self.folder, name), self._held.of(name)
        return path.is_file() and (copy is None or not copy.fits(path))

    def _send_all(self, names: list[str], insist: bool) -> bool:
        if not names:
            return True
        files = [self._sealed(name) for name in names]
        try:
            self.list.wait(file for file in files if not self._is_listed(file))
            self._refuse_early(insist)
            for file in files:
                self._send(file)
        except BlobsAway as error:
            self.list.failed(names, str(error))
            if insist:
                raise
            self._say_away(error, len(names))
            return False
        return True

    def _sealed(self, name: str) -> Sealed:
        path = inside(self.folder, name)
        return Sealed(name, path.stat().st_size, digest_of(path))

    def _is_listed(self, file: Sealed) -> bool:
        row = self.list.find(file.name)
        return row is not None and not row.gone and (row.size, row.sha256) == (file.size, file.sha256)

    def _send(self, file: Sealed) -> None:
        row = self.list.find(file.name)
        if row is None or not row.stored or row.sha256 != file.sha256:
            kept = self.blobs.put(file.name, inside(self.folder, file.name), file.sha256)
            if kept:
                log.warning("%s", old_versions(self.blobs.address, file.name, kept))
            row = self.list.stored(file)
        self._tried = None
        self._held.note(file.name, row.version)

    def _refuse_early(self, insist: bool) -> None:
        tried = self._tried
        if tried is not None and not insist and time.monotonic() - tried < AWAY:
            raise BlobsAway(f"{self.blobs.address} could not be reached a moment ago.")

    def _say_away(self, error: BlobsAway, files: int) -> None:
        """Once for each time it is away: every blog would say the same."""
        if self._tried is None:
            log.warning("%s %d files wait in %s and are sent later.", error, files, self.folder)
        if self._tried is None or time.monotonic() - self._tried >= AWAY:
            self._tried = time.monotonic()

    def has_waiting(self) -> bool:
        """Whether this machine has anything still to send."""
        return bool(self._waiting())

    def waiting_here(self) -> list[str]:
        """The blogs with files that this machine has still to send."""
        return sorted({blog for name in self._waiting() if (blog := _blog_of(name))})

    def _waiting(self) -> list[str]:
        return [row.name for row in self.list.waiting() if row.machine == self.list.machine]

    def left_here(self) -> list[str]:
        """The blogs with WARC files here that the store never had as they are: sealed or still open
        when a process that wrote them was killed. Whoever is writing one now has it, too.
        """
        names = (path.relative_to(self.folder).as_posix() for path in (self.folder / "warc").glob(f"*/*{WARC}*"))
        return sorted({_blog_of(name) for name in names if not self._is_copy(name)})

    def _is_copy(self, name: str) -> bool:
        copy = self._held.of(name)
        return copy is not None and copy.fits(inside(self.folder, name))

    def forget(self, blog: str) -> None:
        """Take everything of a blog out of the store, and let no machine keep a copy."""
        rows = [row for prefix in self._prefixes(blog) for row in self.list.below(prefix)]
        names = {row.name for row in rows if not row.gone} | set(self._own(blog))
        self._remove(names | {name for prefix in self._prefixes(blog) for name in self.blobs.names(prefix)})

    def take_away(self, name: str) -> None:
        """Take one file out of the store, if it ever was there."""
        row = self.list.find(name)
        if row is not None and not row.gone:
            self._remove([name])

    def _remove(self, names: Iterable[str]) -> None:
        gone = sorted(names)
        for name in gone:
            if kept := self.blobs.remove(name):
                log.warning("%s", old_versions(self.blobs.address, name, kept))
        self.list.gone(gone)
        for name in gone:
            self._held.drop(name)

    def _prefixes(self, blog: str) -> list[str]:
        return [f"warc/{blog_part(blog)}/", index_name(blog), f"rules/{blog}.json", f"journal/{blog}.jsonl"]

    def adopt(self) -> int:
        """List what lies in the store and is not listed, as after the database was lost; how many files that are."""
        found = 0
        for name in self.blobs.names(""):
            blob = self.blobs.find(name) if self.list.find(name) is None else None
            if blob is not None and blob.sha256:
                self.list.stored(Sealed(name, blob.size, blob.sha256))
                found += 1
        return found

    def make_room(self, room: int | None = None) -> None:
        """Take copies away that the store has, until no more than so many bytes of them are here."""
        copies, limit = self._held.copies(), ROOM if room is None else room
        left = sum(size for _name, size in copies)
        for name, size in copies:
            if left <= limit:
                return
            with self._held.unused(name) as free:
                row = self.list.find(name) if free else None
                if row is not None and row.stored:
                    self._held.drop(name)
                    left -= size

    def let_go(self) -> None:
        """What was brought is no longer needed here."""
        self._held.let_go()


def index_name(blog: str) -> str:
    """The name of a blog's index."""
    return f"indexes/{blog_part(blog)}.cdxj"


def where(row: Listed) -> str:
    """Where a file waits, for people."""
    return f"it waits on {row.machine} since {row.since}"


def old_versions(address: str, name: str, kept: int) -> str:
    """What is said where a bucket does not let earlier versions go."""
    who = "its owner must remove them where what they hold is to be erased"
    return f"{address} keeps {kept} earlier versions of {name}, and we may not delete them; {who}."


def _blog_of(name: str) -> str:
    """The blog whose file has this name; nothing for what belongs to no single one."""
    folder, _, rest = name.partition("/")
    if name in OF_ALL:
        return ""
    if folder == "warc":
        return rest.partition("/")[0]
    return rest.rpartition(".")[0] if folder in ONE_FILE_A_BLOG else ""
