"""The formats that are made of posts, one after the other: tables, JSON Lines, XML; whole, or so
many posts a file.

A new one is a line of `FORMATS`, or an `Exporter` of its own. `export_files` writes them into a
folder, each whole before it has its name, and goes on there where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

import msgspec

from blogforever.errors import ArchiveError, UsageError
from blogforever.export.citing import CITATION_FORMS, CitationForm, cited, with_own_keys
from blogforever.export.frame import blog_title
from blogforever.export.spiderxml import spider_xml
from blogforever.export.table import BOM, BlogOf, comment_lines, csv_lines
from blogforever.headway import told_of
from blogforever.records import BlogRecord, PostRecord, json_line
from blogforever.store.folder import ArchiveFolder
from blogforever.typedjson import decoded

from .opening import open_archive
from .selecting import ExportedFile, SelectedPost, Selection, exported_files, selected_posts

PROGRESS = "blogforever-export.json"
"""In the folder of an export: how far it has come."""
PART = ".part"
Pieces = Callable[[Iterable[PostRecord], BlogOf], Iterator[str]]
# Blogs whose records are remembered while posts are written: those of one blog follow each other.
REMEMBERED = 1000


def _with_ends(lines: Pieces) -> Pieces:
    return lambda posts, blog_of: (f"{line}\n" for line in lines(posts, blog_of))


def _cited(form: CitationForm) -> Pieces:
    """Citations of the posts, in this form."""

    def pieces(posts: Iterable[PostRecord], blog_of: BlogOf) -> Iterator[str]:
        return form.many(with_own_keys(cited(post, blog_title(blog_of(post.blog))) for post in posts))

    return pieces


@dataclass(frozen=True, slots=True)
class PostFormat:
    """A format in which a document holds any number of posts; the names of its files end so."""

    ending: str
    pieces: Pieces
    is_table: bool = False

    def in_file(self, posts: Iterable[PostRecord], blog_of: BlogOf) -> Iterator[str]:
        """The same as a file has it: a table with the mark by which spreadsheets know how it is written."""
        if self.is_table:
            yield BOM
        yield from self.pieces(posts, blog_of)


FORMATS: dict[str, PostFormat] = {
    "jsonl": PostFormat("jsonl", _with_ends(lambda posts, _blog_of: map(json_line, posts))),
    "csv": PostFormat("csv", _with_ends(csv_lines), is_table=True),
    "comments": PostFormat("comments.csv", _with_ends(comment_lines), is_table=True),
    "spider-xml": PostFormat("xml", lambda posts, _blog_of: spider_xml(posts)),
    **{name: PostFormat(form.ending, _cited(form)) for name, form in CITATION_FORMS.items()},
}


def blogs_by_id(archive: ArchiveFolder) -> BlogOf:
    """What the archive knows of its blogs, by their names."""

    @lru_cache(maxsize=REMEMBERED)
    def blog_of(blog: str) -> BlogRecord:
        return archive.store.blogs.find(blog) or BlogRecord(id=blog, url="")

    return blog_of


@dataclass(frozen=True, slots=True)
class InFiles:
    """An exporter that puts so many posts into each file."""

    form: PostFormat
    most: int
    blog_of: BlogOf
    first: int = 1

    def files(self, posts: Iterable[SelectedPost]) -> Iterator[ExportedFile]:
        """One file after the other, numbered."""
        rest, number = iter(posts), self.first
        while some := list(islice(rest, self.most)):
            pieces = self.form.in_file([post.record for post in some], self.blog_of)
            yield ExportedFile(f"{number:06}.{self.form.ending}", pieces, some[-1].place)
            number += 1


class ExportProgress(msgspec.Struct, frozen=True):
    """How far an export into a folder has come: which one it is, files, and the place after the
    last post.
    """

    wish: str
    files: int = 0
    place: str = ""
    is_done: bool = False


def selects_nothing(folder: Path, selection: Selection) -> bool:
    """Whether no post is selected."""
    with open_archive(folder, writing=False) as archive:
        return next(selected_posts(archive, selection), None) is None


def export_pieces(folder: Path, form: str, selection: Selection, in_file: bool = True) -> Iterator[str]:
    """One document of all that is selected, piece by piece, as a file or as another program has it."""
    with open_archive(folder, writing=False) as archive:
        selected = told_of(selected_posts(archive, selection), "exporting", things="posts")
        posts = (post.record for post in selected)
        write = FORMATS[form].in_file if in_file else FORMATS[form].pieces
        yield from write(posts, blogs_by_id(archive))


def export_files(folder: Path, dest: Path, form: str, selection: Selection, most: int) -> ExportProgress:
    """Files of so many posts each, in a folder; where the same was begun there, it goes on."""
    wish = msgspec.json.encode([form, most, selection]).decode()
    progress = _begun(dest, wish)
    with open_archive(folder, writing=False) as archive, _writing(dest):
        exporter = InFiles(FORMATS[form], most, blogs_by_id(archive), progress.files + 1)
        for file in exported_files(archive, selection, exporter, progress.place):
            _write(dest / file.name, file.pieces)
            progress = ExportProgress(wish, progress.files + 1, file.place)
            _write(dest / PROGRESS, [msgspec.json.encode(progress).decode()])
        progress = ExportProgress(wish, progress.files, progress.place, is_done=True)
        _write(dest / PROGRESS, [msgspec.json.encode(progress).decode()])
    return progress


def _begun(dest: Path, wish: str) -> ExportProgress:
    """How far this export is in a folder, which must be empty where it was not begun there."""
    if dest.exists() and not dest.is_dir():
        raise UsageError(f"{dest} is a file; several files need a folder.")
    try:
        known = decoded((dest / PROGRESS).read_bytes(), ExportProgress)
    except (OSError, msgspec.MsgspecError):
        known = None
    if known and known.wish == wish:
        return known
    if dest.is_dir() and any(dest.iterdir()):
        raise UsageError(f"The folder {dest} holds other things; give an empty or a new one.")
    return ExportProgress(wish)


@contextmanager
def _writing(dest: Path) -> Iterator[None]:
    try:
        dest.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ArchiveError(f"{dest} cannot be written: {error.strerror or error}.") from error


def _write(path: Path, pieces: Iterable[str]) -> None:
    part = path.with_name(path.name + PART)
    with part.open("w", encoding="utf-8", newline="\n", errors="replace") as file:
        file.writelines(pieces)
    part.replace(path)
