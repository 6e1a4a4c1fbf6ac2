"""The posts of a blog beside one: who reads a blog goes on from post to post."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from blogforever.dates import moment_key
from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import PostLine, PostPlace, PostQuery
from blogforever.store.folder import ArchiveFolder

# Hidden posts in a row that are passed over; behind more of them the way ends.
MOST_HIDDEN = 5


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The next older and the next newer post of the same blog, where there are some to show."""

    older: PostRecord | None = None
    newer: PostRecord | None = None


def neighbours_of(archive: ArchiveFolder, record: PostRecord) -> Neighbours:
    """What stands beside a post in its blog, in the order of time."""
    posts = archive.store.posts

    def before(place: PostPlace) -> PostLine | None:
        return next(iter(posts.page(PostQuery(blog=record.blog, after=place, limit=1)).items), None)

    def after(place: PostPlace) -> PostLine | None:
        return posts.following(record.blog, place)

    return Neighbours(_first_shown(archive, record, before), _first_shown(archive, record, after))


def _first_shown(
    archive: ArchiveFolder, record: PostRecord, step: Callable[[PostPlace], PostLine | None]
) -> PostRecord | None:
    """The first post in a direction that nobody has hidden."""
    here = record
    for _ in range(MOST_HIDDEN):
        line = step(PostPlace(moment_key(here.published), here.id))
        if line is None:
            return None
        here = read_post(line.line)
        if shown := archive.veil.post(here):
            return shown
    return None
