"""What a crawl has to say at its end: who announced which posts, and how complete it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from blogforever.learn.postpages import is_dateless_page
from blogforever.learn.urlpattern import other_kind, skip_reason
from blogforever.urls import url_key

from .announcements import API, FEED, OLDER, SITEMAP
from .completeness import (
    ELSEWHERE,
    LISTS,
    NOT_A_POST,
    TOO_OLD,
    UNDATED,
    Announcement,
    Completeness,
    in_words,
    reconcile,
)
from .crawl import BlogCrawl
from .sources import VAIN
from .waiting import LEAST_SHARE, LOOK_BACK

SHOWN = 3
ANNOUNCING = {FEED: "the feed names", SITEMAP: "the sitemaps name"}
NOT_ASKED = "not asked for: too many others that its source names led nowhere"


def announcements(crawl: BlogCrawl) -> list[Announcement]:
    """Who announces which posts: the feed, its older pages, the API, and of the sitemaps what can be a post."""
    offers, scope = crawl.offers, crawl.scope
    told = {name: list(urls.values()) for name, urls in offers.announced.items()}
    posts = offers.post_sitemap_urls()
    listed = posts or [place.url for place in offers.places.values()]
    told[SITEMAP] = [url for url in listed if scope.own_host(url) and _may_be_post(crawl, url, posts)]
    places = {FEED: offers.feed.url if offers.feed else "", API: offers.api or ""}
    places[SITEMAP] = offers.sitemaps[0] if offers.sitemaps else ""
    return [
        Announcement(
            name, places.get(name, ""), {url_key(scope.admit(url) or url): url for url in told[name]}, name != SITEMAP
        )
        for name in (FEED, OLDER, API, SITEMAP)
        if name in told
    ]


def _may_be_post(crawl: BlogCrawl, url: str, said_posts: list[str]) -> bool:
    kind = other_kind(url)
    pattern = crawl.known.pattern
    return kind is None or kind in pattern.allowed if said_posts else pattern.matches(url)


def stopped_by(crawl: BlogCrawl, ending: str = "finished") -> str | None:
    """What ended the crawl before everything was looked at."""
    if crawl.waiting.tired and not crawl.stopped:
        return f"the rule that the last {LOOK_BACK:,} pages must give {LEAST_SHARE:.0%} posts"
    return crawl.stopped or (ending if ending != "finished" else None)


def completeness(crawl: BlogCrawl, captured: Iterable[str], ending: str = "finished") -> Completeness:
    """The statement, given the addresses of the posts kept."""
    have = list(captured)
    stopped = stopped_by(crawl, ending)
    why_not = _Reasons(crawl, stopped)
    told = [*announcements(crawl), _listed(crawl, {url_key(url) for url in have}, why_not)]
    cut = crawl.waiting.cut
    traps = crawl.waiting.traps | {page: len(left) for page, left in cut.items() if page not in ANNOUNCING}
    bounds = [*crawl.offers.bounds, *_unread(crawl), *_left(cut), *map(str, crawl.guard.broken())]
    return reconcile(told, have, why_not, bounds, stopped, traps)


def _left(cut: Mapping[str, Sequence[str]]) -> list[str]:
    """Sources that announce posts, of which so much led nowhere that the rest was not asked for."""
    return [
        f"{VAIN} addresses in a row that {who} led nowhere, so {len(cut[source]):,} more were not asked for"
        for source, who in ANNOUNCING.items()
        if cut.get(source)
    ]


def _listed(crawl: BlogCrawl, have: set[str], why_not: _Reasons) -> Announcement:
    """What the archive pages announce; an address without a sign of its own is no announcement until it is a post."""
    pattern, lists = crawl.known.pattern, crawl.known.lists
    urls = lists.announced(lambda url: pattern.strict and pattern.matches(url), have, why_not.is_lost)
    return Announcement(LISTS, "", {url_key(crawl.scope.admit(url) or url): url for url in urls})


def _unread(crawl: BlogCrawl) -> list[str]:
    """Lists that could not be read, where nothing else tells of the older posts."""
    failed = {} if crawl.offers.tells_history() else crawl.known.lists.failed
    told = [f"the list {url} could not be read ({in_words(reason)})" for url, reason in list(failed.items())[:SHOWN]]
    return [*told, f"{len(failed) - SHOWN:,} more lists could not be read"] if len(failed) > SHOWN else told


class _Reasons:
    """Why an address is not among the posts."""

    def __init__(self, crawl: BlogCrawl, stopped: str | None) -> None:
        self._scope, self._stopped = crawl.scope, stopped
        left = (url for source in ANNOUNCING for url in crawl.waiting.cut.get(source, ()))
        self._reasons = dict.fromkeys(map(url_key, left), NOT_ASKED) | crawl.reasons
        self._guard = crawl.guard
        self._seen = {
            url_key(name): seen.evidence for seen in crawl.seen.values() for name in (seen.evidence.url, *seen.aliases)
        }

    def __call__(self, url: str) -> str:
        if self._known(url) == TOO_OLD:
            return TOO_OLD
        own = self._scope.admit(url)
        seen = self._seen.get(url_key(own or url)) or self._seen.get(url_key(url))
        if seen:
            return self._guard.why_not(seen.url) or (UNDATED if is_dateless_page(seen) else NOT_A_POST)
        if known := self._known(url):
            return known
        if own is None:
            return ELSEWHERE if not self._scope.own_host(url) else "outside the blog's folder"
        return self._stopped or skip_reason(own) or "not fetched"

    def is_lost(self, url: str) -> bool:
        """Whether a page of the blog could not be had."""
        own = self._scope.admit(url)
        if own is None or url_key(own) in self._seen or skip_reason(own):
            return False
        return bool(self._known(url) or self._stopped)

    def _known(self, url: str) -> str | None:
        return self._reasons.get(url_key(self._scope.admit(url) or url)) or self._reasons.get(url_key(url))
