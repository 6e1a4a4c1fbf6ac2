"""Posts that got a new date of change all at once: many edits, or a build that stamps every page? A sample tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Protocol

from .findings import Looked
from .rechecks import Look, due
from .remembered import KnownPost

# How many are looked at: a build at each update must not cost more than a tenth of a request for
# each post.
SHARE, MOST = 0.1, 10
Answer = Literal["unasked", "edits", "stamps"]


class Judge(Protocol):
    """Who compares pages with what is known of their posts."""

    def first_look(self, post: str) -> Looked | None:
        """The answer to the first look at a post, where its page was there."""

    def shows_edit(self, post: str) -> bool:
        """Whether the first look at a post shows other content than it had."""

    def stayed_edited(self, post: str) -> bool:
        """Whether a second look showed what the first one had."""


@dataclass(slots=True)
class MassDates:
    """The posts whose only sign of a change is a date that too many have, and what their sample
    showed.
    """

    posts: Sequence[KnownPost] = ()
    answer: Answer = "unasked"
    sample: list[KnownPost] = field(default_factory=list)
    _again: bool = False

    def choose(self, posts: Sequence[KnownPost], blog_size: int, now: datetime) -> list[Look]:
        """Looks at a few of these posts, at those that have waited longest."""
        self.posts = posts
        number = min(MOST, max(1, int(blog_size * SHARE)))
        self.sample = sorted(posts, key=lambda post: (-due(post, now), post.url))[:number]
        return [Look(post.url, "turn", post) for post in self.sample]

    def second_looks(self, judge: Judge) -> list[Look]:
        """Looks at those of the sample once more that seem edited, so that a restless page proves
        nothing.
        """
        if self._again:
            return []
        self._again = True
        first = [judge.first_look(post.id) for post in self.sample if judge.shows_edit(post.id)]
        return [replace(looked.look, url=looked.url) for looked in first if looked]

    def other_looks(self, judge: Judge) -> list[Look]:
        """Looks at all the others, where the sample shows that such dates mean edits."""
        if self.answer != "unasked":
            return []
        if any(judge.shows_edit(post.id) and judge.stayed_edited(post.id) for post in self.sample):
            self.answer = "edits"
            return [Look(post.url, "edited", post, announced=True) for post in self._others()]
        if any(judge.first_look(post.id) for post in self.sample):
            self.answer = "stamps"
        return []

    def unknown(self) -> frozenset[str]:
        """The posts of which nobody knows whether they changed: no page of the sample could be had."""
        return frozenset(post.id for post in self.posts) if self.answer == "unasked" else frozenset()

    def sentence(self) -> str | None:
        """What was not looked at, for the statement."""
        others = len(self._others())
        if not others or self.answer == "edits":
            return None
        found = "had not changed" if self.answer == "stamps" else "could not be had"
        sample = f"the {len(self.sample):,} of them that were looked at {found}"
        return f"{len(self.posts):,} posts got a new date of change at once; {sample}, {others:,} were not looked at"

    def _others(self) -> list[KnownPost]:
        looked = {post.id for post in self.sample}
        return [post for post in self.posts if post.id not in looked]
