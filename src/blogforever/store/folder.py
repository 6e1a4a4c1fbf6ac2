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

from sqlalchemy import URL, Engine

from blogforever import clock
from blogforever.care.decisions import Decision, Hidden
from blogforever.care.veil import Veil
from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.protocols import Exchange, Recorder, Ref
from blogforever.records import json_line, read_record
from blogforever.storage.library import Library
from blogforever.storage.tables import Store

from .blobplace import blobs_of
from .captures import FOUND
from .cdxj import IndexLine, moment_of, update_index
from .conditions import condition_of
from .copying import Copies, References, Replayed
from .database import is_current, open_current, open_database, read_database
from .files import ArchiveFiles
from .fixity import update_manifest
from .followingjournal import FollowingFile
from .inside import owner_of
from .journal import Journal
from .lock import ArchiveLocks, crawled_now
from .members import Head, file_info
from .mirror import Mirror
from .place import has_records, place_of, refuse_other_folder
from .revisits import KeptBodies
from .search import SearchIndex
from .serverlocks import ServerLocks
from .sharing import Alone
from .sqlstore import SqlStore
from .texts import SharedTexts
from .unfinished import Unfinished
from .warc import FILE_LIMIT, WarcWriter, begun_at, seal_open_files
from .warcreader import WarcReader

# In the warcinfo of each WARC file: when the crawl that wrote it began.
RUN = "run"
# In the warcinfo of a WARC file whose records were copied out of somebody else's.
COPIED = "copied"
# Bytes after which a new file is begun, where files are sent and fetched whole.
SENT_LIMIT = 200_000_000
# A number that no run reaches: the most that a database takes.
AFTER_ALL_RUNS = 2**31 - 1
log = logger("store")


