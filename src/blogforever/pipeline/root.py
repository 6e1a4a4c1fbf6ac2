"""From any page of a blog to its home: what the feed calls its site, what the page calls home, else the host."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from blogforever.discover.pagefacts import PageFacts
from blogforever.dom import parse_page
from blogforever.learn.urlpattern import has_date, other_kind
from blogforever.model import Feed, Page
from blogforever.urls import canonical, join, same_site, site_root, url_key

from .page import POST_CLASSES

NOT_HOME = frozenset({"list", "date", "page", "part", "machinery", "query"})
NEVER = NOT_HOME - {"list"}
SINGLE = frozenset({"single", "single-post", *POST_CLASSES})
HOME_LINKS = "a[rel~='home'][href], link[rel~='home'][href], link[rel~='start'][href], link[rel~='index'][href]"


def better_root(page: Page, facts: PageFacts, feed: Feed | None) -> str | None:
    """The blog's home where the page is evidently another page of it; None where it may itself be the home."""
    if feed and feed.entries and _inside(page.url, feed) * 10 >= len(feed.entries) * 9:
        return None
    if not _no_home(page.url, facts, feed):
        return None
    for url in (feed.link if feed else None, _home_link(page), site_root(page.url)):
        if url and same_site(url, page.url) and url_key(url) != url_key(page.url) and other_kind(url) not in NEVER:
            return canonical(url)
    return None


def _inside(url: str, feed: Feed) -> int:
    """How many entries lie in the folder of this address."""
    folder = unquote(urlsplit(join(url, "./") or url).path).lower()
    return sum(unquote(urlsplit(entry.url).path).lower().startswith(folder) for entry in feed.entries)


def _no_home(url: str, facts: PageFacts, feed: Feed | None) -> bool:
    if feed and url_key(url) in {url_key(entry.url) for entry in feed.entries}:
        return True
    single = bool(
        facts.body_classes & SINGLE or "BlogPosting" in facts.ld_types or (feed and facts.og_type == "article")
    )
    strong = NOT_HOME if feed else NOT_HOME - {"list", "query"}
    return has_date(url) or other_kind(url) in strong or (single and url_key(url) != url_key(site_root(url)))


def _home_link(page: Page) -> str | None:
    node = parse_page(page).css_first(HOME_LINKS)
    href = node.attributes.get("href") if node else None
    return join(page.url, href) if href else None
