"""What a crawl reads of the announcements: everything, back to the first post, a portion at a time.

Which feeds, sitemaps and API addresses are tried, which feed is chosen, and when enough was read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

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
from blogforever.discover.sitemap import SitemapUrl
from blogforever.discover.wordpress import MOST_PAGES, PER_PAGE, ApiPage, api_addresses, page_url
from blogforever.discover.wpcomments import comments_url
from blogforever.model import Entry, Feed, Page
from blogforever.page.view import view_of
from blogforever.protocols import Ask, Role
from blogforever.urls import join, mark_of, page_key, site_root, url_key, without_mark

from .announcements import API, FEED, MOST_ENTRIES, NO_FEED, NO_POSTS, OLDER, SITEMAP, Announcements
from .entries import completed, shared_pages, with_marks, without_marks, without_text
from .since import Since
from .sitemaps import MAX_SITEMAPS
from .sources import GIVE_UP_AFTER, spread

SITEMAPS = ("sitemap.xml", "sitemap_index.xml", "wp-sitemap.xml", "sitemap-index.xml", "sitemap.txt", "sitemap.xml.gz")
MAX_FEEDS = 6
"""Feeds that are read of those a home page names: some name one for each category."""
FEW_FEEDS = 2
"""Feeds that are read where none of those that are named says that it is one of posts."""
PROBES_AT_ONCE = 8
REFUSED = frozenset({"challenge", "captcha", "login", "blocked", "status 401", "status 403", "status 429"})
"""How a wall answers that stands before every address of a host, whatever is behind it."""
MAX_FEED_PAGES = 1000
ROBOTS_PRIORITY, OLDER_PRIORITY = 14, 12
# Documents of each kind that are read before the posts they name are asked for, and again before
# each further step.
PORTIONS: dict[Role, int] = {"sitemap": 30, "feed": 30, "api": 30}
DOCUMENTS: dict[Role, str] = {"sitemap": "sitemaps", "feed": "pages of the feed", "api": "pages of the API"}
MAX_TEXTS = 300
"""Entries whose text is kept for learning; of older ones the facts are."""
NOTHING_FRESH, NOTHING_MORE = "nothing new", "no entries"
NOT_RECORDED = "not among the files"
"""Said of what replayed files do not have: it tells nothing of what the server had."""
TOLD_END = frozenset({"status 404", "status 400", "status 410", NOTHING_MORE})
"""How a server says that a list goes no further."""
END_OF_LIST = TOLD_END | {NO_FEED, NO_POSTS, NOTHING_FRESH, NOT_RECORDED}
"""How a list ends of which no more can be read."""


class Portion:
    """Requests for documents of one kind, so many at a time: the others wait until the posts named
    so far came.
    """

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


class Offers(Announcements):
    """Collects feeds, API pages and sitemaps; says what to ask for next to know them all."""

    def __init__(self, history: bool = True, since: Since | None = None) -> None:
        super().__init__(since)
        self.feed: Feed | None = None
        self.links: list[FeedLink] = []
        self.api: str | None = None
        self.api_posts: int | None = None
        """How many posts the API says there are."""
        self.feed_ended = False
        """Whether the feed, with its older pages, was read to an end that the blog itself tells."""
        self.shared: dict[str, int] = {}
        """Pages on which several entries of the feed lie, nobody knows where: by key, how many do.
        """
        self._history = history
        self._platform = ""
        self._api_entries: list[Entry] = []
        self._api_others: list[str] = []
        self._feed_keys: set[str] = set()
        self._older_others: dict[str, list[str]] = {}
        self._probes: Iterator[str] = iter(())
        self._refused = 0
        """Feeds in a row that were refused."""
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
        self._note_links(links)
        feeds = [link.url for link in _worth_reading(links)]
        self._probes = iter([probe for probe in probe_urls(url) if probe not in feeds])
        root = site_root(url)
        folder = join(url, "./") or root
        asks = self._ask_feeds(feeds, url)
        asks.append(Ask(f"{root}robots.txt", "robots", ROBOTS_PRIORITY, url))
        if page:
            platform = detect_platform(view_of(page).tree, page.headers)
            self._platform = platform.name if platform else self._platform
            asks += self._ask_first_api(api_addresses(page, folder), url)
        for base in dict.fromkeys((folder, root)):
            asks += self._ask_sitemaps(self._sitemap_walk.new(f"{base}{name}" for name in SITEMAPS), url)
        return asks

    def _note_links(self, links: list[FeedLink]) -> None:
        noted = {link.url for link in self.links}
        self.links += [link for link in links if link.url not in noted]

    def comment_lists(self) -> tuple[str | None, str | None]:
        """Where all comments of the blog are listed: the feed its home page names or its platform
        has, the open API.
        """
        named = next((link.url for link in self.links if link.role == "comments"), None)
        guessed = usual_comment_feed(self._platform, self.feed) if self.feed else None
        return named or guessed, comments_url(self.api) if self.api else None

    def probe(self) -> list[Ask]:
        """A few more addresses where feeds usually lie; none where a wall stands before all of them."""
        if self._refused >= PROBES_AT_ONCE:
            return []
        return self._ask_feeds(islice(self._probes, PROBES_AT_ONCE), None)

    # ------------------------------------------------------------------ what failed

    def failed(self, ask: Ask, reason: str) -> list[Ask]:
        """After a feed, an API or a sitemap did not answer: another spelling of it, where there is
        one.
        """
        super().failed(ask, reason)
        if ask.role == "sitemap":
            return self._sitemap_failed(ask.first, reason)
        if ask.role == "api":
            return self._api_failed(ask, reason)
        if ask.first in self._older_others:
            return self._older_failed(ask, reason)
        self._refused = self._refused + 1 if reason in REFUSED else 0
        folder, slash, name = ask.url.rpartition("/")
        # Mirrors name the file /feed/index.html where the blog has /feed/; the home page itself is
        # known.
        is_mirrored = name.startswith("index.") and folder + slash != site_root(ask.url)
        return self._ask_feeds([folder + slash], ask.via) if is_mirrored else []

    def _sitemap_failed(self, url: str, reason: str) -> list[Ask]:
        """That one is not where it was guessed says nothing.

        One that another names should be there.
        """
        if self._sitemap_walk.was_named(url):
            self.bounds.append(f"the sitemap {url} could not be read ({reason})")
            self._note_sitemap(brought=False)
        return []

    def _api_failed(self, ask: Ask, reason: str) -> list[Ask]:
        others, self._api_others = self._api_others, []
        if self.api:
            self._cut_short("the API", reason)
            return []
        return self._ask_first_api(others, ask.via)

    def _older_failed(self, ask: Ask, reason: str) -> list[Ask]:
        if others := self._older_others.pop(ask.first):
            return self._ask_older(others, ask.via)
        self._cut_short("the feed's older pages", reason)
        # A server that gives older pages at all, and then none, has told them all.
        gave_older = OLDER in self.announced and reason != NOT_RECORDED
        self.feed_ended = reason in TOLD_END or (gave_older and reason in END_OF_LIST)
        return []

    def _cut_short(self, what: str, reason: str) -> None:
        """A list that ends says so with a 404; anything else means that there may be more."""
        if reason not in END_OF_LIST:
            self.bounds.append(f"{what} could not be read to the end ({reason})")

    # ------------------------------------------------------------------ sitemaps

    def _note_place(self, listed: SitemapUrl, sitemap: str) -> bool:
        new = super()._note_place(listed, sitemap)
        if new:
            self._fresh_places.append((listed.url, sitemap))
        return new

    def _note_sitemap(self, brought: bool) -> None:
        """Many in a row that name no page nobody knew: first others are tried, then none any more."""
        super()._note_sitemap(brought)
        portion = self._portions["sitemap"]
        if self._sitemap_walk.doubtful:
            portion.spread()
        if self._sitemap_walk.given_up and (left := portion.drop()):
            self._sitemap_walk.leave(left)

    def _ask_sitemaps(self, urls: list[str], via: str | None) -> list[Ask]:
        return self._portions["sitemap"].admitted(super()._ask_sitemaps(urls, via))

    # ------------------------------------------------------------------ the API

    def _take_posts(self, api_page: ApiPage, page: Page) -> list[Ask]:
        """One page of the API's posts, and requests for the others."""
        first = self.api is None
        self.api = self.api or page.url
        says_all = first or not self.since
        if says_all and api_page.posts is not None:
            self.api_posts = api_page.posts
        before = len(self.announced.get(API, ()))
        self._announce(API, api_page.entries)
        for entry in api_page.entries:
            kept = entry if len(self._api_entries) < MAX_TEXTS else without_text(entry)
            self._api_entries.append(kept)
        self.add_entries(api_page.entries)
        if not self._history or not api_page.entries:
            return []
        if len(self.announced[API]) == before and not self.since:
            return self._api_repeats()
        return self._portions["api"].admitted(self._further_api(self.api, api_page, first, page.url))

    def _api_repeats(self) -> list[Ask]:
        if left := self._portions["api"].drop():
            self.bounds.append(f"the API repeats itself, so {left:,} more pages of it were not read")
        return []

    def _further_api(self, api: str, api_page: ApiPage, first: bool, via: str) -> list[Ask]:
        """Requests for the pages of the API that follow."""
        if self.since.day:
            return self._ask_changed(api, self.since.day, 1 if first else api_page.pages or 1, via)
        if api_page.pages is not None:
            numbers = self._api_numbers(2, api_page.pages) if first else range(0)
            return self._ask_api([page_url(api, number) for number in numbers], via)
        # An API that does not say how many pages it has goes on as long as they are full.
        following = len(self._api_entries) // PER_PAGE + 1
        if len(api_page.entries) < PER_PAGE:
            return []
        if following > MOST_PAGES:
            self._say_once(f"the API has more than {MOST_PAGES:,} pages")
            return []
        return self._ask_api([page_url(api, following)], via)

    def _ask_first_api(self, urls: list[str], via: str | None) -> list[Ask]:
        """Where the API may be: one place after the other."""
        self._api_others = urls[1:]
        return self._ask_api(urls[:1], via)

    # ------------------------------------------------------------------ the chosen feed

    def _take_feed(self, feed: Feed, ask: Ask) -> list[Ask]:
        """A feed among others before one is chosen; after it, an older page of the chosen one."""
        feed = feed if is_comment_feed(feed) else with_marks(feed, self.shares)
        if self.feed is None:
            self.feeds.append(feed)
            return []
        fresh = [entry for entry in feed.entries if url_key(entry.url) not in self._feed_keys]
        if not fresh or is_comment_feed(feed):
            return self.failed(ask, NOTHING_FRESH if feed.entries else NOTHING_MORE)
        self._announce(OLDER, feed.entries)
        self._feed_keys.update(url_key(entry.url) for entry in fresh)
        self.add_entries(fresh)
        return self.older(feed)

    def choose(self, root: str) -> Feed | None:
        """The feed that says most about the blog's posts.

        Where there is none, what the API says is one.
        """
        feed = best_feed(self.feeds, root)
        if feed is None and self._api_entries and self.api:
            feed = Feed(self.api, "json", link=root, generator="WordPress")
        elif feed is not None:
            self._announce(FEED, feed.entries)
            self._feed_keys = {url_key(entry.url) for entry in feed.entries}
        self.feed = feed
        self.add_entries(self._api_entries)
        return self.feed

    @property
    def shares(self) -> bool:
        """Whether entries of the chosen feed share pages."""
        return self.feed is not None and any(mark_of(entry.url) for entry in self.feed.entries)

    def forget_marks(self) -> None:
        """The pages that entries share do not show where each of them stands: then only the pages
        are known.
        """
        if self.feed is None:
            return
        self.shared |= shared_pages(self.feed.entries)
        self.feed = without_marks(self.feed)
        self._feed_keys = set(map(page_key, self._feed_keys))
        for source, urls in self.announced.items():
            self.announced[source] = {page_key(url): without_mark(url) for url in urls.values()}

    def add_entries(self, entries: Iterable[Entry]) -> None:
        """Put further entries behind those of the feed.

        A known one gets the longer text and what it lacked.
        """
        if self.feed is None:
            return
        merged = {url_key(entry.url): entry for entry in self.feed.entries}
        for entry in entries:
            key = url_key(entry.url)
            if key in merged:
                merged[key] = completed(merged[key], entry)
            elif len(merged) < MOST_ENTRIES:
                merged[key] = entry if len(merged) < MAX_TEXTS else without_text(entry)
                self._fresh_entries.append(merged[key])
        self.feed = replace(self.feed, entries=tuple(merged.values()))

    def older(self, feed: Feed) -> list[Ask]:
        """The page of the feed with older entries, unless the API has told them all."""
        if self.since.all_older(entry.url for entry in feed.entries):
            return []
        if not self._history or (self._api_named_all() and self._feed_keys <= self.announced[API].keys()):
            return []
        self._pages += 1
        if self._pages >= MAX_FEED_PAGES:
            self.bounds.append(f"the feed has more than {MAX_FEED_PAGES} pages")
            return []
        pages = older_pages(feed, self._platform)
        self.feed_ended = not pages and OLDER in self.announced
        return self._ask_older(pages, feed.url)

    def further(self, closed: Callable[[str], bool]) -> list[Ask]:
        """The next documents that tell of posts, when those named so far were asked for.

        Sources that are closed give none.
        """
        asks: list[Ask] = []
        for role, portion in self._portions.items():
            if not closed(source_of(role)):
                asks += portion.more()
            elif portion.drop():
                why = f"{GIVE_UP_AFTER} addresses in a row that they name led nowhere"
                self.bounds.append(f"further {DOCUMENTS[role]} were not read: {why}")
        return asks

    def waits(self) -> bool:
        """Whether there are further documents to read."""
        return any(map(len, self._portions.values()))

    def fresh(self) -> tuple[list[Entry], list[tuple[str, str]]]:
        """The entries, and the places of sitemaps with their sitemap, that came since this was last
        asked.
        """
        entries, self._fresh_entries = self._fresh_entries, []
        places, self._fresh_places = self._fresh_places, []
        return entries, places

    def is_sitemap(self, url: str | None) -> bool:
        """Whether this is the address of a sitemap."""
        return url in self._sitemap_walk or url in self.sitemaps

    def post_sitemap_urls(self) -> list[str]:
        """The addresses in sitemaps that are said to hold only posts."""
        return [place.url for place in self.places.values() if place.surely_post]

    def tells_history(self) -> bool:
        """Whether some source beside the feed's first page tells of the older posts, too."""
        several_feeds = 2 * len(self.announced.get(FEED, ()))
        api_since = bool(self.since and self.api)
        return self._api_named_all() or api_since or OLDER in self.announced or len(self.places) > several_feeds

    def tells_all(self, source: str) -> bool:
        """Whether a source names every post there is, as far as it tells itself: the last entries
        of a feed do not.

        Sitemaps may lack posts. One is believed where there is a feed that shows what it names of
        the last ones.
        """
        if source == API:
            return self._api_named_all()
        return self.feed_ended if source in (FEED, OLDER) else source == SITEMAP and bool(self.feeds)

    def _api_named_all(self) -> bool:
        return self.api_posts is not None and len(self.announced.get(API, ())) >= self.api_posts

    def _ask_older(self, urls: list[str], via: str | None) -> list[Ask]:
        """The first of several places where the older entries may be."""
        if not urls:
            return []
        self._older_others[urls[0]] = urls[1:]
        return self._portions["feed"].admitted(self._ask_feeds(urls[:1], via, OLDER_PRIORITY))


def _worth_reading(links: list[FeedLink]) -> list[FeedLink]:
    """The feeds of posts; where none is said to be one, the first few."""
    posts = [link for link in links if link.role == "posts"]
    return posts[:MAX_FEEDS] or links[:FEW_FEEDS]


def source_of(role: Role) -> str:
    """Who names the posts that a document of this kind names: all sitemaps are one source, and so
    are feed and API.
    """
    return SITEMAP if role == "sitemap" else FEED
