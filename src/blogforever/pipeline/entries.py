"""What a feed or an API says of a post: read, cut to its facts, completed by another source, compared over time."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from blogforever.discover.feed import parse_feed
from blogforever.dom import parse, stated_charset, tokenise
from blogforever.errors import FeedError
from blogforever.logs import logger
from blogforever.model import Entry, Feed, Moment, Page
from blogforever.urls import is_http, mark_of, page_key, with_mark, without_mark

# How many times as long the text of another source must be to take an entry's place: else it is the
# same, retold.
MUCH_LONGER = 1.5
DIGEST_LENGTH = 16
log = logger("entries")


def as_feed(page: Page) -> Feed | None:
    """The feed in a response, if there is one: those of its entries that have a page."""
    try:
        feed = parse_feed(page.content, page.url, stated_charset(page.headers))
    except FeedError as error:
        log.debug("%s is no feed: %s", page.url, error)
        return None
    with_page = tuple(entry for entry in feed.entries if is_http(entry.url))
    return replace(feed, entries=with_page, pageless=feed.pageless + len(feed.entries) - len(with_page))


def without_text(entry: Entry) -> Entry:
    """The facts of an entry."""
    return replace(entry, html="", summary_html="") if entry.html or entry.summary_html else entry


def shared_pages(entries: Iterable[Entry]) -> dict[str, int]:
    """The pages on which several entries lie, told apart by what stands after #: by key, how many
    do.
    """
    marks: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if mark := entry.extra.get("fragment"):
            marks[page_key(entry.url)].add(mark)
    return {key: len(found) for key, found in marks.items() if len(found) > 1}


def with_marks(feed: Feed, shares: bool = False) -> Feed:
    """A feed whose entries have what stands after # in their addresses, where it tells posts apart
    that share a page.

    Where some do, or the blog is known to have such pages (`shares`), and most have such a mark,
    all of them are meant.
    """
    shared = shared_pages(feed.entries)
    if not (shared or shares):
        return feed
    marked = sum("fragment" in entry.extra for entry in feed.entries)
    everywhere = shares or 2 * marked > len(feed.entries)
    entries = (_marked(entry) if everywhere or page_key(entry.url) in shared else entry for entry in feed.entries)
    return replace(feed, entries=tuple(entries))


def _marked(entry: Entry) -> Entry:
    url = with_mark(entry.url, entry.extra.get("fragment", ""))
    return replace(entry, url=url) if mark_of(url) else entry


def without_marks(feed: Feed) -> Feed:
    """A feed whose entries name pages: nobody knows where on these they stand."""
    named = {page_key(entry.url): only_named(entry) if mark_of(entry.url) else entry for entry in feed.entries}
    return replace(feed, entries=tuple(named.values()))


def only_named(entry: Entry) -> Entry:
    """That there is an entry, and nothing of what it says: on a page that others share, it speaks
    of a part.
    """
    return Entry(without_mark(entry.url))


def completed(entry: Entry, other: Entry) -> Entry:
    """An entry with what another source knows better: a text it only begins, names and dates it
    leaves out.
    """
    only_begun = len(other.html) > MUCH_LONGER * len(entry.html)
    return replace(
        entry,
        title=entry.title or other.title,
        authors=entry.authors or other.authors,
        published=entry.published or other.published,
        updated=entry.updated or other.updated,
        html=other.html if only_begun else entry.html,
        summary_html=entry.summary_html or other.summary_html,
        tags=entry.tags or other.tags,
        extra={**other.extra, **entry.extra},
    )


def words_told(entry: Entry) -> list[str]:
    """The words that the feed has of a post, or of its beginning."""
    return tokenise(parse(entry.html or entry.summary_html).text())


def entry_digest(entry: Entry) -> str:
    """Changes when the feed says something else about a post: its words first, then who, when and
    under which tags.

    How many comments it has does not count.
    """
    text = " ".join(words_told(entry))
    names = [author.name for author in entry.authors]
    facts = (*sorted(names), entry.published.iso if entry.published else "", *sorted(entry.tags))
    return "-".join(map(_digest, [(str(entry.title), text), facts]))


def says_anew(entry: Entry, kept: str) -> bool:
    """Whether an entry says something else than when this was written down; former versions kept
    its words only.
    """
    return entry_digest(entry)[: len(kept)] != kept


def _digest(said: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(said).encode(errors="replace")).hexdigest()[:DIGEST_LENGTH]


def stated_change(entry: Entry | None, lastmod: str | None) -> str | None:
    """When the blog says a post was last changed: its sitemap's or API's word, else its feed's."""
    updated: Moment | None = entry.updated if entry else None
    return lastmod or (updated.iso if updated else None)
