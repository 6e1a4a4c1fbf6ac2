"""Where the rest of a thread is: comment pages, and the comment feed of the post."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever.urls import canonical, url_key

_PAGE = re.compile(r"/(?:comment-page|comments-page|cpage|comments/page)[-/](\d{1,4})/?$")
_QUERY = ("cpage", "commentPage", "comment-page", "commentpage", "comments_page")
MOST_PAGES = 200
"""Comment pages of one post that are asked for: more than posts have, so that a trap ends."""


def comment_pages(links: Iterable[str], post_url: str) -> list[str]:
    """The links that lead to other pages of this post's comments."""
    key = url_key(post_url)
    pages: dict[str, None] = {}
    for link in links:
        post = post_of(link)
        if post is not None and url_key(post) == key:
            pages[canonical(link)] = None
    return list(pages)


def post_of(url: str) -> str | None:
    """The address of the post whose comment page this is; None for any other page."""
    parts = urlsplit(url)
    names = {name for name, _value in parse_qsl(parts.query, keep_blank_values=True)}
    if _PAGE.search(parts.path) or not names.isdisjoint(_QUERY):
        return _without(url, _QUERY)
    return None


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
