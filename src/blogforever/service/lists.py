"""Lists of followed blogs: made, described, dropped, and handed out as OPML, CSV or XLSX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Literal

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.export.bloglists import FeedOf, blog_lines, opml_lines, write_workbook
from blogforever.storage.decided import all_followed
from blogforever.storage.deciding import ListDropped, ListKept
from blogforever.storage.following import BlogList, FollowedBlog, FollowedQuery
from blogforever.storage.tables import Store

from .desk import Desk

ListFormat = Literal["opml", "csv", "xlsx"]
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class ListStanding:
    """A list, and how many blogs belong to it."""

    list: BlogList
    blogs: int


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
    numbers, _tags = store.followed.labels()
    return [ListStanding(one, numbers.get(one.name, 0)) for one in store.lists.all()]


def find_list(store: Store, name: str) -> BlogList:
    """The list of this name; UsageError where there is none."""
    found = store.lists.find(name.strip())
    if found is None:
        raise UsageError(f"There is no list {name!r}; blogforever lists shows which there are.")
    return found


def export_list(store: Store, name: str, form: ListFormat, out: IO[bytes]) -> int:
    """Write the blogs of a list, or with an empty name all followed blogs; how many these were."""
    title = find_list(store, name).name if name else "Followed blogs"
    counted = _Counted(all_followed(store, FollowedQuery(list=title if name else "")))
    if form == "xlsx":
        write_workbook(title, counted, out)
    else:
        lines = opml_lines(title, counted, _feed_of(store)) if form == "opml" else blog_lines(counted)
        for line in lines:
            out.write(line.encode("utf-8", "replace") + b"\r\n")
    return counted.number


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
