"""When a crawl stops early: so many pages, seconds or bytes, or after a named step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

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
