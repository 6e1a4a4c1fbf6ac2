"""What the schedule goes by: the looks so far, what they found and what the blog wishes; and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from blogforever.model import Said
from blogforever.wording import in_english

Cause = Literal["schedule", "ping", "person", "comments"]
"""Who wanted a look: the schedule itself, somebody who told of a new post, or a person; or the
schedule for late comments alone, where pings tell of posts: then no feed of posts was asked.
"""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a blog itself says about when to come again;
    seconds, hours of the day (0 to 23, UTC) and names of days.
    """

    retry_after: int | None = None
    max_age: int | None = None
    """Of Cache-Control: as long as its announcements hold."""
    ttl: int | None = None
    """Of RSS."""
    update_period: int | None = None
    """Of the syndication module: its period divided by its frequency."""
    skip_hours: tuple[int, ...] = ()
    skip_days: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PastLook:
    """One look at a blog, as far as the next one goes by it."""

    at: datetime
    answered: bool = True
    found: int = 0
    """New posts."""
    changed: int = 0
    comments: int = 0
    """New comments."""
    cause: Cause = "schedule"
    wishes: Wishes = field(default_factory=Wishes)


POST_RETRIES = tuple(timedelta(hours=hours) for hours in (1, 3, 8))
"""The waits before announced posts are tried again that could not be had, after the first try and each further one:
trouble with single pages has passed by then, or stays until somebody mends it.
"""


def to_be_tried_again(tries: Mapping[str, int]) -> tuple[str, ...]:
    """Of the addresses of such posts and how often each was tried, those that are worth another try."""
    return tuple(url for url, number in tries.items() if number <= len(POST_RETRIES))


@dataclass(frozen=True, slots=True)
class Unfetched:
    """How many announced posts the last look could not have that are worth another try, and how often those were
    tried that were tried the least.
    """

    posts: int = 0
    tries: int = 0

    @classmethod
    def of(cls, tries: Mapping[str, int]) -> Unfetched:
        """Out of the tries of each."""
        again = [tries[url] for url in to_be_tried_again(tries)]
        return cls(len(again), min(again, default=0))


@dataclass(frozen=True, slots=True)
class BlogHistory:
    """What is known of a blog when its next look is planned.

    `looks` are the last ones, oldest first; `published` are moments of its last posts, in any
    order, in the blog's own zone where that is known. A moment of which only the day is known
    stands at noon, and in `days` instead. `spread` is a number from 0 to 1 that is the blog's own:
    so that blogs that were added together are not all due together.
    """

    looks: tuple[PastLook, ...] = ()
    published: tuple[datetime, ...] = ()
    days: tuple[datetime, ...] = ()
    spread: float = 0.0
    is_cut_off: bool = False
    """Whether a hub told us of its posts, and does so no more."""
    came_by_ping: bool = False
    """Whether it is followed because of a ping of its own: so it pings, before any has told of a
    new post.
    """
    unfetched: Unfetched = field(default_factory=Unfetched)

    @property
    def last(self) -> PastLook | None:
        """The last look."""
        return self.looks[-1] if self.looks else None

    @property
    def last_asked(self) -> PastLook | None:
        """The last look that asked what is new: one for late comments alone did not."""
        asked = (look for look in reversed(self.looks) if look.cause != "comments")
        return next(asked, self.last)

    @property
    def failures(self) -> int:
        """Looks in a row, the last ones, that nobody answered."""
        count = 0
        for look in reversed(self.looks):
            if look.answered:
                break
            count += 1
        return count


@dataclass(frozen=True, slots=True)
class NextLook:
    """When a blog is looked at next, None for never, and why; for people."""

    at: datetime | None
    said: tuple[Said, ...] = ()

    @property
    def reason(self) -> str:
        """Why, in a text."""
        return in_english(self.said)
