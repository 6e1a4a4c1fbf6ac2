"""Check an archive, and tell how it and this installation are."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from blogforever.errors import ArchiveError
from blogforever.export.frame import blog_title
from blogforever.records import BlogSummary
from blogforever.render.chromium import INSTALL, find_browser, lacking
from blogforever.store.check import Counts, Damage, check_archive
from blogforever.store.database import database_facts
from blogforever.store.folder import ArchiveFolder
from blogforever.wording import counted, span

from .opening import FINISH, unfinished_sentence
from .referenced import referenced_only

LIBRARIES = ("selectolax", "scrapy", "warcio", "isal", "sqlalchemy", "feedparser", "trafilatura", "nh3")
LITTLE_SPACE = 2_000_000_000


@dataclass(slots=True)
class CheckResult:
    """What `verify` found."""

    findings: list[Damage] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)

    @property
    def damaged(self) -> bool:
        """Whether anything is as it must not be."""
        return any(finding.damage for finding in self.findings)

    def summary(self) -> str:
        """One sentence."""
        counts = self.counts
        seen = (
            f"{counted(counts.files, 'WARC file')} with {counted(counts.records, 'record')}"
            f" ({shown_size(counts.bytes)}), {counted(counts.indexes, 'index', 'indexes')}"
            f" and {counted(counts.posts, 'post')}"
        )
        wrong = sum(finding.damage for finding in self.findings)
        return f"Checked {seen}: " + (f"{counted(wrong, 'problem')}." if wrong else "all sound.")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the doctor: `mark` is ok, note, bad or empty for a heading."""

    text: str
    mark: str = "ok"


def verify(folder: Path) -> CheckResult:
    """Check the whole archive; nothing is changed, and what is not erased to the end is said."""
    verdict = CheckResult()
    with ArchiveFolder(folder, writing=False) as archive:
        if begun := unfinished_sentence(archive):
            verdict.findings.append(Damage(begun, damage=False))
        verdict.findings += check_archive(archive, verdict.counts)
        what = "it was looked whether they are there, not whether they are sound"
        verdict.findings += [Damage(told, damage=False) for told in referenced_only(archive, what)]
    return verdict


def examine(folder: Path) -> Iterator[Line]:
    """What the doctor says: installation, optional parts, archive, disk, what to do next."""
    yield from _installation()
    yield from _optional_parts()
    yield from _archive(folder)


def shown_size(size: float) -> str:
    """Bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def _installation() -> Iterator[Line]:
    yield Line("Installation", "")
    yield Line(f"blogforever {version('blogforever')}, Python {platform.python_version()}, {platform.system()}")
    yield Line(", ".join(f"{name} {_version(name)}" for name in LIBRARIES))
    sqlite, search = database_facts()
    yield Line(f"SQLite {sqlite}" + (", with full-text search" if search else ""))
    if not search:
        yield Line("SQLite was built without FTS5: blogforever search cannot work with this Python.", "bad")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _optional_parts() -> Iterator[Line]:
    yield Line("Optional parts", "")
    missing = lacking()
    if missing is None:
        yield Line(f"A browser for pages drawn by JavaScript: {find_browser()}")
    else:
        yield Line(f"No browser for pages drawn by JavaScript; install {missing} to have one: {INSTALL}", "note")


def _archive(folder: Path) -> Iterator[Line]:
    yield Line(f"Archive {folder}", "")
    if not (folder / "archive.db").is_file():
        yield Line("There is no archive here yet.", "note")
        yield from _disk(folder)
        yield Line("Next", "")
        yield Line("blogforever crawl https://some.blog/ keeps a first blog here.", "note")
        return
    try:
        with ArchiveFolder(folder, writing=False) as archive:
            begun = unfinished_sentence(archive)
            blogs = archive.library.blogs()
            size = sum(path.stat().st_size for path in (folder / "warc").rglob("*.warc.gz*"))
            left_open = [path.name for path in (folder / "warc").rglob("*.open")]
    except (ArchiveError, OSError) as error:
        yield Line(f"{error}", "bad")
        return
    posts = counted(sum(blog.kept for blog in blogs), "post")
    yield Line(f"{counted(len(blogs), 'blog')}, {posts}, {shown_size(size)} of WARC")
    for blog in blogs[:20]:
        days = span(blog.first, blog.last) or "no dates"
        yield Line(f"{blog_title(blog.record)}: {counted(blog.kept, 'post')}, {days}")
    if left_open:
        yield Line(f"{counted(len(left_open), 'WARC file')} still open: a crawl is running, or was cut off.", "note")
    if begun:
        yield Line(begun, "note")
    yield from _disk(folder)
    yield from _next([blog for blog in blogs if blog.unfinished], bool(blogs), bool(begun))


def _disk(folder: Path) -> Iterator[Line]:
    place = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(place).free
    little = free < LITTLE_SPACE
    yield Line(
        f"{shown_size(free)} free on the disk" + (": little for a crawl." if little else ""), "bad" if little else "ok"
    )


def _next(unfinished: list[BlogSummary], any_blog: bool, erasing: bool) -> Iterator[Line]:
    yield Line("Next", "")
    if erasing:
        yield Line(f"{FINISH} erases what must go to the end.", "note")
    for blog in unfinished:
        yield Line(f"blogforever crawl {blog.url or blog.id} goes on with an interrupted crawl.", "note")
    if any_blog:
        yield Line("blogforever verify checks every record of the archive.", "note")
        yield Line("blogforever export --format site copy makes a copy to read.", "note")
    else:
        yield Line("blogforever crawl https://some.blog/ keeps a first blog here.", "note")
