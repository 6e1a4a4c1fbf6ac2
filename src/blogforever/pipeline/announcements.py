"""What the blog announces: feeds, API and sitemaps, read in one place, and who announces which
posts.

A crawl wants all of it, from the first post on (`offers`), an update what is new or changed
(`news`): both read it here, and say on top of it what to read next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from blogforever import dom
from blogforever.discover.feedbytes import REST_LEFT
from blogforever.discover.feedlinks import feed_links
from blogforever.discover.sitemap import SitemapUrl, is_post_sitemap, parse_sitemap, sitemaps_in_robots
from blogforever.discover.wordpress import MOST_PAGES, ApiPage, modified_url, parse_posts
from blogforever.model import Entry, Feed, Page
from blogforever.protocols import Ask, Role
from blogforever.urls import url_key

from .entries import as_feed
from .since import Since
from .sitemaps import SitemapWalk

FEED, OLDER, API, SITEMAP = "feed", "older feed pages", "API", "sitemap"
SOURCES: dict[Role, str] = {"feed": FEED, "sitemap": SITEMAP, "api": API}
NO_FEED, NO_POSTS = "no feed", "no list of posts"
MOST_ENTRIES = 200_000
"""Addresses that are kept of what is announced: a server can name pages without end."""
FEED_PRIORITY, SITEMAP_PRIORITY, API_PRIORITY = 15, 13, 12
"""All before the pages of posts: what they say decides which of those are asked for."""
# Feeds that are tried of those that a page names beside the blog's own: one of posts, one in
# another format.
FEEDS_OF_A_PAGE = 2


@dataclass(slots=True)
class Place:
    """An address that sitemaps list: the sitemap that named it first, and when it was changed."""

    url: str
    sitemap: str
    changed: str | None = None
    surely_post: bool = False
    """Whether a sitemap lists it that is said to hold only posts."""


class Announcements(ABC):
    """Reads feeds, API pages and sitemaps, and keeps who announces which posts."""

    def __init__(self, since: Since | None = None) -> None:
        self.since = since or Since()
        self.feeds: list[Feed] = []
        self.sitemaps: list[str] = []
        """The addresses of those that came."""
        self.places: dict[str, Place] = {}
        """What the sitemaps list, by key."""
        self.announced: dict[str, dict[str, str]] = {}
        """The posts each source announces: their addresses by key."""
        self.failures: dict[str, str] = {}
        """Why a source could not be read, the first time it could not."""
        self.bounds: list[str] = []
        """What was not looked at, because there was too much of it."""
        self._sitemap_walk = SitemapWalk(self.bounds)
        self._feeds_asked: set[str] = set()
        self._api_asked: set[str] = set()

    # ------------------------------------------------------------------ answers

    def read(self, page: Page, ask: Ask) -> list[Ask]:
        """A document that announces posts came: what it leads to."""
        if ask.role == "robots":
            return self._read_robots(page)
        if ask.role == "sitemap":
            return self._read_sitemap(page, ask)
        if ask.role == "api":
            return self._read_api(page, ask)
        return self._read_feed(page, ask)

    def failed(self, ask: Ask, reason: str) -> list[Ask]:
        """A document did not come, or was something else."""
        self.failures.setdefault(SOURCES.get(ask.role, ask.role), reason)
        return []

    def _read_feed(self, page: Page, ask: Ask) -> list[Ask]:
        feed = as_feed(page)
        if feed is None:
            return self.failed(ask, NO_FEED)
        if feed.pageless:
            self.bounds.append(f"{feed.pageless:,} entries of the feed {page.url} name no page")
        self.bounds += [f"the feed {page.url}: {said}" for said in feed.problems if said.endswith(REST_LEFT)]
        return self._take_feed(feed, ask)

    def _read_api(self, page: Page, ask: Ask) -> list[Ask]:
        found = parse_posts(page)
        return self._take_posts(found, page) if found else self.failed(ask, NO_POSTS)

    def _read_robots(self, page: Page) -> list[Ask]:
        """The sitemaps robots.txt names."""
        named = sitemaps_in_robots(dom.decode(page.content, page.headers), page.url)
        return self._ask_sitemaps(self._sitemap_walk.promised(named), page.url)

    def _read_sitemap(self, page: Page, ask: Ask) -> list[Ask]:
        """Remember its places, ask for its sitemaps."""
        sitemap = parse_sitemap(page.content, page.url)
        if sitemap.urls or sitemap.sitemaps:
            self.sitemaps.append(page.url)
        if sitemap.cut:
            self.bounds.append(f"the sitemap {page.url} names more, or is longer, than is read")
        if sitemap.ends_early:
            self.bounds.append(f"the sitemap {page.url} breaks off before its end")
        before = len(self.places)
        for listed in sitemap.urls:
            self._note_place(listed, page.url)
        if sitemap.urls:
            self._note_sitemap(brought=len(self.places) > before)
        named = [place.url for place in sitemap.sitemaps]
        return self._ask_sitemaps(self._sitemap_walk.named(named, ask.first), page.url)

    def _note_place(self, listed: SitemapUrl, sitemap: str) -> bool:
        """A sitemap lists an address: whether it is a new one, or is spelled in a new way."""
        key = url_key(listed.url)
        place = self.places.get(key)
        new = place is None or place.url != listed.url
        if place is None:
            if len(self.places) >= MOST_ENTRIES:
                self._say_once(f"the sitemaps name more than {MOST_ENTRIES:,} addresses")
                return False
            place = self.places[key] = Place(listed.url, sitemap)
        place.surely_post = place.surely_post or is_post_sitemap(sitemap)
        if listed.lastmod:
            place.changed = listed.lastmod.iso
            self.since.note(listed.url, place.changed)
        return new

    def _say_once(self, bound: str) -> None:
        if bound not in self.bounds:
            self.bounds.append(bound)

    def _api_numbers(self, first: int, pages: int) -> range:
        """The pages of the API to be asked for; that they are too many is said."""
        if pages > MOST_PAGES:
            self._say_once(f"the API has {pages:,} pages, and {MOST_PAGES:,} of them are read")
        return range(first, min(pages, MOST_PAGES) + 1)

    def _note_sitemap(self, brought: bool) -> None:
        """A sitemap came or did not: did it bring a place that was not known?"""
        self._sitemap_walk.note(brought)

    def _announce(self, source: str, entries: Iterable[Entry]) -> None:
        """This source announces these posts."""
        urls = self.announced.setdefault(source, {})
        for entry in entries:
            self.since.note_entry(entry)
            urls.setdefault(url_key(entry.url), entry.url)

    # ------------------------------------------------------------------ what is known

    def lastmod(self, keys: Iterable[str]) -> str | None:
        """When the sitemaps say that the post with these keys was changed."""
        places = (self.places[key] for key in keys if key in self.places)
        return next((place.changed for place in places if place.changed), None)

    def lastmods(self) -> dict[str, str]:
        """When the sitemaps say that places were changed, by their keys."""
        return {key: place.changed for key, place in self.places.items() if place.changed}

    # ------------------------------------------------------------------ what to ask for

    def feeds_named(self, page: Page) -> list[Ask]:
        """Requests for the post feeds that a page names."""
        named = [link.url for link in feed_links(page) if link.role == "posts"]
        return self._ask_feeds(named[:FEEDS_OF_A_PAGE], page.url)

    def _ask_feeds(self, urls: Iterable[str], via: str | None, priority: int = FEED_PRIORITY) -> list[Ask]:
        new = [url for url in urls if url not in self._feeds_asked]
        self._feeds_asked.update(new)
        return [Ask(url, "feed", priority, via) for url in new]

    def _ask_api(self, urls: Iterable[str], via: str | None) -> list[Ask]:
        new = [url for url in urls if url not in self._api_asked]
        self._api_asked.update(new)
        return [Ask(url, "api", API_PRIORITY, via) for url in new]

    def _ask_changed(self, api: str, since: datetime, pages: int, via: str | None) -> list[Ask]:
        """Only what was changed since a day, which is what was published since, too."""
        numbers = self._api_numbers(1, pages)
        return self._ask_api([modified_url(api, since, number) for number in numbers], via)

    def _ask_sitemaps(self, urls: list[str], via: str | None) -> list[Ask]:
        # Where there are many, those of posts come first.
        posts_first = sorted(urls, key=lambda url: not is_post_sitemap(url))
        return [Ask(url, "sitemap", SITEMAP_PRIORITY, via) for url in posts_first]

    # ------------------------------------------------------------------ what crawl and update say

    @abstractmethod
    def _take_feed(self, feed: Feed, ask: Ask) -> list[Ask]:
        """A feed came."""

    @abstractmethod
    def _take_posts(self, api_page: ApiPage, page: Page) -> list[Ask]:
        """A page of the API's posts came."""
