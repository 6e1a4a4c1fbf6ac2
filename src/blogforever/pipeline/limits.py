"""When a crawl stops early: so many pages, seconds, bytes or new posts, or after a named step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from blogforever.wording import counted

from .waiting import Order

ROOT_FOUND: Final = "root"
# The steps after which a crawl that only looks at a blog may end: its home is known, or all that
# announces posts.
OFFERS_FOUND: Final = "offers"


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """When to stop early; 0 is never."""

    pages: int = 0
    seconds: float = 0.0
    size: int = 0
    posts: int = 0
    """New posts: what is known does not count."""
    only: Literal["", "root", "offers"] = ""
    order: Order = "knn"
    at_once: int = 4
    """Requests under way while walking.

    More would be asked for before what is under way has taught anything.
    """
    misses_cost: bool = True
    """Whether a request that leads nowhere costs anything: out of WARC files it does not, and none
    is spared.
    """


def limit_of_posts(most: int) -> str:
    """What ended a crawl that had posts enough."""
    return f"the limit of {counted(most, 'post')}"