class ArchiveFolder(ArchiveFiles):
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
        self.place = place_of(folder)
        self._writers: dict[str, list[WarcWriter | Copies]] = {}
        self._recorded: dict[str, int] = {}
        if not writing and not has_records(folder):
            raise ArchiveError(
                f"There is no archive in {folder}; --archive names another folder, and blogforever crawl makes one."
            )
        self._locks = _locks_of(folder, self.place, alone, wait) if writing else None
        try:
            self._open(alone)
        except BaseException:
            self._unlock()
            raise

    def _open(self, alone: bool) -> None:
        if self._locks is None:
            engine = _engine_to_read(self.folder, self.place)
        else:
            engine = _engine_to_write(self.place, self._locks, alone)
        self.engine = engine
        self.store: Store = SqlStore(engine, self.folder)
        blobs = blobs_of(self.folder)
        self.mirror = Mirror(self.folder, blobs, engine) if blobs else None
        # Who has a folder of his own must be told what is decided elsewhere.
        shared = SharedTexts(self.folder, engine) if blobs and isinstance(self.place, URL) else None
        self.sharing = shared or Alone()
        self.journal = Journal(self.folder / "journal", shared)
        self.following = FollowingFile(self.folder / "journal", shared)
        self.unfinished = Unfinished(self.folder / "journal" / "unfinished", shared)
        try:
            if self.writing and blobs is None and isinstance(self.place, URL):
                refuse_other_folder(self.folder, self.place, engine)
            if shared and self.writing:
                shared.begin()
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
                last_first.callback(self._spare.remove)
            last_first.callback(self.store.close)
            last_first.callback(self._tidy)
            for blog in list(self._writers):
                last_first.callback(self.finish_files, blog)

    def _tidy(self) -> None:
        """Send what waits here, and take away what the store has."""
        if self.mirror is None:
            return
        self.mirror.let_go()
        if not self.writing or self._locks is None:
            return
        self.mirror.send_shared()
        for blog in self.mirror.waiting_here():
            with self.borrowed(blog) as held:
                if held and not self.send(blog):
                    break
        self.mirror.make_room()

    def finish_files(self, blog: str) -> None:
        """Close the WARC files that were written of a blog, and index them."""
        with ExitStack() as last_first:
            last_first.callback(self.send, blog)
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
        self.refresh_blog(blog)
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
            self.refresh_blog(blog)
        self.read_decisions()
        return waited

    def hold_all(self) -> None:
        """Let nobody else write anything here; everything may have changed since it was looked at."""
        assert self._locks is not None, "who only reads holds nothing"
        if self._locks.alone:
            return
        self._locks.hold_all()
        seal_open_files(self.folder / "warc")
        self.read_decisions()

    def share(self) -> None:
        """Let others write other blogs again, after `hold_all`; what is to be written further must be held anew."""
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
        """Hold for a moment the blog that a file of the archive belongs to; whether the file may be written."""
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
        self._decided = (self.journal.state(), clock.today())
        today = clock.today().isoformat()
        self.veil = Veil(hidden, today)
        # What is still named is still here, and must be read to be erased.
        self.erased = Veil((one for one in hidden if one.erased and not one.named), today)
        self.library = Library(self.store, self.veil)
        self.search = SearchIndex(self.engine, self.veil, self.holds)

    def notice_decisions(self) -> None:
        """Let what others decided meanwhile hold here, too, and what the day has ended; cheap where nothing has."""
        if self._decided != (self.journal.state(), clock.today()):
            self.read_decisions()

    def index_words(self) -> None:
        """Let a reader's search find the newest posts, too: those of blogs that nobody is writing."""
        try:
            with ArchiveFolder(self.folder, writing=True, alone=False, wait=False) as archive:
                for blog in archive.search.blogs_waiting():
                    with archive.borrowed(blog):
                        # What is hidden may have changed until the blog was held.
                        archive.read_decisions()
                        archive.search.update(blog)
                # Of all blogs only what is gone: looking at all for each would take long.
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
            self.folder,
            partial(self.store.captures.of_blog, blog),
            partial(self.store.captures.same, blog),
            self.mirror,
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
        taken = partial(self._names_elsewhere, blog)
        writer = WarcWriter(self.warc_folder(blog), self.folder, facts, self.file_limit, kept, taken)
        self._writers.setdefault(blog, []).append(writer)
        self._recorded[blog] = run
        return writer

    @property
    def file_limit(self) -> int:
        """Bytes after which a new WARC file is begun: what is fetched whole to be read again must not be too large."""
        return SENT_LIMIT if self.mirror else FILE_LIMIT

    def _names_elsewhere(self, blog: str) -> set[str]:
        return {path.name for path in self.warc_paths(blog)} if self.mirror else set()

    def replayed(self, blog: str, run: int, info: dict[str, str], source: WarcReader) -> Replayed:
        """Somebody's files, out of which a crawl of this blog copies what it uses into the blog's WARC."""
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
        """Somebody's files, of which the archive keeps only where the records lie that a crawl uses."""
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
        """ArchiveError where the disk is too full to go on; what was captured is kept, and the next crawl goes on."""
        free = shutil.disk_usage(self.folder).free if self._min_free else 0
        if free < self._min_free:
            little = f"Only {free:,} bytes are free on the disk of {self.folder}"
            limit = f"less than --min-free ({self._min_free:,})"
            raise ArchiveError(f"{little}, {limit}; the next crawl goes on from here.")

    def reader(self) -> WarcReader:
        """Reads responses by their place in this archive."""
        return WarcReader((), self.folder, mirror=self.mirror)

    def captured_since(self, blog: str, started: str) -> WarcReader | None:
        """What an unfinished run already has, out of its WARC files."""
        stamp = "".join(c for c in started[:19] if c.isdigit())
        files = [path for path in self.warc_paths(blog) if begun_at(path.name) >= stamp]
        if self.mirror:
            files = [path for path in files if self._is_here(blog, path)]
        # What was copied out of somebody's files is no answer of today.
        fetched = [path for path in files if COPIED not in file_info(path)]
        return WarcReader(fetched, self.folder, mirror=self.mirror) if fetched else None

    def _index(self, blog: str, run: int) -> None:
        """Index what the crawl wrote, and tell the database of responses that a crash kept from it."""
        warcs = self.indexable(blog)
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

    def index_left_behind(self, blog: str) -> None:
        """Index what a process that was killed wrote of a blog here; what it could not tell the
        database any more belongs to the blog's newest run. Files that came here without any run are
        only indexed.
        """
        run = self.store.runs.before(blog, AFTER_ALL_RUNS)
        if run is None:
            self.current_index(blog)
        else:
            self._index(blog, run)

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

    def _unlock(self) -> None:
        if self._locks:
            self._locks.release()
            self._locks = None


def _locks_of(folder: Path, place: Path | URL, alone: bool, wait: bool) -> ArchiveLocks:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"{folder} cannot be made: {error.strerror}."
        raise ArchiveError(f"The archive folder {why}") from error
    server = ServerLocks(place) if isinstance(place, URL) else None
    locks = ArchiveLocks(folder, wait, alone, server)
    if alone:
        seal_open_files(folder / "warc")
    return locks


def _engine_to_write(place: Path | URL, locks: ArchiveLocks, alone: bool) -> Engine:
    """The database for a writer; who shares the archive has it alone while the tables are made or changed."""
    if alone:
        return open_database(place)
    if engine := open_current(place):
        return engine
    locks.hold_all()
    try:
        return open_database(place)
    finally:
        locks.share()


def _engine_to_read(folder: Path, place: Path | URL) -> Engine:
    """The database for a reader; one with an older schema is brought up to date first, by whoever gets the lock."""
    engine = read_database(place)
    if is_current(engine):
        return engine
    engine.dispose()
    try:
        ArchiveFolder(folder, writing=True, wait=False).close()
    except ArchiveError as error:
        what = f"{folder} is of an earlier version and cannot be brought up to date"
        raise ArchiveError(f"{what}: {error}") from error
    return read_database(place)
