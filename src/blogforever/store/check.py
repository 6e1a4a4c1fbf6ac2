"""Checks an archive: every record of every WARC file, and WARC files, indexes and database against each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, select, text
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from blogforever.care.decisions import is_blog_name
from blogforever.logs import logger
from blogforever.protocols import Ref

from . import schema
from .cdxj import INDEXED, IndexLine, line_of, read_index
from .fixity import MANIFEST, check_manifest
from .folder import ArchiveFolder
from .members import OPEN, Member, members, present, read_head
from .revisits import pointer_of

SHOWN = 3
CHUNK = 1 << 20
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


def check_archive(archive: ArchiveFolder, counts: Counts) -> Iterator[Damage]:
    """Everything that is wrong with an archive, in sentences."""
    yield from check_database(archive.engine, counts)
    ids: set[str] = set()
    busy = {blog["id"] for blog in archive.library.blogs(everything=True) if blog["open"]}
    for folder in sorted(path for path in (archive.folder / "warc").glob("*") if path.is_dir()):
        if is_blog_name(folder.name):
            yield from _check_blog(archive, folder.name, counts, ids, folder.name in busy)
        else:
            yield Damage(f"The folder warc/{folder.name} is that of no blog, and was not looked into.", damage=False)
    yield from _missing_files(archive)
    yield from _check_outside(archive, ids)
    yield from _check_sources(archive, ids)
    for blog in sorted(busy):
        yield Damage(f"The last crawl of {blog} was interrupted; the next crawl goes on with it.", damage=False)


def check_database(engine: Engine, counts: Counts) -> Iterator[Damage]:
    """The database in itself: its pages, its references, its records."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            for row in connection.execute(text("PRAGMA integrity_check(20)")):
                if row[0] != "ok":
                    yield Damage(f"The database is damaged: {row[0]}.")
            for row in connection.execute(text("PRAGMA foreign_key_check")):
                yield Damage(f"The database has a row in {row[0]} that belongs to nothing in {row[2]}.")
        for post_id, record in connection.execution_options(yield_per=200).execute(
            select(schema.posts.c.id, schema.posts.c.record)
        ):
            counts.posts += 1
            if not _is_record(record, post_id):
                yield Damage(f"The record of the post {post_id} cannot be read.")


def check_file(path: Path, counts: Counts, scan: _Scan) -> Iterator[Damage]:
    """Every record of one WARC file: unpacked, parsed, its digests computed again."""
    counts.files += 1
    counts.bytes += path.stat().st_size
    end = path.stat().st_size
    if end == 0:
        yield Damage(f"The file {scan.name} is empty.")
    for member in members(path):
        counts.records += 1
        if member.data is None:
            torn = member.offset + member.length >= end and "ends" in member.broken
            what = "ends in the middle of a record" if torn else f"has a broken record: {member.broken}"
            yield Damage(f"The file {scan.name} {what}, at byte {member.offset:,}.")
            continue
        problem = _record_problem(member)
        if problem:
            yield Damage(f"The record at byte {member.offset:,} of {scan.name} is damaged: {problem}.")
        head = read_head(member.data)
        if head:
            scan.ids.add(head.record_id)
            if head.kind in INDEXED and head.url:
                scan.lines[member.offset] = line_of(head, member, path.name)
            if head.kind == "revisit":
                scan.repeats[member.offset] = pointer_of(head.headers).record_id


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
                return "; ".join(str(problem) for problem in record.digest_checker.problems) or "its digest is wrong"
    except (ArchiveLoadFailed, ValueError, EOFError) as error:
        return str(error).strip().partition("\n")[0]
    return None if found == 1 else f"it holds {found} records"


def _check_blog(archive: ArchiveFolder, blog: str, counts: Counts, ids: set[str], unfinished: bool) -> Iterator[Damage]:
    index = archive.index_path(blog)
    indexed: dict[str, dict[int, IndexLine]] = {}
    for line in read_index(index):
        indexed.setdefault(line.file, {})[line.offset] = line
    counts.indexes += index.is_file()
    repeats: list[tuple[str, int, str]] = []
    yield from _fixity(archive, blog)
    for path in archive.warcs(blog):
        log.info("checking %s", path)
        scan = _Scan(f"warc/{blog}/{path.name}")
        yield from check_file(path, counts, scan)
        yield from _against_database(archive, scan, unfinished)
        yield from _against_index(scan, indexed.pop(path.name, None), index, unfinished)
        ids |= scan.ids
        repeats += [(scan.name, offset, record_id) for offset, record_id in scan.repeats.items()]
    for name, offset, record_id in repeats:
        if record_id not in ids:
            yield Damage(f"The response at byte {offset:,} of {name} repeats {record_id}, which is not there.")
    yield from (Damage(f"The index {index.name} speaks of {name}, which is not there.") for name in sorted(indexed))
    yield from _index_order(index)
    for path in sorted(archive.warc_folder(blog).glob(f"*{OPEN}")):
        yield Damage(f"The file {path.name} of {blog} is still open: a crawl writes it or was cut off.", damage=False)


