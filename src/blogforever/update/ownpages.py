"""The blog's own pages (About, Contact) over time: which an update looks at, and what they have become."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import structs

from blogforever.dom import tokenise
from blogforever.learn.urlpattern import other_kind, skip_reason
from blogforever.pipeline.record import old_identity
from blogforever.pipeline.scope import Scope
from blogforever.pipeline.since import moment_of
from blogforever.records import PageRecord, PostRecord
from blogforever.urls import url_key

from .comparing import Comparison
from .context import UpdateContext
from .findings import Looked
from .fuller import FEW_WORDS, is_bare, is_far_less, why_kept, with_text_of
from .rechecks import AGAIN, Look, TurnBudget
from .states import NEGATIVE

# Own pages that one update looks at in turn: blogs have few, and those that have many are looked at
# over some days.
MOST_IN_TURN = 20
# Addresses of the sitemap that may be new own pages, and that one update asks for.
MOST_NEW = 5


class OwnPages:
    """Looks at the blog's own pages within the budget that posts have, and keeps what they say now."""

    def __init__(
        self, context: UpdateContext, comparison: Comparison, scope: Scope, turns: TurnBudget, now: datetime
    ) -> None:
        self._context, self._comparison, self._scope = context, comparison, scope
        self._turns, self._now = turns, now
        self._pages = {page.url: page for page in context.remembered.pages}
        self._looked: dict[str, Looked] = {}

    def looks(self) -> list[Look]:
        """Those that the sitemap says have changed, some in turn, and addresses that may be new
        ones.
        """
        urls = [page.url for page in self._pages.values() if self._is_announced(page)]
        known = [Look(url, "page") for url in dict.fromkeys([*urls, *self._in_turn()])]
        return [*known, *(Look(url, "new") for url in self._new_places())]

    def _is_announced(self, page: PageRecord) -> bool:
        said = self._context.news.lastmod([url_key(name) for name in page.addresses])
        changed = moment_of(said) if said else None
        captured = moment_of(page.capture.captured) if page.capture else None
        return changed is not None and captured is not None and changed > captured

    def _in_turn(self) -> list[str]:
        """As large a share of them as of the posts, each day the next ones: nothing needs to be
        remembered for it.
        """
        turns = self._turns
        if not turns.is_time or not turns.updates:
            return []
        day, rest = self._now.toordinal(), enumerate(sorted(self._pages))
        due = [url for number, url in rest if (day + number) % turns.updates == 0]
        return [url for url in due if turns.updates == 1 or self._is_old(self._pages[url])][:MOST_IN_TURN]

    def _is_old(self, page: PageRecord) -> bool:
        """Whether it was not just read."""
        captured = moment_of(page.capture.captured) if page.capture else None
        return captured is None or self._now - captured >= AGAIN

    def _new_places(self) -> list[str]:
        """Addresses that the sitemap lists, that nobody has looked at, and that can be no list of
        posts.
        """
        return [url for url in self._places() if self._may_be_own(url)][:MOST_NEW]

    def _places(self) -> Iterator[str]:
        news, context = self._context.news, self._context
        if news.since.day is None:
            unseen = (place.url for key, place in news.places.items() if not context.was_seen(key))
            yield from (url for url in unseen if context.identity.at(url) is None)

    def _may_be_own(self, url: str) -> bool:
        is_other = other_kind(url) not in (None, "static")
        return self._scope.own_host(url) and not is_other and skip_reason(url) is None

    def arrived(self, looked: Looked) -> None:
        """The answer to a look at one of them."""
        self._looked[looked.look.url] = looked

    def findings(self) -> list[PageRecord]:
        """What is to be written down of those that were looked at."""
        found = (self._finding(self._pages[url], looked) for url, looked in self._looked.items())
        return [record for record in found if record is not None]

    def _finding(self, page: PageRecord, looked: Looked) -> PageRecord | None:
        if looked.outcome in NEGATIVE or (looked.came and self._leads_away(page, looked)):
            is_gone = looked.outcome == "gone" or page.status != "active"
            return structs.replace(page, status="gone" if is_gone else "missing")
        if not looked.came:
            return None
        fresh = self._comparison.visit(looked).record
        here = structs.replace(page, status="active")
        read = PageRecord.of(self._kept(page, fresh, looked)) if fresh and not is_bare(fresh) else here
        return read if read != page else None

    def _kept(self, page: PageRecord, fresh: PostRecord, looked: Looked) -> PostRecord:
        """What the page says now, under the name it has; its words stay where the new reading is at
        fault.
        """
        rules, shown = self._context.known.rules, self._comparison.read(looked)
        # Such pages have no versions: what is left of one that is out of order must not take the
        # place of its words.
        is_out_of_order = is_far_less(page, fresh) and len(tokenise(fresh.text)) < FEW_WORDS
        is_at_fault = is_out_of_order or bool(why_kept(page, fresh, shown, rules))
        reading = with_text_of(page, fresh) if is_at_fault else fresh
        return structs.replace(old_identity(page, structs.replace(reading, url=page.url)), status="active")

    def _leads_away(self, page: PageRecord, looked: Looked) -> bool:
        """Whether its address leads to the home page or to a post now."""
        is_home = url_key(looked.url) == url_key(self._context.remembered.url)
        is_itself = url_key(looked.url) in map(url_key, page.addresses)
        return not is_itself and (is_home or self._context.identity.at(looked.url) is not None)
