"""Comments out of comment feeds: of one post, or of the whole blog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from blogforever.comments.identity import comment_id
from blogforever.comments.naming import clean_author
from blogforever.extract.clean import clean_article
from blogforever.model import Author, Comment, Entry, Feed, Post
from blogforever.urls import url_key

_NUMBER = re.compile(r"(?:comment|c|cmt|post|reply|r)[-_=/]?(\d+)$", re.IGNORECASE)
_BY = re.compile(r"^(?:by|von|par|por|di|door|comment (?:on|to) .{1,300} by)\s*:?\s+", re.IGNORECASE)
_PING = re.compile(r"^\W*(?:\[\.\.\.\]|\[…\]|\[&#8230;\]).*(?:\[\.\.\.\]|\[…\])\W*$", re.DOTALL)


def feed_comments(feed: Feed, post: Post, *, whole_blog: bool = False) -> tuple[Comment, ...]:
    """The comments of a feed on one post, oldest first; a blog-wide feed has those of other posts too."""
    key = url_key(post.url)
    entries = [entry for entry in feed.entries if not whole_blog or url_key(entry.url) == key]
    return _comments(reversed(entries) if _newest_first(entries) else entries, key, post)


def _newest_first(entries: list[Entry]) -> bool:
    days = [entry.published.iso for entry in entries if entry.published]
    return len(days) > 1 and days[0] > days[-1]


def _comments(entries: Iterable[Entry], key: str, post: Post) -> tuple[Comment, ...]:
    ordinals: Counter[str] = Counter()
    owners = {author.name.casefold() for author in post.authors}
    found = []
    for position, entry in enumerate(entries):
        name, number = _name(entry), native_number(entry)
        cleaned = clean_article(entry.html or entry.summary_html, entry.url)
        raw = entry.published.raw if entry.published else ""
        found.append(
            Comment(
                id=comment_id(key, number, name, raw, ordinals),
                text=cleaned.text,
                html=cleaned.html,
                native_id=number,
                url=_address(entry),
                author=Author(name, entry.authors[0].uri if entry.authors else None) if name else None,
                published=entry.published,
                position=position,
                kind="pingback" if _PING.match(cleaned.text) else "comment",
                by_post_author=name.casefold() in owners,
                sources=("feed",),
            )
        )
    return tuple(found)


def _name(entry: Entry) -> str:
    if entry.authors:
        return entry.authors[0].name
    title = entry.title or ""
    return clean_author(_BY.sub("", title)) if _BY.match(title) else ""


def _address(entry: Entry) -> str:
    fragment = entry.extra.get("fragment", "")
    return f"{entry.url}#{fragment}" if fragment and "#" not in entry.url else entry.url


def native_number(entry: Entry) -> str | None:
    """The system's own number of a comment, out of its address or its guid."""
    for text in (entry.extra.get("fragment", ""), entry.url.partition("#")[2], entry.guid or ""):
        match = _NUMBER.search(text)
        if match:
            return match[1]
    return None
