"""What became of posts: their versions, how they stand, where they moved. The same seam as `tables.py`."""

from __future__ import annotations

from typing import Protocol

from blogforever.records import PostRecord

from .values import (
    BeforeMove,
    CheckedPost,
    CheckRow,
    Edit,
    ExtractionRow,
    MoveRow,
    Name,
    PostRow,
    SightingRow,
    VersionRow,
)


class VersionTable(Protocol):
    """What authors made of their posts, number by number, and when we came to read it otherwise."""

    def of(self, post: str) -> list[VersionRow]:
        """The versions of a post, oldest first."""

    def record(self, post: str, number: int) -> PostRecord | None:
        """The record of one version of a post."""

    def first_run(self, post: str) -> int:
        """The run that found a post; 0 where none did."""

    def add_extraction(self, place: tuple[str, int], rules: int | None, digest: str, reason: str, when: str) -> None:
        """A version of a post reads otherwise now, though nobody edited it."""

    def extractions(self, post: str) -> list[ExtractionRow]:
        """When and why a post came to read otherwise though nobody edited it."""


class CheckTable(Protocol):
    """How each post stands, and what was seen of it."""

    def keep(self, check: CheckRow) -> None:
        """How a post stands now that was looked at and stays as it is."""

    def of_blog(self, blog: str) -> dict[str, CheckedPost]:
        """How each post of a blog stands, by its id."""

    def find(self, post: str) -> CheckRow | None:
        """How a post stands."""

    def sightings_of(self, post: str) -> list[SightingRow]:
        """The looks at a post that did not simply find it, oldest first."""

    def add_sighting(self, sighting: SightingRow) -> None:
        """What was found at one look."""

    def sightings(self, blog: str) -> dict[str, list[SightingRow]]:
        """The looks at a blog's posts that did not simply find them, oldest first, by post."""


class MoveTable(Protocol):
    """Where posts and blogs have moved, and what it takes to undo that."""

    def add(self, move: MoveRow) -> None:
        """A post, or the blog itself, was found under another address."""

    def of_blog(self, blog: str) -> list[MoveRow]:
        """Where posts of a blog, and the blog itself, have moved, in
        order; with what was kept of them before.
        """

    def of_post(self, post: str) -> list[MoveRow]:
        """Where a post has moved, in order."""

    def before(self, post: str) -> BeforeMove:
        """What there is of a post now, to be kept with its move."""

    def rename(self, name: Name, since: MoveRow | None, edit: Edit) -> None:
        """Give a post's rows, or those `since` a move, to another
        post; every record goes through `edit`.
        """

    def put_back(self, post: PostRow, check: CheckRow | None) -> None:
        """A post's row, and that of its check, as they once were; its
        newest version is in the row again.
        """

    def add_first(self, record: PostRecord, row: PostRow, run: int) -> None:
        """The first version of a post that was found with no edit in
        this run, beside those that came after it.
        """
