"""Posts out of single pages, with what feed and rules are given; no archive, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from blogforever.errors import BadInput, UsageError
from blogforever.extract.sharedpage import posts_on
from blogforever.model import Comment, Entry, Feed, Page, Post, Rules, SharedPages
from blogforever.page.view import view_of
from blogforever.pipeline.record import post_record
from blogforever.records import PostRecord
from blogforever.urls import is_http, join, mark_of, url_key, without_mark

UNKNOWN = "about:blank"
# A page with fewer posts lists none: it shows one, and perhaps a link to another.
FEWEST_LISTED = 2
# What a page that lists posts calls itself.
LIST_TYPES = ("website", "blog")


@dataclass(frozen=True, slots=True)
class Request:
    """Pages by name, and what helps to read them."""

    pages: Sequence[tuple[str, bytes]]
    url: str | None = None
    feed: bytes | None = None
    rules: str | None = None
    front_page: bool = False
    comment_feed: bytes | None = None


@dataclass(frozen=True, slots=True)
class PageContents:
    """What one page holds: a post, or a list of posts."""

    is_list: bool
    posts: tuple[PostRecord, ...]


def read_input(name: str, stdin: bytes | None = None) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    if name == "-":
        return stdin or b""
    if is_http(name):
        raise BadInput(f"Nothing is fetched here: save {name} as a file first; --url says where a page is from.")
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror or error}.") from error


def extract_records(request: Request) -> Iterator[PostRecord]:
    """One record a post, in the order of the pages."""
    if request.url and len(request.pages) > 1:
        raise UsageError("--url names one page, but several are given.")
    pages = [Page(request.url or own_address(name, content), content) for name, content in request.pages]
    feed, comment_feed = _feed(request.feed, pages), _feed(request.comment_feed, pages)
    if request.front_page:
        rules = _rules(request, feed, pages)
        for page in pages:
            yield from _listed_posts(page, rules)
    else:
        yield from _posts(request, pages, _marked(feed) if feed else None, comment_feed)


def contents_of(page: Page, rules: Rules | None = None, is_list: bool | None = None) -> PageContents:
    """What a page holds; whether it is a list or a post is seen by itself, where nobody says it."""
    if is_list is not False:
        listed = tuple(_listed_posts(page, rules))
        if is_list or (len(listed) >= FEWEST_LISTED and _seems_list(page)):
            return PageContents(True, listed)
    shared = rules.shared if rules else None
    return PageContents(False, tuple(_post(own, rules, None, None) for own in _own_pages(page, shared)))


def _seems_list(page: Page) -> bool:
    """Whether a page is a list of posts by its address, or by what it says of itself."""
    from blogforever.crawl.heldlists import is_list  # noqa: PLC0415  only who hands in any page asks
    from blogforever.discover.pagefacts import read_facts  # noqa: PLC0415  as above
    from blogforever.pipeline.page import is_marked_as_post  # noqa: PLC0415  as above

    if is_list(page.url):
        return True
    facts = read_facts(page)
    may_be_list = facts.og_type in LIST_TYPES or page.url == UNKNOWN
    return may_be_list and not is_marked_as_post(facts)


def _posts(
    request: Request, pages: Sequence[Page], feed: Feed | None, comment_feed: Feed | None
) -> Iterator[PostRecord]:
    """The posts of pages: one each, or those that share one."""
    shared = _shared(request, feed, pages)
    own_pages = [own for page in pages for own in _own_pages(page, shared)]
    rules = _rules(request, feed, own_pages)
    entries = {url_key(entry.url): entry for entry in feed.entries} if feed else {}
    for page in own_pages:
        yield _post(page, rules, entries.get(url_key(page.url)), comment_feed)


def _shared(request: Request, feed: Feed | None, pages: Sequence[Page]) -> SharedPages | None:
    """Where posts begin, if these pages have several: by the rules, by the feed, else by what a
    page shows.
    """
    from blogforever.learn.sharing import learn_shared, marked_entries, shown_shared  # noqa: PLC0415  few need it

    if request.rules is not None:
        return _load(request.rules).shared
    if feed is not None:
        return learn_shared(pages, marked_entries({url_key(entry.url): entry for entry in feed.entries}))
    return shown_shared(pages)


def _own_pages(page: Page, shared: SharedPages | None) -> list[Page]:
    """A page, or what it has of each post that shares it; of one of them, where its address names
    it.
    """
    whole = replace(page, url=without_mark(page.url))
    posts = posts_on(whole, shared) if shared else {}
    named = posts.get(mark_of(page.url))
    return [named] if named else list(posts.values()) or [whole]


def own_address(name: str, content: bytes) -> str:
    """The address a page gives as its own; a file's name where it gives none."""
    tree = view_of(Page(UNKNOWN, content)).tree
    for selector, attribute in (
        ("link[rel~='canonical'][href]", "href"),
        ("meta[property='og:url']", "content"),
    ):
        node = tree.css_first(selector)
        value = node.attributes.get(attribute) if node else None
        if value and (url := join(UNKNOWN, value)):
            return url
    return UNKNOWN if name == "-" else Path(name).absolute().as_uri()


def _listed_posts(page: Page, rules: Rules | None) -> Iterator[PostRecord]:
    from blogforever.extract.segment import segment_page  # noqa: PLC0415  only front pages need it

    for post in segment_page(page, rules):
        yield post_record(post, "", page)


def _post(page: Page, rules: Rules | None, entry: Entry | None, comment_feed: Feed | None) -> PostRecord:
    from blogforever.extract.post import extract_post  # noqa: PLC0415  front pages do without it
    from blogforever.pipeline.reading import Reading, read_page  # noqa: PLC0415  as above

    def comments(page: Page, post: Post, rules: Rules | None, _others: object) -> tuple[Comment, ...]:
        return _comments(page, post, rules, comment_feed)

    return read_page(page, Reading(rules, extract_post, comments), entry).record


def _comments(page: Page, post: Post, rules: Rules | None, comment_feed: Feed | None) -> tuple[Comment, ...]:
    """The comments the page shows, and those a comment feed tells; a feed of one post needs not say
    of which.
    """
    from blogforever.comments import extract_comments, feed_comments, merge_comments  # noqa: PLC0415  as above

    shown = extract_comments(page, post, rules.comments if rules else ())
    if comment_feed is None:
        return shown
    posts = {url_key(entry.url) for entry in comment_feed.entries}
    return merge_comments([shown], [feed_comments(comment_feed, post, whole_blog=len(posts) > 1)])


def _feed(content: bytes | None, pages: Sequence[Page]) -> Feed | None:
    if content is None:
        return None
    from blogforever.discover.feed import parse_feed  # noqa: PLC0415  loaded only with --feed

    return parse_feed(content, pages[0].url)


def _marked(feed: Feed) -> Feed:
    from blogforever.pipeline.entries import with_marks  # noqa: PLC0415  loaded only with --feed

    return with_marks(feed)


def _load(rules: str) -> Rules:
    from blogforever.learn.rulefile import load_rules  # noqa: PLC0415  loaded only with --rules

    return load_rules(rules)


def _rules(request: Request, feed: Feed | None, pages: Sequence[Page]) -> Rules | None:
    if request.rules is not None:
        return _load(request.rules)
    if feed is None:
        return None
    known = {url_key(entry.url) for entry in feed.entries}
    training = [page for page in pages if url_key(page.url) in known]
    if not training:
        return None
    from blogforever.learn import learn_rules  # noqa: PLC0415  loaded only with --feed

    return learn_rules(feed, training)
