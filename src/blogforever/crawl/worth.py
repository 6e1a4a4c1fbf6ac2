"""What an answer says of who named its address: a source of which much leads nowhere is believed less, then left."""

from __future__ import annotations

from collections import Counter

from blogforever.pipeline.announcements import FEED, SITEMAP
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.page import Knowledge, Visit, text_digest
from blogforever.pipeline.waiting import Waiting
from blogforever.protocols import Ask

SAME = 3
"""Pages that may say the very same; what says it once more is no page of its own."""


class Worth:
    """Tells the queue which addresses were worth asking for."""

    def __init__(self, waiting: Waiting, offers: Offers, knowledge: Knowledge) -> None:
        self._waiting, self._offers, self._known = waiting, offers, knowledge
        self._texts: Counter[str] = Counter()

    def source(self, ask: Ask) -> str:
        """Who named an address: the feed, the sitemaps, or a page."""
        if ask.role == "entry":
            return FEED
        return SITEMAP if self._offers.is_sitemap(ask.via) else ask.via or ""

    def fruitless(self, ask: Ask) -> None:
        """This request brought nothing that was not known."""
        as_post = ask.role == "page" and self._known.pattern.matches(ask.first)
        if ask.role == "entry" or as_post:
            self._waiting.failed(self.source(ask), None, self._list_of(ask))
        elif ask.role == "page":
            self._waiting.failed(self.source(ask), ask.first, None)

    def came(self, ask: Ask, visit: Visit) -> None:
        """A page came; the address was worth it, unless it says what many others say."""
        digest = text_digest(visit.page)
        self._texts[digest] += 1
        if self._texts[digest] > SAME:
            self.fruitless(ask)
            return
        is_post = visit.evidence.matches or visit.evidence.in_feed
        self._waiting.came(self.source(ask), self._list_of(ask) if is_post else None)

    def _list_of(self, ask: Ask) -> str | None:
        """The page that names an address, unless it is a post itself."""
        if ask.role != "page" or not ask.via:
            return None
        return None if self._known.pattern.matches(ask.via) else ask.via
