"""Which addresses are asked for to see what a host is: a few, one round after the other. Pure:
pages in, addresses out.

The address itself, then the feed of posts that it names, the home where it is another page, and two
of the pages that the feed leads to: feed and pages of a blog agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from blogforever.discover.blocked import diagnose
from blogforever.discover.feed import parse_feed
from blogforever.discover.feedlinks import feed_links, is_comment_feed, probe_urls
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.dom import stated_charset
from blogforever.errors import FeedError
from blogforever.extract.segment import segment_page
from blogforever.model import Feed, Page
from blogforever.urls import is_http, page_key, same_site
from blogforever.wording import N_

from .root import likely_home
from .values import SeenHost

# Pages of posts that are looked at beside the home: one may be an exception.
POSTS = 2
# Usual places of feeds that are tried where a page with a list of posts names none.
PROBES = 3
# Feeds of one page that are tried until one holds posts.
FEEDS = 2
GOOD = 200
PARKED = "parked"
# Share of entries that are most of them.
MOST = 0.6

Asked = tuple[int, Page | None]
"""Status and page of an answer; 0 and None where there was none."""


class Looking:
    """One look at an address: `asks` names what is wanted next, `take` brings it.

    When nothing more is asked for, `seen` has everything.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._page: Page | None = None
        self._home: Page | None = None
        self._feed: Feed | None = None
        self._comment_feed: Feed | None = None
        self._posts: list[Page] = []
        self._is_feed, self._failure = False, ""
        self._steps = self._walk()
        self._answers: dict[str, Asked] = {}
        self._wanted = next(self._steps, None)

    def asks(self) -> str | None:
        """The next address; None at the end."""
        return self._wanted

    def take(self, status: int, page: Page | None) -> None:
        """What the address that was asked for answered; None where nothing came."""
        assert self._wanted is not None, "nothing was asked for"
        self._answers[self._wanted] = (status, page)
        self._wanted = next(self._steps, None)

    def seen(self) -> SeenHost:
        """What was seen so far."""
        return SeenHost(
            self._url,
            self._page,
            self._home,
            self._feed,
            self._comment_feed,
            tuple(self._posts),
            self._is_feed,
            self._failure,
        )

    def _walk(self) -> Iterator[str]:
        """The addresses, in their order; each answer is there when the walk goes on."""
        yield self._url
        status, page = self._answers[self._url]
        if page is None or status != GOOD:
            self._failure = N_(f"it answered with the status {status}") if status else N_("it did not answer")
            return
        if not looks_like_html(page):
            self._take_feed(page)
            yield from self._from_feed()
        elif wall := _wall(page, status):
            self._failure = wall
            return
        else:
            self._page = page
            yield from self._find_feed(page)
            yield from self._find_home(page)
        yield from self._find_posts()

    def _take_feed(self, page: Page) -> None:
        """The address is that of a feed, or of a file of which nothing can be said."""
        feed = read_feed(page)
        if feed is None:
            self._failure = N_("it is neither a page for people nor a feed")
            return
        self._is_feed = True
        if is_comment_feed(feed):
            self._comment_feed = feed
        else:
            self._feed = feed

    def _from_feed(self) -> Iterator[str]:
        """The site that a feed says it is of; of a feed of comments or recordings also its feed of
        posts.
        """
        feed = self._feed or self._comment_feed
        home = feed.link if feed else None
        if not home or not is_http(home):
            return
        yield from self._ask_home(home)
        says_little = self._feed is None or holds_recordings(self._feed)
        if says_little and self._home is not None:
            yield from self._find_feed(self._home)

    def _find_feed(self, page: Page) -> Iterator[str]:
        """The feed of posts that a page names, or one at a usual place where the page lists posts."""
        links, aside = _named_feeds(page)
        probes = probe_urls(page.url)[:PROBES] if lists_posts(page) else []
        for url in (links or aside)[:FEEDS] or probes:
            if url not in self._answers:
                yield url
            self._take_posts_feed(*self._answers[url], site=page.url if url in aside else "")
            if self._feed is not None and self._feed.url == url:
                return

    def _take_posts_feed(self, status: int, page: Page | None, site: str = "") -> None:
        """A feed with posts; where a site is named, with posts of this site."""
        feed = read_feed(page) if page is not None and status == GOOD else None
        if feed is None or not feed.entries or is_comment_feed(feed):
            return
        if not site or _is_of(feed, site):
            self._feed = feed

    def _find_home(self, page: Page) -> Iterator[str]:
        """The blog's home where the address is evidently another page of it; a feed may be named
        only there.
        """
        home = likely_home(page, read_facts(page), self._feed)
        if home is None:
            return
        yield from self._ask_home(home)
        if self._home is not None and self._feed is None and lists_posts(page) and not lists_posts(self._home):
            # A list of posts in a corner of a site of another sort: the blog begins here.
            self._home = None
            return
        if self._feed is None and self._home is not None:
            yield from self._find_feed(self._home)

    def _ask_home(self, home: str) -> Iterator[str]:
        if home not in self._answers:
            yield home
        status, page = self._answers[home]
        if page is not None and status == GOOD and looks_like_html(page) and not diagnose(page, status):
            self._home = page

    def _find_posts(self) -> Iterator[str]:
        """Some of the pages that the feed leads to; without a feed one of those that the home
        lists.
        """
        for url in self._likely_posts():
            if url not in self._answers:
                yield url
            status, page = self._answers[url]
            if page is not None and status == GOOD and looks_like_html(page):
                self._posts.append(page)

    def _likely_posts(self) -> list[str]:
        front = self._home or self._page
        here = {page_key(page.url) for page in (self._page, self._home) if page}
        urls = _entries_of(self._feed, front) if self._feed is not None else _listed_by(front)[:1]
        return [url for url in urls if page_key(url) not in here][:POSTS]