def _fixity(archive: ArchiveFolder, blog: str) -> Iterator[Damage]:
    """Each file is, to the last byte, what it was when it was finished."""
    wrong = {"changed": "has changed since it was written", "missing": "was written and is not there"}
    for name, what in check_manifest(archive.warc_folder(blog), archive.warcs(blog)):
        if what in wrong:
            yield Damage(f"The file warc/{blog}/{name} {wrong[what]}: its SHA-256 stands in {MANIFEST}.")
        else:
            yield Damage(f"The SHA-256 of warc/{blog}/{name} is not written down yet; the next crawl does it.", False)


def _against_database(archive: ArchiveFolder, scan: _Scan, unfinished: bool) -> Iterator[Damage]:
    seen = set()
    for offset, record_id, digest in archive.library.captures(scan.name):
        seen.add(offset)
        line = scan.lines.get(offset)
        if line is None:
            yield Damage(f"The database says that {scan.name} has a response at byte {offset:,}, and it has none.")
        elif (record_id and record_id != line.record_id) or (digest and line.digest and digest != line.digest):
            yield Damage(f"The response at byte {offset:,} of {scan.name} is another than the database says.")
    unknown = [line for offset, line in scan.lines.items() if offset not in seen and line.status]
    if unknown and not unfinished:
        examples = ", ".join(line.url for line in unknown[:SHOWN])
        yield Damage(f"The database does not know {len(unknown):,} of the responses in {scan.name}: {examples}.")


def _against_index(
    scan: _Scan, indexed: dict[int, IndexLine] | None, index: Path, unfinished: bool
) -> Iterator[Damage]:
    if indexed is None:
        if scan.lines and not unfinished:
            yield Damage(f"{scan.name} is not in the index yet; the next crawl or export adds it.", damage=False)
        return
    wrong = [
        offset
        for offset in indexed.keys() | scan.lines.keys()
        if not _same(indexed.get(offset), scan.lines.get(offset))
    ]
    if wrong:
        places = ", ".join(f"{offset:,}" for offset in sorted(wrong)[:SHOWN])
        yield Damage(f"The index {index.name} and {scan.name} disagree on {len(wrong):,} responses, at byte {places}.")


def _same(one: IndexLine | None, other: IndexLine | None) -> bool:
    return one is not None and other is not None and one.text() == other.text()


def _index_order(index: Path) -> Iterator[Damage]:
    before = b""
    if index.is_file():
        with index.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line < before:
                    yield Damage(f"The index {index.name} is not in order at line {number:,}.")
                    return
                before = line


def _missing_files(archive: ArchiveFolder) -> Iterator[Damage]:
    for name in archive.library.capture_files():
        if not Ref(name, 0).outside and not present(archive.folder / name).exists():
            yield Damage(f"The database speaks of {name}, which is not there.")


def _check_outside(archive: ArchiveFolder, ids: set[str]) -> Iterator[Damage]:
    """Records that are only pointed to: whether each is still where it was; their bytes are not the archive's."""
    for blog, files in archive.library.outside().items():
        gone = {name for name in files if not Path(name).is_file()}
        for name in sorted(gone):
            count = files[name]
            yield Damage(f"The file {name} is not there, and with it {count:,} responses of {blog} it was to hold.")
        refs = [ref for ref in archive.library.records_of(blog) if ref.outside]
        # One sentence for a file that is gone is enough.
        ids.update(ref.record_id for ref in refs if ref.file.partition("!/")[0] in gone)
        reader = archive.reader()
        for ref in (ref for ref in refs if ref.record_id not in ids):
            ids.add(ref.record_id)
            if not reader.is_there(ref):
                yield Damage(f"The response at byte {ref.offset:,} of {ref.file} is no longer {ref.record_id}.")


def _check_sources(archive: ArchiveFolder, ids: set[str]) -> Iterator[Damage]:
    """A post that was made from a response of this archive must still find it here."""
    for blog in archive.library.blogs(everything=True):
        if blog["open"]:
            continue
        for post in archive.library.posts(blog["id"], everything=True):
            for source in post.get("sources") or []:
                if source.get("record_id") and source["record_id"] not in ids:
                    yield Damage(f"The post {post['url']} was made from {source['record_id']}, which is not there.")


def _is_record(record: str, post_id: str) -> bool:
    try:
        found = json.loads(record)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("id") == post_id
