"""The comments of a WordPress blog as its open REST API lists them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from blogforever.discover.feeddates import read_moment
from blogforever.discover.feedfields import Addresses, author_of
from blogforever.discover.wordpress import MOST_PAGES, PER_PAGE, list_items, page_count, page_url, rendered
from blogforever.model import Entry, Feed, Page

_POSTS, _COMMENTS = "/wp/v2/posts", "/wp/v2/comments"
_PAGE = re.compile(r"(?:^|&)page=(\d{1,6})(?:&|$)")
_ASKED = {
    "per_page": str(PER_PAGE),
    "page": "1",
    "order": "asc",
    "_fields": "id,parent,author_name,author_url,author_avatar_urls,date,content,link,type",
}


def comments_url(posts_url: str) -> str | None:
    """The first page of the list of comments, beside
    a list of posts in either of its two spellings.
    """
    parts = urlsplit(posts_url)
    if "rest_route=" in parts.query:
        routes = [part for part in parts.query.split("&") if part.startswith("rest_route=")]
        route = routes[0].replace(_POSTS, _COMMENTS)
        return urlunsplit(parts._replace(query=f"{route}&{urlencode(_ASKED, safe=',')}"))
    if not parts.path.endswith(_POSTS):
        return None
    path = parts.path.removesuffix(_POSTS) + _COMMENTS
    return urlunsplit(parts._replace(path=path, query=urlencode(_ASKED, safe=",")))


def parse_api_comments(page: Page) -> Feed | None:
    """One page of the list as a feed of comments that names the next page.

    None where it is something else.
    """
    items = list_items(page)
    if items is None:
        return None
    addresses = Addresses(page.url)
    entries = tuple(entry for item in items if (entry := _entry(item, addresses)))
    return Feed(
        page.url,
        "json",
        generator="WordPress",
        entries=entries,
        next_url=_following(page, len(items)),
    )


def _following(page: Page, size: int) -> str | None:
    """The next page: while there are some, or where their number is not told, while pages are full."""
    match = _PAGE.search(urlsplit(page.url).query)
    number = int(match[1]) + 1 if match else 2
    is_full = size >= PER_PAGE
    last = page_count(page) or (number if is_full else 0)
    return page_url(page.url, number) if number <= min(last, MOST_PAGES) else None


def _entry(item: Mapping[str, Any], addresses: Addresses) -> Entry | None:
    """A comment as an entry; None without an address and an id."""
    url, number = addresses.page(item.get("link")), item.get("id")
    if not url or not isinstance(number, int):
        return None
    author = author_of(item.get("author_name"), item.get("author_url"))
    extra = {
        "native_id": str(number),
        "fragment": f"comment-{number}",
        "in_reply_to": _answered(item.get("parent")),
        "kind": str(item.get("type") or ""),
        "avatar": addresses.file(_largest_picture(item)) or "",
    }
    return Entry(
        url=url,
        authors=(author,) if author else (),
        published=read_moment(item.get("date")),
        html=rendered(item.get("content")),
        extra={name: value for name, value in extra.items() if value},
    )


def _answered(parent: object) -> str:
    """The comment that is answered; parent 0 is the post."""
    return f"comment-{parent}" if isinstance(parent, int) and parent else ""


def _largest_picture(item: Mapping[str, Any]) -> object:
    """The last of the pictures of an author, which come by size."""
    pictures = item.get("author_avatar_urls")
    return list(pictures.values())[-1] if isinstance(pictures, dict) and pictures else None
