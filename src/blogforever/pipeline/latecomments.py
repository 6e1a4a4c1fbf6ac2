"""Late comments that scripts draw: which known posts are drawn again, by the system's own count or in their turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from blogforever.protocols import Ask

from .hostedcounts import Counted, HostedCounts
from .rechecks import Look, due
from .remembered import KnownPost
from .rendering import Rendering
from .since import moment_of

LEAST_DRAWN = 10
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
        """Requests for the counts of the posts that are due the most; none where no system counts."""
        here = [post for post in posts if self._rendering.may_draw and post.state == "active"]
        here.sort(key=lambda post: -due(post, self._now))
        return self._hosted.asks([Counted(post.id, post.url, post.ref) for post in here])

    def looks(self, posts: Sequence[KnownPost], pages: int) -> list[Look]:
        """Posts that have more comments than are kept, then recent ones that nobody counts; bounded."""
        counts = self._hosted.counts
        if any(counts.values()):
            # Nobody had written when the blog was walked; now somebody has.
            self._rendering.comments = True
        if not self.wanted:
            return []
        grown = [post for post in posts if counts.get(post.id, 0) > known_count(post)]
        grown.sort(key=lambda post: post.published or "", reverse=True)
        commented = self._rendering.comments or any(post.comments for post in posts)
        others = [post for post in posts if commented and post.id not in counts and self._is_due(post)]
        others.sort(key=lambda post: -due(post, self._now))
        chosen = [*grown, *others][: max(LEAST_DRAWN, pages)]
        self._drawn, self._left = len(chosen), len(grown) + len(others) - len(chosen)
        return [Look(post.url, "comments", post) for post in chosen]

    def _is_due(self, post: KnownPost) -> bool:
        born = moment_of(post.published) or post.since or self._now
        return post.state == "active" and self._now - born <= RECENT and due(post, self._now) >= 1

    def sentence(self) -> str:
        """What the completeness statement says of it."""
        if not self.wanted:
            return ""
        system = self._hosted.system.title()
        if self._hosted.counts:
            told = f"{system} itself counts the comments of {len(self._hosted.counts):,} posts"
            told += f"; drawn again for late ones: {self._drawn:,}"
        else:
            why = f" ({system} gave no count)" if self._hosted.failed else ""
            told = f"Late comments that scripts draw are looked for in posts of the last {RECENT.days} days, after a"
            told += f" tenth of their age{why}; drawn again: {self._drawn:,}"
        return told + (f", waiting for the next update: {self._left:,}" if self._left else "")


def known_count(post: KnownPost) -> int:
    """The number of comments that was last told of a post, or else is kept."""
    return post.comments if post.stated is None else post.stated
