"""Looks and policies in memory."""

from __future__ import annotations

from blogforever.schedule.policies import PolicyScope, ScopedPolicy
from blogforever.storage.schedule import KEPT_LOOKS, KEPT_POSTS, LookRow

from .memorytables import MemoryTables


class MemorySchedule:
    """The looks of each blog in a tuple, the policies by what they hold for."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, look: LookRow) -> None:
        """Remember a look; the oldest goes where there are too many."""
        self._tables.check_open()
        before = self._tables.looks.get(look.blog, ())
        self._tables.looks[look.blog] = (*before, look)[-KEPT_LOOKS:]

    def looks(self, blog: str) -> list[LookRow]:
        """The looks at a followed blog that are kept, oldest first."""
        return list(self._tables.looks.get(blog, ()))

    def published(self, blog: str) -> list[str]:
        """When the last posts of a blog of the archive were published; newest first."""
        posts = (post for post in self._tables.posts.values() if post.blog == blog)
        moments = [post.published for post in posts if post.published]
        return sorted(moments, reverse=True)[:KEPT_POSTS]

    def set_policy(self, scoped: ScopedPolicy) -> None:
        """Let a policy hold for many."""
        self._tables.policies[scoped.scope, scoped.name] = scoped

    def drop_policy(self, scope: PolicyScope, name: str = "") -> None:
        """Let none hold for these."""
        self._tables.policies.pop((scope, name), None)

    def policies(self) -> list[ScopedPolicy]:
        """All policies for many, by scope and name."""
        return [scoped for _, scoped in sorted(self._tables.policies.items())]
