"""Late comments that scripts draw: which known posts are drawn again, by the system's own count or in their turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from blogforever.pipeline.hostedcounts import Counted, HostedCounts
from blogforever.pipeline.rendering import Rendering
from blogforever.pipeline.since import moment_of
from blogforever.protocols import Ask

from .rechecks import Look, due
from .remembered import KnownPost

# Posts that are drawn again in one update, whatever its budget: drawing is dear, but late comments
# are few.
LEAST_DRAWN = 10
# Readers rarely write under older posts.
RECENT = timedelta(days=90)


class LateComments:
    """Asks the blog's comment system what is new where it can tell, and says what to draw again."""

    def __init__(self, rendering: Rendering, counts: HostedCounts, now: datetime) -> None:
        self._rendering, self._hosted, self._now = rendering, counts, now
        self._drawn = self._left = 0

    @property
    def wanted(self) -> bool:
        """Whether comments of this blog are seen in a browser only, and there is one."""
        rendering = self._rendering
        return rendering.may_draw and bool(rendering.comments or rendering.articles)

    def asks(self, posts: Sequence[KnownPost]) -> list[Ask]:
        """Requests for the counts of the posts that are due the most.

        None where no system counts.
        """
        if not self._rendering.may_draw:
            return []
        here = [post for post in posts if post.state == "active"]
        here.sort(key=lambda post: -due(post, self._now))
        return self._hosted.asks([Counted(post.id, post.url, post.ref) for post in here])

    def looks(self, posts: Sequence[KnownPost], pages: int) -> list[Look]:
        """Posts that have more comments than are kept, then recent ones that nobody counts;
        bounded.
        """
        if any(self._hosted.counts.values()):
            # Nobody had written when the blog was walked; now somebody has.
            self._rendering.comments = True
        if not self.wanted:
            return []
        wanted = [*self._grown(posts), *self._uncounted(posts)]
        chosen = wanted[: max(LEAST_DRAWN, pages)]
        self._drawn, self._left = len(chosen), len(wanted) - len(chosen)
        return [Look(post.url, "comments", post) for post in chosen]

    def _grown(self, posts: Sequence[KnownPost]) -> list[KnownPost]:
        """Posts of which the system counts more comments than are kept, the newest first."""
        counts = self._hosted.counts
        grown = [post for post in posts if counts.get(post.id, 0) > known_count(post)]
        return sorted(grown, key=lambda post: post.published or "", reverse=True)

    def _uncounted(self, posts: Sequence[KnownPost]) -> list[KnownPost]:
        """Recent posts that nobody counts, those that have waited longest first."""
        commented = self._rendering.comments or any(post.comments for post in posts)
        if not commented:
            return []
        others = [post for post in posts if post.id not in self._hosted.counts and self._is_due(post)]
        return sorted(others, key=lambda post: -due(post, self._now))

    def _is_due(self, post: KnownPost) -> bool:
        born = moment_of(post.published) or post.since or self._now
        is_recent = self._now - born <= RECENT
        return is_recent and post.state == "active" and due(post, self._now) >= 1

    def sentence(self) -> str:
        """What the completeness statement says of it."""
        if not self.wanted:
            return ""
        left = f", waiting for the next update: {self._left:,}" if self._left else ""
        system, counts = self._hosted.system.title(), self._hosted.counts
        if counts:
            counted = f"{system} itself counts the comments of {len(counts):,} posts"
            return f"{counted}; drawn again for late ones: {self._drawn:,}{left}"
        why = f" ({system} gave no count)" if self._hosted.failed else ""
        searched = f"Late comments that scripts draw are looked for in posts of the last {RECENT.days} days"
        return f"{searched}, after a tenth of their age{why}; drawn again: {self._drawn:,}{left}"


def known_count(post: KnownPost) -> int:
    """The number of comments that was last told of a post, or else is kept."""
    return post.comments if post.stated is None else post.stated
