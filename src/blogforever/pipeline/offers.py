"""What the blog offers: feeds with their older pages, an API, robots.txt, sitemaps; and who announces which posts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice

from blogforever import dom
from blogforever.discover.feed import parse_feed
from blogforever.discover.feedlinks import (
    FeedLink,
    best_feed,
    feed_links,
    is_comment_feed,
    probe_urls,
    usual_comment_feed,
)
from blogforever.discover.olderpages import older_pages
from blogforever.discover.platform import detect_platform
from blogforever.discover.sitemap import is_post_sitemap, parse_sitemap, sitemaps_in_robots
from blogforever.discover.wordpress import (
    MOST_PAGES,
    PER_PAGE,
    ApiPage,
    api_addresses,
    modified_url,
    page_url,
    parse_posts,
)
from blogforever.discover.wpcomments import comments_url
from blogforever.errors import FeedError
from blogforever.logs import logger
from blogforever.model import Entry, Feed, Page
from blogforever.protocols import Ask, Role
from blogforever.urls import join, site_root, url_key

from .since import Since
from .sitemaps import MAX_SITEMAPS, SitemapWalk
from .sources import VAIN, spread

SITEMAPS = ("sitemap.xml", "sitemap_index.xml", "wp-sitemap.xml", "sitemap-index.xml", "sitemap.txt", "sitemap.xml.gz")
MAX_FEEDS = 6
PROBES_AT_ONCE = 8
MAX_FEED_PAGES = 1000
PORTIONS: dict[Role, int] = {"sitemap": 30, "feed": 30, "api": 30}
"""Documents of each kind that are read before the posts they name are asked for, and again before each further step."""
DOCUMENTS: dict[Role, str] = {"sitemap": "sitemaps", "feed": "pages of the feed", "api": "pages of the API"}
MAX_TEXTS = 300
"""Entries whose text is kept for learning; of older ones the facts are."""
MOST_ENTRIES = 200_000
END_OF_LIST = frozenset({"status 404", "status 400", "status 410"})
FEED, OLDER, API, SITEMAP = "feed", "older feed pages", "API", "sitemap"
log = logger("offers")


class Portion:
    """Requests for documents of one kind, so many at a time: the others wait until the posts named so far came."""

    def __init__(self, size: int) -> None:
        self._size = self._room = size
        self._waiting: deque[Ask] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def admitted(self, asks: Iterable[Ask]) -> list[Ask]:
        """Those that can be asked for now."""
        self._waiting.extend(asks)
        now = [self._waiting.popleft() for _ in range(min(self._room, len(self._waiting)))]
        self._room -= len(now)
        return now

    def more(self) -> list[Ask]:
        """The next ones."""
        self._room = self._size
        return self.admitted(())

    def spread(self) -> None:
        """Take the next ones from all over the waiting."""
        self._waiting = deque(spread(self._waiting))

    def drop(self) -> int:
        """Forget the waiting; how many these were."""
        left = len(self._waiting)
        self._waiting.clear()
        return left


class Offers:
    """Collects feeds, API pages and sitemaps; says what to ask for next to know them all."""

    def __init__(self, history: bool = True, since: Since | None = None) -> None:
        self.since = since or Since()
        self.feed: Feed | None = None
        self.feeds: list[Feed] = []
        self.links: list[FeedLink] = []
        self.sitemaps: list[str] = []
        self.sitemap_urls: dict[str, str] = {}
        self.lastmods: dict[str, str] = {}
        self.announced: dict[str, dict[str, str]] = {}
        self.api: str | None = None
        self.api_posts: int | None = None
        self.bounds: list[str] = []
        self._history = history
        self._platform = ""
        self._api_entries: list[Entry] = []
        self._api_asked: set[str] = set()
        self._api_others: list[str] = []
        self._walk = SitemapWalk(self.bounds)
        self._sitemaps_named: set[str] = set()
        self._feeds_asked: set[str] = set()
        self._feed_keys: set[str] = set()
        self._older_others: dict[str, list[str]] = {}
        self._probes: Iterator[str] = iter(())
        self._pages = 0
        self._portions = {role: Portion(size if history else MAX_SITEMAPS) for role, size in PORTIONS.items()}
        self._fresh_places: list[tuple[str, str]] = []
        self._fresh_entries: list[Entry] = []

    # ------------------------------------------------------------------ what to ask for

    def enclosures(self) -> list[str]:
        """The files the feed carries beside its texts."""
        return [file.url for entry in (self.feed.entries if self.feed else ()) for file in entry.enclosures]

    def ask_for(self, url: str, page: Page | None) -> list[Ask]:
        """Requests for the feeds a home page names, for its API, for robots.txt and for sitemaps."""
        links = feed_links(page) if page else []
        self.links += [link for link in links if link.url not in {known.url for known in self.links}]
        chosen = [link for link in links if link.role == "posts"][:MAX_FEEDS] or links[:2]
        named = {link.url for link in chosen}
        self._probes = iter([probe for probe in probe_urls(url) if probe not in named])
        root = site_root(url)
        asks = self._ask_feeds([link.url for link in chosen], url)
        asks.append(Ask(f"{root}robots.txt", "robots", 14, url))
        if page:
            platform = detect_platform(dom.parse_page(page), page.headers)
            self._platform = platform.name if platform else self._platform
            asks += self._ask_api(api_addresses(page, join(url, "./") or root), url)
        for base in dict.fromkeys((join(url, "./") or root, root)):
            asks += self._ask_sitemaps(self._walk.new(f"{base}{name}" for name in SITEMAPS), url)
        return asks

    def comment_lists(self) -> tuple[str | None, str | None]:
        """Where all comments of the blog are listed: the feed its home page names or its platform has, the open API."""
        named = next((link.url for link in self.links if link.role == "comments"), None)
        guessed = usual_comment_feed(self._platform, self.feed) if self.feed else None
        return named or guessed, comments_url(self.api) if self.api else None

    def feeds_named(self, page: Page) -> list[Ask]:
        """Requests for the post feeds that another page than the home page names."""
        named = [link.url for link in feed_links(page) if link.role == "posts"]
        return self._ask_feeds(named[:2], page.url)

    def probe(self) -> list[Ask]:
        """A few more addresses where feeds usually lie."""
        return self._ask_feeds(list(islice(self._probes, PROBES_AT_ONCE)), None)

    def failed(self, ask: Ask, reason: str = "") -> list[Ask]:
        """After a feed, an API or a sitemap did not answer: another spelling of it, where there is one."""
        asked = ask.first
        if ask.role == "sitemap":
            if asked in self._sitemaps_named:
                self.bounds.append(f"the sitemap {asked} could not be read ({reason})")
                self._note_sitemap(brought=False)
            return []
        if ask.role == "api":
            others, self._api_others = self._api_others, []
            self._cut_short(self.api, "the API", reason)
            return self._ask_api(others, ask.via) if self.api is None else []
        if asked in self._older_others:
            if others := self._older_others.pop(asked):
                return self._ask_older(others, ask.via)
            self._cut_short(asked, "the feed's older pages", reason)
            return []
        folder, slash, name = ask.url.rpartition("/")
        # Mirrors name the file /feed/index.html where the blog has /feed/.
        return self._ask_feeds([folder + slash], ask.via) if name.startswith("index.") else []

    def _cut_short(self, begun: str | None, what: str, reason: str) -> None:
        """A list that ends says so with a 404; anything else means that there may be more."""
        if begun and reason and reason not in END_OF_LIST:
            self.bounds.append(f"{what} could not be read to the end ({reason})")

    # ------------------------------------------------------------------ answers

    def read_robots(self, page: Page) -> list[Ask]:
        """The sitemaps robots.txt names."""
        named = sitemaps_in_robots(dom.decode(page.content, page.headers), page.url)
        return self._ask_sitemaps(self._walk.new(named), page.url)

    def read_sitemap(self, page: Page, ask: Ask) -> list[Ask]:
        """Remember its pages, ask for its sitemaps."""
        sitemap = parse_sitemap(page.content, page.url)
        if sitemap.urls or sitemap.sitemaps:
            self.sitemaps.append(page.url)
        before = len(self.sitemap_urls)
        for place in sitemap.urls:
            if len(self.sitemap_urls) < MOST_ENTRIES:
                if place.url not in self.sitemap_urls:
                    self.sitemap_urls[place.url] = page.url
                    self._fresh_places.append((place.url, page.url))
                if place.lastmod:
                    self.lastmods[url_key(place.url)] = place.lastmod.iso
                    self.since.note(place.url, place.lastmod.iso)
        if sitemap.urls:
            self._note_sitemap(len(self.sitemap_urls) > before)
        named = [place.url for place in sitemap.sitemaps]
        self._sitemaps_named.update(named)
        return self._ask_sitemaps(self._walk.named(named, ask.first), page.url)

    def _note_sitemap(self, brought: bool) -> None:
        """Many in a row that name no page nobody knew: first others are tried, then none any more."""
        self._walk.note(brought)
        if self._walk.doubtful:
            self._portions["sitemap"].spread()
        if self._walk.vain and (left := self._portions["sitemap"].drop()):
            self._walk.leave(left)

    def read_api(self, page: Page) -> list[Ask]:
        """One page of the API's posts, and requests for the others."""
        found = parse_posts(page)
        if found is None:
            return self.failed(Ask(page.url, "api", via=page.url))
        first = self.api is None
        self.api = self.api or page.url
        if first or not self.since:
            self.api_posts = found.posts if found.posts is not None else self.api_posts
        before = len(self.announced.get(API, ()))
        self._announce(API, found.entries)
        for entry in found.entries:
            kept = entry if len(self._api_entries) < MAX_TEXTS else without_text(entry)
            self._api_entries.append(kept)
        self.add_entries(found.entries)
        if not self._history or not found.entries:
            return []
        if len(self.announced[API]) == before and not self.since:
            if left := self._portions["api"].drop():
                self.bounds.append(f"the API repeats itself, so {left:,} more pages of it were not read")
            return []
        return self._portions["api"].admitted(self._further_api(self.api, found, first, page.url))

    def _further_api(self, api: str, found: ApiPage, first: bool, via: str) -> list[Ask]:
        """Requests for the pages of the API that follow."""
        if self.since.day:
            return self._ask_changed(api, self.since.day, 1 if first else found.pages or 1, via)
        if found.pages is not None:
            numbers = range(2, min(found.pages, MOST_PAGES) + 1) if first else range(0)
            return self._ask_api([page_url(api, number) for number in numbers], via, many=True)
        following = len(self._api_entries) // PER_PAGE + 1
        full = len(found.entries) >= PER_PAGE and following <= MOST_PAGES
        return self._ask_api([page_url(api, following)], via) if full else []

    def _ask_changed(self, api: str, since: datetime, pages: int, via: str) -> list[Ask]:
        """Only what was changed since a day, which is what was published since, too."""
        urls = [modified_url(api, since, number) for number in range(1, min(pages, MOST_PAGES) + 1)]
        return self._ask_api(urls, via, many=True)

    def read_feed(self, page: Page, ask: Ask) -> list[Ask]:
        """A feed among others before one is chosen; after it, an older page of the chosen one."""
        feed = as_feed(page)
        if feed is None:
            return self.failed(ask)
        if self.feed is None:
            self.feeds.append(feed)
            return []
        fresh = [entry for entry in feed.entries if url_key(entry.url) not in self._feed_keys]
        if not fresh or is_comment_feed(feed):
            return self.failed(ask)
        self._announce(OLDER, feed.entries)
        self._feed_keys.update(url_key(entry.url) for entry in fresh)
        self.add_entries(fresh)
        return self.older(feed)

    # ------------------------------------------------------------------ the chosen feed

    def choose(self, root: str) -> Feed | None:
        """The feed that says most about the blog's posts; where there is none, what the API says is one."""
        feed = best_feed(self.feeds, root)
        if feed is None and self._api_entries and self.api:
            feed = Feed(self.api, "json", link=root, generator="WordPress")
        elif feed is not None:
            self._announce(FEED, feed.entries)
            self._feed_keys = {url_key(entry.url) for entry in feed.entries}
        self.feed = feed
        self.add_entries(self._api_entries)
        return self.feed

    def add_entries(self, entries: Iterable[Entry]) -> None:
        """Put further entries behind those of the feed; a known one gets the longer text and what it lacked."""
        if self.feed is None:
            return
        known = {url_key(entry.url): entry for entry in self.feed.entries}
        for entry in entries:
            key = url_key(entry.url)
            if key in known:
                known[key] = completed(known[key], entry)
            elif len(known) < MOST_ENTRIES:
                known[key] = entry if len(known) < MAX_TEXTS else without_text(entry)
                self._fresh_entries.append(known[key])
        self.feed = replace(self.feed, entries=tuple(known.values()))

    def older(self, feed: Feed) -> list[Ask]:
        """The page of the feed with older entries, unless the API has told them all."""
        if self.since.all_older(entry.url for entry in feed.entries):
            return []
        if not self._history or (self._api_told_all() and self._feed_keys <= self.announced[API].keys()):
            return []
        self._pages += 1
        if self._pages >= MAX_FEED_PAGES:
            self.bounds.append(f"the feed has more than {MAX_FEED_PAGES} pages")
            return []
        return self._ask_older(older_pages(feed, self._platform), feed.url)

    def further(self, closed: Callable[[str], bool]) -> list[Ask]:
        """The next documents that tell of posts, when those named so far were asked for; none of a closed source."""
        asks: list[Ask] = []
        for role, portion in self._portions.items():
            if not closed(source_of(role)):
                asks += portion.more()
            elif portion.drop():
                self.bounds.append(
                    f"further {DOCUMENTS[role]} were not read: {VAIN} addresses in a row that they name led nowhere"
                )
        return asks

    def waits(self) -> bool:
        """Whether there are further documents to read."""
        return any(map(len, self._portions.values()))

    def fresh(self) -> tuple[list[Entry], list[tuple[str, str]]]:
        """The entries, and the places of sitemaps with their sitemap, that came since this was last asked."""
        entries, self._fresh_entries = self._fresh_entries, []
        places, self._fresh_places = self._fresh_places, []
        return entries, places

    def is_sitemap(self, url: str | None) -> bool:
        """Whether this is the address of a sitemap."""
        return url in self._walk or url in self.sitemaps

    def post_sitemap_urls(self) -> list[str]:
        """The addresses in sitemaps that are said to hold only posts."""
        return [url for url, via in self.sitemap_urls.items() if is_post_sitemap(via)]

    def tells_history(self) -> bool:
        """Whether some source beside the feed's first page tells of the older posts, too."""
        many = 2 * len(self.announced.get(FEED, ()))
        return (
            self._api_told_all()
            or bool(self.since and self.api)
            or OLDER in self.announced
            or len(self.sitemap_urls) > many
        )

    def _api_told_all(self) -> bool:
        return self.api_posts is not None and len(self.announced.get(API, ())) >= self.api_posts

    # ------------------------------------------------------------------ helpers

    def _announce(self, source: str, entries: Iterable[Entry]) -> None:
        told = self.announced.setdefault(source, {})
        entries = list(entries)
        self.since.note_entries(entries)
        for entry in entries:
            told.setdefault(url_key(entry.url), entry.url)

    def _ask_older(self, urls: list[str], via: str | None) -> list[Ask]:
        if not urls:
            return []
        self._older_others[urls[0]] = urls[1:]
        return self._portions["feed"].admitted(self._ask_feeds(urls[:1], via, 12))

    def _ask_feeds(self, urls: list[str], via: str | None, priority: int = 15) -> list[Ask]:
        new = [url for url in urls if url not in self._feeds_asked]
        self._feeds_asked.update(new)
        return [Ask(url, "feed", priority, via) for url in new]

    def _ask_api(self, urls: list[str], via: str | None, many: bool = False) -> list[Ask]:
        wanted = urls if many else urls[:1]
        if not many:
            self._api_others = urls[1:]
        new = [url for url in wanted if url not in self._api_asked]
        self._api_asked.update(new)
        return [Ask(url, "api", 12, via) for url in new]

    def _ask_sitemaps(self, urls: list[str], via: str) -> list[Ask]:
        # Where there are many, those of posts come first.
        first = sorted(urls, key=lambda url: not is_post_sitemap(url))
        return self._portions["sitemap"].admitted([Ask(url, "sitemap", 13, via) for url in first])


def source_of(role: Role) -> str:
    """Who names the posts that a document of this kind names: all sitemaps are one source, and so are feed and API."""
    return SITEMAP if role == "sitemap" else FEED


def as_feed(page: Page) -> Feed | None:
    """The feed in a response, if there is one."""
    try:
        return parse_feed(page.content, page.url)
    except FeedError as error:
        log.debug("%s is no feed: %s", page.url, error)
        return None


def without_text(entry: Entry) -> Entry:
    """The facts of an entry."""
    return replace(entry, html="", summary_html="") if entry.html or entry.summary_html else entry


def completed(entry: Entry, other: Entry) -> Entry:
    """An entry with what another source knows better: a text it only begins, names and dates it leaves out."""
    return replace(
        entry,
        title=entry.title or other.title,
        authors=entry.authors or other.authors,
        published=entry.published or other.published,
        updated=entry.updated or other.updated,
        html=other.html if len(other.html) > 1.5 * len(entry.html) else entry.html,
        summary_html=entry.summary_html or other.summary_html,
        tags=entry.tags or other.tags,
        extra={**other.extra, **entry.extra},
    )
