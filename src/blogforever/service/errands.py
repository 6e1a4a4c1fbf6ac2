"""Work that is all processor and no network: reading a blog again, exporting. Each runs in a
process of its own.

Threads would share one interpreter with hundreds of looks, and slow all of them down
(docs/decisions/0017).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from blogforever.archive.exporters import export_pieces
from blogforever.archive.exporting import export_blogs, export_jsonl, export_site
from blogforever.archive.opening import open_archive
from blogforever.archive.packing import export_wacz
from blogforever.archive.reextracting import reextract
from blogforever.archive.selecting import Selection
from blogforever.archive.stages import load_stages
from blogforever.config import Config
from blogforever.errors import ArchiveError, ArchiveLocked, BlogForeverError
from blogforever.storage.searches import PostSearch
from blogforever.store.spare import SpareFolder

ExportFormat = Literal["jsonl", "csv", "comments", "blogs", "bibtex", "ris", "csl", "spider-xml", "site", "wacz"]
ENDINGS: dict[ExportFormat, str] = {
    "jsonl": "jsonl",
    "csv": "csv",
    "comments": "comments.csv",
    "blogs": "blogs.csv",
    "bibtex": "bib",
    "ris": "ris",
    "csl": "csl.json",
    "spider-xml": "xml",
    "site": "zip",
    "wacz": "wacz",
}
EXPORTS = "exports"
"""The folder of the archive in which exports lie; it is no part of a backup."""


class Errand(Struct, frozen=True):
    """What to do: read a blog again, or export one, or all, or some posts, under the number of a
    job.
    """

    kind: Literal["reread", "export"]
    job: int
    blog: str = ""
    format: ExportFormat = "jsonl"
    search: PostSearch | None = None


class ErrandEnd(Struct, frozen=True):
    """What came of it: figures, or a sentence; `busy` that somebody else is writing the blog."""

    figures: dict[str, int | str] = {}
    error: str = ""
    busy: bool = False


def run_errand(config: Config, errand: Errand) -> ErrandEnd:
    """Do it, in this process."""
    try:
        figures = _reread(config, errand.blog) if errand.kind == "reread" else _export(config, errand)
    except ArchiveLocked:
        return ErrandEnd(busy=True)
    except BlogForeverError as error:
        return ErrandEnd(error=str(error))
    return ErrandEnd(figures)


def _reread(config: Config, blog: str) -> dict[str, int | str]:
    reports = reextract(config.archive, blog, stages=load_stages(config), wait=False)
    return {
        "posts": sum(report.posts for report in reports),
        "changed": sum(report.changed for report in reports),
        "new": sum(len(report.new) for report in reports),
        "unread": sum(len(report.unread) for report in reports),
    }


def export_path(archive: Path, job: int, export_format: ExportFormat) -> Path:
    """Where the export of a job lies."""
    return archive / EXPORTS / f"{job}.{ENDINGS[export_format]}"


def _export(config: Config, errand: Errand) -> dict[str, int | str]:
    """Written beside its place first: what lies there is whole."""
    path = export_path(config.archive, errand.job, errand.format)
    try:
        path.parent.mkdir(exist_ok=True)
        with SpareFolder(beside=path.parent) as beside:
            made = _made(config.archive, errand, beside)
            size = made.stat().st_size
            made.replace(path)
        _hand_over(config.archive, path)
    except OSError as error:
        raise ArchiveError(f"{path.parent} cannot be written: {error.strerror or error}.") from error
    return {"file": path.name, "bytes": size}


def _hand_over(folder: Path, path: Path) -> None:
    """Where machines have folders of their own, it is fetched from another one than this."""
    with open_archive(folder, writing=True) as archive:
        if archive.mirror is not None:
            archive.mirror.hand_over(shared_name(path))


def shared_name(path: Path) -> str:
    """The name of an export in the store of blobs."""
    return f"{EXPORTS}/{path.name}"


def _made(archive: Path, errand: Errand, place: Path) -> Path:
    wanted = errand.blog or None
    file = place / "export"
    match errand.format:
        case "site":
            export_site(archive, file, wanted)
            return Path(shutil.make_archive(str(file), "zip", file))
        case "wacz":
            file = place / "export.wacz"
            export_wacz(archive, file, wanted)
        case "blogs":
            _write(export_blogs(archive, wanted), file)
        case "jsonl" if errand.search is None:
            _write((line + "\n" for line in export_jsonl(archive, wanted)), file)
        case form:
            selection = Selection((wanted,) if wanted else (), errand.search or PostSearch())
            _write(export_pieces(archive, form, selection), file)
    return file


def _write(pieces: Iterable[str], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)
