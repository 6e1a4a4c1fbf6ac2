"""What a blog announces today: its feed, its sitemaps, its API, its comment feed; read into values for an update."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from blogforever.discover.feedlinks import is_comment_feed
from blogforever.discover.sitemap import is_post_sitemap, parse_sitemap
from blogforever.discover.wordpress import parse_posts
from blogforever.dom import parse, tokenise
from blogforever.model import Entry, Feed, Moment, Page
from blogforever.urls import url_key

from .offers import FEED, MOST_ENTRIES, SITEMAP, as_feed
from .sitemaps import SitemapWalk

API = "API"
COMMENT_PAGE = re.compile(r"/comment-page-\d+$|/amp$")


@dataclass(slots=True)
class News:
    """The announcements of one day, gathered from the answers."""

    feeds: list[Feed] = field(default_factory=list)
    comments: list[Feed] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    changed: dict[str, Entry] = field(default_factory=dict)
    """The posts the API says have changed, by key."""
    places: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """What the sitemaps list, by key: address and date of change."""
    post_places: set[str] = field(default_factory=set)
    told_by: dict[str, dict[str, str]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    sitemaps: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """How many comments a hosted system has of posts, by their ids."""
    bounds: list[str] = field(default_factory=list)
    """What was not looked at, because there was too much of it."""
    walk: SitemapWalk = field(init=False)

    def __post_init__(self) -> None:
        self.walk = SitemapWalk(self.bounds)

    @property
    def feed(self) -> Feed | None:
        """The blog's feed."""
        return next((feed for feed in self.feeds if feed.entries), self.feeds[0] if self.feeds else None)

    @property
    def announced(self) -> dict[str, dict[str, str]]:
        """Who announces which posts."""
        return self.told_by

    def entry(self, key: str) -> Entry | None:
        """What feed or API say of the post with this key."""
        return self.entries.get(key) or self.changed.get(key)

    def enclosures(self) -> list[str]:
        """The files the feed carries beside its texts."""
        return [file.url for entry in self.entries.values() for file in entry.enclosures]

    @property
    def sitemap_whole(self) -> bool:
        """Whether every sitemap that was asked for came."""
        return bool(self.places) and SITEMAP not in self.failed

    def read_feed(self, page: Page) -> bool:
        """Read a feed of posts; False where it is none."""
        feed = as_feed(page)
        if feed is None or is_comment_feed(feed):
            return False
        self.feeds.append(feed)
        for entry in feed.entries:
            self.entries.setdefault(url_key(entry.url), entry)
        self._tell(FEED, {url_key(entry.url): entry.url for entry in feed.entries})
        return True

    def read_comments(self, page: Page) -> None:
        """Read the blog's comment feed."""
        if feed := as_feed(page):
            self.comments.append(feed)

    def read_api(self, page: Page) -> int:
        """Read the posts an API says have changed; how many pages it has of them."""
        found = parse_posts(page)
        if found is None:
            self.failed[API] = "no list of posts"
            return 0
        self.changed |= {url_key(entry.url): entry for entry in found.entries}
        self._tell(API, {key: entry.url for key, entry in self.changed.items()})
        return found.pages or 1

    def read_sitemap(self, page: Page, asked: str) -> list[str]:
        """Read a sitemap; the addresses of those it names that are to be read, too."""
        sitemap = parse_sitemap(page.content, page.url)
        if sitemap.urls or sitemap.sitemaps:
            self.sitemaps.append(page.url)
        posts, before = is_post_sitemap(page.url), len(self.places)
        for place in sitemap.urls[: MOST_ENTRIES - len(self.places)]:
            key = url_key(place.url)
            self.places[key] = (place.url, place.lastmod.iso if place.lastmod else None)
            if posts:
                self.post_places.add(key)
        if sitemap.urls:
            self.walk.note(len(self.places) > before)
        return self.walk.named([place.url for place in sitemap.sitemaps], asked)

    def fail(self, source: str, reason: str) -> None:
        """A source did not answer."""
        self.failed.setdefault(source, reason)

    def _tell(self, source: str, urls: dict[str, str]) -> None:
        self.told_by.setdefault(source, {}).update(urls)

    def comment_posts(self) -> dict[str, list[Entry]]:
        """The comments of the comment feeds by the key of their post."""
        found: dict[str, list[Entry]] = {}
        for feed in self.comments:
            for entry in feed.entries:
                found.setdefault(COMMENT_PAGE.sub("", url_key(entry.url)), []).append(entry)
        return found


def entry_digest(entry: Entry) -> str:
    """Changes when the feed says something else about a post; how many comments it has does not count."""
    text = " ".join(tokenise(parse(entry.html or entry.summary_html).text()))
    return hashlib.sha256(f"{entry.title}\n{text}".encode(errors="replace")).hexdigest()[:16]


def change_told(entry: Entry | None, lastmod: str | None) -> str | None:
    """When the blog says a post was last changed: its sitemap's or API's word, else its feed's."""
    updated: Moment | None = entry.updated if entry else None
    return lastmod or (updated.iso if updated else None)
