"""Lists of followed blogs: made, described, dropped, and handed out as OPML, CSV or XLSX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import IO, Literal

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.export.bloglists import FeedOf, blog_lines, opml_lines, write_workbook
from blogforever.export.table import BOM
from blogforever.storage.decided import all_followed
from blogforever.storage.deciding import ListDropped, ListKept
from blogforever.storage.following import BlogList, FollowedBlog, FollowedQuery
from blogforever.storage.tables import Store

from .desk import Desk

ListFormat = Literal["opml", "csv", "xlsx"]
LONGEST_NAME = 200
FILE_TYPES: dict[ListFormat, str] = {
    "opml": "text/x-opml; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
NOT_IN_FILES = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class ListStanding:
    """A list, and how many blogs belong to it."""

    list: BlogList
    blogs: int


def tidied(names: Iterable[str]) -> tuple[str, ...]:
    """Names of tags or lists as they are kept and looked for: without blanks around them, each once."""
    return tuple(dict.fromkeys(name.strip() for name in names))


def ensure_list(desk: Desk, name: str, now: str) -> None:
    """Make a list of this name where there is none."""
    if desk.store.lists.find(name) is None:
        desk.decide(ListKept(at=now, by=desk.by, list=BlogList(_name(name), now, desk.by)))


def keep_list(desk: Desk, name: str, note: str | None = None, owner: str | None = None) -> BlogList:
    """Make a list, or say something else of it."""
    now = clock.stamp()
    found = desk.store.lists.find(name.strip()) or BlogList(_name(name), now, desk.by)
    kept = replace(found, note=found.note if note is None else note, owner=found.owner if owner is None else owner)
    desk.decide(ListKept(at=now, by=desk.by, list=kept))
    return kept


def drop_list(desk: Desk, name: str) -> BlogList:
    """Drop a list; its blogs stay, and belong to it no more."""
    found = find_list(desk.store, name)
    desk.decide(ListDropped(at=clock.stamp(), by=desk.by, name=found.name))
    return found


def all_lists(store: Store) -> list[ListStanding]:
    """All lists with the number of their blogs, by name."""
    numbers = store.followed.listed()
    return [ListStanding(one, numbers.get(one.name, 0)) for one in store.lists.all()]


def find_list(store: Store, name: str) -> BlogList:
    """The list of this name; UsageError where there is none."""
    found = store.lists.find(name.strip())
    if found is None:
        raise UsageError(f"There is no list {name!r}; blogforever lists shows which there are.")
    return found


def export_list(store: Store, name: str, form: ListFormat, out: IO[bytes], in_file: bool = True) -> int:
    """Write the blogs of a list, or with an empty name all followed blogs, as a file or as another
    program has them; how many these were.
    """
    title = find_list(store, name).name if name else "Followed blogs"
    counted = _Counted(all_followed(store, FollowedQuery(list=title if name else "")))
    if form == "xlsx":
        write_workbook(title, counted, out)
    else:
        lines = opml_lines(title, counted, _feed_of(store)) if form == "opml" else blog_lines(counted)
        out.writelines(as_table(lines) if form == "csv" and in_file else encoded(lines))
    return counted.number


def table_of(store: Store, query: FollowedQuery) -> Iterator[bytes]:
    """All followed blogs that a question finds, as CSV, piece by piece."""
    return as_table(blog_lines(all_followed(store, query)))


def as_table(lines: Iterator[str]) -> Iterator[bytes]:
    """The lines of a file for a spreadsheet, as bytes, with the mark by which it knows how they are written."""
    return chain([BOM.encode()], encoded(lines))


def encoded(lines: Iterator[str]) -> Iterator[bytes]:
    """The lines of a file as bytes."""
    return (line.encode("utf-8", "replace") + b"\r\n" for line in lines)


def file_name(name: str, form: ListFormat) -> str:
    """What the file of a list is called, on every system."""
    return f"{NOT_IN_FILES.sub('-', name).strip('-') or 'blogs'}.{form}"


class _Counted:
    """Blogs on their way out, counted."""

    def __init__(self, blogs: Iterator[FollowedBlog]) -> None:
        self._blogs, self.number = blogs, 0

    def __iter__(self) -> Iterator[FollowedBlog]:
        for blog in self._blogs:
            self.number += 1
            yield blog


def _feed_of(store: Store) -> FeedOf:
    """The address of a blog's feed of posts, where one is watched."""

    def feed(blog: FollowedBlog) -> str:
        watched = store.followed.watched(blog.id)
        return next((address.url for address in watched if address.kind == "posts"), "")

    return feed


def _name(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise UsageError(f"A list needs a name of at most {LONGEST_NAME} characters.")
    return tidy
