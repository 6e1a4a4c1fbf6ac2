"""Where the older entries of a feed are: said by the feed (RFC 5005, JSON Feed), or known of its platform."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever.discover.feedfields import number
from blogforever.discover.platform import OlderEntries, load_platforms, platforms_named
from blogforever.model import Feed


def older_pages(feed: Feed, platform: str = "") -> list[str]:
    """Addresses to try, in this order, for the entries before those of this document.

    The first that answers is it.
    """
    guessed, is_larger = _guess(feed, platform)
    if is_larger:
        return list(dict.fromkeys(filter(None, (guessed, feed.next_url))))
    return [url for url in (feed.next_url or guessed,) if url]


def next_feed_page(feed: Feed, platform: str = "") -> str | None:
    """Where platforms that do not say it keep the older entries of a feed; None for the rest."""
    return _guess(feed, platform)[0]


def _guess(feed: Feed, platform: str) -> tuple[str | None, bool]:
    """The next page, and whether it holds more entries at once than the feed's own pages."""
    parts = urlsplit(feed.url)
    for older in _known(parts, f"{feed.generator or ''} {platform}"):
        url = _next_page(parts, older, len(feed.entries))
        if url:
            return url, older.by_entries
    return None, False


def _known(parts: SplitResult, maker: str) -> Iterator[OlderEntries]:
    """What is known of the platform that is named, then of those that have feeds at such an
    address.
    """
    yield from (platform.older for platform in platforms_named(maker) if platform.older)
    address = f"{parts.path}?{parts.query}"
    for platform in load_platforms().values():
        if platform.older and any(pattern.search(address) for pattern in platform.older.feeds):
            yield platform.older


def _next_page(parts: SplitResult, older: OlderEntries, entries: int) -> str | None:
    step = entries if older.by_entries else 1
    if older.in_path:
        match = older.in_path.match(parts.path)
        path = f"{match[1]}/{_number(match[2], older.first) + step}/" if match else None
        return urlunsplit(parts._replace(path=path)) if path else None
    query = dict(parse_qsl(parts.query))
    query[older.parameter] = str(_number(query.get(older.parameter), older.first) + step)
    return urlunsplit(parts._replace(query=urlencode(query | older.also)))


def _number(text: str | None, default: int) -> int:
    """The number of a page in an address; where none is given, that of the first."""
    given = number(text)
    return default if given is None else given
