"""Which feeds a page leads to, where feeds usually lie, and which of several is the blog's own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from math import log2
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from selectolax.lexbor import LexborHTMLParser

from blogforever.discover.platform import load_platforms, platforms_named
from blogforever.dom import attributes_of, base_of, node_text
from blogforever.model import Entry, Feed, Page
from blogforever.page.view import view_of
from blogforever.urls import host_of, is_http, join, move_host, same_site, site_root, url_key

Role = Literal["posts", "comments", "category", "other"]

MOST_LINKS = 300
"""Feeds taken from one page; tag pages and blogrolls list thousands."""
# Characters kept of what a link to a feed is called.
_LONGEST_TITLE = 200
# Characters of text from which on an entry counts as whole, for the worth of its feed.
_WHOLE_TEXT = 1000
# An entry of the site the feed names counts so many
# times less than one of the site that was asked for.
_OTHER_SITE = 4
# What makes up the worth of an entry: that there is one,
# that its text is whole, that date and author are known.
_ENTRY_WORTH, _TEXT_WORTH, _FACTS_WORTH = 0.3, 0.6, 0.1
# What is left of a feed's worth if it is that of a part or of sounds, and if it has ended.
_PART_WORTH, _ENDED_WORTH = 0.4, 0.6
# Share of the entries with sounds that makes a podcast.
_MOSTLY_SOUND = 0.5
# Days by which a feed is behind the newest one, to have ended.
_ENDED_DAYS = 400
# By this a page's own folder is told from the blog's: /blog/ is the blog's, /2013/a-post/ is not.
_DEEP = 2
_ROLES: tuple[Role, ...] = ("posts", "category", "other", "comments")

_TYPES = (
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/feed+json",
)
_LOOSE_TYPES = ("text/xml", "application/xml", "application/x-rss+xml", "application/json")
_FEED_HOST = re.compile(
    r"(?:^|\.)(?:feedburner\.com|feedburner\.google\.com|feedproxy\.google\.com|feedpress\.me|feedblitz\.com)$"
)
_FEED_PATH = re.compile(
    r"""(?:^|/)(?:feeds?|rss|atom|rdf)\d?/?$
    |\.(?:rss|rdf|atom)$
    |(?:^|/)feeds?/(?:posts/default|atom|rss2?|rdf|all|entries)
    |(?:^|/)(?:index|feed|rss2?|atom|all|blog|posts|news|site)[._-]?(?:rss2?|atom|rdf|feed)?\.(?:xml|rdf|json)$
    |(?:^|/)backend\.php$
    |-(?:rss|atom|feed)\.xml$""",
    re.IGNORECASE | re.VERBOSE,
)
_FEED_QUERY = re.compile(
    r"(?:^|&)(?:feed=(?:rss2?|atom|rdf)|format=(?:feed|rss|atom)|type=(?:rss|atom|100)|alt=rss)(?:&|$)", re.IGNORECASE
)
_COMMENTS = re.compile(
    r"(?:^|[/_.-])comments?(?:[/_.-]|$)|comments-rss|feed=comments|/commentaires?|/kommentare|/comentarios"
    # Posts may be about discussions, so the feed itself must be called so.
    r"|(?:^|/)(?:discussions?|replies|responses|diskussion(?:en)?)(?:[._-](?:xml|rss2?|atom|json|feed))?"
    r"(?:/(?:feed|rss2?|atom)(?:\.xml)?)?/?$",
    re.IGNORECASE,
)
_COMMENT_WORDS = re.compile(
    r"\b(?:comments?|kommentare?|kommentar-feed|commentaires?|comentarios?|comentários|commenti|reacties|komentarze"
    r"|kommentarer|kommentit|yorumlar|коммент\w*|комент\w*|hozzászólás\w*|komentáře|komentari\w*)\b"
    r"|コメント|评论|評論|迴響|回响|댓글"
    r"|(?:^|[-–—|:»]\s{0,3})(?:discussions?|replies|responses|diskussion(?:en)?|réactions|reaktionen)"
    r"\W{0,3}(?:feed|rss|atom)?\W{0,3}$",
    re.IGNORECASE,
)
_PART = re.compile(
    r"""(?:^|/)(?:categor(?:y|ies|ie|ia)|tags?|topics?|authors?|labels?|series|archives?|sections?|schlagwort|kategorie
        |etiqueta|search)/
    |/feeds/posts/(?:default|summary)/-/
    |(?:^|[?&])(?:cat|tag|author|category_name|s|q|tagged)=
    |/feeds/(?!all|posts|main|blog|atom|rss)[^/]+\.(?:atom|rss)\.xml$""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG_PAGE = re.compile(r"/(?:tags?|categor(?:y|ies)|topics?|labels?)/[^/.]+/?$", re.IGNORECASE)
