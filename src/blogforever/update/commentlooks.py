"""Known posts of which the blog speaks of more comments than are kept, by its comment feed or by a count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blogforever.comments.feeding import native_number
from blogforever.model import Entry
from blogforever.records import PostRecord

from .context import UpdateContext, keys_of
from .rechecks import Look
from .remembered import KnownPost

# The characters of an ISO date down to its minute: feeds and pages round seconds in different ways.
TO_THE_MINUTE = 16


def comment_looks(context: UpdateContext, posts: Sequence[KnownPost]) -> list[Look]:
    """Posts of which the comment feed, or the feed's count, knows more comments than the archive."""
    by_post = context.news.comment_posts()
    looks = []
    for post in posts:
        entries: list[Entry] = []
        for key in keys_of(post):
            entries += by_post.get(key, ())
        more = _count(context, post) > post.comments
        if not more and entries:
            more = _has_unknown(context.remembered.recall(post.id), entries)
        if more:
            looks.append(Look(post.url, "comments", post))
    return looks


def _count(context: UpdateContext, post: KnownPost) -> int:
    """How many comments the feed says a post has."""
    entries = context.news.entries
    counts = [entries[key].comment_count or 0 for key in keys_of(post) if key in entries]
    return max(counts, default=0)


def _has_unknown(record: PostRecord, entries: Iterable[Entry]) -> bool:
    """Whether the record of a post lacks one of these comments."""
    numbers = {comment.native_id for comment in record.comments}
    fragments = {_fragment(comment.url or "") for comment in record.comments} - {""}
    dates = [comment.published or "" for comment in record.comments]
    for entry in entries:
        number = native_number(entry)
        fragment = entry.extra.get("fragment") or _fragment(entry.url)
        is_named = number in numbers if number else fragment in fragments
        if not is_named and not _is_dated_like(entry, dates):
            return True
    return False


def _fragment(url: str) -> str:
    return url.partition("#")[2]


def _is_dated_like(entry: Entry, dates: Iterable[str]) -> bool:
    """Whether one of these dates is that of a comment, as exactly as the feed tells it."""
    if entry.published is None:
        return False
    minute = entry.published.iso[:TO_THE_MINUTE]
    return any(date.startswith(minute) for date in dates)
