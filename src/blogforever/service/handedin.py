"""Lists on their way in: a person sees what would come of one before anything happens, and then
lets it happen.

A draft lives as long as the service does, at most a day, and belongs to who made it.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import IO

from blogforever.errors import UsageError
from blogforever.source.given import BlogMetadata
from blogforever.source.reading import given_in_file
from blogforever.storage.following import FollowedBlog, SourceRow, Verdict

from .adding import Added, AddRequest, add_sources
from .desk import Desk
from .spare import spare_folder

# Bytes of a list that is handed over, in the portal as over the API; the longest lists anybody has
# are a hundredth of it.
LARGEST_LIST = 200_000_000
# ListDrafts that are kept on the disk: of more, the oldest goes.
MOST_DRAFTS = 10
KEPT_FOR = 86_400.0
# Rows of each verdict that a person is shown before anything happens.
SHOWN_ROWS = 50
PIECE = 1 << 20
GONE = "This list is no longer here: hand it over once more."


@dataclass(frozen=True, slots=True)
class ListPreview:
    """What would come of a list: how many rows have each verdict, the first of each, and the new
    blogs of those, with what the list says of them.
    """

    verdicts: Counter[str]
    rows: Mapping[Verdict, tuple[SourceRow, ...]]
    blogs: Mapping[str, FollowedBlog]

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.verdicts.values())

    @property
    def says_more(self) -> bool:
        """Whether anything is said of a new blog, beside its address."""
        new = self.rows.get("new", ())
        told = (blog.title or blog.tags or blog.metadata != BlogMetadata() for blog in self.blogs.values())
        return any(row.reason for row in new) or any(told)


@dataclass(frozen=True, slots=True)
class ListDraft:
    """A list that was handed over, and by whom; `request` has what is said of it, and no rows yet."""

    id: str
    by: str
    request: AddRequest
    path: Path
    made: float
    preview: ListPreview


class ListDrafts:
    """The drafts of a running service, in a temporary folder of its own."""

    def __init__(self) -> None:
        self._lock, self._drafts = Lock(), dict[str, ListDraft]()
        self._folder: Path | None = None

    def hand_over(self, desk: Desk, data: IO[bytes], request: AddRequest) -> ListDraft:
        """Keep a list, and say what would come of it; UsageError where it is too large."""
        name = secrets.token_urlsafe(16)
        path = self._place(name)
        try:
            with path.open("w+b") as copy:
                _copy(data, copy)
                added = add_sources(desk, _with_rows(request, copy), dry_run=True)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        draft = ListDraft(name, desk.by, request, path, monotonic(), _preview(added))
        with self._lock:
            self._drafts[name] = draft
            self._forget_old()
        return draft

    def find(self, name: str, by: str) -> ListDraft:
        """A draft of one's own; UsageError where it is gone."""
        draft = self._drafts.get(name)
        if draft is None or draft.by != by or monotonic() - draft.made > KEPT_FOR:
            raise UsageError(GONE)
        return draft

    def add(self, desk: Desk, draft: ListDraft) -> Added:
        """Let it happen, once."""
        with self._lock:
            if self._drafts.pop(draft.id, None) is None:
                raise UsageError(GONE)
        try:
            with draft.path.open("rb") as data:
                return add_sources(desk, _with_rows(draft.request, data))
        finally:
            draft.path.unlink(missing_ok=True)

    def drop(self, draft: ListDraft) -> None:
        """Let nothing happen."""
        with self._lock:
            self._drafts.pop(draft.id, None)
        draft.path.unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        with self._lock:
            self._folder = self._folder or spare_folder(self, "lists")
            return self._folder / name

    def _forget_old(self) -> None:
        oldest_first = sorted(self._drafts.values(), key=lambda draft: draft.made)
        too_old = [draft for draft in oldest_first if monotonic() - draft.made > KEPT_FOR]
        for draft in {draft.id: draft for draft in (*too_old, *oldest_first[:-MOST_DRAFTS])}.values():
            del self._drafts[draft.id]
            draft.path.unlink(missing_ok=True)


def _with_rows(request: AddRequest, data: IO[bytes]) -> AddRequest:
    data.seek(0)
    return replace(request, rows=given_in_file(data, request.origin))


def _copy(data: IO[bytes], copy: IO[bytes]) -> None:
    size = 0
    while piece := data.read(PIECE):
        size += len(piece)
        if size > LARGEST_LIST:
            raise UsageError(f"The list is larger than {LARGEST_LIST // 1_000_000} MB: hand it over in parts.")
        copy.write(piece)


def _preview(added: Added) -> ListPreview:
    rows: dict[Verdict, list[SourceRow]] = {}
    for row in added.rows:
        first = rows.setdefault(row.verdict, [])
        if len(first) < SHOWN_ROWS:
            first.append(row)
    named = {row.blog for row in rows.get("new", ()) if row.blog}
    blogs = {name: blog for name, blog in added.blogs.items() if name in named}
    return ListPreview(added.verdicts, {verdict: tuple(first) for verdict, first in rows.items()}, blogs)
