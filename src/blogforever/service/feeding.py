"""A search as a feed: the newest posts that it finds, for whoever reads feeds."""

from __future__ import annotations

import hashlib

from blogforever import clock
from blogforever.export.feed import MEDIA_TYPE, FeedEntry, FeedHead, atom_feed
from blogforever.records import PostRecord, read_post
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder

from .browsing import search_posts
from .reading import title_of, titles_of

FEED_TYPE = f"{MEDIA_TYPE}; charset=utf-8"
# Entries of a feed.
ENTRIES = 50


def feed_of_search(archive: ArchiveFolder, search: PostSearch, own: tuple[str, str, str]) -> str:
    """The feed; `own` is our origin, with the paths of the feed and of the page that shows the
    same.
    """
    here, feed, page = own
    records = [read_post(line) for line in search_posts(archive, search, False, limit=ENTRIES).lines]
    titles = titles_of(archive, {record.blog for record in records})
    name = hashlib.sha256(feed.encode()).hexdigest()[:16]
    head = FeedHead(f"urn:blogforever:search:{name}", _title(archive, search), here + feed, here + page, _last(records))
    return atom_feed(head, (FeedEntry(one, titles[one.blog], f"{here}/posts/{one.id}") for one in records))


def _last(records: list[PostRecord]) -> str:
    """When the newest of them came; now, where there is none."""
    return next((record.published for record in records if record.published), None) or clock.stamp()


def _title(archive: ArchiveFolder, search: PostSearch) -> str:
    blog = title_of(archive, search.blog) if search.blog else ""
    parts = (search.words, blog, search.list, search.author, *search.tags, search.language, *search.unusual)
    return " · ".join(["BlogForever", *(part for part in parts if part)])
