"""What every part of an update works with: the blog as it is remembered, known and announced, and the tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from blogforever.pipeline.learning import Tools
from blogforever.pipeline.page import Knowledge
from blogforever.urls import url_key

from .hostmoves import HostMoves
from .identity import Identity, names_of
from .news import News
from .remembered import KnownPost, Remembered


@dataclass(frozen=True, slots=True)
class UpdateContext:
    """One blog in one update."""

    remembered: Remembered
    known: Knowledge
    identity: Identity
    news: News
    tools: Tools
    host_moves: HostMoves = field(default_factory=HostMoves)

    def is_listed(self, post: KnownPost) -> bool:
        """Whether the blog still names a post, at any address it has or had."""
        return any(self.news.names(key) for key in keys_of(post))

    def was_seen(self, key: str) -> bool:
        """Whether the page with this key was ever fetched."""
        return key in self.remembered.seen

    def is_unjudged(self, post: KnownPost) -> bool:
        """Whether a post was looked at while the blog was frozen, and what was seen is still to be
        judged.
        """
        return not self.remembered.unjudged.isdisjoint(keys_of(post))

    def active_posts(self) -> Iterator[KnownPost]:
        """The posts that were there at the last look."""
        return (post for post in self.remembered.posts if post.state == "active")


def keys_of(post: KnownPost) -> list[str]:
    """The keys of all addresses of a post."""
    return [url_key(name) for name in names_of(post)]
