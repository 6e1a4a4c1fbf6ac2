"""From any page of a blog to its home: what the feed calls its site, what the page calls home, else the host."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from blogforever.discover.pagefacts import PageFacts
from blogforever.learn.urlpattern import has_date, other_kind
from blogforever.model import Feed, Page
from blogforever.page.view import view_of
from blogforever.pipeline.page import POST_CLASSES
from blogforever.urls import canonical, join, page_key, same_site, site_root

NOT_HOME = frozenset({"list", "date", "page", "part", "machinery", "query"})
NEVER = NOT_HOME - {"list"}
SINGLE = frozenset({"single", "single-post", *POST_CLASSES})
# A folder that holds nine tenths of a feed's entries is the blog's own.
OF_TEN = 9
HOME_LINKS = "a[rel~='home'][href], link[rel~='home'][href], link[rel~='start'][href], link[rel~='index'][href]"


def better_root(page: Page, facts: PageFacts, feed: Feed | None) -> str | None:
    """The blog's home where the page is evidently another page of it.

    None where it may itself be the home.
    """
    if feed and _holds_most_entries(page.url, feed):
        return None
    if not _no_home(page.url, facts, feed):
        return None
    for url in (feed.link if feed else None, _home_link(page), site_root(page.url)):
        if url and _may_be_home(url, page.url):
            return canonical(url)
    return None


def _may_be_home(url: str, page_url: str) -> bool:
    """Whether an address can be the home of the blog that has this page."""
    is_another = same_site(url, page_url) and page_key(url) != page_key(page_url)
    return is_another and other_kind(url) not in NEVER


def _holds_most_entries(url: str, feed: Feed) -> bool:
    """Whether nearly all entries lie in the folder of this address."""
    folder = _path(join(url, "./") or url)
    inside = sum(_path(entry.url).startswith(folder) for entry in feed.entries)
    return bool(feed.entries) and inside * 10 >= len(feed.entries) * OF_TEN


def _path(url: str) -> str:
    return unquote(urlsplit(url).path).lower()


def _no_home(url: str, facts: PageFacts, feed: Feed | None) -> bool:
    """Whether a page is evidently a post, or a list that is not the first."""
    if feed and page_key(url) in {page_key(entry.url) for entry in feed.entries}:
        return True
    not_home = NOT_HOME if feed else NOT_HOME - {"list", "query"}
    if has_date(url) or other_kind(url) in not_home:
        return True
    return _says_single(facts, feed) and page_key(url) != page_key(site_root(url))


def _says_single(facts: PageFacts, feed: Feed | None) -> bool:
    """Whether a page says that it is one post.

    Many homes without a feed call themselves articles.
    """
    said_article = feed is not None and facts.og_type == "article"
    return bool(facts.body_classes & SINGLE) or "BlogPosting" in facts.ld_types or said_article


def _home_link(page: Page) -> str | None:
    node = view_of(page).tree.css_first(HOME_LINKS)
    href = node.attributes.get("href") if node else None
    return join(page.url, href) if href else None