_SOUND = re.compile(r"podcast|itunes|\b(?:mp3|m4a|ogg|opus|aac|audio|video)\b", re.IGNORECASE)
# How a feed is called that can be no blog's, and how one is that may be.
_OF_COMMENTS = re.compile(
    r"^(?:comments? (?:for|on|to)|kommentare? (?:für|zu)|commentaires (?:pour|sur)|comentarios (?:en|para)"
    r"|comentários (?:sobre|em)|commenti (?:per|su)|reacties (?:op|voor)|recent comments|latest comments)\b",
    re.IGNORECASE,
)
_ENDS_IN_COMMENTS = re.compile(r"\bcomments(?: feed)?$", re.IGNORECASE)
_COMMENT_PAGE = re.compile(r"/comments?(?:/|$)", re.IGNORECASE)
_COMMENT_TITLE = re.compile(
    r"^(?:comment(?:s|ed)? (?:on|to|by)|by:|re:|von:|par\s?:|por:|di:|door:|kommentar zu|commentaires? sur"
    r"|comentario en|commento su)",
    re.IGNORECASE,
)
# What stands between the name of a page and that of its blog in the page's title.
_BETWEEN_NAMES = re.compile(r"\s[-–—|»«·:]+\s|\s?[|»«]\s?")
# So many entries, each with a page of its own, are posts: of as many comments some stand below the same post, and each
# has an anchor.
_ENOUGH_PAGES = 5
COMMENT_ANCHOR = re.compile(r"^(?:comment|c\d|respond|isso-|r\d)", re.IGNORECASE)
_WELL_KNOWN = (
    "feed/ rss/ atom.xml index.xml feed.xml rss.xml feeds/posts/default feed feed/atom/ "
    "feeds/all.atom.xml blog/feed/ blog/index.xml blog/atom.xml blog/feed.xml blog/rss.xml "
    "index.rdf feed.json rss atom feed/feed.xml feed/index.xml posts/index.xml post/index.xml "
    "rss2.xml feed.atom index.atom feed.rss feed/rss2/ ?feed=rss2 blog/rss/ feeds/all.rss.xml "
    "news/feed/ blog-feed.xml blog?format=rss feeds/atom.xml feeds/rss.xml feed.php rss.php "
    "index.php/feed/ node/feed rss/feed.xml"
).split()


@dataclass(frozen=True, slots=True)
class FeedLink:
    """A feed that a page names."""

    url: str
    title: str | None = None
    type: str | None = None
    role: Role = "posts"


def feed_links(page: Page) -> list[FeedLink]:
    """The feeds a page leads to, the one most likely to hold the blog's posts first."""
    tree = view_of(page).tree
    base = base_of(tree, page.url)
    announced = list(_announced(tree, base))
    named = _telling_names(tree, [link.title for link in announced if link.title])
    found: dict[str, FeedLink] = {}
    for link in chain(announced, _linked(tree, base, page.url)):
        role = _role(link.url, _without_name(link.title or "", named), page.url)
        found.setdefault(link.url, replace(link, role=role))
        if len(found) >= MOST_LINKS:
            break
    return sorted(found.values(), key=_rank)


def _telling_names(tree: LexborHTMLParser, feeds: Sequence[str]) -> list[str]:
    """The names in a page's title that speak of comments, of which that of a blog says nothing of what a feed holds:
    where it is called "Late comments", all feeds are, and no other has that name for its comments.
    """
    title = tree.css_first("head title")
    text = node_text(title)[:_LONGEST_TITLE] if title and feeds else ""
    names = (name.strip().casefold() for name in _BETWEEN_NAMES.split(text))
    telling = [name for name in names if " " in name and _COMMENT_WORDS.search(name) and not _OF_COMMENTS.match(name)]
    return [name for name in telling if all(_without_name(feed, [name]) != feed for feed in feeds)]


def _without_name(title: str, names: Sequence[str]) -> str:
    """What a feed is called beside the name of its blog."""
    plain = title.casefold()
    others = (plain.removeprefix(name) if plain.startswith(name) else plain.removesuffix(name) for name in names)
    return next((other for other in others if other != plain), title)


def _announced(tree: LexborHTMLParser, base: str) -> Iterator[FeedLink]:
    """The feeds that a page's head names."""
    for node in tree.css("link[href]"):
        rel = (node.attributes.get("rel") or "").lower().split()
        if "alternate" not in rel and "feed" not in rel:
            continue
        values = attributes_of(node)
        url = join(base, values.get("href", ""))
        kind = values.get("type", "").split(";")[0].strip().lower()
        if url and _is_feed(url, kind, said="feed" in rel):
            title = " ".join(values.get("title", "").split()) or None
            yield FeedLink(url, title, kind or None)


