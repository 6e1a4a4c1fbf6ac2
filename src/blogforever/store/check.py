"""Checks an archive: every record, and WARC files, indexes and database against each other."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from sqlalchemy import Engine, inspect, select, text
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from blogforever.care.decisions import is_blog_name
from blogforever.errors import ArchiveError, BlobsAway
from blogforever.headway import tell
from blogforever.logs import logger
from blogforever.protocols import Ref
from blogforever.records import PostRecord, read_post

from . import schema
from .cdxj import INDEXED, IndexLine, line_of, read_index
from .database import WHAT_TO_DO
from .fixity import MANIFEST, check_manifest, manifest_is_ours
from .folder import ArchiveFolder
from .inside import names_in, owner_of
from .members import OPEN, Head, Member, members, present, read_head
from .names import address_names
from .revisits import pointer_of
from .tallies import TABLE as TALLIES
from .tallies import miscounted
from .waiting import waiting_files, waiting_sentences
from .warcreader import WarcReader

# Examples in one sentence.
SHOWN = 3
# Bytes of a record that are in memory at a time.
CHUNK = 1 << 20
# Sentences that SQLite may say of a damaged database: one would do, thousands would hide the rest.
DATABASE_PROBLEMS = 20
# Posts that are in memory at a time.
ROWS_AT_ONCE = 200
# The table that full-text search is asked in; it is none of SQLAlchemy's.
SEARCH = "posts_search"
ENDING = ".warc.gz"
log = logger("store")


@dataclass(frozen=True, slots=True)
class Damage:
    """Something worth a sentence; damage is what must not be."""

    sentence: str
    damage: bool = True


@dataclass(slots=True)
class Counts:
    """What was looked at."""

    files: int = 0
    records: int = 0
    bytes: int = 0
    indexes: int = 0
    posts: int = 0


@dataclass(slots=True)
class _Scan:
    """What one WARC file really holds."""

    name: str
    lines: dict[int, IndexLine] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    repeats: dict[int, str] = field(default_factory=dict)
    """Where a response stands that repeats another, and the id of that one."""

    def add(self, head: Head, member: Member, file: str) -> None:
        """Remember what a record says of itself."""
        self.ids.add(head.record_id)
        if head.kind in INDEXED and head.url:
            self.lines[member.offset] = line_of(head, member, file)
        if head.kind == "revisit":
            self.repeats[member.offset] = pointer_of(head.headers).record_id


def check_archive(archive: ArchiveFolder, counts: Counts) -> Iterator[Damage]:
    """Everything that is wrong with an archive, in sentences; what cannot be looked at keeps
    nothing else from it.
    """
    yield from check_database(archive.engine, counts)
    ids: set[str] = set()
    busy: set[str] = set()
    yield from _told(_unfinished(archive, busy))
    waiting = {owner_of(PurePosixPath(row.name)) for row in waiting_files(archive)}
    elsewhere = filter(is_blog_name, archive.mirror.blogs()) if archive.mirror else ()
    for blog in sorted({*_blog_folders(archive.folder), *elsewhere}):
        yield from _told(_check_blog(archive, blog, counts, ids, blog in busy))
        archive.take_copies_away()
    yield from _strange_folders(archive.folder)
    yield from _told(_missing_files(archive))
    yield from _told(_check_outside(archive, ids))
    yield from _told(_check_sources(archive, ids, waiting))
    for sentence in waiting_sentences(archive):
        yield Damage(sentence, damage=False)


def check_files(folder: Path, counts: Counts) -> Iterator[Damage]:
    """What can be said of the WARC files alone, where the archive around them cannot be opened."""
    for blog in _blog_folders(folder):
        place = folder / "warc" / blog
        yield from _told(_fixity(place, names_in(place, ENDING)))
        for path in names_in(place, ENDING):
            yield from _told(check_file(path, counts, _Scan(f"warc/{blog}/{path.name}")))


def _told(found: Iterator[Damage]) -> Iterator[Damage]:
    """What is found; where it cannot be looked for, that."""
    try:
        yield from found
    except ArchiveError as error:
        yield Damage(str(error))
    except OSError as error:
        yield Damage(f"{error.filename or 'A file'} cannot be read: {error.strerror}.")


def _blog_folders(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "warc").glob("*") if path.is_dir() and is_blog_name(path.name))


def _strange_folders(folder: Path) -> Iterator[Damage]:
    for path in sorted((folder / "warc").glob("*")):
        if path.is_dir() and not is_blog_name(path.name):
            sentence = f"The folder warc/{path.name} is that of no blog, and was not looked into."
            yield Damage(sentence, damage=False)


def _unfinished(archive: ArchiveFolder, busy: set[str]) -> Iterator[Damage]:
    busy.update(blog.id for blog in archive.library.blogs(everything=True) if blog.unfinished)
    joined = {plan.blog for plan in archive.unfinished.plans() if plan.what == "join"}
    for blog in sorted(joined):
        sentence = f"The WARC files of {blog} were being joined; the next command that writes the blog goes on with it."
        yield Damage(sentence, damage=False)
    for blog in sorted(busy):
        sentence = f"The last crawl of {blog} was interrupted; the next crawl goes on with it."
        yield Damage(sentence, damage=False)
    busy |= joined


def check_database(engine: Engine, counts: Counts) -> Iterator[Damage]:
    """The database in itself: its tables, its pages, its references, its records."""
    yield from _told(_check_tables(engine))
    if engine.dialect.name == "sqlite":
        yield from _told(_check_pages(engine))
    yield from _told(_check_records(engine, counts))
    yield from _told(_check_addresses(engine))
    yield from _told(_check_tallies(engine))


def _check_tables(engine: Engine) -> Iterator[Damage]:
    there = set(inspect(engine).get_table_names())
    for name in sorted({*schema.metadata.tables, SEARCH, TALLIES} - there):
        yield Damage(f"The database lacks its table {name}; {WHAT_TO_DO}.")


def _check_records(engine: Engine, counts: Counts) -> Iterator[Damage]:
    with engine.connect() as connection:
        posts = select(schema.posts.c.id, schema.posts.c.record)
        rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(posts)
        for post_id, record in rows:
            counts.posts += 1
            if not _is_record(record, post_id):
                yield Damage(f"The record of the post {post_id} cannot be read.")


def _check_addresses(engine: Engine) -> Iterator[Damage]:
    """Each post is found by all its addresses, and by no others."""
    posts, names = schema.posts, schema.addresses
    in_order = select(posts.c.id, posts.c.record).order_by(posts.c.id)
    with engine.connect() as connection:
        rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(in_order)
        for part in rows.partitions():
            of_these = names.c.post.between(part[0].id, part[-1].id)
            found: dict[str, set[str]] = {}
            for post, url in connection.execute(select(names.c.post, names.c.url).where(of_these)):
                found.setdefault(post, set()).add(url)
            yield from _wrongly_named([(row.id, row.record) for row in part], found)
    with engine.connect() as connection:
        lost = select(names.c.post).distinct().where(names.c.post.not_in(select(posts.c.id)))
        for row in connection.execute(lost):
            yield Damage(f"The database has addresses of the post {row.post}, which is not there.")


def _check_tallies(engine: Engine) -> Iterator[Damage]:
    with engine.connect() as connection:
        for name in miscounted(connection):
            yield Damage(f"The numbers of rows in {name} are not what is there; blogforever serve counts anew.")


def _wrongly_named(posts: Iterable[tuple[str, str]], found: Mapping[str, set[str]]) -> Iterator[Damage]:
    for post_id, record in posts:
        is_readable = _is_record(record, post_id)
        if is_readable and address_names(read_post(record)) != found.get(post_id, set()):
            yield Damage(f"The post {post_id} is not found by its own addresses.")


def _check_pages(engine: Engine) -> Iterator[Damage]:
    """What SQLite itself finds wrong."""
    with engine.connect() as connection:
        for row in connection.execute(text(f"PRAGMA integrity_check({DATABASE_PROBLEMS})")):
            if row[0] != "ok":
                yield Damage(f"The database is damaged: {row[0]}.")
        for row in connection.execute(text("PRAGMA foreign_key_check")):
            yield Damage(f"The database has a row in {row[0]} that belongs to nothing in {row[2]}.")


def check_file(path: Path, counts: Counts, scan: _Scan) -> Iterator[Damage]:
    """Every record of one WARC file: unpacked, parsed, its digests computed again."""
    end = path.stat().st_size
    counts.files += 1
    counts.bytes += end
    if end == 0:
        yield Damage(f"The file {scan.name} is empty.")
    for member in members(path):
        counts.records += 1
        tell(f"checking {scan.name}", counts.records, things="records")
        if member.data is None:
            yield _broken_member(member, scan.name, end)
            continue
        problem = _record_problem(member)
        if problem:
            place = f"The record at byte {member.offset:,} of {scan.name}"
            yield Damage(f"{place} is damaged: {problem}.")
        head = read_head(member.data)
        if head:
            scan.add(head, member, path.name)


def _broken_member(member: Member, name: str, end: int) -> Damage:
    is_last = member.offset + member.length >= end
    place = f"at byte {member.offset:,}"
    if is_last and "ends" in member.broken:
        return Damage(f"The file {name} ends in the middle of a record, {place}.")
    return Damage(f"The file {name} has a broken record: {member.broken}, {place}.")


def _record_problem(member: Member) -> str | None:
    assert member.data is not None
    member.data.seek(0)
    try:
        found = 0
        for record in ArchiveIterator(member.data, check_digests=True):
            found += 1
            while record.raw_stream.read(CHUNK):
                pass
            if record.digest_checker.passed is False:
                problems = map(str, record.digest_checker.problems)
                return "; ".join(problems) or "its digest is wrong"
    except (ArchiveLoadFailed, ValueError, EOFError) as error:
        return str(error).strip().partition("\n")[0]
    return None if found == 1 else f"it holds {found} records"


def _check_blog(
    archive: ArchiveFolder,
    blog: str,
    counts: Counts,
    ids: set[str],
    unfinished: bool,
) -> Iterator[Damage]:
    paths: list[Path] = []
    yield from _bring(archive, blog, paths)
    index = archive.index_path(blog)
    indexed: dict[str, dict[int, IndexLine]] = {}
    for line in read_index(index):
        indexed.setdefault(line.file, {})[line.offset] = line
    counts.indexes += index.is_file()
    scans: list[_Scan] = []
    yield from _fixity(archive.warc_folder(blog), paths, {path.name for path in archive.warc_paths(blog)})
    for path in paths:
        log.info("checking %s", path)
        scan = _Scan(f"warc/{blog}/{path.name}")
        yield from check_file(path, counts, scan)
        yield from _against_database(archive, scan, unfinished)
        yield from _against_index(scan, indexed.pop(path.name, None), index, unfinished)
        ids |= scan.ids
        scans.append(scan)
    # Only now is it known what all files of the blog hold.
    for scan in scans:
        yield from _check_repeats(scan, ids)
    for name in sorted(indexed.keys() - {path.name for path in archive.warc_paths(blog)}):
        yield Damage(f"The index {index.name} speaks of {name}, which is not there.")
    yield from _index_order(index)
    for path in sorted(archive.warc_folder(blog).glob(f"*{OPEN}")):
        sentence = f"The file {path.name} of {blog} is still open: a crawl writes it or was cut off."
        yield Damage(sentence, damage=False)


def _check_repeats(scan: _Scan, ids: set[str]) -> Iterator[Damage]:
    for offset, record_id in scan.repeats.items():
        if record_id not in ids:
            place = f"The response at byte {offset:,} of {scan.name}"
            yield Damage(f"{place} repeats {record_id}, which is not there.")


def _bring(archive: ArchiveFolder, blog: str, paths: list[Path]) -> Iterator[Damage]:
    """Have the WARC files of a blog, and its index as it is now; what cannot be had is told, unless
    it waits elsewhere: all that do are told together.
    """
    if archive.mirror is None:
        paths += archive.warcs(blog)
        return
    archive.mirror.refresh(blog)
    elsewhere = {row.name for row in waiting_files(archive) if archive.mirror.waits_elsewhere(row)}
    for path in archive.warc_paths(blog):
        name = f"warc/{blog}/{path.name}"
        if name in elsewhere:
            continue
        try:
            paths.append(archive.mirror.bring(name))
        except BlobsAway:
            raise
        except ArchiveError as error:
            yield Damage(str(error))


def _fixity(folder: Path, files: list[Path], elsewhere: Collection[str] = ()) -> Iterator[Damage]:
    """Each file is, to the last byte, what it was when it was finished; some may be `elsewhere`."""
    wrong = {
        "changed": "has changed since it was written",
        "missing": "was written and is not there",
    }
    if not manifest_is_ours(folder):
        yield Damage(f"The file warc/{folder.name}/{MANIFEST} has lines that are none of a list of digests.")
    for name, what in check_manifest(folder, files):
        file = f"warc/{folder.name}/{name}"
        if what == "missing" and name in elsewhere:
            # Where it lies, or that it could not be had, is told already.
            continue
        if what in wrong:
            yield Damage(f"The file {file} {wrong[what]}: its SHA-256 stands in {MANIFEST}.")
        else:
            sentence = f"The SHA-256 of {file} is not written down yet; the next crawl does it."
            yield Damage(sentence, damage=False)


def _against_database(archive: ArchiveFolder, scan: _Scan, unfinished: bool) -> Iterator[Damage]:
    seen = set()
    for known in archive.store.captures.in_file(scan.name):
        offset = known.offset
        seen.add(offset)
        line = scan.lines.get(offset)
        if line is None:
            place = f"a response at byte {offset:,}"
            yield Damage(f"The database says that {scan.name} has {place}, and it has none.")
        elif not _is_what_is_known(line, known):
            place = f"The response at byte {offset:,} of {scan.name}"
            yield Damage(f"{place} is another than the database says.")
    if not unfinished:
        yield from _unknown_responses(scan, seen)


def _is_what_is_known(line: IndexLine, known: Ref) -> bool:
    """Whether a record is the one the database speaks
    of; what either of them does not say proves nothing.
    """
    same_id = not known.record_id or known.record_id == line.record_id
    same_digest = not known.digest or not line.digest or known.digest == line.digest
    return same_id and same_digest


def _unknown_responses(scan: _Scan, seen: set[int]) -> Iterator[Damage]:
    unknown = [line for offset, line in scan.lines.items() if offset not in seen and line.status]
    if unknown:
        examples = ", ".join(line.url for line in unknown[:SHOWN])
        count = f"{len(unknown):,} of the responses"
        yield Damage(f"The database does not know {count} in {scan.name}: {examples}.")


def _against_index(
    scan: _Scan, indexed: dict[int, IndexLine] | None, index: Path, unfinished: bool
) -> Iterator[Damage]:
    if indexed is None:
        if scan.lines and not unfinished:
            sentence = f"{scan.name} is not in the index yet; the next crawl or export adds it."
            yield Damage(sentence, damage=False)
        return
    offsets = sorted(indexed.keys() | scan.lines.keys())
    wrong = [offset for offset in offsets if not _same(indexed.get(offset), scan.lines.get(offset))]
    if wrong:
        places = ", ".join(f"{offset:,}" for offset in wrong[:SHOWN])
        count = f"{len(wrong):,} responses, at byte {places}"
        yield Damage(f"The index {index.name} and {scan.name} disagree on {count}.")


def _same(one: IndexLine | None, other: IndexLine | None) -> bool:
    return one is not None and other is not None and one.text() == other.text()


def _index_order(index: Path) -> Iterator[Damage]:
    if not index.is_file():
        return
    before = b""
    with index.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line < before:
                yield Damage(f"The index {index.name} is not in order at line {number:,}.")
                return
            before = line


def _missing_files(archive: ArchiveFolder) -> Iterator[Damage]:
    for name in archive.store.captures.files():
        if not Ref(name, 0).outside and not _is_kept(archive, name):
            yield Damage(f"The database speaks of {name}, which is not there.")


def _is_kept(archive: ArchiveFolder, name: str) -> bool:
    row = archive.mirror.list.find(name) if archive.mirror else None
    return present(archive.folder / name).exists() or (row is not None and not row.gone)


def _check_outside(archive: ArchiveFolder, ids: set[str]) -> Iterator[Damage]:
    """Records that are only pointed to: whether each is
    still where it was; their bytes are not the archive's.
    """
    for blog, files in archive.store.captures.outside().items():
        gone = {name for name in files if not Path(name).is_file()}
        for name in sorted(gone):
            lost = f"{files[name]:,} responses of {blog}"
            yield Damage(f"The file {name} is not there, and with it {lost} it was to hold.")
        refs = [ref for ref in archive.store.captures.of_blog(blog) if ref.outside]
        # One sentence for a file that is gone is enough.
        ids.update(ref.record_id for ref in refs if ref.file.partition("!/")[0] in gone)
        yield from _check_places(archive.reader(), refs, ids)


def _check_places(reader: WarcReader, refs: list[Ref], ids: set[str]) -> Iterator[Damage]:
    for ref in refs:
        if ref.record_id in ids:
            continue
        ids.add(ref.record_id)
        if not reader.is_there(ref):
            place = f"The response at byte {ref.offset:,} of {ref.file}"
            yield Damage(f"{place} is no longer {ref.record_id}.")


def _check_sources(archive: ArchiveFolder, ids: set[str], waiting: set[str | None]) -> Iterator[Damage]:
    """A post that was made from a response of this archive must still find it here."""
    for blog in archive.library.blogs(everything=True):
        if blog.unfinished or blog.id in waiting:
            # What its crawl has written is in files that are not finished, or on another machine.
            continue
        for post in archive.library.posts(blog.id, everything=True):
            for record_id in _record_ids(post):
                if record_id not in ids:
                    what = f"was made from {record_id}, which is not there"
                    yield Damage(f"The post {post.url} {what}.")


def _record_ids(post: PostRecord) -> list[str]:
    """The responses that a post was made from."""
    return [source.record_id for source in post.sources if source.record_id]


def _is_record(record: str, post_id: str) -> bool:
    try:
        found = json.loads(record)
    except (ValueError, TypeError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("id") == post_id
