"""Where the rest of a thread is: comment pages, and the comment feed of the post."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever.urls import canonical, url_key

_PAGE = re.compile(r"/(?:comment-page|comments-page|cpage|comments/page)[-/](\d{1,4})/?$")
_QUERY = ("cpage", "commentPage", "comment-page", "commentpage", "comments_page")
MOST_PAGES = 200
"""Comment pages of one post that are asked for."""


def comment_pages(links: Iterable[str], post_url: str) -> list[str]:
    """The links that lead to other pages of this post's comments."""
    key = url_key(post_url)
    found = (canonical(link) for link in links if (base := post_of(link)) is not None and url_key(base) == key)
    return list(dict.fromkeys(found))[:MOST_PAGES]


def post_of(url: str) -> str | None:
    """The address of the post whose comment page this is; None for any other page."""
    parts = urlsplit(url)
    paged = _PAGE.search(parts.path) or any(
        name in _QUERY for name, _ in parse_qsl(parts.query, keep_blank_values=True)
    )
    return _without(url, _QUERY) if paged else None


def commented(url: str) -> str:
    """The address of the post that a comment's own address speaks of."""
    return _without(url, (*_QUERY, "showComment", "replytocom"))


def _without(url: str, names: Collection[str]) -> str:
    """An address without what leads to one page of the comments, or to one comment."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [pair for pair in pairs if pair[0] not in names]
    query = parts.query if len(kept) == len(pairs) else urlencode(kept)
    return urlunsplit(parts._replace(path=_PAGE.sub("/", parts.path), query=query, fragment=""))
