"""Make an archive anew from its WARC files and its journal, in the order of time.

A crawl is a function of the responses it got, so that the same responses give the same records,
versions and states.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from blogforever.care.decisions import Decision
from blogforever.config import make_config
from blogforever.errors import ArchiveError, RulesError, UsageError
from blogforever.fetch.replay import ReplayFetcher
from blogforever.headway import told_of
from blogforever.learn.rulefile import load_rules
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Ref
from blogforever.store.blobplace import blobs_of
from blogforever.store.cdxj import LONG_AGO, index_file
from blogforever.store.copying import used_again
from blogforever.store.database import shown
from blogforever.store.folder import RUN, ArchiveFolder
from blogforever.store.followingjournal import DECISIONS
from blogforever.store.inside import inside
from blogforever.store.members import Section, sections
from blogforever.store.place import has_records
from blogforever.store.warc import begun_at
from blogforever.store.warcreader import WarcReader
from blogforever.wording import counted

from .fetchers import BROWSER, DECISIVE
from .keeping import check_backup
from .making import CrawlSetting, make_job
from .moving import apply
from .olderbackup import erase_again, erased_since
from .opening import write_to
from .reextracting import reextract_blog
from .refollowing import follow_again
from .ruled import put_in_force
from .stages import Loaded, load_stages

log = logger("archive")
# After every moment that can be.
ALWAYS = "9999"
REPEATED = frozenset({"apart", "rules", "reextract"})
# Called with the name of each blog before it is rebuilt.
BlogBegun = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """How much there is in an archive that was made anew."""

    blogs: int
    posts: int


@dataclass(slots=True)
class PastRun:
    """One crawl as its WARC files tell of it."""

    started: str
    url: str
    options: dict[str, Any] = field(default_factory=dict)
    able: bool = False
    """Whether there was a browser."""
    sections: list[Section] = field(default_factory=list)
    """What it wrote: WARC files, or parts of them where files were joined."""

    @property
    def replayed(self) -> bool:
        """Whether it took its responses out of somebody's files, each as it is, and knew nothing
        else.
        """
        return bool(self.options.get("replay"))


class _Captures:
    """The responses of one crawl, in order where it asked twice; what it did not ask for is as it
    was before.
    """

    def __init__(self, own: WarcReader, earlier: WarcReader | None) -> None:
        self._own, self._earlier = own, earlier
        self._asked: Counter[str] = Counter()

    def find(self, url: str, exact: bool = False) -> Ref | None:
        several = self._own.captures(url)
        if len(several) > 1:
            self._asked[url] += 1
            return several[min(self._asked[url], len(several)) - 1]
        found = self._own.find(url, exact)
        return found or (self._earlier.find(url, exact) if self._earlier else None)

    def response(self, ref: Ref) -> tuple[int, Page]:
        return self._own.response(ref)


def restore(
    source: Path | None,
    folder: Path,
    begun: BlogBegun = lambda _blog: None,
    stages: Loaded | None = None,
    wait: bool = True,
    again: bool = False,
) -> Restored:
    """An archive out of a backup, or, without one, out of the WARC files and the journal that lie
    in its folder.

    Pages are read by the stages as they are configured now. What was erased here since the backup
    is erased `again`, or the backup is refused.
    """
    _refuse_archive(folder)
    erased = _erased_since(source, folder, again)
    if source is not None:
        _bring(source, folder)
    elif not (folder / "warc").is_dir() and not (folder / DECISIONS).is_file() and blobs_of(folder) is None:
        raise UsageError(f"There are no WARC files in {folder} to rebuild an archive from.")
    # Not even what must be erased can be, before it is known again.
    with ArchiveFolder(folder, writing=True, wait=wait) as archive:
        archive.adopt_files()
        rebuild(archive, archive.warc_blogs(), begun, stages or load_stages())
        follow_again(archive)
        write_to(archive, None)
        erase_again(archive, erased)
        for blog in archive.warc_blogs():
            archive.send(blog)
        blogs = archive.library.blogs(everything=True)
    return Restored(len(blogs), sum(blog.kept for blog in blogs))


def _erased_since(source: Path | None, folder: Path, again: bool) -> list[Decision]:
    """What was erased here since the backup; UsageError where it must not come back, not even for a moment."""
    erased = erased_since(source, folder) if source else []
    if erased and not again:
        number = counted(sum(one.what == "suppress" for one in erased), "erasure")
        what = f"The backup {source} is older than {number} of which the journal in {folder} knows"
        raise UsageError(f"{what}: it would bring back what was erased; --erase-again erases it once it is back.")
    return erased


def _refuse_archive(folder: Path) -> None:
    if (folder / "archive.db").exists():
        how = "--archive names another folder for what is restored; to rebuild this one, move its archive.db away"
        raise UsageError(f"There is an archive in {folder} already; {how}.")
    if not has_records(folder):
        return
    with ArchiveFolder(folder, writing=False) as archive:
        if archive.library.blogs(everything=True):
            raise UsageError(
                f"There are blogs in {shown(archive.place)}; give an empty database to rebuild an archive in."
            )


def rebuild(archive: ArchiveFolder, blogs: Iterable[str], begun: BlogBegun, stages: Loaded) -> None:
    """Go through every crawl of these blogs again, and through what people undid between them, in
    the order of time.
    """
    events = _events(archive, blogs)
    present = _set_rules_aside(archive, {event.blog for event in events})
    earlier: dict[str, list[Section]] = {}
    for event in told_of(events, "rebuilding", len(events), "crawls and decisions"):
        if isinstance(event.what, Decision):
            _decided_again(archive, event.what, event.when, stages)
            continue
        if event.blog not in earlier:
            begun(event.blog)
        _again(archive, event.blog, event.what, earlier.setdefault(event.blog, []), stages)
        earlier[event.blog] += event.what.sections
    for blog in earlier:
        if index := archive.index(blog):
            index.close()
    for blog, text in present.items():
        archive.write_rules(blog, text)
    # What became of posts then is no news now.
    archive.store.news.forget(ALWAYS)
    archive.search.update()


@dataclass(frozen=True, slots=True)
class _Event:
    """A crawl, or what somebody decided between two crawls."""

    when: datetime
    blog: str
    what: PastRun | Decision


def _events(archive: ArchiveFolder, blogs: Iterable[str]) -> list[_Event]:
    """What made these blogs what they were, in the order of time."""
    events: list[_Event] = []
    for blog in blogs:
        events += [_Event(_moment(run.started), blog, run) for run in past_runs(archive.warcs(blog))]
    for decision in archive.journal.decisions():
        if decision.what in REPEATED:
            events.append(_Event(_moment(decision.at), decision.blog or "", decision))
    return sorted(events, key=lambda event: event.when)


def _set_rules_aside(archive: ArchiveFolder, blogs: Iterable[str]) -> dict[str, str]:
    """Take the present rule files away while crawls are repeated that had others; they may be
    written by hand.
    """
    present: dict[str, str] = {}
    for blog in blogs:
        if text := archive.read_rules(blog):
            present[blog] = text
            archive.drop_rules(blog)
    return present


def _decided_again(archive: ArchiveFolder, decision: Decision, then: datetime, stages: Loaded) -> None:
    """What somebody did between two crawls, as it was done then."""
    blog = archive.store.blogs.find(decision.blog or "")
    try:
        if decision.what == "apart":
            apply(archive, decision, stages)
        elif decision.what == "rules":
            put_in_force(archive, decision)
        elif blog is not None:
            rules = load_rules(decision.text) if decision.text else None
            reextract_blog(archive, blog, rules, then, stages)
    except RulesError as error:
        log.warning(
            "What the journal says of the rules of %s cannot be done again: %s",
            decision.blog,
            error,
        )


def past_runs(files: list[Path]) -> list[PastRun]:
    """The crawls that wrote these files, oldest first; files that do not say which are one crawl
    each.
    """
    found: dict[tuple[str, bool], PastRun] = {}
    for section in (section for path in files for section in sections(path)):
        info = section.info
        started = info.get(RUN) or _stamp(section.path.name)
        options = _options(info.get("options", ""))
        able = bool(info.get(BROWSER))
        run = PastRun(started, info.get("ispartof", ""), options, able)
        found.setdefault((started, run.replayed), run).sections.append(section)
    return sorted(found.values(), key=lambda run: run.started)


def _again(archive: ArchiveFolder, blog: str, past: PastRun, earlier: list[Section], stages: Loaded) -> None:
    run = archive.store.runs.begin(blog, past.started)
    ids = {one for section in past.sections for one in used_again(section)} if past.replayed else set[str]()
    for section in past.sections:
        for line in index_file(section.path, section.start, section.end):
            ref = Ref(f"warc/{blog}/{section.path.name}", line.offset, line.record_id, line.digest)
            # What a browser drew has no status of its own.
            archive.store.captures.add(run, line.url, int(line.status or 200), line.captured, ref)
            ids.add(line.record_id)
    archive.store.flush()
    config = make_config({"archive": archive.folder} | past.options)
    if past.replayed:
        own = WarcReader(_files([*earlier, *past.sections]), archive.folder, only=ids)
        fetcher = ReplayFetcher(own)
    else:
        own = _reader(archive, past.sections)
        captures = _Captures(own, _reader(archive, earlier) if earlier else None)
        fetcher = ReplayFetcher(captures, whole=True)
    place = CrawlSetting(
        config,
        stages,
        archive,
        fetcher.read,
        lambda _crawl: None,
        past.able or own.has_drawn,
        run,
        _moment(past.started),
        captures=own.captures if past.replayed else None,
        has_files=own.has_files or not past.replayed,
    )
    job = make_job(past.url, blog, place)
    (ending,) = fetcher.run([job.lane])
    job.finish(ending)


def _files(parts: Iterable[Section]) -> list[Path]:
    """The files that these are parts of, each once."""
    return list(dict.fromkeys(section.path for section in parts))


def _reader(archive: ArchiveFolder, parts: Iterable[Section]) -> WarcReader:
    """Reads what stands in these parts of files, and nothing beside them."""
    parts = list(parts)
    if all(section.start == 0 and section.end is None for section in parts):
        return WarcReader(_files(parts), archive.folder)
    ids = {line.record_id for part in parts for line in index_file(part.path, part.start, part.end)}
    return WarcReader(_files(parts), archive.folder, only=ids)


def _bring(source: Path, folder: Path) -> None:
    """Copy a backup; a damaged one, or one that names other places, is refused before anything is
    written.
    """
    places = {name: inside(folder, name) for name in sorted(check_backup(source))}
    has_something = any(name.startswith("warc/") or name == DECISIONS for name in places)
    if not has_something:
        raise UsageError(f"The backup {source} holds no WARC files to rebuild an archive from.")
    try:
        for name, place in told_of(places.items(), "copying", len(places), "files"):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, place)
    except OSError as error:
        raise ArchiveError(f"{folder} cannot be written: {error.strerror or error}.") from error


def _options(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return {name: value for name, value in found.items() if name in DECISIVE} if isinstance(found, dict) else {}


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _stamp(name: str) -> str:
    """When the file of this name was begun; long ago where it does not say, which is before all others."""
    begun = begun_at(name)
    moment = datetime.strptime(begun, "%Y%m%d%H%M%S").replace(tzinfo=UTC) if begun else LONG_AGO
    return moment.isoformat(timespec="seconds")
