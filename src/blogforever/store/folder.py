"""The archive folder: database, WARC files, indexes, rules, journal; openable by hand.

Who reads changes nothing: what must be written to be read (an older schema, the search index) is
written under the lock, and an index that is behind is completed in a temporary folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine

from blogforever import clock
from blogforever.care.decisions import Decision, Hidden
from blogforever.care.veil import Veil
from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.protocols import Exchange, Recorder, Ref
from blogforever.records import json_line, read_record
from blogforever.storage.library import Library
from blogforever.storage.tables import Store

from .captures import FOUND
from .cdxj import IndexFile, IndexLine, index_beside, moment_of, update_index
from .conditions import condition_of
from .copying import Copies, References, Replayed
from .database import is_current, open_current, open_database, read_database
from .fixity import update_manifest
from .followingjournal import FollowingFile
from .inside import DATABASE, blog_part, names_in, owner_of
from .journal import Journal
from .lock import ArchiveLocks, crawled_now
from .members import Head, file_info
from .revisits import KeptBodies
from .search import SearchIndex
from .sqlstore import SqlStore
from .unfinished import Unfinished, write_whole
from .warc import WarcWriter, seal_open_files
from .warcreader import WarcReader

# In the warcinfo of each WARC file: when the crawl that wrote it began.
RUN = "run"
# In the warcinfo of a WARC file whose records were copied out of somebody else's.
COPIED = "copied"
DATABASE_FILE = DATABASE[0]
log = logger("store")


class ArchiveFolder:
    """One open archive: to read it, or for `writing`.

    Who writes has it `alone`, or shares it with others that write other blogs and says with `hold`
    which are his. What a crash left open is closed then. Where others are in the way he waits, or
    with `wait` false is refused. Where fewer than `min_free` bytes are free on its disk, nothing
    more is captured.
    """

    def __init__(
        self,
        folder: Path,
        writing: bool,
        min_free: int = 0,
        alone: bool = True,
        wait: bool = True,
    ) -> None:
        self.folder, self.writing, self._min_free = folder, writing, min_free
        self._spare: TemporaryDirectory[str] | None = None
        self._writers: dict[str, list[WarcWriter | Copies]] = {}
        self._recorded: dict[str, int] = {}
        if not writing and not (folder / DATABASE_FILE).is_file():
            raise ArchiveError(f"There is no archive in {folder}.")
        self._locks = _locks_of(folder, alone, wait) if writing else None
        try:
            self._open(alone)
        except BaseException:
            self._unlock()
            raise

    def _open(self, alone: bool) -> None:
        if self._locks is None:
            engine = _engine_to_read(self.folder)
        else:
            engine = _engine_to_write(self.folder, self._locks, alone)
        self.engine = engine
        self.store: Store = SqlStore(engine, self.folder)
        self.journal = Journal(self.folder / "journal")
        self.following = FollowingFile(self.folder / "journal")
        self.unfinished = Unfinished(self.folder / "journal" / "unfinished")
        try:
            self.read_decisions()
        except ArchiveError:
            self.store.close()
            raise

    def __enter__(self) -> ArchiveFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        try:
            self.close()
        except ArchiveError as error:
            # What went wrong first is what a person should read.
            if kind is None:
                raise
            log.info("%s", error)

    def close(self) -> None:
        """Finish files, commit, unlock."""
        with ExitStack() as last_first:
            last_first.callback(self._unlock)
            if self._spare:
                last_first.callback(self._spare.cleanup)
            last_first.callback(self.store.close)
            for blog in list(self._writers):
                last_first.callback(self.finish_files, blog)

    def finish_files(self, blog: str) -> None:
        """Close the WARC files that were written of a blog, and index them."""
        with ExitStack() as last_first:
            last_first.callback(self._writers.pop, blog, None)
            run = self._recorded.pop(blog, None)
            if run is not None:
                last_first.callback(self._index, blog, run)
            for writer in self._writers.get(blog, ()):
                last_first.callback(writer.close)

    def take(self, blog: str) -> bool:
        """Let nobody else write a blog, unless somebody does: whether it is ours until it is given back."""
        assert self._locks is not None, "who only reads holds nothing"
        if not self._locks.hold_if_free(blog):
            return False
        seal_open_files(self.warc_folder(blog))
        self.read_decisions()
        return True

    def give_back(self, blog: str) -> None:
        """Finish the files of a blog that was taken, and let others write it; from any thread, while others go on."""
        assert self._locks is not None, "who only reads holds nothing"
        try:
            self.finish_files(blog)
        finally:
            self._locks.let_go([blog])

    def hold(self, blogs: Iterable[str]) -> bool:
        """Let nobody else write these blogs until this archive is closed.

        Whether they may have changed since they were looked at: who was in the way has been waited
        for.
        """
        assert self._locks is not None, "who only reads holds nothing"
        fresh = [blog for blog in blogs if not self._locks.has(blog)]
        waited = self._locks.hold(fresh)
        for blog in fresh:
            seal_open_files(self.warc_folder(blog))
        self.read_decisions()
        return waited

    def hold_all(self) -> None:
        """Let nobody else write anything here; everything may have changed since it was looked
        at.
        """
        assert self._locks is not None, "who only reads holds nothing"
        if self._locks.alone:
            return
        self._locks.hold_all()
        seal_open_files(self.folder / "warc")
        self.read_decisions()

    def share(self) -> None:
        """Let others write other blogs again, after `hold_all`;
        what is to be written further must be held anew.
        """
        assert self._locks is not None, "who only reads holds nothing"
        self._locks.share()

    def holds(self, blog: str) -> bool:
        """Whether nobody else can write this blog now."""
        return self._locks is not None and self._locks.has(blog)

    @contextmanager
    def borrowed(self, blog: str) -> Iterator[bool]:
        """Hold a blog for a moment, if nobody else is writing it: whether it is held."""
        if self._locks is None or self._locks.has(blog):
            yield self.holds(blog)
            return
        held = self._locks.hold_if_free(blog)
        try:
            yield held
        finally:
            self._locks.let_go([blog])

    @contextmanager
    def borrowed_for(self, place: Path) -> Iterator[bool]:
        """Hold for a moment the blog that a file of the
        archive belongs to; whether the file may be written.
        """
        owner = owner_of(place)
        if owner is None:
            yield True
            return
        with self.borrowed(owner) as held:
            yield held

    def decide(self, decision: Decision) -> None:
        """Write a decision down; it holds from here on."""
        self.journal.add(decision)
        self.read_decisions()

    def read_decisions(self) -> None:
        """Let what the journal says now hold; a blog that is
        being forgotten is hidden until nothing is left of it.
        """
        going = [plan.blog for plan in self.unfinished.plans() if plan.what == "forget"]
        hidden = (*self.journal.state().hidden, *(Hidden("blog", blog, blog) for blog in going))
        today = clock.today().isoformat()
        self.veil = Veil(hidden, today)
        # What is still named is still here, and must be read to be erased.
        self.erased = Veil((one for one in hidden if one.erased and not one.named), today)
        self.library = Library(self.store, self.veil)
        self.search = SearchIndex(self.engine, self.veil, self.holds)

    def index_words(self) -> None:
        """Let a reader's search find the newest posts, too: those of blogs that nobody is
        writing.
        """
        try:
            with ArchiveFolder(self.folder, writing=True, alone=False, wait=False) as archive:
                for blog in archive.search.blogs_waiting():
                    with archive.borrowed(blog):
                        # What is hidden may have changed until the blog was held.
                        archive.read_decisions()
                        archive.search.update()
        except ArchiveError as error:
            log.info("the search index is left as it is: %s", error)

    def exported(self, run: int | None = None, pages: bool = True) -> Iterator[str]:
        """JSON lines of all records that are not hidden, or of those one run captured or
        changed; with the blogs' own pages, or without.
        """
        if not self.veil:
            yield from self.store.export(run, pages)
            return
        for line in self.store.export(run, pages):
            record = self.veil.line(read_record(line))
            if record is not None:
                yield json_line(record)

    def recorder(self, blog: str, run: int, info: dict[str, str], conditions: bool = True) -> Recorder:
        """A function that writes an exchange of this blog to its WARC and notes where it lies.

        Without `conditions` the next crawl does not ask whether these responses still hold: nobody
        has read them.
        """
        kept = KeptBodies(
            self.folder, partial(self.store.captures.of_blog, blog), partial(self.store.captures.same, blog)
        )
        writer = self._writer(blog, run, info, kept)

        def record(exchange: Exchange) -> Ref:
            self.check_room()
            ref = writer.write(exchange)
            self.store.captures.add(run, exchange.url, exchange.status, exchange.captured, ref)
            if conditions and (condition := condition_of(exchange, ref)):
                self.store.captures.save_condition(blog, exchange.url, condition)
            return ref

        return record

    def _writer(self, blog: str, run: int, info: dict[str, str], kept: KeptBodies | None = None) -> WarcWriter:
        assert self.holds(blog), "only who holds a blog writes its files"
        facts = info | {RUN: self.store.runs.started(run)}
        writer = WarcWriter(self.warc_folder(blog), self.folder, facts, kept=kept)
        self._writers.setdefault(blog, []).append(writer)
        self._recorded[blog] = run
        return writer

    def replayed(self, blog: str, run: int, info: dict[str, str], source: WarcReader) -> Replayed:
        """Somebody's files, out of which a crawl of this
        blog copies what it uses into the blog's WARC.
        """
        # What a replay copied before it was cut off must not be copied again.
        self._index(blog, run)
        self.store.flush()
        known = list(self.store.captures.of_blog(blog))
        pointed_to = {ref.record_id for ref in known if ref.outside}
        writer = self._writer(blog, run, info | {COPIED: "yes"})

        def note(head: Head, ref: Ref) -> None:
            self.check_room()
            if ref.record_id in pointed_to:
                self.store.captures.drop_reference(ref.record_id)
            self._note(run, head, ref)

        copies = Copies(source, writer, known, note)
        self._writers[blog].append(copies)
        return Replayed(source, self.reader(), copies.keep)

    def referenced(self, blog: str, run: int, source: WarcReader) -> Replayed:
        """Somebody's files, of which the archive keeps
        only where the records lie that a crawl uses.
        """
        self.store.flush()
        references = References(source, self.store.captures.of_blog(blog), partial(self._note, run))
        return Replayed(source, self.reader(), references.keep)

    def _note(self, run: int, head: Head, ref: Ref) -> None:
        status = int(head.status or FOUND)
        self.store.captures.add(run, head.url, status, moment_of(head.date), ref)

    def tell_crawled(self, blogs: Iterable[str]) -> None:
        """Let those who read meanwhile know which blogs are being crawled."""
        if self._locks:
            self._locks.tell_crawled(blogs)

    def crawled_now(self) -> frozenset[str]:
        """The blogs that another command is crawling at this moment."""
        return crawled_now(self.folder)

    def check_room(self) -> None:
        """ArchiveError where the disk is too full to go on;
        what was captured is kept, and the next crawl goes on.
        """
        free = shutil.disk_usage(self.folder).free if self._min_free else 0
        if free < self._min_free:
            little = f"Only {free:,} bytes are free on the disk of {self.folder}"
            limit = f"less than --min-free ({self._min_free:,})"
            raise ArchiveError(f"{little}, {limit}; the next crawl goes on from here.")

    def reader(self) -> WarcReader:
        """Reads responses by their place in this archive."""
        return WarcReader((), self.folder)

    def captured_since(self, blog: str, started: str) -> WarcReader | None:
        """What an unfinished run already has, out of its WARC files."""
        stamp = "".join(c for c in started[:19] if c.isdigit())
        files = [path for path in self.warcs(blog) if path.name[:14] >= stamp]
        # What was copied out of somebody's files is no answer of today.
        fetched = [path for path in files if COPIED not in file_info(path)]
        return WarcReader(fetched, self.folder) if fetched else None

    def warc_folder(self, blog: str) -> Path:
        """Where the WARC files of a blog lie."""
        return self.folder / "warc" / blog_part(blog)

    def warcs(self, blog: str) -> list[Path]:
        """The finished WARC files of a blog."""
        return names_in(self.warc_folder(blog), ".warc.gz")

    def index_path(self, blog: str) -> Path:
        """Where the index of a blog's WARC files lies."""
        return self.folder / "indexes" / f"{blog_part(blog)}.cdxj"

    def current_index(self, blog: str) -> Path | None:
        """An index that has all WARC files of a blog;
        None where the archive has no bytes of the blog.
        """
        warcs, index = self.warcs(blog), self.index_path(blog)
        if not warcs:
            return None
        try:
            if not self.holds(blog):
                return index_beside(index, warcs, self._spare_folder())
            update_index(index, warcs)
        except OSError as error:
            raise ArchiveError(f"The index {index} cannot be written: {error.strerror}.") from error
        return index

    def index(self, blog: str) -> IndexFile | None:
        """The same, to look addresses up in."""
        path = self.current_index(blog)
        return IndexFile(path) if path else None

    def _spare_folder(self) -> Path:
        """What readers need and the archive lacks is made here."""
        self._spare = self._spare or TemporaryDirectory(prefix="blogforever-")
        return Path(self._spare.name)

    def _index(self, blog: str, run: int) -> None:
        """Index what the crawl wrote, and tell the database of responses that a crash kept from
        it.
        """
        warcs = self.warcs(blog)
        if not warcs:
            return
        try:
            update_manifest(self.warc_folder(blog), warcs)
            fresh = update_index(self.index_path(blog), warcs, self._written(blog))
        except OSError as error:
            log.warning("the index of %s could not be written: %s", blog, error)
            return
        self.store.flush()
        for file in {line.file for line in fresh}:
            lines = [line for line in fresh if line.file == file]
            self._add_unknown(run, f"warc/{blog}/{file}", lines)

    def _written(self, blog: str) -> dict[str, list[IndexLine]]:
        """The index lines of what was written in this blog's WARC files since the archive was opened."""
        writers = [writer for writer in self._writers.get(blog, ()) if isinstance(writer, WarcWriter)]
        return {name: lines for writer in writers for name, lines in writer.written().items()}

    def _add_unknown(self, run: int, name: str, lines: Iterable[IndexLine]) -> None:
        """Tell the database of the responses in a file that it does not know."""
        known = {ref.offset for ref in self.store.captures.in_file(name)}
        for line in lines:
            if line.offset not in known:
                ref = Ref(name, line.offset, line.record_id, line.digest)
                # What a browser drew has no status of its own.
                status = int(line.status or FOUND)
                self.store.captures.add(run, line.url, status, line.captured, ref)

    def rules_path(self, blog: str) -> Path:
        """Where a blog's rule file is."""
        return self.folder / "rules" / f"{blog_part(blog)}.json"

    def read_rules(self, blog: str) -> str | None:
        """A blog's rules as they stand in its rule file."""
        path = self.rules_path(blog)
        try:
            return path.read_text(encoding="utf-8") if path.is_file() else None
        except (OSError, UnicodeDecodeError) as error:
            raise ArchiveError(f"The rules {path} cannot be read: {error}.") from error

    def write_rules(self, blog: str, text: str) -> Path:
        """Keep a blog's rules where a person can read and edit them."""
        path = self.rules_path(blog)
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)
        return path

    def _unlock(self) -> None:
        if self._locks:
            self._locks.release()
            self._locks = None


def _locks_of(folder: Path, alone: bool, wait: bool) -> ArchiveLocks:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"{folder} cannot be made: {error.strerror}."
        raise ArchiveError(f"The archive folder {why}") from error
    locks = ArchiveLocks(folder, wait, alone)
    if alone:
        seal_open_files(folder / "warc")
    return locks


def _engine_to_write(folder: Path, locks: ArchiveLocks, alone: bool) -> Engine:
    """The database for a writer; who shares the archive
    has it alone while the tables are made or changed.
    """
    path = folder / DATABASE_FILE
    if alone:
        return open_database(path)
    if engine := open_current(path):
        return engine
    locks.hold_all()
    try:
        return open_database(path)
    finally:
        locks.share()


def _engine_to_read(folder: Path) -> Engine:
    """The database for a reader; one with an older schema
    is brought up to date first, by whoever gets the lock.
    """
    path = folder / DATABASE_FILE
    engine = read_database(path)
    if is_current(engine):
        return engine
    engine.dispose()
    try:
        ArchiveFolder(folder, writing=True, wait=False).close()
    except ArchiveError as error:
        what = f"{folder} is of an earlier version and cannot be brought up to date"
        raise ArchiveError(f"{what}: {error}") from error
    return read_database(path)
