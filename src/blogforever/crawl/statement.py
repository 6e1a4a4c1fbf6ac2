"""What a crawl has to say at its end: who announced which posts, and how complete it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from blogforever.learn.postpages import Evidence, is_dateless_page, shows_posts
from blogforever.learn.urlpattern import other_kind, skip_reason
from blogforever.pipeline.announcements import API, FEED, OLDER, SITEMAP
from blogforever.pipeline.frontier import LeftLinks
from blogforever.pipeline.lists import MOST_LINKS
from blogforever.pipeline.parts import MOST_PARTS
from blogforever.pipeline.sources import GIVE_UP_AFTER
from blogforever.pipeline.waiting import LEAST_SHARE, LOOK_BACK
from blogforever.records import NotFollowed
from blogforever.urls import url_key
from blogforever.wording import counted

from .completeness import (
    ELSEWHERE,
    LISTS,
    NOT_A_POST,
    OWN_PAGE,
    TOO_OLD,
    UNDATED,
    UNRECOGNISED,
    Announcement,
    Completeness,
    in_words,
    reconcile,
)
from .crawl import BlogCrawl

# Lists that are named to people; of more only the number is.
SHOWN = 3
ANNOUNCING = {FEED: "the feed names", SITEMAP: "the sitemaps name"}
LEFT_WORDS = {"machinery": "print views, feeds, forms and other machinery"}
NOT_ASKED = "not asked for: too many others that its source names led nowhere"


def announcements(crawl: BlogCrawl) -> list[Announcement]:
    """Who announces which posts: the feed, its older pages, the API, and of the sitemaps what can
    be a post.
    """
    offers = crawl.offers
    urls = {name: list(named.values()) for name, named in offers.announced.items()}
    urls[SITEMAP] = _listed_posts(crawl)
    places = {
        FEED: offers.feed.url if offers.feed else "",
        API: offers.api or "",
        SITEMAP: offers.sitemaps[0] if offers.sitemaps else "",
    }
    found = []
    for name in (FEED, OLDER, API, SITEMAP):
        if name in urls:
            by_key = _by_own_key(crawl, urls[name])
            whole = offers.tells_all(name)
            found.append(Announcement(name, places.get(name, ""), by_key, only_posts=name != SITEMAP, whole=whole))
    return found


def _by_own_key(crawl: BlogCrawl, urls: Iterable[str]) -> dict[str, str]:
    """Addresses by the key they have on the blog's own host, whatever name of it they were given
    under.
    """
    return {url_key(crawl.scope.admit(url) or url): url for url in urls}


def _listed_posts(crawl: BlogCrawl) -> list[str]:
    """What the sitemaps list and can be a post of the blog."""
    posts = crawl.offers.post_sitemap_urls()
    listed = posts or [place.url for place in crawl.offers.places.values()]
    own = [url for url in listed if crawl.scope.own_host(url)]
    return [url for url in own if _may_be_post(crawl, url, posts)]


def _may_be_post(crawl: BlogCrawl, url: str, said_posts: list[str]) -> bool:
    pattern, kind = crawl.known.pattern, other_kind(url)
    if said_posts:
        return kind is None or kind in pattern.allowed
    # Called by a number where others have words: a post, unless the blog's lists are called so.
    is_numbered = url_key(url) in crawl.known.numbered or (kind in pattern.allowed and pattern.is_beside_posts(url))
    return is_numbered or pattern.matches(url)


def stopped_by(crawl: BlogCrawl, ending: str = "finished") -> str | None:
    """What ended the crawl before everything was looked at."""
    if crawl.waiting.tired and not crawl.stopped:
        return f"the rule that the last {LOOK_BACK:,} pages must give {LEAST_SHARE:.0%} posts"
    return crawl.stopped or crawl.posts.reached or (ending if ending != "finished" else None)


def completeness(
    crawl: BlogCrawl, captured: Mapping[str, str], ending: str = "finished", pages: Collection[str] = ()
) -> Completeness:
    """The statement, given the posts kept by the keys of their addresses, and the keys of the
    blog's own pages that are none.
    """
    stopped = stopped_by(crawl, ending)
    why_not = _Reasons(crawl, stopped, pages)
    sources = [*announcements(crawl), _listed(crawl, set(captured), why_not)]
    cut = crawl.waiting.cut
    traps = crawl.waiting.traps | {page: len(left) for page, left in cut.items() if page not in ANNOUNCING}
    bounds = [
        *crawl.offers.bounds,
        *_unread_feed(crawl),
        *_shared(crawl),
        *_unread(crawl),
        *_left(cut),
        *_doubtful(crawl),
        *_full(crawl, captured),
        *map(str, crawl.guard.broken()),
    ]
    told = reconcile(sources, captured, why_not, bounds, stopped, traps)
    return replace(told, left=tuple(_not_followed(crawl)))


def _not_followed(crawl: BlogCrawl) -> Iterator[NotFollowed]:
    """Links that no blog has posts at; files are counted, too."""
    by_words: dict[str, list[LeftLinks]] = {}
    for reason, links in crawl.frontier.left.items():
        if not links.count:
            continue
        by_words.setdefault(LEFT_WORDS.get(reason, in_words(reason)), []).append(links)
    for words, group in by_words.items():
        urls = tuple(url for links in group for url in links.urls)
        yield NotFollowed(words, sum(links.count for links in group), urls)


def _shared(crawl: BlogCrawl) -> list[str]:
    """Posts that have no page of their own are kept together."""
    pages = crawl.offers.shared
    if not pages:
        return []
    return [f"{sum(pages.values()):,} posts lie on {len(pages):,} pages that they share; each page is kept as one post"]


def _full(crawl: BlogCrawl, captured: Collection[str]) -> Iterator[str]:
    """What there was more of than is remembered or asked for; lists have further pages, too, which are asked for."""
    if crawl.known.lists.full:
        yield f"the lists of posts have more than {MOST_LINKS:,} links"
    posts = [url for url in crawl.known.parts.full if url_key(url) in captured]
    if posts:
        number = counted(len(posts), "post")
        yield f"{number} with more than {MOST_PARTS:,} further pages, as {min(posts)}: the rest was not read"
    yield from crawl.known.threads.bounds()


def _is_strange(crawl: BlogCrawl, url: str) -> bool:
    """Whether an address of the blog is neither like those of its posts nor like any that is never
    one.
    """
    return crawl.scope.own_host(url) and not crawl.known.pattern.matches(url) and other_kind(url) is None


def _unread_feed(crawl: BlogCrawl) -> list[str]:
    """The feed that the blog names, where none of those it names could be read."""
    named = [link.url for link in crawl.offers.links if link.role == "posts"]
    return [f"the feed {named[0]} could not be read"] if named and not crawl.offers.feeds else []


def _doubtful(crawl: BlogCrawl) -> list[str]:
    """What the sitemaps list, could not be had, and may be a post of another address than the
    others have.
    """
    if crawl.offers.post_sitemap_urls():
        return []
    seen = {url_key(name) for page in crawl.seen.values() for name in (page.evidence.url, *page.aliases)}
    listed = (place.url for place in crawl.offers.places.values())
    lost = [url for url in listed if _is_strange(crawl, url) and url_key(crawl.scope.admit(url) or url) not in seen]
    return [f"{len(lost):,} addresses of the sitemap that may be posts were not had, as {lost[0]}"] if lost else []


def _left(cut: Mapping[str, Sequence[str]]) -> list[str]:
    """Sources that announce posts, of which so much led nowhere that the rest was not asked for."""
    return [
        f"{GIVE_UP_AFTER} addresses in a row that {who} led nowhere, so {len(cut[source]):,} more were not asked for"
        for source, who in ANNOUNCING.items()
        if cut.get(source)
    ]


def _listed(crawl: BlogCrawl, have: set[str], why_not: _Reasons) -> Announcement:
    """What the archive pages announce.

    An address without a sign of its own is no announcement until it is a post.
    """
    pattern, lists = crawl.known.pattern, crawl.known.lists
    urls = lists.announced(lambda url: pattern.strict and pattern.matches(url), have, why_not.is_lost)
    return Announcement(LISTS, "", _by_own_key(crawl, urls))


def _unread(crawl: BlogCrawl) -> list[str]:
    """Lists that could not be read, where nothing else tells of the older posts."""
    if crawl.offers.tells_history():
        return []
    failed = list(crawl.known.lists.failed.items())
    sentences = [f"the list {url} could not be read ({in_words(reason)})" for url, reason in failed[:SHOWN]]
    if len(failed) > SHOWN:
        sentences.append(f"{len(failed) - SHOWN:,} more lists could not be read")
    return sentences


class _Reasons:
    """Why an address is not among the posts."""

    def __init__(self, crawl: BlogCrawl, stopped: str | None, pages: Collection[str] = ()) -> None:
        self._scope, self._stopped, self._pages = crawl.scope, stopped, pages
        self._pattern = crawl.known.pattern
        left = (url for source in ANNOUNCING for url in crawl.waiting.cut.get(source, ()))
        self._reasons = dict.fromkeys(map(url_key, left), NOT_ASKED) | crawl.reasons
        self._guard = crawl.guard
        self._seen: dict[str, Evidence] = {}
        for seen in crawl.seen.values():
            for name in (seen.evidence.url, *seen.aliases):
                self._seen[url_key(name)] = seen.evidence

    def __call__(self, url: str) -> str:
        by_choice = self._known(url)
        if by_choice is not None and by_choice in (TOO_OLD, self._stopped):
            return by_choice
        own = self._scope.admit(url)
        seen = self._seen.get(url_key(own or url)) or self._seen.get(url_key(url))
        if seen:
            return self._why_no_post(seen)
        return self._known(url) or self._why_not_asked(url, own)

    def _why_no_post(self, seen: Evidence) -> str:
        if broken := self._guard.why_not(seen.url):
            return broken
        if is_dateless_page(seen):
            return UNDATED
        if self._pattern.strict and seen.matches and not (seen.says_other or shows_posts(seen)):
            return UNRECOGNISED
        return OWN_PAGE if url_key(seen.url) in self._pages else NOT_A_POST

    def _why_not_asked(self, url: str, own: str | None) -> str:
        if own is not None:
            return self._stopped or skip_reason(own) or "not fetched"
        return "outside the blog's folder" if self._scope.own_host(url) else ELSEWHERE

    def is_lost(self, url: str) -> bool:
        """Whether a page of the blog could not be had."""
        own = self._scope.admit(url)
        if own is None or url_key(own) in self._seen or skip_reason(own):
            return False
        return bool(self._known(url) or self._stopped)

    def _known(self, url: str) -> str | None:
        return self._reasons.get(url_key(self._scope.admit(url) or url)) or self._reasons.get(url_key(url))
