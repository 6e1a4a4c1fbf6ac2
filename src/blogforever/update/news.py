"""What an update reads of the announcements: what is new, changed or commented on since it was last looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from blogforever.discover.feedlinks import is_comment_feed
from blogforever.discover.olderpages import older_pages
from blogforever.discover.wordpress import ApiPage
from blogforever.model import Entry, Feed, Page
from blogforever.pipeline.announcements import API, FEED, FEED_PRIORITY, NO_FEED, SITEMAP, Announcements
from blogforever.pipeline.entries import as_feed, stated_change, with_marks
from blogforever.pipeline.since import Since
from blogforever.protocols import Ask
from blogforever.urls import url_key

from .remembered import Remembered

COMMENT_PAGE = re.compile(r"/comment-page-\d+$|/amp$")
# Older pages of the feed that are read: an update that finds nothing it knows on so many walks
# instead.
MOST_OLDER = 50
Reach = Literal["everything", "feed", "comments"]
"""How much is asked for: all announcements, the feed of posts alone, or the comment feed alone."""


class News(Announcements):
    """The announcements of one day, gathered from the answers."""

    def __init__(self, since: Since | None = None, shares: bool = False) -> None:
        super().__init__(since)
        self._shares = shares
        self.comments: list[Feed] = []
        self.entries: dict[str, Entry] = {}
        self.changed: dict[str, Entry] = {}
        """The posts the API says have changed, by key."""
        self.counts: dict[str, int] = {}
        """How many comments a hosted system has of posts, by their ids."""
        self.linked: set[str] = set()
        """The keys of the posts that the home page links to, where it is the only list."""
        self.left: tuple[Ask, ...] = ()
        """What a brief look leaves for a later one."""
        self._api: tuple[str, datetime] | None = None
        self._older = 0

    @property
    def feed(self) -> Feed | None:
        """The blog's feed."""
        return next((feed for feed in self.feeds if feed.entries), self.feeds[0] if self.feeds else None)

    @property
    def sitemap_whole(self) -> bool:
        """Whether every sitemap that was asked for came."""
        return bool(self.places) and SITEMAP not in self.failures

    def entry(self, key: str) -> Entry | None:
        """What feed or API say of the post with this key."""
        return self.entries.get(key) or self.changed.get(key)

    def all_entries(self) -> dict[str, Entry]:
        """What feed and API say, by key; where both speak of a post, the feed's word."""
        return self.changed | self.entries

    def stated_change(self, entry: Entry | None, keys: Iterable[str]) -> str | None:
        """When the blog says that a post was last changed; nothing where its sitemaps were left for
        later.

        Their word counts before the feed's, and where the two differ, each would be news after the
        other.
        """
        sitemaps_left = any(ask.role == "sitemap" for ask in self.left)
        return None if sitemaps_left else stated_change(entry, self.lastmod(keys))

    def names(self, key: str) -> bool:
        """Whether the feed, a sitemap or, where it is the only list, the home page names the post with this key."""
        return key in self.entries or key in self.places or key in self.linked

    def enclosures(self) -> list[str]:
        """The files the feed carries beside its texts."""
        return [file.url for entry in self.entries.values() for file in entry.enclosures]

    def comment_posts(self) -> dict[str, list[Entry]]:
        """The comments of the comment feeds by the key of their post."""
        found: dict[str, list[Entry]] = {}
        for feed in self.comments:
            for entry in feed.entries:
                found.setdefault(COMMENT_PAGE.sub("", url_key(entry.url)), []).append(entry)
        return found

    # ------------------------------------------------------------------ what to ask for

    def ask_for(self, remembered: Remembered, since: datetime | None, reach: Reach = "everything") -> list[Ask]:
        """Requests for what announced posts before: feed, sitemaps, comment feed, and what the API
        changed since. A look that asks for the feed alone leaves the rest for later.
        """
        comments = [Ask(url, "comments", FEED_PRIORITY) for url in remembered.comment_feeds[:1]]
        if reach == "comments":
            return comments
        self._sitemap_walk.known(remembered.sitemaps)
        feeds = self._ask_feeds(remembered.feeds[:1], None)
        rest = self._ask_sitemaps(list(remembered.sitemaps), None)
        rest += comments
        if remembered.api and since:
            self._api = (remembered.api, since)
            rest += self._ask_changed(remembered.api, since, 1, None)
        if reach == "everything" or not feeds:
            return feeds + rest
        self.left = tuple(rest)
        return feeds

    def ask_for_rest(self) -> list[Ask]:
        """What a brief look has left for later: the feed alone does not tell enough."""
        rest, self.left = list(self.left), ()
        return rest

    def older(self, feed: Feed, platform: str) -> list[Ask]:
        """The page of the feed with older entries."""
        if self._older >= MOST_OLDER:
            return []
        self._older += 1
        return self._ask_feeds(older_pages(feed, platform)[:1], feed.url)

    # ------------------------------------------------------------------ answers

    def read_comments(self, page: Page) -> None:
        """Read the blog's comment feed."""
        if feed := as_feed(page):
            self.comments.append(feed)

    def _take_feed(self, feed: Feed, ask: Ask) -> list[Ask]:
        if is_comment_feed(feed):
            return self.failed(ask, NO_FEED)
        if self._shares:
            feed = with_marks(feed, shares=True)
        self.feeds.append(feed)
        for entry in feed.entries:
            self.entries.setdefault(url_key(entry.url), entry)
        self._announce(FEED, feed.entries)
        return []

    def _take_posts(self, api_page: ApiPage, page: Page) -> list[Ask]:
        self.changed |= {url_key(entry.url): entry for entry in api_page.entries}
        self._announce(API, api_page.entries)
        return self._ask_changed(*self._api, api_page.pages or 1, page.url) if self._api else []
