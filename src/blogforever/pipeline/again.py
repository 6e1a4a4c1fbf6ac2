"""A kept post read again with other rules: a new reading of the same bytes, never a new version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from blogforever.comments import answered_post
from blogforever.extract.sharedpage import page_of
from blogforever.model import Entry, Page
from blogforever.protocols import Ref
from blogforever.records import ExtraRecord, MediaRecord, PostRecord, SourceRecord, page_fields
from blogforever.urls import page_key, part_of

from .entries import as_feed
from .gathering import Extra
from .reading import Reading, read_page
from .record import cut_since, with_told

READ = page_fields()
"""What a page says of a post; everything else of a record is not ours to read again."""

_NOWHERE = Ref("", 0)


def read_again(
    old: PostRecord,
    page: Page,
    reading: Reading,
    entry: Entry | None,
    more: Iterable[tuple[SourceRecord, Page]] = (),
) -> PostRecord:
    """The record with its fields as they are read now; `more` are the other responses its comments
    came from.
    """
    others = [(_extra(source, other), other) for source, other in more if not _is_the_page(source, old)]
    own = page_of(page, old.url, reading.shared)
    fresh = read_page(own, reading, entry, others, old.blog).record
    if reading.comments is None:
        fresh = structs.replace(fresh, comments=old.comments)
    record = structs.replace(
        old,
        **{name: getattr(fresh, name) for name in READ},
        provenance=fresh.provenance,
        extra=_with_extra(old.extra, fresh.extra, reads_comments=reading.comments is not None),
        guid=fresh.guid or old.guid,
        native_id=fresh.native_id or old.native_id,
    )
    record = with_told(record, old)
    return structs.replace(record, media=_with_files(record.media, old.media))


def differences(old: PostRecord, new: PostRecord) -> Iterator[tuple[str, Any, Any]]:
    """The fields that read otherwise, with both readings."""
    for name in READ:
        before, after = getattr(old, name), getattr(new, name)
        if (before or None) != (after or None):
            yield name, before, after


def _is_the_page(source: SourceRecord, old: PostRecord) -> bool:
    """Whether this is the page as it came, of a post that was read from what a browser drew."""
    return source.role == "page" and page_key(source.url) == page_key(old.url)


def _extra(source: SourceRecord, page: Page) -> Extra:
    if source.role == "api":
        return Extra("api", page.url, _NOWHERE)
    if source.role != "feed":
        further = source.role == "page" and part_of(page.url) is not None
        return Extra("part" if further else "page", page.url, _NOWHERE)
    feed = as_feed(page)
    posts = {answered_post(entry) for entry in feed.entries} if feed else set()
    return Extra("blog" if len(posts) > 1 else "feed", page.url, _NOWHERE)


def _with_extra(old: ExtraRecord, fresh: ExtraRecord, *, reads_comments: bool) -> ExtraRecord:
    """What is read now, and what was known before and is not read."""
    read_now = {name: value for name, value in structs.asdict(fresh).items() if value}
    read_now["cut"] = cut_since(old, fresh, reads_comments=reads_comments)
    return structs.replace(old, **read_now)


def _with_files(media: Iterable[MediaRecord], before: Iterable[MediaRecord]) -> tuple[MediaRecord, ...]:
    """Which files are kept does not depend on rules."""
    known = {item.url: item for item in before}
    return tuple(_with_file(item, known[item.url]) if item.url in known else item for item in media)


def _with_file(item: MediaRecord, kept: MediaRecord) -> MediaRecord:
    return structs.replace(
        item,
        sha256=item.sha256 or kept.sha256,
        path=item.path or kept.path,
        type=item.type or kept.type,
    )