def _named_feeds(page: Page) -> tuple[list[str], list[str]]:
    """The feeds of posts that a page names, and others on another host, where large services have theirs."""
    named = feed_links(page)
    others = (link for link in named if link.role == "other" and link.type)
    return (
        [link.url for link in named if link.role == "posts"],
        [link.url for link in others if not same_site(link.url, page.url)],
    )


def _is_of(feed: Feed, site: str) -> bool:
    """Whether most entries of a feed are pages of a site."""
    return sum(same_site(entry.url, site) for entry in feed.entries) >= MOST * len(feed.entries)


def _entries_of(feed: Feed, front: Page | None) -> list[str]:
    """The pages of a feed's entries that are of its own site."""
    site = front.url if front else feed.link or feed.url
    return [entry.url for entry in feed.entries if same_site(entry.url, site)]


def _listed_by(front: Page | None) -> list[str]:
    return [post.url for post in segment_page(front) if post.url] if front else []


def _wall(page: Page, status: int) -> str:
    """What stands before the page that was asked for; a domain for sale is all there is of it."""
    found = diagnose(page, status)
    return "" if found is None or found.reason == PARKED else found.detail or found.reason


def holds_recordings(feed: Feed) -> bool:
    """Whether most entries of a feed are recordings."""
    sounds = [any("audio" in (one.type or "") for one in entry.enclosures) for entry in feed.entries]
    return sum(sounds) >= MOST * len(sounds) > 0


def read_feed(page: Page) -> Feed | None:
    """The feed in an answer; None where it is none."""
    try:
        return parse_feed(page.content, page.url, stated_charset(page.headers))
    except FeedError:
        return None


def lists_posts(page: Page) -> bool:
    """Whether a page shows dated posts."""
    return any(post.published for post in segment_page(page))


def look(url: str, fetch: Callable[[str], Asked]) -> SeenHost:
    """A whole look at an address with somebody who fetches."""
    looking = Looking(url)
    while wanted := looking.asks():
        looking.take(*fetch(wanted))
    return looking.seen()
