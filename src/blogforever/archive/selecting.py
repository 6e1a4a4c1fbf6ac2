"""The seam of every exporter: a selection of posts in, a stream of files out, with flat memory,
from any place on.

Posts come as somebody may see them, newest first, a page at a time: of one blog after the other
where several are named. The place after each post says where to go on when an export was stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, get_args

from msgspec import structs

from blogforever.dates import moment_key
from blogforever.errors import UsageError
from blogforever.records import SUPPRESSED, PostRecord, read_post
from blogforever.storage.browsing import FoundPage, PostPage, PostPlace
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder

from .reading import choose_blog

SelectedKind = Literal["post", "comment"]
SELECTED_KINDS: tuple[SelectedKind, ...] = get_args(SelectedKind)
# Posts in memory at a time.
PAGE = 100


@dataclass(frozen=True, slots=True)
class Selection:
    """Which posts: of these blogs, or of all; by words, list, author, tags, language, days; with
    their comments, or without.
    """

    blogs: tuple[str, ...] = ()
    search: PostSearch = field(default_factory=PostSearch)
    kinds: tuple[SelectedKind, ...] = SELECTED_KINDS


@dataclass(frozen=True, slots=True)
class SelectedPost:
    """A post, and the place after it."""

    record: PostRecord
    place: str


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export: its name, its text piece by piece, and the place after the last post in
    it.
    """

    name: str
    pieces: Iterable[str]
    place: str = ""


class Exporter(Protocol):
    """A format: makes files of posts, one file's posts in memory at most."""

    def files(self, posts: Iterable[SelectedPost]) -> Iterator[ExportedFile]:
        """The files; each is read to its end before the next is asked for."""


def selected_posts(archive: ArchiveFolder, selection: Selection, after: str = "") -> Iterator[SelectedPost]:
    """The posts that are selected, from a place on."""
    with_comments = "comment" in selection.kinds
    done, place = _read_place(after)
    blogs = _blogs(archive, selection)
    for number, blog in enumerate(blogs):
        if number < done:
            continue
        search = replace(selection.search, blog=blog)
        for record in _posts(archive, search, place if number == done else None):
            shown = record if with_comments else structs.replace(record, comments=())
            yield SelectedPost(shown, f"{number} {moment_key(record.published)} {record.id}")


def exported_files(
    archive: ArchiveFolder, selection: Selection, exporter: Exporter, after: str = ""
) -> Iterator[ExportedFile]:
    """The files that an exporter makes of a selection; after a stop, from the place of the last
    whole one on.
    """
    return exporter.files(selected_posts(archive, selection, after))


def _blogs(archive: ArchiveFolder, selection: Selection) -> list[str]:
    """The blogs to go through: those that are named; one by one where everything is wanted, else
    all together.
    """
    if selection.blogs:
        return [choose_blog(archive, blog).id for blog in selection.blogs]
    is_everything = selection.search == PostSearch()
    return [blog.id for blog in archive.library.blogs()] if is_everything else [selection.search.blog]


def _posts(archive: ArchiveFolder, search: PostSearch, place: PostPlace | None) -> Iterator[PostRecord]:
    while True:
        page = _page(archive, search, place)
        for line in page.items:
            record = archive.veil.post(read_post(line.line))
            if record is not None and record.status != SUPPRESSED:
                yield record
        if not isinstance(page.next, PostPlace):
            return
        place = page.next


def _page(archive: ArchiveFolder, search: PostSearch, place: PostPlace | None) -> PostPage | FoundPage:
    if search.words.strip():
        return archive.search.page(search.with_words(best_first=False, after=place, limit=PAGE))
    return archive.store.posts.page(search.among(place, PAGE))


def _read_place(text: str) -> tuple[int, PostPlace | None]:
    """How many blogs are done, and where in the next to go on."""
    if not text:
        return 0, None
    number, _, rest = text.partition(" ")
    moment, _, post = rest.rpartition(" ")
    if not number.isdecimal() or not post:
        raise UsageError(f"{text[:80]!r} is no place in an export.")
    return int(number), PostPlace(moment, post)
