"""The files of an archive by blog: WARC files, indexes and rules, here and in the store of blobs where it has one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

from blogforever.errors import ArchiveError, BlobsAway
from blogforever.logs import logger

from .cdxj import IndexFile, covered, index_beside, update_index
from .inside import blog_part, names_in
from .mirror import WARC, Mirror, index_name
from .sharing import Sharing
from .spare import SpareFolder
from .unfinished import write_whole
from .warc import begun_at

log = logger("store")


class ArchiveFiles(ABC):
    """What lies in an archive's folder, or would lie there if it were not in the store."""

    folder: Path
    mirror: Mirror | None
    """Where the bytes are kept for good, unless that is the folder."""
    sharing: Sharing
    _spare: SpareFolder | None = None

    @abstractmethod
    def holds(self, blog: str) -> bool:
        """Whether nobody else can write this blog now."""

    def warc_folder(self, blog: str) -> Path:
        """Where the WARC files of a blog lie."""
        return self.folder / "warc" / blog_part(blog)

    def warc_blogs(self) -> list[str]:
        """The names of all folders with WARC files."""
        here = {path.name for path in names_in(self.folder / "warc", "") if path.is_dir()}
        return sorted(here | set(self.mirror.blogs() if self.mirror else ()))

    def warcs(self, blog: str) -> list[Path]:
        """The finished WARC files of a blog, oldest first, fetched if need be; ArchiveError where one cannot be had."""
        paths = self.warc_paths(blog)
        return [self.mirror.bring(f"warc/{blog}/{path.name}") for path in paths] if self.mirror else paths

    def warc_paths(self, blog: str) -> list[Path]:
        """The same, without a look whether they are here."""
        folder = self.warc_folder(blog)
        if self.mirror is None:
            return sorted(names_in(folder, WARC), key=_by_age)
        rows = self.mirror.list.below(f"warc/{blog}/")
        gone = {row.name for row in rows if row.gone and not self.mirror.is_here(row.name, row)}
        here = {path.name for path in names_in(folder, WARC) if f"warc/{blog}/{path.name}" not in gone}
        listed = {Path(row.name).name for row in rows if row.name.endswith(WARC) and not row.gone}
        return sorted((folder / name for name in here | listed), key=_by_age)

    def warcs_here(self, blog: str) -> list[Path]:
        """Those of them that can be had."""
        paths = self.warc_paths(blog)
        return [path for path in paths if self._is_here(blog, path)] if self.mirror else paths

    def _is_here(self, blog: str, path: Path) -> bool:
        assert self.mirror is not None, "asked only where there is a store"
        with suppress(ArchiveError):
            self.mirror.bring(f"warc/{blog}/{path.name}")
            return True
        return False

    def index_path(self, blog: str) -> Path:
        """Where the index of a blog's WARC files lies."""
        return self.folder / index_name(blog)

    def current_index(self, blog: str) -> Path | None:
        """An index that has all WARC files of a blog;
        None where the archive has no bytes of the blog.
        """
        held = self.holds(blog)
        if self.mirror and not held:
            self.mirror.refresh(blog)
        warcs, index = self.indexable(blog), self.index_path(blog)
        if not warcs:
            return None
        try:
            if not held:
                return index_beside(index, warcs, self._spare_folder())
            update_index(index, warcs)
        except OSError as error:
            raise ArchiveError(f"The index {index} cannot be written: {error.strerror}.") from error
        return index

    def indexable(self, blog: str) -> list[Path]:
        """The WARC files that are in the index of a blog, or can be read to be put into it."""
        paths = self.warc_paths(blog)
        if self.mirror is None:
            return paths
        known = covered(self.index_path(blog), {path.name for path in paths})
        return [path for path in paths if path.name in known or self._is_here(blog, path)]

    def index(self, blog: str) -> IndexFile | None:
        """The same, to look addresses up in."""
        path = self.current_index(blog)
        return IndexFile(path) if path else None

    def _spare_folder(self) -> Path:
        """What readers need and the archive lacks is made here."""
        self._spare = self._spare or SpareFolder()
        return self._spare.path

    def rules_path(self, blog: str) -> Path:
        """Where a blog's rule file is."""
        return self.folder / "rules" / f"{blog_part(blog)}.json"

    def read_rules(self, blog: str) -> str | None:
        """A blog's rules as they stand in its rule file."""
        self.sharing.refresh()
        path = self.rules_path(blog)
        try:
            return path.read_text(encoding="utf-8") if path.is_file() else None
        except (OSError, UnicodeDecodeError) as error:
            raise ArchiveError(f"The rules {path} cannot be read: {error}.") from error

    def write_rules(self, blog: str, text: str) -> Path:
        """Keep a blog's rules where a person can read and edit them."""
        path = self.rules_path(blog)
        path.parent.mkdir(exist_ok=True)
        with self.sharing.writing(path):
            write_whole(path, text)
        return path

    def drop_rules(self, blog: str) -> None:
        """Have no rules for a blog."""
        path = self.rules_path(blog)
        with self.sharing.writing(path):
            path.unlink(missing_ok=True)

    def hand_on_rules(self) -> None:
        """Let others have rule files that were changed here in other ways."""
        with self.sharing.writing(*names_in(self.folder / "rules", ".json")):
            pass

    def refresh_blog(self, blog: str) -> None:
        """Have what others wrote of a blog, as far as the store can be reached."""
        if self.mirror is None:
            return
        try:
            self.mirror.refresh(blog)
        except BlobsAway as error:
            log.warning("%s What others wrote of %s is not known here.", error, blog)

    def send(self, blog: str, insist: bool = False) -> bool:
        """Send what was written of a blog to the store, if there is one; whether all of it is there."""
        if self.mirror is None:
            return True
        index = index_name(blog)
        if index in self.mirror.unsent(blog) and self.mirror.is_overtaken(index):
            self._merge_index(blog, self.folder / index)
        return self.mirror.send(blog, insist)

    def _merge_index(self, blog: str, index: Path) -> None:
        """Put what is here into the index that others wrote while the store could not be reached."""
        assert self.mirror is not None, "asked only where there is a store"
        with suppress(BlobsAway):
            self.mirror.replace(index_name(blog))
            update_index(index, self.indexable(blog))

    def take_copies_away(self) -> None:
        """Let copies go that were fetched to be read once."""
        if self.mirror is not None:
            self.mirror.let_go()
            self.mirror.make_room()

    def adopt_files(self) -> None:
        """Know again what lies in the store, after the database was lost, and have journal and rules from there."""
        if self.mirror is None:
            return
        self.mirror.adopt()
        names = [row.name for part in ("journal/", "rules/") for row in self.mirror.list.below(part) if not row.gone]
        with self.sharing.writing(*(self.mirror.bring(name) for name in names)):
            pass

    def forget_files(self, blog: str) -> None:
        """Take the files of a blog out of the store, if there is one."""
        if self.mirror is not None:
            self.mirror.forget(blog)


def _by_age(path: Path) -> tuple[str, str]:
    return begun_at(path.name), path.name