def _linked(tree: LexborHTMLParser, base: str, page_url: str) -> Iterator[FeedLink]:
    """The feeds that a page links to in its text."""
    for node in tree.css("a[href]"):
        url = join(base, node.attributes.get("href") or "")
        if url and looks_like_feed(url, page_url):
            title = node_text(node)[:_LONGEST_TITLE] or None
            yield FeedLink(url, title)


def _is_feed(url: str, kind: str, said: bool) -> bool:
    """Whether what a page announces is a feed: by its
    type or, with a vague or no type, by its address.
    """
    if kind in _TYPES:
        return True
    if "/wp-json/" in url or "oembed" in url:
        return False
    may_be = said if not kind else kind in _LOOSE_TYPES
    if not may_be:
        return False
    parts = urlsplit(url)
    return _has_feed_address(parts) or "feed" in parts.path.lower()


def _has_feed_address(parts: SplitResult) -> bool:
    """Whether path or query are such as feeds have."""
    return bool(_FEED_PATH.search(parts.path) or _FEED_QUERY.search(parts.query))


def looks_like_feed(url: str, site: str) -> bool:
    """Whether an ordinary link has the address of a feed of this site."""
    if _FEED_HOST.search(host_of(url)):
        return "/fb/a/" not in url and len(urlsplit(url).path) > 1
    if not same_site(url, site):
        return False
    parts = urlsplit(url)
    return _has_feed_address(parts) and not _TAG_PAGE.search(parts.path)


def _role(url: str, words: str, page_url: str) -> Role:
    """What a feed holds, by its address and by what it is called."""
    parts = urlsplit(url)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    if _COMMENTS.search(address) or _COMMENT_WORDS.search(words):
        return "comments"
    if _SOUND.search(address) or _SOUND.search(words):
        return "other"
    if _PART.search(address):
        return "category"
    is_blogs = same_site(url, page_url) or _FEED_HOST.search(parts.netloc.lower())
    if is_blogs and not _is_below(parts.path, page_url):
        return "posts"
    return "other"


def _is_below(path: str, page_url: str) -> bool:
    """Whether a feed lies in the folder of the page that names it, and that is not the blog's own."""
    folder = urlsplit(page_url).path.rstrip("/")
    return folder.count("/") >= _DEEP and path.startswith(folder + "/")


def _rank(link: FeedLink) -> tuple[int, bool]:
    """Beyond this, pages announce their main feed first."""
    is_json = "json" in (link.type or "")
    return _ROLES.index(link.role), is_json


def probe_urls(root_url: str) -> list[str]:
    """Where feeds usually lie, for the folder of an address and for its host, the most usual first."""
    root = site_root(root_url)
    if not root:
        return []
    urls: dict[str, None] = {}
    for base in dict.fromkeys((_folder(root_url) or root, root)):
        for path in _WELL_KNOWN:
            url = join(base, path)
            if url:
                urls[url] = None
    return list(urls)


def _folder(url: str) -> str | None:
    """The folder of an address; one that names no file and lacks its last slash is a folder itself."""
    path = urlsplit(url).path
    names_file = "." in path.rpartition("/")[2]
    lacks_slash = len(path) > 1 and not path.endswith("/")
    if lacks_slash and not names_file:
        return join(url, path + "/") or join(url, "./")
    return join(url, "./")


def post_comment_feed(page: Page) -> str | None:
    """The feed with the comments of this very page: the one it names, or where the platform keeps
    it.
    """
    own = urlsplit(page.url)
    for link in feed_links(page):
        if link.role != "posts" and _is_posts_own(urlsplit(link.url).path, own.path):
            return link.url
    below = _below_posts(page.content) if page.url.endswith("/") and not own.query else ""
    return page.url + below if below else None


def _below_posts(content: bytes) -> str:
    """What the platform whose marks a page shows keeps below each post."""
    for platform in load_platforms().values():
        if platform.comments.below_post and any(mark.encode() in content for mark in platform.marks.resources):
            return platform.comments.below_post
    return ""


def _is_posts_own(feed_path: str, post_path: str) -> bool:
    """Whether a feed lies below the post it belongs to, or where a platform keeps those of its
    posts.
    """
    is_below = len(post_path) > 1 and feed_path.startswith(post_path.rstrip("/") + "/")
    known = (pattern for platform in load_platforms().values() for pattern in platform.comments.of_post)
    return is_below or any(pattern.search(feed_path) for pattern in known)


