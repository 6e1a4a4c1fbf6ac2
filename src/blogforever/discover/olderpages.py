"""Where the older entries of a feed are: said by the feed (RFC 5005, JSON Feed), or known of its platform."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever.discover.feedfields import number
from blogforever.model import Feed

BLOGGER_FEED = re.compile(r"/feeds/posts/(?:default|summary)/?$")
# As many entries as Blogger gives at once.
BLOGGER_PAGE = 150
FOLDER_FEED = re.compile(r"/feed/?$")
GHOST_FEED = re.compile(r"^(.*/rss)(?:/(\d+))?/?$")
DRUPAL_FEED = re.compile(r"/rss\.xml$")


def older_pages(feed: Feed, platform: str = "") -> list[str]:
    """Addresses to try, in this order, for the entries before those of this document.

    The first that answers is it.
    """
    guessed = next_feed_page(feed, platform)
    if guessed and "start-index" in guessed:
        return list(dict.fromkeys(filter(None, (guessed, feed.next_url))))
    return [url for url in (feed.next_url or guessed,) if url]


def next_feed_page(feed: Feed, platform: str = "") -> str | None:
    """Where platforms that do not say it keep the older entries of a feed; None for the rest."""
    parts = urlsplit(feed.url)
    query = dict(parse_qsl(parts.query))
    maker = f"{feed.generator or ''} {platform}".lower()
    if _is_blogger(maker, parts.path):
        start = _number(query.get("start-index"), 1) + len(feed.entries)
        query |= {"start-index": str(start), "max-results": str(BLOGGER_PAGE)}
    elif _is_wordpress(maker, parts.path, query):
        query["paged"] = str(_number(query.get("paged"), 1) + 1)
    elif "ghost" in maker and (match := GHOST_FEED.match(parts.path)):
        return urlunsplit(parts._replace(path=f"{match[1]}/{_number(match[2], 1) + 1}/"))
    elif _is_drupal(maker, parts.path):
        query["page"] = str(_number(query.get("page"), 0) + 1)
    else:
        return None
    return urlunsplit(parts._replace(query=urlencode(query)))


def _is_blogger(maker: str, path: str) -> bool:
    return "blogger" in maker or BLOGGER_FEED.search(path) is not None


def _is_wordpress(maker: str, path: str, query: dict[str, str]) -> bool:
    if "wordpress" in maker or FOLDER_FEED.search(path):
        return True
    return query.get("feed") in ("rss2", "atom", "rss")


def _is_drupal(maker: str, path: str) -> bool:
    return "drupal" in maker or DRUPAL_FEED.search(path) is not None


def _number(text: str | None, default: int) -> int:
    """The number of a page in an address; where none is given, that of the first."""
    given = number(text)
    return default if given is None else given
