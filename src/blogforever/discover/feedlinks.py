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
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from blogforever.dom import node_text, shared_tree
from blogforever.model import Entry, Feed, Page
from blogforever.urls import host_of, is_http, join, move_host, same_site, site_root, url_key

Role = Literal["posts", "comments", "category", "other"]

MOST_LINKS = 300
"""Feeds taken from one page; tag pages and blogrolls list thousands."""

_TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json")
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
    r"(?:^|[/_.-])comments?(?:[/_.-]|$)|comments-rss|feed=comments|/commentaires?|/kommentare|/comentarios",
    re.IGNORECASE,
)
_COMMENT_WORDS = re.compile(
    r"\b(?:comments?|kommentare?|kommentar-feed|commentaires?|comentarios?|comentários|commenti|reacties|komentarze"
    r"|kommentarer|kommentit|yorumlar|коммент\w*|комент\w*|hozzászólás\w*|komentáře|komentari\w*)\b"
    r"|コメント|评论|評論|迴響|回响|댓글",
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
_COMMENT_FEED_TITLE = re.compile(
    r"^(?:comments? (?:for|on|to)|kommentare? (?:für|zu)|commentaires (?:pour|sur)|comentarios (?:en|para)"
    r"|comentários (?:sobre|em)|commenti (?:per|su)|reacties (?:op|voor)|recent comments|latest comments)\b"
    r"|\bcomments(?: feed)?$",
    re.IGNORECASE,
)
_COMMENT_TITLE = re.compile(
    r"^(?:comment(?:s|ed)? (?:on|to|by)|by:|re:|von:|par\s?:|por:|di:|door:|kommentar zu|commentaires? sur"
    r"|comentario en|commento su)",
    re.IGNORECASE,
)
_COMMENT_ANCHOR = re.compile(r"^(?:comment|c\d|respond|isso-|r\d)", re.IGNORECASE)
_BLOGGER_POST = re.compile(r"/feeds/\d+/comments/default$")
_WELL_KNOWN = (
    *("feed/", "rss/", "atom.xml", "index.xml", "feed.xml", "rss.xml", "feeds/posts/default", "feed", "feed/atom/"),
    *("feeds/all.atom.xml", "blog/feed/", "blog/index.xml", "blog/atom.xml", "blog/feed.xml", "blog/rss.xml"),
    *("index.rdf", "feed.json", "rss", "atom", "feed/feed.xml", "feed/index.xml", "posts/index.xml", "post/index.xml"),
    *("rss2.xml", "feed.atom", "index.atom", "feed.rss", "feed/rss2/", "?feed=rss2", "blog/rss/", "feeds/all.rss.xml"),
    *("news/feed/", "blog-feed.xml", "blog?format=rss", "feeds/atom.xml", "feeds/rss.xml", "feed.php", "rss.php"),
    *("index.php/feed/", "node/feed", "rss/feed.xml"),
)


@dataclass(frozen=True, slots=True)
class FeedLink:
    """A feed that a page names."""

    url: str
    title: str | None = None
    type: str | None = None
    role: Role = "posts"


def feed_links(page: Page) -> list[FeedLink]:
    """The feeds a page leads to, the one most likely to hold the blog's posts first."""
    tree = shared_tree(page)
    base_node = tree.css_first("base[href]")
    base = join(page.url, (base_node.attributes.get("href") or "") if base_node else "") or page.url
    found: dict[str, FeedLink] = {}
    for link in chain(_announced(tree, base, page.url), _linked(tree, base, page.url)):
        found.setdefault(link.url, link)
        if len(found) >= MOST_LINKS:
            break
    return sorted(found.values(), key=_rank)


def _announced(tree: LexborHTMLParser, base: str, page_url: str) -> Iterator[FeedLink]:
    for node in tree.css("link[href]"):
        attributes = node.attributes
        rel = (attributes.get("rel") or "").lower().split()
        url = join(base, attributes.get("href") or "")
        kind = (attributes.get("type") or "").split(";")[0].strip().lower()
        if url and ("alternate" in rel or "feed" in rel) and _is_feed(url, kind, "feed" in rel):
            title = " ".join((attributes.get("title") or "").split()) or None
            yield FeedLink(url, title, kind or None, _role(url, title, page_url))


def _linked(tree: LexborHTMLParser, base: str, page_url: str) -> Iterator[FeedLink]:
    for node in tree.css("a[href]"):
        url = join(base, node.attributes.get("href") or "")
        if url and looks_like_feed(url, page_url):
            title = node_text(node)[:200] or None
            yield FeedLink(url, title, None, _role(url, title, page_url))


def _is_feed(url: str, kind: str, said: bool) -> bool:
    if kind in _TYPES:
        return True
    path, query = urlsplit(url).path, urlsplit(url).query
    if "/wp-json/" in url or "oembed" in url:
        return False
    loose = kind in _LOOSE_TYPES or (not kind and said)
    return loose and bool(_FEED_PATH.search(path) or _FEED_QUERY.search(query) or "feed" in path.lower())


def looks_like_feed(url: str, site: str) -> bool:
    """Whether an ordinary link has the address of a feed of this site."""
    host = host_of(url)
    if _FEED_HOST.search(host):
        return "/fb/a/" not in url and len(urlsplit(url).path) > 1
    if not same_site(url, site):
        return False
    parts = urlsplit(url)
    if _TAG_PAGE.search(parts.path):
        return False
    return bool(_FEED_PATH.search(parts.path) or _FEED_QUERY.search(parts.query))


def _role(url: str, title: str | None, page_url: str) -> Role:
    parts = urlsplit(url)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    words = title or ""
    if _COMMENTS.search(address) or _COMMENT_WORDS.search(words):
        return "comments"
    if _SOUND.search(address) or _SOUND.search(words):
        return "other"
    if _PART.search(address):
        return "category"
    own = urlsplit(page_url).path.rstrip("/")
    if own and own.count("/") > 1 and parts.path.startswith(own + "/"):
        return "other"
    return "posts" if same_site(url, page_url) or _FEED_HOST.search(parts.netloc.lower()) else "other"


def _rank(link: FeedLink) -> tuple[int, bool]:
    """Beyond this, pages announce their main feed first."""
    return ("posts", "category", "other", "comments").index(link.role), "json" in (link.type or "")


def probe_urls(root_url: str) -> list[str]:
    """Where feeds usually lie, for the folder of an address and for its host, the most usual first."""
    root = site_root(root_url)
    if not root:
        return []
    parts = urlsplit(root_url)
    folder = join(root_url, "./") or root
    if not parts.path.endswith("/") and "." not in parts.path.rpartition("/")[2] and len(parts.path) > 1:
        folder = join(root_url, parts.path + "/") or folder
    bases = [folder] if folder == root else [folder, root]
    urls = [join(base, path) for base in bases for path in _WELL_KNOWN]
    return list(dict.fromkeys(url for url in urls if url))


def post_comment_feed(page: Page) -> str | None:
    """The feed with the comments of this very page: the one it names, or where WordPress keeps it."""
    own = urlsplit(page.url)
    for link in feed_links(page):
        parts = urlsplit(link.url)
        below = parts.path.startswith(own.path.rstrip("/") + "/") and len(own.path) > 1
        if link.role != "posts" and (below or _BLOGGER_POST.search(parts.path)):
            return link.url
    return f"{page.url}feed/" if b"/wp-content/" in page.content and page.url.endswith("/") and not own.query else None


def usual_comment_feed(platform: str, feed: Feed) -> str | None:
    """Where a platform keeps the feed of all comments, beside the feed of its posts."""
    maker = f"{feed.generator or ''} {platform}".lower()
    if "blogger" in maker:
        return join(feed.url, "/feeds/comments/default")
    return join(feed.link or feed.url, "comments/feed/") if "wordpress" in maker else None


def is_comment_feed(feed: Feed) -> bool:
    """Whether the entries of a feed are readers' comments, not posts."""
    if feed.title and _COMMENT_FEED_TITLE.search(feed.title):
        return True
    if _COMMENTS.search(urlsplit(feed.url).path):
        return True
    return bool(feed.entries) and 2 * sum(map(_is_comment, feed.entries)) > len(feed.entries)


def _is_comment(entry: Entry) -> bool:
    fragment = entry.extra.get("fragment", "") or (entry.guid or "").partition("#")[2]
    return bool(_COMMENT_ANCHOR.match(fragment) or _COMMENT_TITLE.match(entry.title or ""))


def best_feed(feeds: Sequence[Feed], root_url: str) -> Feed | None:
    """The feed that says most about the blog's posts: many of its own, whole, of all subjects, and recent."""
    posts = [feed for feed in feeds if feed.entries and not is_comment_feed(feed)]
    newest = max((_newest(feed) for feed in posts), default=date.min)
    return max(posts, key=lambda feed: _worth(feed, root_url, newest), default=None)


def _newest(feed: Feed) -> date:
    moments = [entry.published or entry.updated for entry in feed.entries]
    return max((moment.day for moment in moments if moment), default=date.min)


def _worth(feed: Feed, root_url: str, newest: date) -> float:
    size = len(feed.entries)
    own = len({url_key(entry.url) for entry in feed.entries if same_site(entry.url, root_url)})
    named = len({url_key(entry.url) for entry in feed.entries if feed.link and same_site(entry.url, feed.link)})
    whole = sum(min(len(entry.html) / 1000, 1) for entry in feed.entries) / size
    known = sum(bool(entry.published) + bool(entry.authors) for entry in feed.entries) / (2 * size)
    sound = sum(any("audio" in (part.type or "") for part in entry.enclosures) for entry in feed.entries) / size
    worth = log2(1 + max(own, named / 4)) * (0.3 + 0.6 * whole + 0.1 * known)
    if _PART.search(urlsplit(feed.url).path) or _SOUND.search(urlsplit(feed.url).path) or sound > 0.5:
        worth *= 0.4
    return worth if (newest - _newest(feed)).days < 400 else worth * 0.6


def moved_to(feed: Feed, root_url: str) -> Feed:
    """The feed with its entries' links on the host of the blog, for one that has moved since the feed was made."""
    sites = Counter(site_root(entry.url) for entry in feed.entries)
    usual = sites.most_common(1)[0][0] if sites else ""
    if not usual or not is_http(root_url) or same_site(usual, root_url):
        return feed
    entries = tuple(
        replace(entry, url=move_host(entry.url, root_url)) if same_site(entry.url, usual) else entry
        for entry in feed.entries
    )
    return replace(feed, entries=entries)
