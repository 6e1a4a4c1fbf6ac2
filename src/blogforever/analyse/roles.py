"""Which part of its blog an address is: the home, a post, a list of posts, a page of comments, a feed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.discover.pagefacts import POST_CLASSES, PageFacts, read_facts
from blogforever.extract.segment import segment_page
from blogforever.learn.urlpattern import UrlPattern, has_date, learn_url_pattern, other_kind
from blogforever.model import Feed, Page, Post
from blogforever.urls import page_key

from .items import is_article, items_of
from .values import SeenHost, Sign

COMMENT_ADDRESS = re.compile(
    r"/comment-page-\d+|[?&](?:showcomment|replytocom|cpage|commentpage)=|/comments?/?$|comment\.g\?|mt-comments", re.I
)
LIST_CLASSES = frozenset(
    {"archive", "category", "tag", "date", "author", "paged", "search", "index-view", "archive-view"}
)
LIST_TYPES = frozenset({"CollectionPage", "SearchResultsPage"})
LISTS = frozenset({"list", "date", "page", "query"})
# Posts that a list shows; fewer may stand below a post, as further reading.
FEWEST_LISTED = 3
# How sure a post is that only its home tells of: less than one that says so itself.
BY_HOME = 0.85


def link_filter(seen: SeenHost) -> UrlPattern:
    """Which addresses of the site are posts, by those of the feed, else by those that the front
    page lists.
    """
    if seen.feed and seen.feed.entries:
        return learn_url_pattern(entry.url for entry in seen.feed.entries)
    listed = segment_page(seen.front) if seen.front else []
    return learn_url_pattern(post.url for post in listed if post.url)


def role_of(seen: SeenHost, root: str, pattern: UrlPattern) -> Sign:
    """What the address is to its blog, with the reason."""
    if seen.is_feed:
        if seen.feed is None or seen.comment_feed:
            return Sign("is feed", "the address answers with a feed of comments", "feed", 1.0)
        return Sign("is feed", "the address answers with a feed", "feed", 1.0)
    page = seen.page
    if page is None:
        return Sign("no page", "nothing is known of the page itself", "blog", 0.5)
    if COMMENT_ADDRESS.search(page.url) or COMMENT_ADDRESS.search(seen.url):
        return Sign("comment address", "the address is that of comments on a post", "comment page", 0.95)
    if page_key(page.url) == page_key(root):
        return Sign("is root", "the address is the home of the blog", "blog", 0.95)
    return _by_feed(page, seen.feed) or _by_home(page, seen.home) or _by_itself(page, pattern)


def _by_feed(page: Page, feed: Feed | None) -> Sign | None:
    entries = {page_key(entry.url) for entry in feed.entries} if feed else set()
    if page_key(page.url) in entries:
        return Sign("in feed", "the feed has an entry for this very page", "post", 0.98)
    return None


def _by_home(page: Page, home: Page | None) -> Sign | None:
    """A page that the home lists among dated posts, which itself lists none: its address may have but a day."""
    dated = [post.url for post in segment_page(home) if post.published and post.url] if home else []
    listed = {page_key(url) for url in dated}
    if len(listed) < FEWEST_LISTED or page_key(page.url) not in listed:
        return None
    is_list = len([post for post in segment_page(page) if post.published]) >= FEWEST_LISTED
    return None if is_list else Sign("listed", "the home lists this very page as a post", "post", BY_HOME)


def _by_itself(page: Page, pattern: UrlPattern) -> Sign:
    """By its body's classes, by its address, by what it says and shows."""
    facts = read_facts(page)
    is_list_address = other_kind(page.url) in LISTS and not pattern.is_code(page.url)
    if said := _classes_say(facts):
        return said
    if is_list_address:
        return Sign("list address", "the address is that of a list of posts", "list page", 0.9)
    if facts.ld_types & {"BlogPosting"}:
        return Sign("says post", "the page says that it is one post", "post", 0.9)
    if has_date(page.url) or (pattern.strict and pattern.matches(page.url)):
        return Sign("post address", "the address has the shape of the blog's posts", "post", 0.9)
    return _by_contents(page, facts, pattern)


def _by_contents(page: Page, facts: PageFacts, pattern: UrlPattern) -> Sign:
    dated = [post for post in segment_page(page) if post.published]
    is_single = facts.og_type == "article" or pattern.matches(page.url)
    if len(dated) >= FEWEST_LISTED and (listed := _as_list(page, dated, is_single)):
        return listed
    if is_single:
        return Sign("like posts", "its address is like those of posts, or it calls itself an article", "post", 0.7)
    if is_article(page):
        return Sign("dated article", "the page is one dated text", "post", 0.6)
    return Sign("some page", "the page is some other page of the blog", "blog", 0.5)


def _as_list(page: Page, dated: Sequence[Post], is_single: bool) -> Sign | None:
    """What a page with several dated posts is; None where they stand below another one."""
    below = page_key(page.url) + "/"
    if all(page_key(post.url).startswith(below) for post in dated):
        return Sign("lists what is below", "the page lists dated posts that lie below it", "list page", 0.9)
    listed = items_of(page)
    is_full_of_posts = listed["newest first"] and listed["items fill"]
    return (
        Sign("lists posts", "the page lists dated posts", "list page", 0.8)
        if is_full_of_posts or not is_single
        else None
    )


def _classes_say(facts: PageFacts) -> Sign | None:
    """What the page's own mark-up says that it is."""
    if facts.body_classes & POST_CLASSES:
        return Sign("says post", "the page says that it is one post", "post", 0.95)
    if facts.body_classes & LIST_CLASSES or facts.ld_types & LIST_TYPES:
        return Sign("says list", "the page says that it is a list of posts", "list page", 0.9)
    return None
