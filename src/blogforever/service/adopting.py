"""Blogs that were crawled by hand, as the service lists them: they rest until somebody wants them followed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from blogforever import clock
from blogforever.records import BlogRecord
from blogforever.storage.deciding import BatchAdded
from blogforever.storage.following import FollowedBlog, SourceBatch, SourceRow
from blogforever.storage.tables import Store
from blogforever.store.followingjournal import DECISIONS
from blogforever.wording import N_

from .desk import Desk, new_id, opened_desk
from .following import how_complete

BY_HAND = N_("it was crawled by hand, and nobody follows it; resume it to have it followed")
ORIGIN = "crawl"


def adopt_crawled(folder: Path, blogs: Iterable[str], by: str = "") -> None:
    """List what a person has crawled, where there is a service that lists blogs."""
    names = list(blogs)
    if names and has_service(folder):
        with opened_desk(folder, by) as desk:
            adopt(desk, names)


def adopt_all(folder: Path, desk: Desk) -> None:
    """List what is in an archive that no service has known before.

    Later on every crawl does that for itself: a blog that is being harvested for the first time is
    in the archive before the service knows it there, and must not be taken for one of a person's.
    """
    if not has_service(folder):
        adopt(desk, desk.store.blogs.addresses())


def has_service(folder: Path) -> bool:
    """Whether anybody ever decided what is followed in an archive."""
    return (folder / DECISIONS).is_file()


def adopt(desk: Desk, blogs: Iterable[str]) -> None:
    """List those of these blogs that the service does not know."""
    records = [record for name in dict.fromkeys(blogs) if (record := _unknown(desk.store, name))]
    if not records:
        return
    now = clock.stamp()
    batch = SourceBatch(new_id(), now, desk.by, ORIGIN)
    made = tuple(_resting(record, now) for record in records)
    rows = tuple(_row(batch.id, number, blog) for number, blog in enumerate(made, 1))
    desk.decide(BatchAdded(at=now, by=desk.by, batch=batch, rows=rows, blogs=made))


def _unknown(store: Store, name: str) -> BlogRecord | None:
    """The record of a blog of the archive that nobody follows, under this name or another."""
    record = store.blogs.find(name)
    if record is None or not record.url:
        return None
    is_known = store.followed.find(name) or store.followed.in_archive(name) or store.followed.known([record.url])
    return None if is_known else record


def _resting(record: BlogRecord, now: str) -> FollowedBlog:
    return FollowedBlog(
        record.id,
        record.url,
        now,
        record.id,
        record.title or "",
        state="paused",
        reason=BY_HAND,
        paused=True,
        total=record.posts,
        **how_complete(record.completeness),
    )


def _row(batch: str, number: int, blog: FollowedBlog) -> SourceRow:
    return SourceRow(batch, number, blog.url, blog.url, "new", blog.id, BY_HAND, made=True)
