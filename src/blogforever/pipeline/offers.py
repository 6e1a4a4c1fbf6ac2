"""What the blog offers: its feeds with their older pages, robots.txt and sitemaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever import dom
from blogforever.discover.feed import parse_feed
from blogforever.discover.feedlinks import best_feed, feed_links, is_comment_feed, probe_urls
from blogforever.discover.sitemap import parse_sitemap, sitemaps_in_robots
from blogforever.errors import FeedError
from blogforever.logs import logger
from blogforever.model import Feed, Page
from blogforever.protocols import Ask
from blogforever.urls import join, site_root, url_key

SITEMAPS = ("sitemap.xml", "sitemap_index.xml", "wp-sitemap.xml", "sitemap-index.xml", "sitemap.txt", "sitemap.xml.gz")
MAX_FEEDS = 6
PROBES_AT_ONCE = 8
MAX_SITEMAPS = 200
MAX_FEED_PAGES = 300
BLOGGER_FEED = re.compile(r"/feeds/posts/(?:default|summary)/?$")
log = logger("offers")


class Offers:
    """Collects feeds and sitemaps; says what to ask for next to know them all."""

    def __init__(self) -> None:
        self.feed: Feed | None = None
        self.feeds: list[Feed] = []
        self.sitemaps: list[str] = []
        self.sitemap_urls: dict[str, str] = {}
        self._sitemaps_asked: set[str] = set()
        self._feeds_asked: set[str] = set()
        self._probes: Iterator[str] = iter(())
        self._pages = 0

    def ask_for(self, url: str, page: Page | None) -> list[Ask]:
        """Requests for the feeds a home page names, for robots.txt and for sitemaps."""
        links = feed_links(page) if page else []
        chosen = [link for link in links if link.role == "posts"][:MAX_FEEDS] or links[:2]
        named = {link.url for link in chosen}
        self._probes = iter([probe for probe in probe_urls(url) if probe not in named])
        root = site_root(url)
        asks = self._ask_feeds([link.url for link in chosen], url)
        asks.append(Ask(f"{root}robots.txt", "robots", 14, url))
        for base in dict.fromkeys((join(url, "./") or root, root)):
            asks += self._ask_sitemaps([f"{base}{name}" for name in SITEMAPS], url)
        return asks

    def feeds_named(self, page: Page) -> list[Ask]:
        """Requests for the post feeds that another page than the home page names."""
        named = [link.url for link in feed_links(page) if link.role == "posts"]
        return self._ask_feeds(named[:2], page.url)

    def feed_failed(self, ask: Ask) -> list[Ask]:
        """Mirrors name the file /feed/index.html where the blog has /feed/."""
        folder, slash, name = ask.url.rpartition("/")
        return self._ask_feeds([folder + slash], ask.via) if name.startswith("index.") else []

    def probe(self) -> list[Ask]:
        """A few more addresses where feeds usually lie."""
        return self._ask_feeds(list(islice(self._probes, PROBES_AT_ONCE)), None)

    def read_robots(self, page: Page) -> list[Ask]:
        """The sitemaps robots.txt names."""
        return self._ask_sitemaps(sitemaps_in_robots(dom.decode(page.content, page.headers), page.url), page.url)

    def read_sitemap(self, page: Page) -> list[Ask]:
        """Remember its pages, ask for its sitemaps."""
        sitemap = parse_sitemap(page.content, page.url)
        if sitemap.urls or sitemap.sitemaps:
            self.sitemaps.append(page.url)
        for place in sitemap.urls:
            self.sitemap_urls.setdefault(place.url, page.url)
        return self._ask_sitemaps([place.url for place in sitemap.sitemaps], page.url)

    def read_feed(self, page: Page) -> list[Ask]:
        """A feed among others before one is chosen; after it, an older page of the chosen one."""
        feed = as_feed(page)
        if feed is None:
            return []
        if self.feed is None:
            self.feeds.append(feed)
            return []
        known = {url_key(entry.url) for entry in self.feed.entries}
        new = tuple(entry for entry in feed.entries if url_key(entry.url) not in known)
        if not new or is_comment_feed(feed):
            return []
        self.feed = replace(self.feed, entries=(*self.feed.entries, *new))
        return self.older(feed)

    def choose(self, root: str) -> Feed | None:
        """The feed that says most about the blog's posts."""
        self.feed = best_feed(self.feeds, root)
        return self.feed

    def older(self, feed: Feed) -> list[Ask]:
        """The page of the feed with older entries, where it says or its platform implies where that is."""
        self._pages += 1
        following = feed.next_url or next_feed_page(feed)
        return [Ask(following, "feed", 12, feed.url)] if following and self._pages < MAX_FEED_PAGES else []

    def _ask_feeds(self, urls: list[str], via: str | None) -> list[Ask]:
        new = [url for url in urls if url not in self._feeds_asked]
        self._feeds_asked.update(new)
        return [Ask(url, "feed", 15, via) for url in new]

    def _ask_sitemaps(self, urls: list[str], via: str) -> list[Ask]:
        new = [url for url in dict.fromkeys(urls) if url not in self._sitemaps_asked]
        new = new[: MAX_SITEMAPS - len(self._sitemaps_asked)]
        self._sitemaps_asked.update(new)
        return [Ask(url, "sitemap", 13, via) for url in new]


def as_feed(page: Page) -> Feed | None:
    """The feed in a response, if there is one."""
    try:
        return parse_feed(page.content, page.url)
    except FeedError as error:
        log.debug("%s is no feed: %s", page.url, error)
        return None


def next_feed_page(feed: Feed) -> str | None:
    """Where WordPress and Blogger keep the older entries of a feed; None for the rest."""
    parts = urlsplit(feed.url)
    query = dict(parse_qsl(parts.query))
    generator = (feed.generator or "").lower()
    if "blogger" in generator or BLOGGER_FEED.search(parts.path):
        query["start-index"] = str(int(query.get("start-index", "1")) + len(feed.entries))
    elif "wordpress" in generator:
        query["paged"] = str(int(query.get("paged", "1")) + 1)
    else:
        return None
    return urlunsplit(parts._replace(query=urlencode(query)))