def usual_comment_feed(platform: str, feed: Feed) -> str | None:
    """Where a platform keeps the feed of all comments."""
    named = platforms_named(f"{feed.generator or ''} {platform}")
    place = next((one.comments.of_blog for one in named if one.comments.of_blog), None)
    return join(feed.link or feed.url, place) if place else None


def is_comment_feed(feed: Feed) -> bool:
    """Whether the entries of a feed are readers' comments, not posts."""
    title = feed.title or ""
    if _OF_COMMENTS.match(title) or (_ENDS_IN_COMMENTS.search(title) and not _have_pages_of_their_own(feed.entries)):
        return True
    if _COMMENTS.search(urlsplit(feed.url).path):
        return True
    comments = sum(map(_is_comment, feed.entries))
    return 2 * comments > len(feed.entries)


def _have_pages_of_their_own(entries: Sequence[Entry]) -> bool:
    """Whether entries are posts, whatever their feed is called: a blog may be called "Late comments"."""
    pages = {url_key(entry.url) for entry in entries}
    is_each_apart = len(entries) >= _ENOUGH_PAGES and len(pages) == len(entries)
    return is_each_apart and not any(map(_may_be_comment, entries))


def _may_be_comment(entry: Entry) -> bool:
    """Whether an entry is a comment, or leads to a place on a page, as comments do, or to a page that is called so."""
    return bool(_anchor(entry)) or _is_comment(entry) or _COMMENT_PAGE.search(urlsplit(entry.url).path) is not None


def _anchor(entry: Entry) -> str:
    """The place on its page to which an entry leads."""
    return entry.extra.get("fragment") or (entry.guid or "").partition("#")[2]


def _is_comment(entry: Entry) -> bool:
    """Whether an entry says what it answers, or its address or title is that of a comment."""
    if entry.extra.get("in_reply_to") or COMMENT_ANCHOR.match(_anchor(entry)):
        return True
    return _COMMENT_TITLE.match(entry.title or "") is not None


def best_feed(feeds: Sequence[Feed], root_url: str) -> Feed | None:
    """The feed that says most about the blog's posts: many
    of its own, whole, of all subjects, and recent.
    """
    posts = [feed for feed in feeds if feed.entries and not is_comment_feed(feed)]
    newest = max(map(_newest, posts), default=date.min)
    return max(posts, key=lambda feed: _worth(feed, root_url, newest), default=None)


def _newest(feed: Feed) -> date:
    """The day of the newest entry."""
    moments = [entry.published or entry.updated for entry in feed.entries]
    days = [moment.day for moment in moments if moment]
    return max(days, default=date.min)


def _worth(feed: Feed, root_url: str, newest: date) -> float:
    """How much a feed says about the blog's posts."""
    size = len(feed.entries)
    own = _count_on_site(feed, root_url)
    named = _count_on_site(feed, feed.link) if feed.link else 0
    whole = known = 0.0
    for entry in feed.entries:
        whole += min(len(entry.html) / _WHOLE_TEXT, 1)
        known += bool(entry.published) + bool(entry.authors)
    worth_of_one = _ENTRY_WORTH + _TEXT_WORTH * (whole / size) + _FACTS_WORTH * (known / (2 * size))
    worth = log2(1 + max(own, named / _OTHER_SITE)) * worth_of_one
    if _is_part(feed):
        worth *= _PART_WORTH
    has_ended = (newest - _newest(feed)).days >= _ENDED_DAYS
    return worth * _ENDED_WORTH if has_ended else worth


def _count_on_site(feed: Feed, site: str) -> int:
    """The entries whose pages are of a site, each page once."""
    return len({url_key(entry.url) for entry in feed.entries if same_site(entry.url, site)})


def _is_part(feed: Feed) -> bool:
    """Whether a feed is that of a category, or of a podcast."""
    path = urlsplit(feed.url).path
    if _PART.search(path) or _SOUND.search(path):
        return True
    return sum(map(_has_sound, feed.entries)) / len(feed.entries) > _MOSTLY_SOUND


def _has_sound(entry: Entry) -> bool:
    return any("audio" in (enclosure.type or "") for enclosure in entry.enclosures)


def moved_to(feed: Feed, root_url: str) -> Feed:
    """The feed with its entries' links on the host of the
    blog, for one that has moved since the feed was made.
    """
    sites = Counter(site_root(entry.url) for entry in feed.entries)
    usual = sites.most_common(1)[0][0] if sites else ""
    if not usual or not is_http(root_url) or same_site(usual, root_url):
        return feed
    entries = []
    for entry in feed.entries:
        is_on_old_host = same_site(entry.url, usual)
        moved = replace(entry, url=move_host(entry.url, root_url)) if is_on_old_host else entry
        entries.append(moved)
    return replace(feed, entries=tuple(entries))
