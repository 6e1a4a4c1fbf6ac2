"""What a crawl has to say at its end: who announced which posts, and how complete it is."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.learn.urlpattern import other_kind, skip_reason
from blogforever.urls import url_key

from .completeness import ELSEWHERE, NOT_A_POST, Announcement, Completeness, reconcile
from .crawl import BlogCrawl
from .offers import API, FEED, OLDER, SITEMAP
from .waiting import LEAST_SHARE, LOOK_BACK


def announcements(crawl: BlogCrawl) -> list[Announcement]:
    """Who announces which posts: the feed, its older pages, the API, and of the sitemaps what can be a post."""
    offers, scope = crawl.offers, crawl.scope
    told = {name: list(urls.values()) for name, urls in offers.announced.items()}
    posts = offers.post_sitemap_urls()
    told[SITEMAP] = [u for u in posts or offers.sitemap_urls if scope.own_host(u) and _may_be_post(crawl, u, posts)]
    places = {FEED: offers.feed.url if offers.feed else "", API: offers.api or ""}
    places[SITEMAP] = offers.sitemaps[0] if offers.sitemaps else ""
    return [
        Announcement(name, places.get(name, ""), {url_key(scope.admit(url) or url): url for url in told[name]})
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
    scope, reasons = crawl.scope, crawl.reasons
    looked_at = {url_key(name) for seen in crawl.seen.values() for name in (seen.evidence.url, *seen.aliases)}
    stopped = stopped_by(crawl, ending)

    def why_not(url: str) -> str:
        own = scope.admit(url)
        if {url_key(url), url_key(own or url)} & looked_at:
            return NOT_A_POST
        known = reasons.get(url_key(own or url)) or reasons.get(url_key(url))
        if known or own is None:
            return known or (ELSEWHERE if not scope.own_host(url) else "outside the blog's folder")
        return stopped or skip_reason(own) or "not fetched"

    return reconcile(announcements(crawl), captured, why_not, crawl.offers.bounds, stopped, crawl.waiting.traps)
