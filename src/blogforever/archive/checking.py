"""Check an archive, and look how it and this installation are."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from blogforever import clock
from blogforever.errors import ArchiveError, BlobsAway
from blogforever.export.frame import blog_title
from blogforever.records import BlogSummary
from blogforever.render.chromium import INSTALL, find_browser, lacking
from blogforever.store.check import Counts, Damage, check_archive, check_files
from blogforever.store.database import database_facts
from blogforever.store.folder import ArchiveFolder
from blogforever.store.mirror import OF_ALL
from blogforever.store.place import has_records
from blogforever.store.unfinished import write_whole
from blogforever.store.waiting import waiting_sentences

from .opening import cut_off
from .referenced import OutsideResponses, responses_outside

LIBRARIES = (
    "selectolax",
    "scrapy",
    "warcio",
    "isal",
    "sqlalchemy",
    "feedparser",
    "trafilatura",
    "nh3",
)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What `verify` found, what it looked at, what is not erased to the end, and what it could not
    look at.
    """

    findings: list[Damage] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    cut_off: tuple[str, ...] = ()
    outside: tuple[OutsideResponses, ...] = ()

    @property
    def damaged(self) -> bool:
        """Whether anything is as it must not be."""
        return self.problems > 0

    @property
    def problems(self) -> int:
        """How many findings are damage."""
        return sum(finding.damage for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Installation:
    """What is installed: a library that is missing has no version, a browser that cannot be used no
    path.
    """

    software: str
    python: str
    system: str
    libraries: dict[str, str | None]
    sqlite: str
    full_text_search: bool
    browser: str | None
    browser_lacks: str | None
    how_to_install: str


@dataclass(frozen=True, slots=True)
class BlogCount:
    """A blog with how many posts of it are kept, and from when to when."""

    title: str
    posts: int
    first: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class ArchiveState:
    """How an archive is: what it holds, what was left undone in it, and why it cannot be read where
    that is so.
    """

    blogs: tuple[BlogCount, ...] = ()
    size: int = 0
    left_open: int = 0
    """WARC files that are being written, or were when a crawl was cut off."""
    cut_off: tuple[str, ...] = ()
    """Blogs with an erasure that did not come to its end."""
    interrupted: tuple[str, ...] = ()
    """What a crawl must be given to go on."""
    trouble: str | None = None
    blobs: str = ""
    """Where its bytes are kept for good, unless in the folder."""
    waiting: tuple[str, ...] = ()
    """What has not reached that place yet, in sentences."""
    away: str = ""
    """Why that place cannot be used at this moment."""


def verify(folder: Path) -> CheckResult:
    """Check the whole archive; nothing is changed."""
    counts = Counts()
    try:
        with ArchiveFolder(folder, writing=False) as archive:
            begun, findings = cut_off(archive), list(check_archive(archive, counts))
            return CheckResult(findings, counts, begun, _outside(archive))
    except ArchiveError as error:
        if not has_records(folder):
            raise
        # What holds the bytes of the blogs can be looked at all the same.
        return CheckResult([Damage(str(error)), *check_files(folder, counts)], counts)


def keep_report(folder: Path, lines: Iterable[str]) -> Path:
    """Keep what was found, under the moment it was found at."""
    path = folder / "logs" / f"verify-{clock.now():%Y%m%dT%H%M%SZ}.txt"
    path.parent.mkdir(exist_ok=True)
    write_whole(path, "".join(f"{line}\n" for line in lines))
    return path


def _outside(archive: ArchiveFolder) -> tuple[OutsideResponses, ...]:
    """Nothing, where the database cannot tell: that it cannot is among the findings."""
    try:
        return responses_outside(archive)
    except ArchiveError:
        return ()


def installation() -> Installation:
    """What is installed, with the optional parts."""
    sqlite, search = database_facts()
    missing = lacking()
    return Installation(
        software=version("blogforever"),
        python=platform.python_version(),
        system=platform.system(),
        libraries={name: _version(name) for name in LIBRARIES},
        sqlite=sqlite,
        full_text_search=search,
        browser=str(find_browser()) if missing is None else None,
        browser_lacks=missing,
        how_to_install=INSTALL,
    )


def archive_state(folder: Path) -> ArchiveState | None:
    """How the archive in a folder is; None where there is none yet."""
    if not has_records(folder):
        return None
    try:
        with ArchiveFolder(folder, writing=False) as archive:
            begun = cut_off(archive)
            blogs = archive.library.blogs()
            size = _bytes_of_warc(archive)
            left_open = len(list((folder / "warc").rglob("*.open")))
            waiting, address = tuple(waiting_sentences(archive)), archive.mirror.blobs.address if archive.mirror else ""
            away = _why_away(archive)
    except (ArchiveError, OSError) as error:
        return ArchiveState(trouble=str(error))
    return ArchiveState(
        blogs=tuple(_blog_count(blog) for blog in blogs),
        size=size,
        left_open=left_open,
        cut_off=begun,
        interrupted=tuple(blog.url or blog.id for blog in blogs if blog.unfinished),
        blobs=address,
        waiting=waiting,
        away=away,
    )


def _bytes_of_warc(archive: ArchiveFolder) -> int:
    """How large the WARC files are, here or elsewhere."""
    sizes = {path.name: path.stat().st_size for path in (archive.folder / "warc").rglob("*.warc.gz*")}
    listed = [row for blog in archive.warc_blogs() for row in archive.mirror.warcs(blog)] if archive.mirror else []
    return sum((sizes | {row.name.rpartition("/")[2]: row.size for row in listed}).values())


def _why_away(archive: ArchiveFolder) -> str:
    try:
        if archive.mirror:
            archive.mirror.blobs.find(OF_ALL[0])
    except BlobsAway as error:
        return str(error)
    return ""


def free_space(folder: Path) -> int:
    """How many bytes there is room for where the archive is, or will be."""
    place = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(place).free


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _blog_count(blog: BlogSummary) -> BlogCount:
    return BlogCount(blog_title(blog.record), blog.kept, blog.first, blog.last)
